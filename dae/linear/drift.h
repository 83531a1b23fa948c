/* Constraint drift of a run in its statistics. */
#ifndef GRADYN_DAE_DRIFT_H
#define GRADYN_DAE_DRIFT_H

#include <math.h>

#include <gradyn/evaluate.h>

/* Raises the drift of the run in *s to at least worst: max |Phi|, |Phi'|, |Phi''|, each in its own unit. */
static inline void gradyn_drift_raise(gradyn_statistics *s, const double worst[3])
{
  s->drift_position = fmax(s->drift_position, worst[0]);
  s->drift_velocity = fmax(s->drift_velocity, worst[1]);
  s->drift_acceleration = fmax(s->drift_acceleration, worst[2]);
}

#endif
