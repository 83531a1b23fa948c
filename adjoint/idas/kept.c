/* Integrates forward arcs and stores their steps for the adjoint run. IDAS stores checkpoints of an arc in
 * its own object. One object for each arc therefore lives until the adjoint run has used it. */
#include "adjoint/idas/kept.h"
#include "dae/idas/arc_time.h"
#include "dae/idas/events.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 3000, LEAST_ROOM = 100 };

gradyn_status gradyn_idas_kept_create(gradyn_idas *march, gradyn_idas_kept *s)
{
  *s = (gradyn_idas_kept){.march = march};
  s->first = calloc(4 * (size_t)march->ny + 1, sizeof(double));
  return s->first ? GRADYN_OK
                  : gradyn_fail(&march->model->message, GRADYN_NO_MEMORY,
                                "out of memory for %d states", march->ny);
}

void gradyn_idas_kept_clear(gradyn_idas_kept *s)
{
  free(s->arc);
  free(s->first);
  *s = (gradyn_idas_kept){0};
}

void gradyn_idas_kept_release(gradyn_idas_kept *s)
{
  /* the stored steps of an arc belong to its object */
  for (int k = 0; k < s->count; k++)
    if (s->arc[k].ida)
      IDAFree(&s->arc[k].ida);
  s->count = 0;
}

void gradyn_idas_kept_room(gradyn_idas_kept *s, long capacity)
{
  for (int k = 0; k < s->capacity; k++)
    s->arc[k].capacity = capacity;
}

/* Reserves memory for the expected number of steps of each arc. An arc with more steps is repeated. */
gradyn_status gradyn_idas_kept_reserve(gradyn_idas_kept *s)
{
  int count = s->march->arcs.count;
  if (count <= s->capacity)
    return GRADYN_OK;
  gradyn_kept_arc *grown = realloc(s->arc, (size_t)count * sizeof *grown);
  if (!grown)
    return gradyn_fail(&s->march->model->message, GRADYN_NO_MEMORY, "out of memory for %d arcs",
                       count);
  s->arc = grown;
  if (s->capacity == 0) {
    s->capacity = count;
    /* the first guess: this number of steps, distributed to the arcs */
    gradyn_idas_kept_room(s, FIRST_ROOM / count > LEAST_ROOM ? FIRST_ROOM / count : LEAST_ROOM);
  }
  for (; s->capacity < count; s->capacity++) /* an arc after an event resembles the one before it */
    s->arc[s->capacity].capacity = s->steps > LEAST_ROOM / 2 ? 2 * s->steps : LEAST_ROOM;
  return GRADYN_OK;
}

/* Integrates to the end of arc k, in single steps if events may end it earlier. IDAAdjInit() is called
 * last, because IDAS frees its adjoint memory as if there had been a step. */
static int solve(gradyn_idas_kept *s, int k, long capacity, gradyn_status *status)
{
  gradyn_idas *march = s->march;
  sunrealtype since = 0;
  int flag = IDA_SUCCESS, checkpoints, task = march->events ? IDA_ONE_STEP : IDA_NORMAL;
  if (march->events)
    *status = gradyn_idas_events_open(march);
  if (*status == GRADYN_OK && march->t < march->end)
    *status = gradyn_idas_failed(march, IDAAdjInit(march->ida, capacity, IDA_POLYNOMIAL), "adjoint",
                                 march->t);
  while (*status == GRADYN_OK && flag >= 0 && march->t < march->arcs.boundary[k + 1].t) {
    flag = IDASolveF(march->ida, march->end - march->begin, &since, march->sun.y, march->sun.yp,
                     task, &checkpoints);
    march->t = gradyn_idas_time(march, since);
    if (march->events && flag >= 0)
      *status = gradyn_idas_events_look(march, k);
  }
  return flag;
}

