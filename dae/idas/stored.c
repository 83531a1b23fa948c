/* Stores the steps of arcs for a run backward. IDAS stores checkpoints of an arc in its own object. One
 * object for each arc therefore lives until the run backward has used it. */
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
  /* the stored steps of an arc belong to its object */
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

/* Reserves memory for the expected number of steps of each arc. An arc with more steps is repeated. */
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
    /* the first guess: this number of steps, distributed to the arcs */
    gradyn_idas_stored_resize(s, FIRST_STEPS / count > LEAST_STEPS ? FIRST_STEPS / count
                                                                   : LEAST_STEPS);
  }
  for (; stored->capacity < count; stored->capacity++)
    /* an arc after an event resembles the one before it */
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

/* Restores the start of arc k, bit by bit. */
static gradyn_status rewind_arc(gradyn_idas *s, int k)
{
  double *y = N_VGetArrayPointer(s->sun.y), *yp = N_VGetArrayPointer(s->sun.yp);
  gradyn_idas_close_arc(s);
  if (s->events)
    gradyn_idas_events_undo(s, k);
  s->t = s->arcs.boundary[k].t;
  copy_start(s, true);
  /* restart() changes the last bits of algebraic states, which were already consistent: restore them */
  const gradyn_status status = s->system->ops->restart(s->system, s->t, y, yp);
  copy_start(s, true);
  return status;
}

/* If its memory for steps is full, IDAS sets a checkpoint, which changes the following steps. The adjoint
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
    /* a repetition has the same number of steps; memory for a tenth more, because events may move */
    arc->capacity = stored->steps + stored->steps / 10 + 10;
    status = rewind_arc(s, k);
    if (status == GRADYN_OK)
      status = advance(s, k);
  }
}
