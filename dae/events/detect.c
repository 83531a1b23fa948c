/* Guards along an arc: start, and events of doubtful course. A guard that is watched has a side, a rate
 * and a size of zero; from an arc's start to its end it must leave before it can come back. */
#include "dae/events/detect.h"
#include "core/model/event_log.h"
#include "core/model/same_time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 100000 };

/* Distances over the length of the run: events of a guard closer than
 * `apart` to its last one accumulate. A guard that passes zero at less than `grazing` of its largest rate
 * touches it. At the start guards below `closed` of their size are zero. */
static const double apart = 1e-9, grazing = 1e-5, closed = 1e-10;

/* Rates are zero below `still` of their size, in runs with a relative tolerance below so many times that. A
 * guard that constraints hold at zero, between points that swing, has rates up to 1.3e-16 of their size in
 * schemes that keep constraints to round-off, and up to 7 tolerances in idas, whose constraints drift. Behind
 * an impact that analyses start from, the gap of a tip that slides along a wall has more than 1e-10. */
static const double still = 3e-10, drifting = 30;

/* Parts of a step by which an event may lie behind its end and still be in it: a step of next to no length
 * has forces of constraints that are round-off. */
static const double beyond = 1e-6;

gradyn_status gradyn_detector_create(gradyn_model *model, double tolerance, gradyn_detector *w)
{
  *w = (gradyn_detector){.model = model, .tolerance = tolerance};
  w->guard = calloc(2 * (size_t)model->event_count + 1, sizeof *w->guard);
  if (!w->guard)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                       model->event_count);
  w->before = w->guard + model->event_count;
  return gradyn_guards_create(model, &w->guards);
}

void gradyn_detector_clear(gradyn_detector *w)
{
  gradyn_guards_clear(&w->guards);
  free(w->guard);
  *w = (gradyn_detector){0};
}

/* t_end, s. */
static double run_length(const gradyn_detector *w)
{
  return w->model->x[w->model->t_end];
}

bool gradyn_detector_within(const gradyn_detector *w, double t)
{
  return gradyn_model_later(w->model, gradyn_model_end(w->model), t);
}

gradyn_status gradyn_detector_measure(gradyn_detector *w, int event, double t, const double *y,
                                      double r[2])
{
  GRADYN_TRY(gradyn_detector_value(w, event, 0, t, y, &r[0]));
  return gradyn_detector_value(w, event, 1, t, y, &r[1]);
}

double gradyn_guard_beyond(double h)
{
  return beyond * h;
}

double gradyn_detector_together(const gradyn_detector *w)
{
  return GRADYN_SAME_TIME * run_length(w);
}

/* A reason why derivatives do not exist, or nobody knows how the motion goes on. */
static gradyn_status fail(gradyn_detector *w, int event, double t, const char *what)
{
  return gradyn_fail(&w->model->message, GRADYN_EVENT, "%s at t = %g s: %s",
                     w->model->event[event].name, t, what);
}

/* The same as fail(), but that of events that accumulate where they would end, and what to do. */
static gradyn_status fail_last(gradyn_detector *w, int event, double t, double found,
                               const char *what)
{
  double q, limit;
  if (!gradyn_log_accumulates(w->model, event, found, &q, &limit))
    return fail(w, event, t, what);
  return gradyn_fail(
      &w->model->message, GRADYN_EVENT,
      "%s at t = %.9g s: its events accumulate (Zeno): each interval between them is "
      "%.4g times the last, and they end at t = %.9g s. Let slow impacts lead into a "
      "mode that holds the contact, or end the run before",
      w->model->event[event].name, t, q, limit);
}

/* Whether the guard is the gap of a contact. */
static bool is_wall(const gradyn_detector *w, int event)
{
  return w->model->event[event].contact >= 0;
}

/* A mode in which an invariant is beyond zero, or goes there at once: where that is, and by how much. The
 * guard is told as its author has it, positive or, where it rises to zero, negative. */
static gradyn_status cannot_be(gradyn_detector *w, int event, double t, double r, const char *how)
{
  const gradyn_model *model = w->model;
  const gradyn_event_entry *e = &model->event[event];
  const bool modes = model->modes.count > 0, wall = is_wall(w, event);
  return gradyn_fail(&w->model->message, GRADYN_EVENT,
                     "%s: the %s is %.6g at t = %.9g s%s%s%s: a motion goes on there only while "
                     "it is %s",
                     e->name, wall ? "gap" : "guard", wall ? r : e->sign * r, t, how,
                     modes ? " in mode " : "", modes ? model->modes.name[model->discrete.mode] : "",
                     !wall && e->sign < 0 ? "negative" : "positive");
}

