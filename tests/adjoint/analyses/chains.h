/* Linear chains under a periodic load, as problems and by linear algebra in complex numbers. The chains are
 * general equations, or masses on rails, which may lose a part of all states once in a period. */
#ifndef GRADYN_TESTS_ADJOINT_CHAINS_H
#define GRADYN_TESTS_ADJOINT_CHAINS_H

#include <complex.h>
#include <stdbool.h>

#include <gradyn/gradyn.h>

enum { CHAINS_STATES = 10, CHAINS_PARAMETERS = 9 }; /* at most */
typedef double complex chains_matrix[CHAINS_STATES][CHAINS_STATES];

/* The case that all else is of: members of the chain, states of each (1: equations, 2: a mass). */
typedef struct chains_case {
  int members, orders, parameters;
  bool loses;
} chains_case;

/* The problem of a case, until the next one is asked for. */
const gradyn_problem *chains_problem(const chains_case *of);

/* The period, s. */
extern const double chains_period;

/* At parameters rho: the transition matrix over a period; the start of the orbit [states]; how a disturbance
 * of member k/orders grows in a period, a multiplier. States are positions, then rates. */
void chains_transition(const double complex rho[], chains_matrix out);
void chains_start(const double complex rho[], double complex z[]);
double complex chains_multiplier(const double complex rho[], int k);

#endif
