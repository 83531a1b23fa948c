/* Sweeps of a one-step method through events. For the time of an event see onestep/sweeps.h. */
#ifndef GRADYN_ADJOINT_EXPLICIT_JUMPS_H
#define GRADYN_ADJOINT_EXPLICIT_JUMPS_H

#include "adjoint/jump.h"
#include "adjoint/onestep/sweeps.h"
#include "dae/events/instant.h"
#include "dae/onestep/events.h"

/* Returns whether step k, from 0, is the first one of its arc. */
static inline bool gradyn_onestep_begins_arc(const gradyn_onestep *march, int k)
{
  return k == 0 || march->step[k - 1].arc != march->step[k].arc;
}

/* For a step k that ends at an event: sets the changes of its length, such that the guard stays zero at its
 * end. Call it when s->b.z has the changes of the state at the end for a fixed length. The batch after the
 * last one must have S, the derivative of this state by the length. columns: number of columns in use.
 * Errors: those of guards and impacts. */
gradyn_status gradyn_onestep_root_along(gradyn_onestep_sweeps *s, int k, int columns);

/* Direct sweep across the event at a boundary, from 1: s->b.z, changes of the state before the event,
 * become those after it. Adds the derivatives of functionals of impulses to impulses [nf][columns]; not
 * NULL unless all functionals are skipped. Errors: those of impacts. */
gradyn_status gradyn_onestep_jump_along(gradyn_onestep_sweeps *s, int boundary, int columns,
                                        double *impulses);

/* Before the adjoint of a step k, from 0, that ends at an event: adds a batch with one row, which begins
 * with the derivatives of the guard. Errors: those of guards. */
gradyn_status gradyn_onestep_root_begin(gradyn_onestep_sweeps *s, int k);

/* After the adjoint of a step that ends at an event: adds the adjoints of its length, multiplied by the row
 * of the guard, to all rows. Then removes the batch of gradyn_onestep_root_begin(). */
void gradyn_onestep_root_against(gradyn_onestep_sweeps *s);

/* Transpose of gradyn_onestep_jump_along(), before the adjoint of the step that ends at the boundary, from
 * 1. Adds to x_bar [rows][nx]. Errors: those of impacts. */
gradyn_status gradyn_onestep_jump_against(gradyn_onestep_sweeps *s, int boundary, double *x_bar);

#endif
