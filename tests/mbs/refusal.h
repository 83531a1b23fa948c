/* Tables of wrong declarations, and the messages that they must give. */
#ifndef GRADYN_TESTS_MBS_REFUSAL_H
#define GRADYN_TESTS_MBS_REFUSAL_H

#include "core/model/model.h"
#include "tests/support.h"
#include <gradyn/mechanism.h>

/* Points of every case: moving ones at (1, 0) and (2, 1), a ground point at (0, 0), which is not the first,
 * so that a number that was never set does not find it. */
enum { REFUSAL_P = 1, REFUSAL_Q, REFUSAL_G };

typedef struct refusal {
  void (*declare)(gradyn_model *model); /* adds what is wrong */
  const char *message;                  /* how the model's message begins */
} refusal;

/* A body and a beam between two points that are right. */
gradyn_body_spec refusal_body(void);
gradyn_beam_spec refusal_beam(int from, int to);

/* The angle of a hinge between the ground and that body. */
int refusal_hinge_angle(gradyn_model *model);

/* In the plane; in space, where the points have z = 0. */
void refusal_check(int count, const refusal *refusals);
void refusal_check_3d(int count, const refusal *refusals);

#endif
