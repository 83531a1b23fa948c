/* Sweeps of a one-step method through events. For the time of an event see onestep/sweeps.h. */
#ifndef GRADYN_ADJOINT_EXPLICIT_JUMPS_H
#define GRADYN_ADJOINT_EXPLICIT_JUMPS_H

#include "adjoint/onestep/sweeps.h"
#include "dae/events/instant.h"
#include "dae/onestep/events.h"

static inline bool gradyn_onestep_begins_arc(const gradyn_onestep *march, int k)
{
  return k == 0 || march->step[k - 1].arc != march->step[k].arc;
}

/* After the changes of the end of step k for the same length: sets the changes of its length, such that the
 * event stays at its end. s->z of the batch after the last one has S, the derivative by the length. */
gradyn_status gradyn_onestep_root_along(gradyn_onestep_sweeps *s, int k, int columns);
/* Across the event at a boundary: s->z goes from before to after; impulses [nf][columns] are added
 * to; NULL: not requested. */
gradyn_status gradyn_onestep_jump_along(gradyn_onestep_sweeps *s, int boundary, int columns,
                                        double *impulses);

/* Before the adjoint of step k: adds a batch with the guard of the event at its end. After it: passes the
 * adjoints of the length on, and ends this batch. */
gradyn_status gradyn_onestep_root_begin(gradyn_onestep_sweeps *s, int k);
void gradyn_onestep_root_against(gradyn_onestep_sweeps *s);
/* The transpose of jump_along(), before the step that ends at the boundary. */
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar);

#endif
