/* Events: instants, found along the motion, at which velocities jump. Each stands for a guard, a number that
 * passes zero there, and for what happens then. Times, states and impulses of events can be functionals;
 * their derivatives, and those of everything after them, are exact. */
#ifndef GRADYN_EVENTS_H
#define GRADYN_EVENTS_H

#include <gradyn/mbs.h>

/* --- Impacts ---------------------------------------------------------------------------------- */

/* A velocity component of a moving point. */
typedef struct gradyn_component {
  int point;
  gradyn_axis axis;
} gradyn_component;

/* A wall that a point bounces off: the gap between them stays positive, and when it closes its rate turns
 * from approach to restitution times it. The gap is that of one coordinate and a level, or the user's. */
typedef struct gradyn_bounce_spec {
  const char *name;
  int point;
  gradyn_axis axis;
  gradyn_law level; /* of the wall along the axis, m; it may move */
  bool below;       /* the point stays below the level; otherwise above it */
  /* A gap of the user's own instead, positive as long as the wall is free, in position, velocity and
   * acceleration form as of a constraint. NULL: that of the coordinate. Its name is not used. */
  const gradyn_custom_constraint_spec *gap;
  gradyn_scalar restitution; /* share of the rate of approach that comes back, > 0 */
  /* How the other velocities change. NULL: by the impulse of the wall and the reactions of the constraints,
   * as the masses have it. Otherwise these are kept, and all others follow from the constraints: a
   * kinematic jump, Corner et al. (2019), eqs. (52) and (53). Their number is that of the degrees of
   * freedom less one. */
  const gradyn_component *kept; /* [kept_count], copied */
  int kept_count;
} gradyn_bounce_spec;

/* Adds a wall; the spec is copied. Returns the number of the event. Data: name.value, ... of the level,
 * those of the gap, and name.restitution. Methods idas, ali3p and variational. */
GRADYN_API int gradyn_bounce(gradyn_model *model, const gradyn_bounce_spec *spec);

/* --- Functionals of events: each returns its number ------------------------------------------- */

#define GRADYN_ANY_EVENT (-1) /* instead of an event's number: whichever happens */

/* Time of an event, s; which: 1 for the first time that it happens, and so on. A run in which it does not
 * happen so often fails with GRADYN_EVENT. */
GRADYN_API int gradyn_event_time(gradyn_model *model, const char *name, int event, int which);

/* Impulse of the wall at an impact, N s, for a gap in metres; of a kinematic jump it is zero. */
GRADYN_API int gradyn_event_impulse(gradyn_model *model, const char *name, int event, int which);

/* A functional's `terminal` part, taken just before an event, or just after it. */
GRADYN_API int gradyn_before_event(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                                   int event, int which);
GRADYN_API int gradyn_after_event(gradyn_model *model, const gradyn_custom_functional_spec *spec,
                                  int event, int which);

#endif
