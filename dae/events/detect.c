/* Monitoring of guards along an arc, and checks of events. The state of a guard contains its direction, its
 * rate, and the magnitude below which it counts as zero. A guard that is zero at the start of an arc must
 * first leave zero before it can return to it. */
#include "dae/events/detect_search.h"
#include "core/model/event_log.h"
#include "core/model/same_time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 100000 };

/* Times are relative to the length of the run. Events of one guard that are closer than `apart` accumulate.
 * A guard that passes zero with less than `grazing` times its largest rate only touches zero. At the start,
 * guards below `closed` times their natural size are zero. */
static const double apart = 1e-9, grazing = 1e-5, closed = 1e-10;

/* A rate counts as zero below `still` times its size or, in runs with a relative tolerance, below `drifting`
 * times this tolerance. Consider a guard that constraints keep at zero between points that swing. Its rates
 * are up to 1.3e-16 of their size in methods that satisfy constraints to round-off, and up to 7 tolerances
 * in idas, whose constraints drift. But just after an impact, where some analyses start, the gap of a tip
 * that slides along a wall has a rate above 1e-10 of its size. */
static const double still = 3e-10, drifting = 30;

/* A root after the end of a step by at most this share of its length belongs to the step. Otherwise a
 * separate step of nearly zero length would follow, in which constraint forces are round-off. */
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

/* Fails with a reason: derivatives do not exist, or the motion after the event is not defined. */
static gradyn_status fail(gradyn_detector *w, int event, double t, const char *what)
{
  return gradyn_fail(&w->model->message, GRADYN_EVENT, "%s at t = %g s: %s",
                     w->model->event[event].name, t, what);
}

/* Fails with a reason. If the events accumulate, the message states instead where they would end, and how
 * to avoid this. */
static gradyn_status fail_last(gradyn_detector *w, int event, double t, double found,
                               const char *what)
{
  double q, limit;
  if (!gradyn_log_accumulates(w->model, event, found, &q, &limit))
    return fail(w, event, t, what);
  return gradyn_fail(
      &w->model->message, GRADYN_EVENT,
      "%s at t = %.9g s: its events accumulate (Zeno): each interval is %.4g times the previous "
      "one, and they end at t = %.9g s. Let slow impacts lead to a mode with the contact as a "
      "constraint, or end the run before this time",
      w->model->event[event].name, t, q, limit);
}

/* Returns whether the guard is the gap of a contact. */
static bool is_wall(const gradyn_detector *w, int event)
{
  return w->model->event[event].contact >= 0;
}

/* Fails because an invariant is negative, or becomes negative at once. The message states the value with
 * the sign of the user's formula: if the guard rises to zero, the formula must be negative. */
static gradyn_status cannot_be(gradyn_detector *w, int event, double t, double r, const char *how)
{
  const gradyn_model *model = w->model;
  const gradyn_event_entry *e = &model->event[event];
  const bool modes = model->modes.count > 0, wall = is_wall(w, event);
  return gradyn_fail(
      &w->model->message, GRADYN_EVENT,
      "%s: the %s is %.6g at t = %.9g s%s%s%s: a motion continues there only while it is %s",
      e->name, wall ? "gap" : "guard", wall ? r : e->sign * r, t, how, modes ? " in mode " : "",
      modes ? model->modes.name[model->discrete.mode] : "",
      !wall && e->sign < 0 ? "negative" : "positive");
}

/* Handles a guard that has not grown from zero between t and `end`, s. Error: GRADYN_EVENT for walls and
 * invariants. Other guards become `below`; if they rose at t, the log notes a missed event. */
