/* Detection of functions that are not complex-differentiable. A user's function may pass through a double,
 * creal() or a modulus. Its values are then correct, but complex-step derivatives are not. */
#ifndef GRADYN_ADJOINT_COMPLEX_LOSS_H
#define GRADYN_ADJOINT_COMPLEX_LOSS_H

#include <stdbool.h>

#include "core/base/message.h"
#include <gradyn/model.h>

/* A function to check. call() fills result [results] from argument [arguments]; a failure means that the
 * function has no value there, unless its status is of class FATAL. Real arguments give real results. */
typedef struct gradyn_checked_function {
  gradyn_status (*call)(void *self, const gradyn_scalar *argument, gradyn_scalar *result);
  void *self;
  int arguments, results;
  const double *lower, *upper; /* [arguments] bounds of its domain; NULL: none */
  const double
      /* [results] magnitude of the terms that cancel in each result; NULL: that of the largest result */
      *terms;
} gradyn_checked_function;

/* Largest relative difference of a complex-step derivative from one by real numbers. */
#define GRADYN_LOST_TOLERANCE 1e-5

/* Result of the check of one function; unless `found`, only `error` has a meaning. */
typedef struct gradyn_complex_loss {
  bool found;
  /* the function has no real values next to its argument, and therefore no derivative */
  bool isolated;
  /* if `found`: relative error of the derivative by complex step; otherwise: largest difference from a
   * derivative by real numbers */
  double error;
  int argument, result;
  /* derivative of the result by the argument: by real numbers, and by complex step */
  double real, stepped;
} gradyn_complex_loss;

/* Workspace for functions with at most this number of arguments and results. */
typedef struct gradyn_complex_loss_workspace gradyn_complex_loss_workspace;

/* Creates a workspace for functions with at most these numbers of arguments and results. Free *out in any
 * case; it is NULL, or incomplete, after a failure. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_complex_loss_workspace_create(int arguments, int results,
                                                   gradyn_complex_loss_workspace **out);

/* Frees a workspace; NULL: no effect. */
void gradyn_complex_loss_workspace_free(gradyn_complex_loss_workspace *capacity);
RELEASE(gradyn_complex_loss_workspace)

/* Checks the derivatives of a function near `at` [arguments]. size [arguments]: typical change of each
 * argument; 0: derivatives by this argument are not checked. *out: the wrong derivative; found is false if
 * all are right, or if the function has no values near `at`. Errors: statuses of class FATAL that the
 * function has returned. */
gradyn_status gradyn_complex_loss_check(gradyn_complex_loss_workspace *capacity,
                                        const gradyn_checked_function *f, const double *at,
                                        const double *size, gradyn_complex_loss *out);

/* Writes the last words of a message about a wrong derivative, with lost->found, into text [size], such as
 * "is 2 by real numbers and 0 by complex ones: ...", with a remedy, truncated to the size. Returns text. */
const char *gradyn_complex_loss_sentence(const gradyn_complex_loss *lost, char *text, size_t size);

#endif
