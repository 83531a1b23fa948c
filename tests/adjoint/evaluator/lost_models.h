/* A mechanism and general equations in which one number passes through an operation that loses its
 * derivative, or through one that keeps it. */
#ifndef GRADYN_TESTS_ADJOINT_LOST_MODELS_H
#define GRADYN_TESTS_ADJOINT_LOST_MODELS_H

#include "tests/support.h"

#include <gradyn/gradyn.h>

/* How a number passes through the text of a user. */
typedef enum way {
  PLAIN,
  BY_DOUBLE, /* lost from here on */
  BY_MODULUS,
  BY_CONJ,
  HALF, /* of it */
  KINK,
  STAIRS,
  TABLE,
  STEEP,
  WAYS,
  ROUND_OFF /* that of an imaginary part, which no real arguments may leave */
} way;

/* Whether a way loses derivatives. */
extern const bool lost_is_lost[WAYS];

/* Where a way is taken. */
typedef enum place {
  NOWHERE,
  IN_BUILD,
  IN_FORCE,
  IN_CONSTRAINT,
  IN_INTEGRAND,
  IN_TERMINAL,
  IN_GUARD,
  IN_RESET,
  IN_FORMULA,
  IN_RESIDUAL,
  PLACES
} place;

/* The present one. */
extern struct lost_taken {
  place at;
  way by;
} lost_taken;

/* Whether the mechanism has its event. */
extern bool lost_with_event;

enum { FUNCTIONALS = 3 };

/* Both have two parameters. */
extern const gradyn_param lost_params[];
extern const gradyn_problem lost_pendulum, lost_oscillator;

/* An evaluator of the model that has the place. */
gradyn_evaluator *lost_create(place at, const char *method, const char *sensitivity);

/* Passes if `status` is a refusal that names the place and the number. */
void lost_assert_told(const gradyn_evaluator *ev, gradyn_status status, place at);

#endif