gradyn_status gradyn_detector_leave_rest(gradyn_detector *w, int event, double t)
{
  gradyn_guard_state *g = &w->guard[event];
  if (w->model->event[event].either && g->now < -g->zero) {
    g->side = -g->side; /* of both ways it has taken the other */
    g->r = g->now = -g->now;
    g->rate = -g->rate;
  }
  g->below = !(g->now > g->zero);
  g->rests = g->below && !(g->now < -g->zero);
  return g->below && !g->rests ? gradyn_detector_stays(w, event, t, t) : GRADYN_OK;
}

/* A wall at the start of a run. */
static gradyn_status begin_wall(gradyn_detector *w, int event, const double *y)
{
  const double t = gradyn_model_start(w->model);
  double r[2], scale[2];
  GRADYN_TRY(gradyn_detector_measure(w, event, t, y, r));
  GRADYN_TRY(gradyn_guard_scale(&w->guards, event, t, y, scale));
  /* a wall that is touched must be left */
  w->guard[event].leaving = r[0] <= closed * scale[0];
  if (r[0] < -closed * scale[0])
    return gradyn_fail(&w->model->message, GRADYN_EVENT,
                       "%s: the gap is %g at the start of the run: it must not be negative",
                       w->model->event[event].name, r[0]);
  if (w->guard[event].leaving && r[1] <= 0)
    return fail(w, event, t,
                "the gap is closed at the start of the run and does not open; a motion that "
                "starts on a wall must leave it");
  return GRADYN_OK;
}

/* A run begins: nothing has happened, walls must be open or opening. */
gradyn_status gradyn_detector_begin(gradyn_detector *w, const double *y)
{
  gradyn_log_begin(w->model);
  w->happened = 0;
  w->opened = -1;
  if (w->model->event_count > 0)
    GRADYN_TRY(gradyn_guards_begin(&w->guards, y));
  for (int i = 0; i < w->model->event_count; i++) {
    w->guard[i] = (gradyn_guard_state){.last = (double)NAN, .side = 1};
    if (is_wall(w, i) && gradyn_event_watched(w->model, i))
      GRADYN_TRY(begin_wall(w, i, y));
  }
  return GRADYN_OK;
}

/* The share of its size below which a guard is zero. */
static double closed_share(const gradyn_detector *w)
{
  return fmax(closed, w->tolerance);
}

/* The share of its size below which the rate of a guard is zero: by what rates are off by. */
static double still_share(const gradyn_detector *w)
{
  return fmax(still, drifting * w->tolerance);
}

/* Whether its event has moved the guard: by what map and reset alone do, from just before it to just behind
 * it. What a run is off by, and what is corrected before the event and behind it, is not in that
 * difference. */
static gradyn_status find_moved(gradyn_detector *w, int event, double t,
                                const gradyn_impacts *impact, bool *moved)
{
  gradyn_model *model = w->model;
  double before, after, scale[2];
  /* a formula may read forces, which are those of the modes */
  const int behind = gradyn_discrete_state_switch_mode(model, impact->before);
  gradyn_status status = gradyn_detector_value(w, event, 0, t, impact->y, &before);
  (void)gradyn_discrete_state_switch_mode(model, behind);
  GRADYN_TRY(status);
  GRADYN_TRY(gradyn_detector_value(w, event, 0, t, impact->yp, &after));
  GRADYN_TRY(gradyn_guard_scale(&w->guards, event, t, impact->yp, scale));
  *moved = !(fabs(after - before) <= closed_share(w) * scale[0]);
  return GRADYN_OK;
}

gradyn_status gradyn_detector_cross(gradyn_detector *w, int event, double t,
                                    const gradyn_impacts *impact)
{
  gradyn_guard_state *g = &w->guard[event];
  w->happened++;
  g->last = t;
  g->moved = false;
  /* in the mode behind it may be of no interest, or have nothing to be evaluated with */
  const gradyn_event_entry *e = &w->model->event[event];
  const bool sets = e->map_count > 0 || e->set_count > 0;
  const bool asked = sets && gradyn_event_watched(w->model, event);
  return asked ? find_moved(w, event, t, impact, &g->moved) : GRADYN_OK;
}

