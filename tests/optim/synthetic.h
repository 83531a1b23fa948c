/* Analytic problems in place of simulations, and a callback that records iterations. */
#ifndef GRADYN_TESTS_OPTIM_SYNTHETIC_H
#define GRADYN_TESTS_OPTIM_SYNTHETIC_H

#include "tests/support.h"

#include <stdatomic.h>

#include "optim/search/search.h"

enum { SYNTHETIC_MAX = 12 };

typedef struct synthetic synthetic;

/* Fills psi and gradient [functionals][parameters] (zero on entry); not GRADYN_OK: fails there. */
typedef gradyn_status (*synthetic_fn)(const synthetic *problem, const double x[], double psi[],
                                      double gradient[]);

/* Such a function, which does not fail:
 *   SYNTHETIC(square)
 *   {
 *     psi[0] = x[0] * x[0];
 *     gradient[0] = 2 * x[0];
 *   } */
#define SYNTHETIC(name)                                                                            \
  static void name##_filled(const synthetic *problem, const double x[], double psi[],              \
                            double gradient[]);                                                    \
  static gradyn_status name(const synthetic *problem, const double x[], double psi[],              \
                            double gradient[])                                                     \
  {                                                                                                \
    name##_filled(problem, x, psi, gradient);                                                      \
    return GRADYN_OK;                                                                              \
  }                                                                                                \
  static void name##_filled(SYNTHETIC_UNUSED const synthetic *problem,                             \
                            SYNTHETIC_UNUSED const double x[], SYNTHETIC_UNUSED double psi[],      \
                            SYNTHETIC_UNUSED double gradient[])
#define SYNTHETIC_UNUSED __attribute__((unused))

struct synthetic {
  gradyn_parameter_info parameters[SYNTHETIC_MAX];
  gradyn_functional_info functionals[SYNTHETIC_MAX];
  size_t n, m; /* parameters, functionals */
  synthetic_fn fill;
  double factor; /* of the first functional */
  double shape;  /* for fill: a condition number or the like */
  double least;  /* for fill: the least value of the objective */
  atomic_long evaluations;
};

/* A problem with n parameters called x0, x1, ... between lower and upper and m functionals called
 * f0, f1, ..., the first one the objective, the others monitored. */
synthetic synthetic_make(size_t n, double lower, double upper, size_t m, synthetic_fn fill);

/* Makes functional i a constraint with tolerance 1e-8. */
void synthetic_constrain(synthetic *problem, size_t i, gradyn_functional_use use, double bound);

/* Default search: slsqp or lbfgs, 500 evaluations, 1e-10, 1e-10, 1e-6. */
gradyn_search synthetic_search(const char *algorithm);

/* What a search is given of a problem. */
gradyn_objective synthetic_objective(synthetic *problem);

/* Runs a search; the result is to be cleared. */
gradyn_status synthetic_run(synthetic *problem, const gradyn_search *search, const double x0[],
                            gradyn_search_result *result);

/* Rosenbrock's function of n parameters, minimum 0 at (1, ..., 1). */
gradyn_status rosenbrock(const synthetic *problem, const double x[], double psi[],
                         double gradient[]);
/* Sum of (x_i - i - 1)^2. */
gradyn_status bowl(const synthetic *problem, const double x[], double psi[], double gradient[]);
/* Hock & Schittkowski (1981), problem 71: f0 objective, f1 >= 25, f2 = 40. */
gradyn_status hs071(const synthetic *problem, const double x[], double psi[], double gradient[]);

#endif
