/* Detection of functions that are not complex-differentiable. A user's function may pass through a double,
 * creal() or a modulus. Its values are then correct, but complex-step derivatives are not. */
#ifndef GRADYN_ADJOINT_COMPLEX_LOSS_H
#define GRADYN_ADJOINT_COMPLEX_LOSS_H

#include <stdbool.h>

#include "core/base/message.h"
#include <gradyn/model.h>

/* A function of numbers. With real arguments it uses real arithmetic. */
typedef struct gradyn_looked_at {
  gradyn_status (*call)(void *self, const gradyn_scalar *argument, gradyn_scalar *result);
  void *self;
  int arguments, results;
  const double *lower, *upper; /* [arguments] bounds of its domain; NULL: none */
  const double
      /* [results] magnitude of the terms that cancel in each result; NULL: that of the largest result */
      *terms;
} gradyn_looked_at;

/* Largest relative difference of a complex-step derivative from one by real numbers. */
#define GRADYN_LOST_TOLERANCE 1e-5

/* Result of the check of one function. */
typedef struct gradyn_complex_loss {
  bool found;
  /* the function has no real values next to its argument, and therefore no derivative */
  bool isolated;
  double error; /* error of the wrong derivative; if none is found, the largest visible error */
  int argument, result;
  /* derivative of the result by the argument: by real numbers, and by complex step */
  double real, stepped;
} gradyn_complex_loss;

/* Workspace for functions with at most this number of arguments and results. create() fails with
 * GRADYN_NO_MEMORY. */
typedef struct gradyn_complex_loss_workspace gradyn_complex_loss_workspace;
gradyn_status gradyn_complex_loss_workspace_create(int arguments, int results,
                                                   gradyn_complex_loss_workspace **out);
void gradyn_complex_loss_workspace_free(gradyn_complex_loss_workspace *capacity);
RELEASE(gradyn_complex_loss_workspace)

/* Checks the function at `at` [arguments]. size [arguments]: typical changes, 0: the argument is not checked.
 * Where the function cannot be evaluated, nothing is found. Returns only failures of class FATAL. */
gradyn_status gradyn_complex_loss_check(gradyn_complex_loss_workspace *capacity,
                                        const gradyn_looked_at *f, const double *at,
                                        const double *size, gradyn_complex_loss *out);

/* Writes the end of a message: the error of the derivative, and the remedy. Returns text. */
const char *gradyn_complex_loss_sentence(const gradyn_complex_loss *lost, char *text, size_t size);

#endif
