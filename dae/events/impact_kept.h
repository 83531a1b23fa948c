/* The number of velocities that a kinematic jump preserves. */
#ifndef GRADYN_DAE_IMPACT_KEPT_H
#define GRADYN_DAE_IMPACT_KEPT_H

#include "dae/events/impact.h"

/* Checks that a kinematic jump preserves as many velocities as the constraints, in s->J, and the wall leave
 * free. Overwrites s->rest. Does nothing for other events. Error: GRADYN_INVALID, with a message. */
gradyn_status gradyn_impact_check_kept(const gradyn_impacts *s);

#endif
