/* The list of steps of a run. The next run may repeat them, joined or divided: two runs with such steps
 * give the error of a gradient. */
#include <math.h>
#include <stdlib.h>

#include "core/model/same_time.h"
#include "dae/onestep/onestep.h"

enum { FIRST_ROOM = 8 }; /* steps */

/* Provides memory for step k, and for the states at both ends of each step. */
gradyn_status gradyn_onestep_reserve_step(gradyn_onestep *s, int k)
{
  if (k < s->capacity)
    return GRADYN_OK;
  int capacity = k + FIRST_ROOM + k / 2; /* half more than needed */
  void *step = realloc(s->step, (size_t)capacity * sizeof *s->step);
  if (step)
    s->step = step;
  /* states at both ends of all steps */
  double *z = realloc(s->z, ((size_t)capacity + 1) * (size_t)s->rates->nz * sizeof *z);
  if (z)
    s->z = z;
  if (!step || !z)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY,
                       "out of memory for the steps of a run");
  s->capacity = capacity;
  return GRADYN_OK;
}

gradyn_length_law gradyn_onestep_law(const gradyn_onestep *s, bool event, bool last)
{
  if (event)
    return GRADYN_LENGTH_EVENT;
  if (!s->events || s->options.step == 0)
    return GRADYN_LENGTH_SHARE;
  return last ? GRADYN_LENGTH_REST : GRADYN_LENGTH_GIVEN;
}

void gradyn_onestep_enter(const gradyn_onestep *s, int arc)
{
  gradyn_discrete_state_enter(s->model, s->arcs.boundary[arc].discrete);
}

/* Joins `merge` steps of the list each into one, from the beginning, in place. Returns their number. */
static int join(gradyn_onestep *s, int merge)
{
  int count = 0;
  for (int k = 0, joined = 0; k < s->limits.given; k++) {
    gradyn_onestep_step step = s->step[k];
    if (joined > 0)
      /* from the start of the first step to the end of the last one */
      s->step[count - 1].share = step.start + step.share - s->step[count - 1].start;
    else
      s->step[count++] = step;
    /* only steps of one arc are joined */
    joined = ++joined == merge || gradyn_onestep_ends_given(s, k) ? 0 : joined;
  }
  return count;
}

/* Divides each of `count` steps of the list into `parts`, from the end, in place. */
static void divide(gradyn_onestep *s, int count, int parts)
{
  /* from the last entry to the first, so that each is read before it is overwritten */
  for (int k = count - 1; k >= 0; k--) {
    gradyn_onestep_step step = s->step[k];
    for (int i = parts - 1; i >= 0; i--)
      s->step[k * parts + i] = (gradyn_onestep_step){.arc = step.arc,
                                                     .start = step.start + i * step.share / parts,
                                                     .share = step.share / parts,
                                                     .parts = step.parts};
  }
}

/* Limits the lengths of steps by those of the last run divided by `parts`. The limits are slightly longer,
 * so that the last step before an event reaches beyond the event, and no short step remains. */
static gradyn_status limit(gradyn_onestep *s, int parts)
{
  static const double beyond = 1.03;
  gradyn_onestep_limits *limits = &s->limits;
  if (limits->capacity < s->count) {
    double *grown = realloc(limits->from, 2 * (size_t)s->count * sizeof *grown);
    if (!grown)
      return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY,
                         "out of memory for the steps of a run");
    limits->from = grown;
    limits->capacity = s->count;
  }
  limits->length = limits->from + limits->capacity;
  limits->count = s->count;
  for (int k = 0; k < s->count; k++) {
    limits->from[k] = s->step[k].t;
    limits->length[k] = beyond * s->step[k].h / parts;
  }
  return GRADYN_OK;
}

double gradyn_onestep_longest(gradyn_onestep *s, double t)
{
  gradyn_onestep_limits *limits = &s->limits;
  /* find the step of the last run at this time; events may differ in time by round-off */
  while (limits->at + 1 < limits->count &&
         !gradyn_model_later(s->model, limits->from[limits->at + 1], t))
    limits->at++;
  return limits->count > 0 ? limits->length[limits->at] : HUGE_VAL;
}

gradyn_status gradyn_onestep_find_arcs(gradyn_model *model, bool instants, gradyn_arcs *arcs)
{
  GRADYN_TRY(gradyn_arcs_find(model, GRADYN_ALL_KNOTS, arcs));
  return instants ? gradyn_arcs_add_instants(model, arcs) : GRADYN_OK;
}

gradyn_status gradyn_onestep_fit_arcs(gradyn_onestep *s)
{
  GRADYN_TRY(gradyn_onestep_find_arcs(s->model, !s->tape.unread, &s->arcs));
  const int arcs = s->limits.given > 0 ? s->step[s->limits.given - 1].arc + 1 : s->arcs.count;
  return arcs == s->arcs.count
             ? GRADYN_OK
             : gradyn_fail(&s->model->message, GRADYN_UNSUPPORTED,
                           "the prescribed steps belong to %d arcs, but this run has %d arcs "
                           "between knots and times of functionals",
                           arcs, s->arcs.count);
}

/* Makes the next run take the steps of the last one, joined or divided. The difference of both runs
 * estimates the error. */
gradyn_status gradyn_onestep_repeat(gradyn_onestep *s, int merge, int parts)
{
  const int before = s->limits.given > 0 ? s->limits.given : s->count;
  s->limits.count = s->limits.given = 0;
  if (merge == 0 || s->events)
    return parts > 0 ? limit(s, parts) : GRADYN_OK;
  s->limits.given = before;
  const int joined = join(s, merge);
  s->limits.given = 0; /* the list is not valid while its memory is moved */
  while (s->capacity < joined * parts)
    GRADYN_TRY(gradyn_onestep_reserve_step(s, s->capacity));
  divide(s, joined, parts);
  s->limits.given = joined * parts;
  return gradyn_onestep_fit_arcs(s);
}
