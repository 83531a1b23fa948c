/* No failure of a user's function is lost, whichever of its calls fails: the computation ends with the status
 * of this call. */
#ifndef GRADYN_TESTS_ADJOINT_LOSING_H
#define GRADYN_TESTS_ADJOINT_LOSING_H

#include <gradyn/gradyn.h>

/* What functions of the problem end with: GRADYN_OK but for the one call that is to fail. */
gradyn_status losing_answer(void);

/* As FORMULAS(), of a function that ends so. */
#define LOSING(name, ...)                                                                          \
  static gradyn_status name(const gradyn_at *at, gradyn_scalar value[])                            \
  {                                                                                                \
    const gradyn_scalar all[] = {__VA_ARGS__};                                                     \
    memcpy(value, all, sizeof all);                                                                \
    return losing_answer();                                                                        \
  }

/* What is asked of an evaluator at the initial parameters, at most 8. */
typedef gradyn_status (*losing_request)(gradyn_evaluator *ev, const double rho[]);

/* The gradient, for one. */
gradyn_status losing_gradient(gradyn_evaluator *ev, const double rho[]);

/* Computes in a given way, by a method and a sensitivity, once for each call, or for at most so many of them
 * at equal distances; this call alone fails. Unless tests are thorough, a twelfth of the calls. The test
 * fails if the failure is not reported. step: s; 0: by the error. */
void losing_nothing(gradyn_build_fn build, const gradyn_param *params, size_t count,
                    const char *const way[2], double step, losing_request request, long most);

#endif
