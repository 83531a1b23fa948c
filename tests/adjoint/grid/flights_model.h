/* The flights of tests/adjoint/grid/flights.h as a problem with the same functionals and parameters. */
#ifndef GRADYN_TESTS_ADJOINT_FLIGHTS_MODEL_H
#define GRADYN_TESTS_ADJOINT_FLIGHTS_MODEL_H

#include <gradyn/gradyn.h>

#include "tests/adjoint/grid/flights.h"
#include "tests/adjoint/grid/hybrid_checks.h"

/* The problem of a kind; its setting stands in *setting. */
gradyn_problem flights_problem(int kind, gradyn_setting *setting);

/* Where the motion of a kind meets its event once, and not at the end of a coarse step. */
void flights_place(int kind, double rho[FLIGHTS_PARAMETERS]);

/* The closed forms at rho: of all functionals and, slope [functionals][parameters], their derivatives. */
void flights_reference(int kind, const double rho[FLIGHTS_PARAMETERS],
                       double value[FLIGHTS_FUNCTIONALS],
                       double slope[FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS]);

/* Schemes that come near the closed forms, with their steps, and how near: fixed steps by their square, but
 * for the accelerations that generalised-alpha carries along, which lag behind by a share of a step. */
enum { FLIGHTS_SCHEMES = 6 };
typedef struct flights_scheme {
  hybrid_scheme scheme;
  double tolerance;
} flights_scheme;
extern const flights_scheme flights_schemes[FLIGHTS_SCHEMES];

/* How many functionals a kind has. */
static inline int flights_count(int kind)
{
  return kind == FLIGHTS_KNOT || kind == FLIGHTS_END ? FLIGHTS_IMPULSE : FLIGHTS_FUNCTIONALS;
}

#endif