/* A guard at the start of an arc, which its own event has started or not. It is zero behind that unless the
 * event has moved it, as a map may that sets a coordinate back. One that is zero but for round-off and the
 * errors of a run, and neither rises nor falls beyond them, waits to see which way it goes: signs tell
 * nothing. However little a rate that is none of these lifts it, by r'^2 / 2 |r''|, it comes back. */
static gradyn_status open_guard(gradyn_detector *w, int event, double t, const double *y, bool own)
{
  const double share = closed_share(w);
  const bool wall = is_wall(w, event);
  gradyn_guard_state *g = &w->guard[event];
  double r[2], scale[2] = {0, 0};
  g->side = 1;
  gradyn_status status = gradyn_detector_measure(w, event, t, y, r);
  if (status == GRADYN_OK)
    status = gradyn_guard_scale(&w->guards, event, t, y, scale);
  own = own && !g->moved;
  const bool zero = own || fabs(r[0]) <= share * scale[0];
  /* its own event has a rate, which judge() has seen */
  const double rate = still_share(w) * scale[1];
  const bool rests = zero && !own && fabs(r[1]) <= rate;
  if (w->model->event[event].either && !rests && (zero ? r[1] : r[0]) < 0) {
    g->side = -1;
    r[0] = -r[0];
    r[1] = -r[1];
  }
  /* what the next steps are compared with */
  *g = (gradyn_guard_state){.r = r[0],
                            .rate = r[1],
                            .before = (double)NAN,
                            .fastest = fabs(r[1]),
                            .zero = fmax(share * scale[0], own ? 2 * fabs(r[0]) : 0),
                            .side = g->side,
                            .leaving = zero && !rests && (wall || r[1] > 0),
                            .rises = zero && r[1] > rate ? r[1] : 0,
                            .below = rests || (!wall && (zero ? !(r[1] > 0) : r[0] < 0)),
                            .rests = rests,
                            .last = g->last};
  if (!w->model->event[event].invariant || status != GRADYN_OK)
    return status;
  if (!zero && r[0] < 0)
    return cannot_be(w, event, t, r[0], ", where the motion begins");
  /* a wall that is touched is told where it does not open */
  return !wall && zero && !rests && !(r[1] > 0)
             ? cannot_be(w, event, t, r[0], " and goes beyond zero, where the motion begins")
             : GRADYN_OK;
}

/* A guard where its motion goes on, at a knot of a signal. One that reads forces may jump over zero with the
 * signal: what happens then happens at the signal's time, not at a root. */
static gradyn_status continue_guard(gradyn_detector *w, int event, double t, const double *y)
{
  gradyn_guard_state *g = &w->guard[event];
  /* of one that rests at zero an invariant says where it may not be */
  const bool above = w->model->event[event].invariant || (!g->below && !g->rests);
  double r[2];
  bool armed = true;
  GRADYN_TRY(gradyn_detector_measure(w, event, t, y, r));
  if (above && r[0] < -g->zero)
    GRADYN_TRY(gradyn_guard_armed(&w->guards, event, t, y, &armed));
  if (above && r[0] < -g->zero && armed)
    return fail(w, event, t,
                "the guard jumps over zero together with a signal: the event has the signal's "
                "time, and no rate. Let the signal rise steeply instead, or guard that time");
  /* round-off has no sign: what was above zero still is */
  g->r = above && armed ? fmax(r[0], DBL_MIN) : r[0];
  g->rate = r[1];
  g->before = (double)NAN;
  g->fastest = fmax(g->fastest, fabs(r[1]));
  g->below = g->below ? r[0] < g->zero : !armed;
  return GRADYN_OK;
}

/* All guards where an arc begins: anew behind an event, as they go on elsewhere. */
gradyn_status gradyn_detector_open(gradyn_detector *w, double t, const double *y)
{
  if (gradyn_log_ends(w->model)) /* with an event: no motion begins behind it */
    return GRADYN_OK;
  /* behind an event guards may be anywhere: the state has jumped, or the mode is another one */
  const bool goes_on = w->opened == w->happened;
  memcpy(w->before, w->guard, (size_t)w->model->event_count * sizeof *w->guard);
  w->opened_before = w->opened;
  w->opened = w->happened;
  for (int i = 0; i < w->model->event_count; i++)
    if (gradyn_event_watched(w->model, i))
      GRADYN_TRY(goes_on ? continue_guard(w, i, t, y)
                         : open_guard(w, i, t, y, w->guard[i].last == t));
  return GRADYN_OK;
}