static gradyn_status stays(gradyn_detector *w, int event, double t, double end)
{
  if (is_wall(w, event))
    return fail_last(w, event, t, (double)NAN,
                     "the gap does not open again after it has closed: the contact persists, which "
                     "an impact cannot model");
  if (w->model->event[event].invariant)
    return cannot_be(w, event, end, w->guard[event].now,
                     " after it was zero at the start of the motion");
  /* the guard rose and returned to zero within the step, which is an event that was missed */
  if (w->guard[event].leaving && w->guard[event].rises > 0)
    gradyn_log_imbalance(w->model, GRADYN_HOP_UNSEEN,
                         &(gradyn_imbalance){event, 1, t, w->guard[event].rises, event});
  w->guard[event].below = true;
  return GRADYN_OK;
}

gradyn_status gradyn_detector_leave_rest(gradyn_detector *w, int event, double t)
{
  gradyn_guard_state *g = &w->guard[event];
  if (w->model->event[event].either && g->now < -g->zero) {
    g->side = -g->side; /* the guard has left zero to its other side */
    g->r = g->now = -g->now;
    g->rate = -g->rate;
  }
  g->below = !(g->now > g->zero);
  g->rests = g->below && !(g->now < -g->zero);
  return g->below && !g->rests ? stays(w, event, t, t) : GRADYN_OK;
}

/* Checks the gap of a wall at the start of a run. */
static gradyn_status begin_wall(gradyn_detector *w, int event, const double *y)
{
  const double t = gradyn_model_start(w->model);
  double r[2], scale[2];
  GRADYN_TRY(gradyn_detector_measure(w, event, t, y, r));
  GRADYN_TRY(gradyn_guard_scale(&w->guards, event, t, y, scale));
  /* a gap that is closed must open */
  w->guard[event].leaving = r[0] <= closed * scale[0];
  if (r[0] < -closed * scale[0])
    return gradyn_fail(&w->model->message, GRADYN_EVENT,
                       "%s: the gap is %g at the start of the run: it must not be negative",
                       w->model->event[event].name, r[0]);
  if (w->guard[event].leaving && r[1] <= 0)
    return fail(w, event, t,
                "the gap is closed at the start of the run and does not open; a motion that starts "
                "at a wall must leave it");
  return GRADYN_OK;
}

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

/* Returns the share of its natural size below which a guard is zero. */
static double closed_share(const gradyn_detector *w)
{
  return fmax(closed, w->tolerance);
}

/* Returns the share of its natural size below which the rate of a guard is zero. It follows from the error
 * of rates in the run. */
static double still_share(const gradyn_detector *w)
{
  return fmax(still, drifting * w->tolerance);
}

/* Determines whether an event has changed its own guard by map or reset. Compares the guard just before and
 * just after them, so that the error of the run and the corrections around the event have no effect. */
static gradyn_status find_moved(gradyn_detector *w, int event, double t,
                                const gradyn_impacts *impact, bool *moved)
{
  gradyn_model *model = w->model;
  double before, after, scale[2];
  /* the guard may depend on forces, and forces on the mode */
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
  /* if the event is not monitored in the new mode, its guard may not be computable there */
  const gradyn_event_entry *e = &w->model->event[event];
  const bool sets = e->map_count > 0 || e->set_count > 0;
  const bool asked = sets && gradyn_event_watched(w->model, event);
  return asked ? find_moved(w, event, t, impact, &g->moved) : GRADYN_OK;
}

