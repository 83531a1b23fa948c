/* Events of a one-step method. Every accepted step is searched for an event, first on the interpolant. If
 * there is one, the step is shortened so that it ends at the event. The impact maps z- to z+, and the run
 * continues in the next mode. */
#include "dae/onestep/events.h"
#include "dae/events/detect_search.h"
#include "dae/onestep/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PIECES = 4,       /* a step is searched in this number of pieces, one after the other */
  MOST_REFINED = 12 /* most steps of Newton's method to a root */
};

/* If the smallest distance of a guard to zero on the interpolant is below this fraction of its change in
 * the step, the guard may cross zero. States at the ends of shorter steps then decide. */
static const double doubtful = 1e-3;

/* --- life ------------------------------------------------------------------------------------- */

gradyn_status gradyn_onestep_events_create(gradyn_onestep *s)
{
  gradyn_model *model = s->model;
  gradyn_onestep_events *e = s->events = calloc(1, sizeof *e);
  if (!e)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for events");
  /* guards before a step is searched */
  e->saved = calloc((size_t)model->event_count, sizeof *e->saved);
  e->moves = model->mech ? 2 * (size_t)model->mech->n : (size_t)s->rates->ny;
  /* the state inside a step, and the state at the end of a piece */
  e->inside = calloc(2 * e->moves + 1, sizeof(double));
  e->end = calloc((size_t)s->rates->nz + 1, sizeof(double));
  if (!e->saved || !e->inside || !e->end)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for events");
  e->piece = e->inside + e->moves;
  /* tolerance 0: an event is where the guard of the discrete run is zero, without errors of the integrator */
  return gradyn_event_sequence_create(
      model, 0, (const size_t[6]){e->moves, (size_t)s->rates->record}, &e->base);
}

void gradyn_onestep_events_free(gradyn_onestep_events *e)
{
  if (!e)
    return;
  free(e->saved);
  free(e->inside);
  free(e->end);
  gradyn_event_sequence_clear(&e->base);
  free(e);
}

gradyn_status gradyn_onestep_events_begin(gradyn_onestep *s, const double *stage)
{
  gradyn_onestep_events *e = s->events;
  e->base.next = -1;
  GRADYN_TRY(gradyn_detector_begin(&e->base.watch, stage));
  return gradyn_detector_open(&e->base.watch, gradyn_model_start(s->model), stage);
}

/* --- search ----------------------------------------------------------------------------------- */

/* The step that is searched, which starts from z at t. */
typedef struct step {
  gradyn_onestep *march;
  double t, h;
  const double *z, *arrival;
  double *stages;
  double offset; /* s, start of the present piece */
  /* whether states inside the step are computed by shorter steps instead of the interpolant */
  bool exact;
  double
      /* s, the step may be longer by this time if an event follows directly after its end */
      beyond;
} step;

/* Takes a shorter step, and returns the stage at its end, in s->spare. */
static gradyn_status shorten(const step *at, double length, const double **stage)
{
  gradyn_onestep *s = at->march;
  double *inside = s->spare;
  memcpy(inside, at->stages, s->kept.slot * sizeof *inside);
  *stage = gradyn_onestep_stage(s, inside, s->kept.slots - 1);
  return gradyn_onestep_take(s, at->t, length, at->z, inside, true);
}

/* Interpolates the differential states of general equations by the dense output. Algebraic states are those
 * at the start of the step, a guess from which guards compute them. */
static void interpolate_equations(const step *at, double length, double *y)
{
  gradyn_onestep *s = at->march;
  gradyn_onestep_dense_at(s, length / at->h, s->trial);
  memcpy(y, at->stages, s->events->moves * sizeof *y);
  gradyn_rates_scatter(s->rates, s->trial, y);
}

/* Computes the state within a step: by the interpolant or, if `exact`, by a shorter step. */
static gradyn_status state_within(void *user, double position, const double **y)
{
  const step *at = user;
  const double length = at->offset + position;
  if (at->exact)
    return shorten(at, length, y);
  *y = at->march->events->inside;
  if (at->march->model->mech)
    gradyn_onestep_motion_at(at->march->model->mech->n, at->h, at->stages, at->arrival,
                             length / at->h, at->march->events->inside);
  else
    interpolate_equations(at, length, at->march->events->inside);
  return GRADYN_OK;
}

