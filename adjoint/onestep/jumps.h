/* Sweeps of an explicit method through events. The last step before an event has an arc of its own, from b_0
 * to the event's time tau, where the guard of the discrete run is zero: r(z, tau, x) = 0 for the state z at
 * its end. Back through that step r is a function of the state, the data and the time it starts from,
 *     dr = z_r . dz_0 + x_r . dx + b_r db_0 + r' dtau = 0:
 * a root (dae/events/instant.h) whose step is held, but for its end. */
#ifndef GRADYN_ADJOINT_EXPLICIT_JUMPS_H
#define GRADYN_ADJOINT_EXPLICIT_JUMPS_H

#include "adjoint/onestep/sweeps.h"
#include "dae/events/instant.h"
#include "dae/onestep/events.h"

static inline bool gradyn_onestep_begins_arc(const gradyn_onestep *march, int k)
{
  return k == 0 || march->step[k - 1].arc != march->step[k].arc;
}

/* The sweep that takes guards back; NULL in *out: the model has no events. */
gradyn_status gradyn_onestep_guard_create(gradyn_onestep *march,
                                          const gradyn_onestep_derivatives *scheme,
                                          gradyn_onestep_sweeps **out);

/* Before the first step of an arc: how its end moves in all directions, if that is an event or follows the
 * start. */
gradyn_status gradyn_onestep_end_along(gradyn_onestep_sweeps *s, int k, int columns);
/* Across the event at a boundary: s->z goes from before to after; impulses [nf][columns] +=, NULL: not
 * wanted. */
gradyn_status gradyn_onestep_jump_along(gradyn_onestep_sweeps *s, int boundary, int columns,
                                        double *impulses);

/* The same backwards: after the first step of an arc, step k, and before the step that ends at the
 * boundary. */
gradyn_status gradyn_onestep_end_against(gradyn_onestep_sweeps *s, int k, double *x_bar);
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar);

#endif
