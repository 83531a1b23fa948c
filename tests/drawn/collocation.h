/* A reference for differential-algebraic equations of index 1 with few states: collocation of Radau IIA,
 * order 9, in long double, with its own variational equations. It shares no code with the library. Steps are
 * halved until values and derivatives no longer change. */
#ifndef GRADYN_TESTS_REFERENCE_COLLOCATION_H
#define GRADYN_TESTS_REFERENCE_COLLOCATION_H

#include <stdbool.h>

enum { COLLOCATION_STATES = 8, COLLOCATION_PARAMETERS = 7, COLLOCATION_FUNCTIONALS = 4 };

typedef long double _Complex collocation_number;

/* y' = rates, or 0 = rates for algebraic states; psi = terminal(t_end) + integral of the integrand. Functions
 * are analytic, so that their derivatives come by complex step; they are smooth within an arc. */
typedef struct collocation_problem {
  int states, parameters, functionals, arcs;
  bool algebraic[COLLOCATION_STATES];
  const long double *times; /* [arcs + 1] s, ends of arcs */
  const double *rho;        /* [parameters] */
  const void *self;         /* handed to the functions */
  /* at the first time; of algebraic states a guess */
  void (*start)(const void *self, const collocation_number rho[], collocation_number y[]);
  void (*rates)(const void *self, const collocation_number rho[], int arc, long double t,
                const collocation_number y[], collocation_number f[]);
  void (*functionals_at)(const void *self, const collocation_number rho[],
                         const collocation_number y[], collocation_number integrand[],
                         collocation_number terminal[]);
} collocation_problem;

typedef struct collocation_result {
  double psi[COLLOCATION_FUNCTIONALS];
  double slope[COLLOCATION_FUNCTIONALS][COLLOCATION_PARAMETERS]; /* d psi/d rho */
  /* the largest |terminal| on the way plus the integral of |integrand| */
  double extent[COLLOCATION_FUNCTIONALS];
  double peak[COLLOCATION_STATES]; /* the largest |y| */
  double stiffness;                /* length of the run times the largest norm of d rates/dy */
  /* by the last halving: psi over its extent, slopes over their largest component, but no less than psi, or
   * 1e-6 of its extent, over the largest rho */
  double moved;
  long steps;
} collocation_result;

/* False: no convergence. */
bool collocation_solve(const collocation_problem *problem, collocation_result *result);

#endif