/* With the guards of a watch that nothing else is asked of. */
static gradyn_status judge_state(gradyn_detector *w, double t, const double *y)
{
  GRADYN_TRY(gradyn_guards_begin(&w->guards, y));
  for (int i = 0; i < w->model->event_count; i++) {
    double r, scale[2];
    if (!w->model->event[i].invariant || !gradyn_event_watched(w->model, i))
      continue;
    GRADYN_TRY(gradyn_guard_value(&w->guards, i, 0, t, y, &r));
    GRADYN_TRY(gradyn_guard_scale(&w->guards, i, t, y, scale));
    if (r < -closed * scale[0])
      return cannot_be(w, i, t, r, "");
  }
  return GRADYN_OK;
}

gradyn_status gradyn_detector_state(gradyn_model *model, double t, const double *y)
{
  LOCAL(gradyn_detector) w = {0};
  if (model->event_count == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_detector_create(model, 0, &w));
  return judge_state(&w, t, y);
}

void gradyn_detector_undo(gradyn_detector *w)
{
  memcpy(w->guard, w->before, (size_t)w->model->event_count * sizeof *w->guard);
  w->opened = w->opened_before;
}

gradyn_status gradyn_detector_stays(gradyn_detector *w, int event, double t, double end)
{
  if (is_wall(w, event))
    return fail_last(
        w, event, t, (double)NAN,
        "the gap does not open again after it has closed: a contact that lasts, which a "
        "bounce is not");
  if (w->model->event[event].invariant)
    return cannot_be(w, event, end, w->guard[event].now,
                     ", having been zero where the motion has begun");
  /* the event at which it comes back is left out */
  if (w->guard[event].leaving && w->guard[event].rises > 0)
    gradyn_log_imbalance(w->model, GRADYN_HOP_UNSEEN,
                         &(gradyn_imbalance){event, 1, t, w->guard[event].rises, event});
  w->guard[event].below = true;
  return GRADYN_OK;
}

double gradyn_detector_still(const gradyn_detector *w, const double scale[2])
{
  return still_share(w) * scale[1];
}

/* Whether an event is watched in a mode. */
static bool watched_in(const gradyn_detector *w, int event, int mode)
{
  const unsigned modes = w->model->event[event].modes;
  return modes == 0 || modes >> mode & 1;
}

gradyn_status gradyn_detector_meeting(gradyn_detector *w, int mode, double t, const double *y,
                                      int *event, int *count)
{
  *count = 0;
  for (int i = 0; i < w->model->event_count; i++) {
    double r[2];
    if (!gradyn_event_watched(w->model, i) || (watched_in(w, i, mode) && w->guard[i].below))
      continue;
    GRADYN_TRY(gradyn_detector_measure(w, i, t, y, r));
    bool meets = fabs(r[0]) <= gradyn_detector_together(w) * fabs(r[1]) && r[1] < 0;
    if (meets) /* but it may not count */
      GRADYN_TRY(gradyn_guard_armed(&w->guards, i, t, y, &meets));
    if (meets)
      event[(*count)++] = i;
  }
  return GRADYN_OK;
}

/* Whether an event has a definite course: a rate, and a distance to the last. */
gradyn_status gradyn_detector_check(gradyn_detector *w, int event, double t, const double *y,
                                    double *rate)
{
  const gradyn_guard_state *g = &w->guard[event];
  double r[2];
  gradyn_status status = gradyn_detector_measure(w, event, t, y, r);
  *rate = r[1] * g->side;
  if (status != GRADYN_OK)
    return status;
  /* dtau = -dr/r': nothing is left of it where r' = 0 */
  if (!(-r[1] > grazing * fmax(g->fastest, fabs(r[1]))))
    return fail_last(w, event, t, t,
                     is_wall(w, event)
                         ? "the gap closes without a rate: the motion grazes the wall, and "
                           "derivatives do not exist"
                         : "the guard passes zero without a rate: the motion grazes it, "
                           "and derivatives do not exist");
  if (t - g->last < apart * run_length(w))
    return fail_last(
        w, event, t, t,
        "its events accumulate (Zeno): the last two are closer than a billionth of the run. "
        "End the run before, or let the wall give more back");
  if (w->happened >= MOST_EVENTS)
    return gradyn_fail(&w->model->message, GRADYN_STEP_LIMIT,
                       "%d events until t = %g s: more than a run may have", MOST_EVENTS, t);
  return GRADYN_OK;
}

