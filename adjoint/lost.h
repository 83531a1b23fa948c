/* Derivatives that get lost on their way through complex numbers: what a user writes may pass through a
 * double, creal() or a modulus, and then its values are right and its derivatives are not. */
#ifndef GRADYN_ADJOINT_LOST_H
#define GRADYN_ADJOINT_LOST_H

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
typedef struct gradyn_lost {
  bool found;
  bool isolated; /* the function has no real values beside its argument, hence no derivative */
  double
      error; /* of the derivative that is lost, or the largest of others, as far as round-off lets see */
  int argument, result;
  double real, stepped; /* derivative of the one by the other: of real numbers, by complex step */
} gradyn_lost;

/* Room for looking, taken once for all functions of at most so many arguments and results. */
typedef struct gradyn_lost_room gradyn_lost_room;
gradyn_status gradyn_lost_room_create(int arguments, int results, gradyn_lost_room **out);
void gradyn_lost_room_free(gradyn_lost_room *room);
RELEASE(gradyn_lost_room)

/* Looks at `at` [arguments], where size [arguments] are typical changes; 0: that argument does not
 * count. Where it cannot be called nothing is found; what is fatal in a call is returned. */
gradyn_status gradyn_lost_look(gradyn_lost_room *room, const gradyn_looked_at *f, const double *at,
                               const double *size, gradyn_lost *out);

/* What is wrong with the derivative, and what helps: the end of a message. */
const char *gradyn_lost_sentence(const gradyn_lost *lost, char *text, size_t size);

#endif