/* Searches the pieces of a step in their order. found->position is relative to the start of the step. */
static gradyn_status search(step *at, gradyn_found_event *found)
{
  gradyn_onestep_events *e = at->march->events;
  double least = HUGE_VAL;
  for (int k = 0; k < PIECES; k++) {
    const double from = at->h * k / PIECES, to = k + 1 < PIECES ? at->h * (k + 1) / PIECES : at->h;
    const double *end = at->arrival;
    at->offset = from;
    if (k + 1 < PIECES) {
      GRADYN_TRY(state_within(at, to - from, &end));
      /* copied, since states inside the piece use the same memory */
      memcpy(e->piece, end, e->moves * sizeof(double));
      end = e->piece;
    }
    const gradyn_span span = {at->t + from, to - from, end,
                              state_within, at,        k + 1 < PIECES ? 0 : at->beyond};
    GRADYN_TRY(gradyn_detector_search(&e->base.watch, &span, found));
    /* found->least is relative to the change in the piece; the change in the step is about PIECES times as
     * large */
    least = fmin(least, found->least / PIECES);
    found->least = least;
    if (found->event >= 0) {
      found->position += from;
      return GRADYN_OK;
    }
  }
  return GRADYN_OK;
}

/* Applies Newton's method to find the length of the step at whose end the guard is zero, starting from the
 * length in *found. The slope is the rate of the guard along the motion. Sets *met to whether it has
 * converged. */
static gradyn_status refine(const step *at, gradyn_found_event *found, bool *met)
{
  gradyn_detector *watch = &at->march->events->base.watch;
  double length = found->position, best = HUGE_VAL, first = HUGE_VAL;
  *met = false;
  for (int i = 0; i < MOST_REFINED; i++) {
    const double *y;
    double r[2];
    GRADYN_TRY(shorten(at, length, &y));
    GRADYN_TRY(gradyn_detector_measure(watch, found->event, at->t + length, y, r));
    /* no improvement, because of round-off */
    if (!(fabs(r[0]) < best))
      break;
    best = fabs(r[0]);
    found->position = length;
    const double change = -r[0] / r[1], next = length + change;
    first = i == 0 ? fabs(change) : first;
    *met = fabs(change) <= 1e-6 * first || fabs(change) <= 4 * DBL_EPSILON * at->h;
    if (!(next > 0 && next <= at->h + at->beyond) || fabs(change) <= 2 * DBL_EPSILON * at->h)
      break;
    length = next;
  }
  return GRADYN_OK;
}

/* Searches for an event on the interpolant. If the result is uncertain, searches again with shorter steps. */
static gradyn_status find(step *at, gradyn_found_event *found)
{
  gradyn_onestep *s = at->march;
  gradyn_onestep_events *e = s->events;
  size_t guards = (size_t)s->model->event_count * sizeof *e->saved;
  bool met = true;
  /* stored, because a search changes the guards, and a second search must start from the same values */
  memcpy(e->saved, e->base.watch.guard, guards);
  if (!s->model->mech)
    GRADYN_TRY(gradyn_onestep_dense_begin(s, at->t, at->h, at->z, e->end, at->stages));
  GRADYN_TRY(search(at, found));
  if (found->event >= 0)
    GRADYN_TRY(refine(at, found, &met));
  if (met && (found->event >= 0 || found->least > doubtful))
    return GRADYN_OK;
  /* search again with states of shorter steps, which have the accuracy of the method */
  memcpy(e->base.watch.guard, e->saved, guards);
  at->exact = true;
  return search(at, found);
}