/* --- the search inside a step -------------------------------------------------------------------- */

/* The search for events within a step.
 *
 * Every guard that is watched is looked at at the end of a step and, where it may have dipped
 * below zero and come back, inside it; roots are located (locate.h) with states that the span
 * interpolates. The first of all is the event; what lies behind it has not happened. */

/* One guard on its way through a span. */
typedef struct look {
  gradyn_detector *watch;
  const gradyn_span *span;
  int event;
} look;

/* r at a place inside the step. */
static gradyn_status guard_at(void *user, double place, double *r)
{
  const look *l = user;
  const double *y;
  GRADYN_TRY(l->span->at(l->span->user, place, &y));
  return gradyn_detector_value(l->watch, l->event, 0, l->span->t + place, y, r);
}

/* Whether the condition of the event is met at its root. */
static gradyn_status is_armed(const look *l, double place, bool *armed)
{
  const double *y;
  *armed = true;
  if (!l->watch->model->event[l->event].armed)
    return GRADYN_OK;
  GRADYN_TRY(l->span->at(l->span->user, place, &y));
  return gradyn_guard_armed(&l->watch->guards, l->event, l->span->t + place, y, armed);
}

/* Looks for a root of one guard, which is r with its rate at the end; *root: HUGE_VAL if there is none. */
static gradyn_status search_guard(look *l, const double r[2], double *root, double *least)
{
  gradyn_guard_state *g = &l->watch->guard[l->event];
  /* values and rates at both ends, for the cubic that locates */
  const gradyn_guard_step step = {l->span->t, l->span->h, {g->r, r[0]}, {g->rate, r[1]},
                                  g->leaving, g->below,   g->zero};
  gradyn_found found;
  double place = l->span->h;
  bool armed = true;
  GRADYN_TRY(gradyn_locate(&step, guard_at, l, &found, &place));
  if (found == GRADYN_NO_ROOT && gradyn_guard_reaches(r, l->span->beyond))
    found = GRADYN_ROOT;
  if (found == GRADYN_STAYS) { /* it does not open again */
    g->now = r[0];
    return gradyn_detector_stays(l->watch, l->event, l->span->t, l->span->t + l->span->h);
  }
  if (found == GRADYN_NO_ROOT)
    *least = fmin(*least, gradyn_locate_least(&step));
  if (found == GRADYN_ROOT)
    GRADYN_TRY(is_armed(l, place, &armed));
  if (armed && found == GRADYN_ROOT)
    *root = place;
  return GRADYN_OK;
}

/* The first root of all guards within a span; guards without one move on to its end. */
gradyn_status gradyn_detector_search(gradyn_detector *w, const gradyn_span *span,
                                     gradyn_found_event *found)
{
  const double end = span->t + span->h;
  *found = (gradyn_found_event){-1, HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < w->model->event_count; i++) {
    gradyn_guard_state *g = &w->guard[i];
    look at = {w, span, i};
    double r[2], root = HUGE_VAL;
    if (!gradyn_event_watched(w->model, i))
      continue;
    GRADYN_TRY(gradyn_detector_measure(w, i, end, span->y, r));
    if (gradyn_detector_searches(g, r[0]) || gradyn_detector_peaks(g, r))
      GRADYN_TRY(search_guard(&at, r, &root, &found->least));
    /* beyond a root the guard is another motion's */
    g->fastest = fmax(g->fastest, root > span->h ? fabs(r[1]) : fabs(g->rate));
    if (root < found->place) {
      found->place = root;
      found->event = i;
    }
    if (root > span->h) { /* none: on to what follows */
      g->now = r[0];
      g->rate = r[1];
      GRADYN_TRY(gradyn_detector_move(w, i, end));
    }
  }
  return GRADYN_OK;
}