/* Initialises a guard at the start of an arc. `own`: this guard's own event has started the arc.
 *
 * After its own event the guard is zero, unless the event has changed it, for example by a map that shifts
 * a coordinate. A guard that is zero within the error of the run, and whose rate is zero as well, has no
 * reliable sign: it rests until its direction is clear. A guard with a nonzero rate r' does not rest,
 * however small r' is. It may rise only to r'^2 / 2 |r''| before it returns to zero. */
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
  /* after its own event the guard cannot rest: gradyn_detector_check() has verified its rate */
  const double rate = still_share(w) * scale[1];
  const bool rests = zero && !own && fabs(r[1]) <= rate;
  if (w->model->event[event].either && !rests && (zero ? r[1] : r[0]) < 0) {
    g->side = -1;
    r[0] = -r[0];
    r[1] = -r[1];
  }
  /* reference values for the next steps */
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
  /* a guard of time alone, since no state affects its natural sizes: its event here would be missed */
  if (zero && !own && r[1] < 0 && scale[1] == -r[1] && scale[0] == scale[1] * run_length(w))
    gradyn_log_imbalance(w->model, GRADYN_START_UNSEEN, &(gradyn_imbalance){event, 1, t, 0, event});
  if (!w->model->event[event].invariant || status != GRADYN_OK)
    return status;
  if (!zero && r[0] < 0)
    return cannot_be(w, event, t, r[0], ", where the motion begins");
  /* for walls, stays() reports a gap that is closed and does not open */
  return !wall && zero && !rests && !(r[1] > 0)
             ? cannot_be(w, event, t, r[0], " and passes zero, where the motion begins")
             : GRADYN_OK;
}

/* Continues a guard at a boundary without an event, such as a knot of a signal. A guard that depends on
 * forces may jump past zero with the signal. The event would then be at the time of the jump and not at a
 * root, which is refused. */
static gradyn_status continue_guard(gradyn_detector *w, int event, double t, const double *y)
{
  gradyn_guard_state *g = &w->guard[event];
  /* an invariant that rests at zero must not become negative either */
  const bool above = w->model->event[event].invariant || (!g->below && !g->rests);
  double r[2];
  bool armed = true;
  GRADYN_TRY(gradyn_detector_measure(w, event, t, y, r));
  if (above && r[0] < -g->zero)
    GRADYN_TRY(gradyn_guard_condition(&w->guards, event, t, y, &armed));
  if (above && r[0] < -g->zero && armed)
    return fail(w, event, t,
                "the guard jumps past zero because a signal jumps, so the event has no rate. "
                "Replace the jump by a steep rise, or use a guard of time");
  /* a positive guard stays positive, despite round-off */
  g->r = above && armed ? fmax(r[0], DBL_MIN) : r[0];
  g->rate = r[1];
  g->before = (double)NAN;
  g->fastest = fmax(g->fastest, fabs(r[1]));
  g->below = g->below ? r[0] < g->zero : !armed;
  return GRADYN_OK;
}