gradyn_status gradyn_onestep_events_search(gradyn_onestep *s, double t, double *h, double left,
                                           const double *z, double *stages)
{
  gradyn_onestep_events *e = s->events;
  size_t bytes = (size_t)s->rates->nz * sizeof(double);
  step at = {.march = s, .t = t, .h = *h, .z = z, .stages = stages};
  /* an event so soon after the end belongs to this step, since a separate step of almost no length would
   * have derivatives that are only round-off */
  at.beyond = left > *h ? fmin(gradyn_guard_beyond(*h), left - *h)
                        : gradyn_detector_together(&e->base.watch);
  gradyn_found_event found;
  at.arrival = gradyn_onestep_stage(s, stages, s->kept.slots - 1);
  e->base.next = -1; /* no event so far */
  memcpy(e->end, s->y, bytes);
  const gradyn_status status = find(&at, &found);
  memcpy(s->y, e->end, bytes);
  GRADYN_TRY(status);
  if (found.event < 0 || !gradyn_detector_within(&e->base.watch, t + found.position))
    return GRADYN_OK;
  e->base.next = found.event;
  *h = found.position;
  GRADYN_TRY(gradyn_onestep_take(s, t, *h, z, stages, true));
  GRADYN_TRY(gradyn_onestep_integrate(s, t, *h, stages));
  /* computes the integrals and their errors up to the event; the step itself has been accepted */
  double error;
  return s->options.step == 0 && s->limits.given == 0
             ? gradyn_onestep_error(s, t, *h, z, stages, &error)
             : GRADYN_OK;
}

/* --- arcs ------------------------------------------------------------------------------------- */

gradyn_status gradyn_onestep_events_end_arc(gradyn_onestep *s, int arc, int first, double t)
{
  const gradyn_event_sequence *base = &s->events->base;
  gradyn_boundary replaced;
  GRADYN_TRY(gradyn_event_sequence_end_arc(base, &s->arcs, arc + 1, t, base->next, &replaced));
  /* lengths of the steps before do not depend on the time of the event */
  for (int k = first; k < s->count; k++)
    s->step[k].law = GRADYN_LENGTH_GIVEN;
  return GRADYN_OK;
}

/* --- crossing --------------------------------------------------------------------------------- */

/* Computes the state after the event, at which the next step starts, and its stage. */
static gradyn_status jump(gradyn_onestep *s, gradyn_passed_event *now)
{
  gradyn_onestep_events *e = s->events;
  double *z = s->z + (size_t)s->count * (size_t)s->rates->nz;
  GRADYN_TRY(gradyn_impact_apply(&e->base.impact, now->record.event, now->record.t, now->y[0],
                                 &now->record));
  gradyn_rates_gather(s->rates, e->base.impact.yp, z);
  /* predictions from steps before the event are not valid after it */
  if (s->rates->ops->leap)
    s->rates->ops->leap(s->rates);
  /* accelerations, multipliers and rates after the event */
  s->rates->evaluations++;
  return s->rates->ops->stage(s->rates, now->record.t, z, NULL, now->y[1]);
}

gradyn_status gradyn_onestep_events_apply(gradyn_onestep *s, int boundary, const double *arrival)
{
  gradyn_event_sequence *base = &s->events->base;
  const double t = gradyn_onestep_boundary(s, boundary);
  gradyn_passed_event *now;
  GRADYN_TRY(gradyn_event_sequence_begin(base, base->next, t, arrival, &now));
  /* the stage before the event is stored for derivatives */
  memcpy(now->y[0], arrival, base->kept[0] * sizeof(double));
  /* in this order: terminal parts before the event, the jump and its record, terminal parts after it */
  GRADYN_TRY(gradyn_onestep_add_terminals(s, boundary, false, arrival));
  GRADYN_TRY(gradyn_tape_append(&s->tape, GRADYN_TAPE_JUMP, boundary));
  GRADYN_TRY(jump(s, now));
  GRADYN_TRY(gradyn_tape_cross(&s->tape, base, &s->arcs, boundary, now, s->inner));
  s->arcs.boundary[boundary].discrete = s->model->discrete; /* discrete state of the next arc */
  GRADYN_TRY(gradyn_onestep_add_terminals(s, boundary, true, now->y[1]));
  GRADYN_TRY(gradyn_event_sequence_pause(base, &s->arcs, boundary));
  return base->next >= 0 ? GRADYN_OK : gradyn_detector_open(&base->watch, t, now->y[1]);
}
