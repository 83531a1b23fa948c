/* Stores the steps of arcs for a backward run. IDAS stores the checkpoints of an arc in the object of this
 * arc. Each arc therefore has its own object, which exists until the backward run has used it. */
#include "dae/idas/events.h"
#include "dae/idas/run.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 3000, LEAST_STEPS = 100 };

void gradyn_idas_close_arc(gradyn_idas *s)
{
  if (s->ida)
    IDAFree(&s->ida);
}

void gradyn_idas_stored_release(gradyn_idas *s)
{
  /* each object contains the stored steps of its arc */
  for (int k = 0; k < s->stored.count; k++)
    if (s->stored.arc[k].ida)
      IDAFree(&s->stored.arc[k].ida);
  s->stored.count = 0;
}

void gradyn_idas_stored_resize(gradyn_idas *s, long capacity)
{
  for (int k = 0; k < s->stored.capacity; k++)
    s->stored.arc[k].capacity = capacity;
}

/* Provides an entry for each arc, with the number of steps for which IDAS reserves memory. An arc with more
 * steps is repeated. */
static gradyn_status reserve(gradyn_idas *s)
{
  gradyn_idas_stored *stored = &s->stored;
  const int count = s->arcs.count;
  if (!stored->first)
    stored->first = calloc(4 * (size_t)s->ny + 1, sizeof(double));
  if (stored->first && count <= stored->capacity)
    return GRADYN_OK;
  gradyn_idas_stored_arc *grown = stored->first
                                      ? realloc(stored->arc, (size_t)count * sizeof *grown)
                                      : NULL;
  if (!grown)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d arcs", count);
  stored->arc = grown;
  if (stored->capacity == 0) {
    stored->capacity = count;
    /* at first, a fixed total number of steps, distributed to the arcs */
    gradyn_idas_stored_resize(s, FIRST_STEPS / count > LEAST_STEPS ? FIRST_STEPS / count
                                                                   : LEAST_STEPS);
  }
  for (; stored->capacity < count; stored->capacity++)
    /* an arc after an event probably has as many steps as the last one */
    stored->arc[stored->capacity].capacity = stored->steps > LEAST_STEPS / 2 ? 2 * stored->steps
                                                                             : LEAST_STEPS;
  return GRADYN_OK;
}

/* Copies the start of an arc: y, y', and the sizes that determine tolerances. */
static void copy_start(gradyn_idas *s, bool back)
{
  double *array[] = {N_VGetArrayPointer(s->sun.y), N_VGetArrayPointer(s->sun.yp), s->sizes.size,
                     s->sizes.most};
  const size_t size = (size_t)s->ny * sizeof(double);
  for (int k = 0; k < 4; k++) {
    double *first = s->stored.first + k * s->ny;
    memcpy(back ? array[k] : first, back ? first : array[k], size);
  }
}

/* Restores the start of arc k to the last bit. */
static gradyn_status rewind_arc(gradyn_idas *s, int k)
{
  double *y = N_VGetArrayPointer(s->sun.y), *yp = N_VGetArrayPointer(s->sun.yp);
  gradyn_idas_close_arc(s);
  if (s->events)
    gradyn_idas_events_undo(s, k);
  s->t = s->arcs.boundary[k].t;
  copy_start(s, true);
  /* the state was consistent before, but restart() changes the last bits of algebraic states: restore them */
  const gradyn_status status = s->system->ops->restart(s->system, s->t, y, yp);
  copy_start(s, true);
  return status;
}

/* Takes the steps of arc k and stores them.
 *
 * If its memory for steps is full, IDAS sets a checkpoint, which changes the following steps. The adjoint
 * run then repeats the steps and assumes that their number is the same. If the last step fills the memory,
 * IDAS loses the states. An arc is therefore repeated until its memory exceeds the number of its steps. Its
 * steps are then those of a simulation, for any initial capacity. */
gradyn_status gradyn_idas_store_arc(gradyn_idas *s, int k, gradyn_idas_advance_fn *advance)
{
  gradyn_idas_stored *stored = &s->stored;
  GRADYN_TRY(reserve(s));
  gradyn_idas_stored_arc *arc = &stored->arc[k];
  for (; stored->count <= k; stored->count++) /* arcs of zero length have no object */
    stored->arc[stored->count].ida = NULL;
  copy_start(s, false);
  gradyn_status status = advance(s, k);
  for (;;) {
    stored->steps = 0;
    if (s->ida)
      IDAGetNumSteps(s->ida, &stored->steps);
    if (status != GRADYN_OK || stored->steps < arc->capacity)
      return status;
    /* the repeated arc has the same number of steps; a tenth more for later runs, in which events may move */
    arc->capacity = stored->steps + stored->steps / 10 + 10;
    status = rewind_arc(s, k);
    if (status == GRADYN_OK)
      status = advance(s, k);
  }
}