gradyn_status gradyn_detector_open(gradyn_detector *w, double t, const double *y)
{
  if (gradyn_log_ends(w->model)) /* the last event terminates the run: no motion follows */
    return GRADYN_OK;
  /* after an event the state may have jumped and the mode changed: all guards are initialised again */
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

/* Checks the invariants at a state, with a detector that belongs to no run. */
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

double gradyn_detector_still(const gradyn_detector *w, const double scale[2])
{
  return still_share(w) * scale[1];
}

/* Returns whether an event is monitored in a mode. */
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
    if (meets) /* the event's condition may exclude it */
      GRADYN_TRY(gradyn_guard_condition(&w->guards, i, t, y, &meets));
    if (meets)
      event[(*count)++] = i;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_detector_check(gradyn_detector *w, int event, double t, const double *y,
                                    double *rate)
{
  const gradyn_guard_state *g = &w->guard[event];
  double r[2];
  gradyn_status status = gradyn_detector_measure(w, event, t, y, r);
  *rate = r[1] * g->side;
  if (status != GRADYN_OK)
    return status;
  /* dtau = -dr/r' has no meaning where r' = 0 */
  if (!(-r[1] > grazing * fmax(g->fastest, fabs(r[1]))))
    return fail_last(w, event, t, t,
                     is_wall(w, event)
                         ? "the gap closes at zero rate: the motion grazes the wall, and "
                           "derivatives do not exist"
                         : "the guard reaches zero at zero rate: the motion grazes it, and "
                           "derivatives do not exist");
  if (t - g->last < apart * run_length(w))
    return fail_last(w, event, t, t,
                     "its events accumulate (Zeno): the last two are closer than a billionth of "
                     "the run. End the run before, or increase the restitution");
  if (w->happened >= MOST_EVENTS)
    return gradyn_fail(&w->model->message, GRADYN_STEP_LIMIT,
                       "%d events until t = %g s: a run cannot have more", MOST_EVENTS, t);
  return GRADYN_OK;
}

/* --- search within a step ------------------------------------------------------------------------ */

/* Each monitored guard is evaluated at the end of a step. If it may have been negative inside the step, it
 * is evaluated there as well. Roots are located with states that the span interpolates (locate.h). The
 * first root of all guards is the event; later roots do not take place. */

/* A guard and the span in which it is searched. */
typedef struct look {
  gradyn_detector *watch;
  const gradyn_span *span;
  int event;
} look;

/* Returns the value of the guard within the step, for gradyn_locate(). */
static gradyn_status guard_at(void *user, double position, double *r)
{
  const look *l = user;
  const double *y;
  GRADYN_TRY(l->span->at(l->span->user, position, &y));
  return gradyn_detector_value(l->watch, l->event, 0, l->span->t + position, y, r);
}

/* Evaluates the condition of the event at its root. */
static gradyn_status is_armed(const look *l, double position, bool *armed)
{
  const double *y;
  *armed = true;
  if (!l->watch->model->event[l->event].armed)
    return GRADYN_OK;
  GRADYN_TRY(l->span->at(l->span->user, position, &y));
  return gradyn_guard_condition(&l->watch->guards, l->event, l->span->t + position, y, armed);
}

gradyn_status gradyn_detector_search_guard(gradyn_detector *w, const gradyn_span *span, int event,
                                           const double r[2], double *root, double *least)
{
  gradyn_guard_state *g = &w->guard[event];
  look l = {w, span, event};
  /* values and rates at both ends define the cubic that brackets the root */
  const gradyn_guard_step step = {span->t,    span->h,  {g->r, r[0]}, {g->rate, r[1]},
                                  g->leaving, g->below, g->zero};
  gradyn_found found;
  double position = span->h;
  bool armed = true;
  *root = HUGE_VAL;
  GRADYN_TRY(gradyn_locate(&step, guard_at, &l, &found, &position));
  if (found == GRADYN_NO_ROOT && gradyn_guard_reaches(r, span->beyond))
    found = GRADYN_ROOT;
  if (found == GRADYN_STAYS) { /* the guard has not left zero in this span */
    g->now = r[0];
    return stays(w, event, span->t, span->t + span->h);
  }
  if (found == GRADYN_NO_ROOT)
    *least = fmin(*least, gradyn_locate_least(&step));
  if (found == GRADYN_ROOT)
    GRADYN_TRY(is_armed(&l, position, &armed));
  if (armed && found == GRADYN_ROOT)
    *root = position;
  return GRADYN_OK;
}

gradyn_status gradyn_detector_search(gradyn_detector *w, const gradyn_span *span,
                                     gradyn_found_event *found)
{
  const double end = span->t + span->h;
  *found = (gradyn_found_event){-1, HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < w->model->event_count; i++) {
    gradyn_guard_state *g = &w->guard[i];
    double r[2], root = HUGE_VAL;
    if (!gradyn_event_watched(w->model, i))
      continue;
    GRADYN_TRY(gradyn_detector_measure(w, i, end, span->y, r));
    if (gradyn_detector_searches(g, r[0]) || gradyn_detector_peaks(g, r))
      GRADYN_TRY(gradyn_detector_search_guard(w, span, i, r, &root, &found->least));
    /* a rate after a root belongs to another motion */
    g->fastest = fmax(g->fastest, root > span->h ? fabs(r[1]) : fabs(g->rate));
    if (root < found->position) {
      found->position = root;
      found->event = i;
    }
    if (root > span->h) { /* no root in this span */
      g->now = r[0];
      g->rate = r[1];
      GRADYN_TRY(gradyn_detector_move(w, i, end));
    }
  }
  return GRADYN_OK;
}
