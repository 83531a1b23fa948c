/* Derivatives that get lost on their way through complex numbers: what a user writes may pass through a
 * double, creal() or a modulus, and then its values are right and its derivatives are not. */
#ifndef GRADYN_ADJOINT_COMPLEX_LOSS_H
#define GRADYN_ADJOINT_COMPLEX_LOSS_H

#include <stdbool.h>

#include "core/base/message.h"
#include <gradyn/model.h>

/* A function of numbers, in real arithmetic if its arguments are real. */
typedef struct gradyn_looked_at {
  gradyn_status (*call)(void *self, const gradyn_scalar *argument, gradyn_scalar *result);
  void *self;
  int arguments, results;
  const double *lower, *upper; /* [arguments] between which it is defined; NULL: everywhere */
  const double
      *terms; /* [results] how large what cancels in them may be; NULL: as the largest result */
} gradyn_looked_at;

/* What a derivative by complex step may differ by from one of real numbers, relative to it. */
#define GRADYN_LOST_TOLERANCE 1e-5

/* What has been found of one. */
typedef struct gradyn_complex_loss {
  bool found;
  bool isolated; /* the function has no real values beside its argument, hence no derivative */
  double
      error; /* of the derivative that is lost, or the largest of others, as far as round-off lets see */
  int argument, result;
  double real, stepped; /* derivative of the one by the other: of real numbers, by complex step */
} gradyn_complex_loss;

/* Room for looking, taken once for all functions of at most so many arguments and results. */
typedef struct gradyn_complex_loss_workspace gradyn_complex_loss_workspace;
gradyn_status gradyn_complex_loss_workspace_create(int arguments, int results,
                                                   gradyn_complex_loss_workspace **out);
void gradyn_complex_loss_workspace_free(gradyn_complex_loss_workspace *capacity);
RELEASE(gradyn_complex_loss_workspace)

/* Looks at `at` [arguments], where size [arguments] are typical changes; 0: that argument does not
 * count. Where it cannot be called nothing is found; what is fatal in a call is returned. */
gradyn_status gradyn_complex_loss_check(gradyn_complex_loss_workspace *capacity,
                                        const gradyn_looked_at *f, const double *at,
                                        const double *size, gradyn_complex_loss *out);

/* What is wrong with the derivative, and what helps: the end of a message. */
const char *gradyn_complex_loss_sentence(const gradyn_complex_loss *lost, char *text, size_t size);

#endif