/* Integrates one forward arc with memory for `capacity` steps. */
static gradyn_status reach_end(gradyn_idas_kept *s, int k, long capacity)
{
  gradyn_idas *march = s->march;
  gradyn_status status = GRADYN_OK;
  GRADYN_TRY(gradyn_idas_open_arc(march, k));
  int flag = solve(s, k, capacity, &status);
  GRADYN_TRY(status);
  /* IDAS reports the time reached only on request */
  return gradyn_idas_failed(march, flag, "forward run", gradyn_idas_reached(march, march->ida));
}

/* As reach_end(), and returns the number of steps. */
static gradyn_status try_arc(gradyn_idas_kept *s, int k, long capacity, long *steps)
{
  gradyn_idas *march = s->march;
  const gradyn_status status = reach_end(s, k, capacity);
  *steps = 0;
  if (march->ida)
    IDAGetNumSteps(march->ida, steps);
  return status;
}

/* Restores the start of arc k, bit by bit. */
static gradyn_status rewind_arc(gradyn_idas_kept *s, int k)
{
  gradyn_idas *march = s->march;
  double *y = N_VGetArrayPointer(march->sun.y), *yp = N_VGetArrayPointer(march->sun.yp);
  size_t size = (size_t)march->ny * sizeof(double);
  gradyn_idas_close_arc(march);
  if (march->events)
    gradyn_idas_events_undo(march, k);
  march->t = march->arcs.boundary[k].t;
  /* restores y, y' and the sizes that determine tolerances */
  memcpy(y, s->first, size);
  memcpy(yp, s->first + march->ny, size);
  memcpy(march->sizes.size, s->first + 2 * march->ny, size);
  memcpy(march->sizes.most, s->first + 3 * march->ny, size);
  /* restart() changes last bits of algebraic states, which were consistent already; restore them */
  gradyn_status status = march->system->ops->restart(march->system, march->t, y, yp);
  memcpy(y, s->first, size);
  memcpy(yp, s->first + march->ny, size);
  return status;
}

/* If its memory for steps is full, IDAS sets a checkpoint, which changes the following steps. The adjoint
 * run then repeats the steps and assumes that their number is the same. If the last step fills the memory,
 * IDAS loses the states. An arc is therefore repeated until its memory exceeds the number of its steps. Its
 * steps are then those of a simulation, for any initial capacity. */
gradyn_status gradyn_idas_kept_march(gradyn_idas_kept *s, int k)
{
  gradyn_idas *march = s->march;
  GRADYN_TRY(gradyn_idas_kept_reserve(s));
  gradyn_kept_arc *arc = &s->arc[k];
  arc->ida = NULL;
  s->count = k + 1;
  if (gradyn_arcs_pause(&march->arcs, k))
    return GRADYN_OK;
  size_t size = (size_t)march->ny * sizeof(double);
  long steps;
  /* y, y', and the sizes that determine tolerances */
  memcpy(s->first, N_VGetArrayPointer(march->sun.y), size);
  memcpy(s->first + march->ny, N_VGetArrayPointer(march->sun.yp), size);
  memcpy(s->first + 2 * march->ny, march->sizes.size, size);
  memcpy(s->first + 3 * march->ny, march->sizes.most, size);
  gradyn_status status = try_arc(s, k, arc->capacity, &steps);
  while (status == GRADYN_OK && steps >= arc->capacity) {
    /* a repetition has the same number of steps; a tenth more, in case events move */
    arc->capacity = steps + steps / 10 + 10;
    status = rewind_arc(s, k);
    if (status == GRADYN_OK)
      status = try_arc(s, k, arc->capacity, &steps);
  }
  /* integrals of the arc, at the same point of the code as in a simulation */
  if (status == GRADYN_OK && march->sums.nq > 0)
    status = gradyn_idas_quadratures(march);
  s->steps = steps;
  if (march->ida)
    gradyn_idas_count(march, march->ida, false);
  arc->ida = march->ida;
  march->ida = NULL;
  return status;
}
