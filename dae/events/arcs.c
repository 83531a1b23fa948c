/* Finds the arcs of a run from the knots of its signals. An integrator that controls its error must not
 * step across a jump; therefore each run integrates from boundary to boundary. The time of a boundary is a
 * function of data, and gradients need its derivative. */
#include "dae/events/arcs.h"
#include "core/model/same_time.h"
#include "core/problems/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gradyn_arcs_clear(gradyn_arcs *arcs)
{
  free(arcs->boundary);
  free(arcs->timed);
  *arcs = (gradyn_arcs){0};
}

double gradyn_arcs_closest(const gradyn_model *model)
{
  return GRADYN_SAME_TIME * model->x[model->t_end];
}

/* Orders boundaries for qsort(): ascending times. */
static int earlier(const void *a, const void *b)
{
  double s = ((const gradyn_boundary *)a)->t, t = ((const gradyn_boundary *)b)->t;
  return s < t ? -1 : s > t;
}

/* Provides memory for `need` boundaries. */
static gradyn_status reserve(gradyn_model *model, gradyn_arcs *arcs, int need)
{
  if (need <= arcs->capacity)
    return GRADYN_OK;
  gradyn_boundary *grown = realloc(arcs->boundary, (size_t)need * sizeof *grown);
  if (!grown)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d knots", need);
  arcs->boundary = grown;
  arcs->capacity = need;
  return GRADYN_OK;
}

/* Adds the knots of a signal that are inside the run to b [count]; returns the new count. */
static int add_knots(const gradyn_model *model, const gradyn_waveform *s, double t_end,
                     gradyn_boundary *b, int count)
{
  const double t_start = gradyn_model_start(model);
  int knots = gradyn_signal_break_count(s);
  for (int k = 0; k < knots; k++) {
    const gradyn_signal_break_at at = gradyn_signal_break(s, model->x, k);
    if (at.t > t_start && at.t < t_end) /* start and end of the run are boundaries anyway */
      b[count++] = (gradyn_boundary){at.t, at.fraction, at.start, at.end,
                                     .jumps = s->kind == GRADYN_PIECEWISE_CONSTANT};
  }
  return count;
}

gradyn_status gradyn_arcs_find(gradyn_model *model, gradyn_knots knots, gradyn_arcs *arcs)
{
  /* with `knots`, arcs also end at knots of splines, which only some methods need */
  for (int i = 0; i < model->signal_count; i++)
    model->signal[i].knots = knots;
  /* start, end, and one for each functional, because it may be evaluated at a given time */
  int need = 2 + model->functional_count;
  for (int i = 0; i < model->signal_count; i++)
    need += gradyn_signal_break_count(&model->signal[i]);
  GRADYN_TRY(reserve(model, arcs, need));
  const double share = model->span.to > 0 ? model->span.to : 1;
  double t_end = share * model->x[model->t_end];
  gradyn_boundary *b = arcs->boundary;
  int count = 0;
  /* the start of the run at time 0 depends on no datum */
  b[count++] = (gradyn_boundary){.start = -1, .end = -1};
  /* the run is a segment of a motion, and starts at a share of the end time of the whole motion */
  if (model->span.from > 0)
    b[0] = (gradyn_boundary){.t = gradyn_model_start(model),
                             .fraction = model->span.from,
                             .start = -1,
                             .end = model->t_end};
  for (int i = 0; i < model->signal_count; i++)
    count = add_knots(model, &model->signal[i], t_end, b, count);
  qsort(b, (size_t)count, sizeof *b, earlier);
  /* Knots that are closer to each other than an integrator can step become one boundary. It jumps if one of
   * them does. The end time is the last boundary. */
  int kept = 1;
  for (int k = 1; k < count; k++) {
    if (gradyn_model_later(model, b[k].t, b[kept - 1].t) &&
        gradyn_model_later(model, t_end, b[k].t))
      b[kept++] = b[k];
    else
      b[kept - 1].jumps = b[kept - 1].jumps || b[k].jumps;
  }
  b[kept] = (gradyn_boundary){.t = t_end, .fraction = share, .start = -1, .end = model->t_end};
  arcs->count = kept;
  return GRADYN_OK;
}

/* Makes the boundary at the time of a delayed datum move with the delay. The boundary must be a fixed time
 * of functionals: derivatives at fixed times take account of moving nodes. Other boundaries move with data
 * of their own. */
static gradyn_status delay_boundary(gradyn_model *model, gradyn_boundary *at,
                                    const gradyn_boundary *node)
{
  const bool same = at->start == node->start && at->end == node->end &&
                    at->fraction == node->fraction;
  const bool still = at->instant && at->start < 0 && at->end < 0;
  if (!same && !still)
    return gradyn_fail(
        &model->message, GRADYN_INVALID,
        "a delay of %g s moves a datum to t = %.9g s, where the run has a knot, its end or another "
        "delay. Its derivative by the delay does not exist there. Start with another delay",
        model->x[node->end], node->t);
  at->fraction = node->fraction;
  at->start = node->start;
  at->end = node->end;
  return GRADYN_OK;
}

/* Adds a boundary at which the equations do not change, unless there is a boundary at the same time. */
static gradyn_status add_node(gradyn_model *model, gradyn_arcs *arcs, const gradyn_boundary *node)
{
  int at = 0, last = arcs->count;
  while (at < last) { /* find the first boundary that is not before the new one */
    const int middle = (at + last) / 2;
    if (gradyn_model_later(model, node->t, arcs->boundary[middle].t))
      at = middle + 1;
    else
      last = middle;
  }
  if (!gradyn_model_same_time(model, arcs->boundary[at].t, node->t))
    return gradyn_arcs_insert(model, arcs, at, node);
  return node->fraction < 0 ? delay_boundary(model, &arcs->boundary[at], node) : GRADYN_OK;
}

/* Adds a boundary at the time of a functional. If the time is a share of the run, the boundary moves with
 * the end time; if the functional belongs to a delayed datum, with the delay. Error: GRADYN_INVALID if the
 * time is after the end or, with a delay, not after the start. */
static gradyn_status add_instant(gradyn_model *model, gradyn_arcs *arcs, gradyn_functional_entry *f)
{
  const double t_end = model->x[model->t_end];
  if (f->ride.fraction < 0) {
    f->instant = f->reduced.fit->time - model->x[f->ride.end];
    if (!gradyn_model_later(model, f->instant, gradyn_model_start(model)) ||
        gradyn_model_later(model, f->instant, t_end))
      /* build() did not find this error: the data have changed since then */
      return gradyn_fits_check_times(model);
    return add_node(
        model, arcs,
        &(gradyn_boundary){
            .t = f->instant, .fraction = -1, .start = -1, .end = f->ride.end, .instant = true});
  }
  if (gradyn_model_later(model, f->instant, t_end))
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "functional %s is evaluated at t = %g s, after the end of the run at %g s",
                       f->name, f->instant, t_end);
  return add_node(model, arcs,
                  &(gradyn_boundary){.t = f->instant,
                                     .fraction = f->along.share,
                                     .start = -1,
                                     .end = f->along.share > 0 ? model->t_end : -1,
                                     .instant = true});
}

gradyn_status gradyn_arcs_add_time(gradyn_model *model, gradyn_arcs *arcs, double t)
{
  return add_node(model, arcs, &(gradyn_boundary){.t = t, .start = -1, .end = -1, .instant = true});
}

/* Adds boundaries at the ends of the window of a maximum, which are shares of the run. */
static gradyn_status add_window(gradyn_model *model, gradyn_arcs *arcs, const gradyn_along *along)
{
  const double share[] = {along->from, along->to}, t_end = model->x[model->t_end];
  for (int k = 0; k < 2; k++)
    if (gradyn_model_later(model, share[k] * t_end, gradyn_model_start(model)) &&
        gradyn_model_later(model, arcs->boundary[arcs->count].t, share[k] * t_end))
      GRADYN_TRY(add_node(model, arcs,
                          &(gradyn_boundary){.t = share[k] * t_end,
                                             .fraction = share[k],
                                             .start = -1,
                                             .end = model->t_end,
                                             .instant = true}));
  return GRADYN_OK;
}

/* A functional that is evaluated at a given time. Order for qsort(): by time, then by index. */
typedef struct gradyn_timed {
  double t;
  int functional;
} gradyn_timed;

static int sooner(const void *a, const void *b)
{
  const gradyn_timed *s = a, *t = b;
  return s->t != t->t ? (s->t < t->t ? -1 : 1) : s->functional - t->functional;
}

/* Lists the functionals that are evaluated at a given time, in the order of their times as far as these are
 * known before a run. Boundaries are then inserted near the end of their list. In the order of declaration,
 * fits with interleaved data would move most of the list at each insertion. */
static int list_timed(const gradyn_model *model, gradyn_timed *list)
{
  int count = 0;
  bool ordered = true;
  for (int f = 0; f < model->functional_count; f++) {
    if (!(model->functional[f].instant > 0))
      continue;
    list[count] = (gradyn_timed){model->functional[f].instant, f};
    ordered = ordered && (count == 0 || list[count - 1].t <= list[count].t);
    count++;
  }
  if (!ordered)
    qsort(list, (size_t)count, sizeof *list, sooner);
  return count;
}

gradyn_status gradyn_arcs_add_instants(gradyn_model *model, gradyn_arcs *arcs)
{
  if (!arcs->timed)
    arcs->timed = malloc(((size_t)model->functional_count + 1) * sizeof *arcs->timed);
  if (!arcs->timed)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d functionals",
                       model->functional_count);
  for (int f = 0; f < model->functional_count; f++)
    if (model->functional[f].along.to > 0)
      GRADYN_TRY(add_window(model, arcs, &model->functional[f].along));
  const int count = list_timed(model, arcs->timed);
  for (int k = 0; k < count; k++)
    GRADYN_TRY(add_instant(model, arcs, &model->functional[arcs->timed[k].functional]));
  return GRADYN_OK;
}

/* Returns whether the boundaries of two runs depend on the same data, in the same order. */
static bool same_arcs(const gradyn_arcs *a, const gradyn_arcs *b)
{
  bool same = a->count == b->count;
  for (int k = 0; same && k <= a->count; k++) {
    const gradyn_boundary *s = &a->boundary[k], *t = &b->boundary[k];
    same = s->start == t->start && s->end == t->end && s->fraction == t->fraction;
  }
  return same;
}

double gradyn_arcs_steps(const gradyn_arcs *arcs, const gradyn_arcs *first, int k, double length)
{
  /* the lengths in the first run keep the numbers of steps constant while data change */
  const gradyn_boundary *b = same_arcs(arcs, first) ? first->boundary : arcs->boundary;
  return fmax(1, ceil((b[k + 1].t - b[k].t) / length - 1e-9));
}

/* Sets *meets if an event at time t is at the end of the arc between boundaries k - 1 and k. Fails if it is
 * at the start of the arc, or if signals jump at its end: round-off would decide which of both comes first.
 */
gradyn_status gradyn_arcs_meet(gradyn_model *model, const gradyn_arcs *arcs, int k, double t,
                               int event, bool *meets)
{
  const gradyn_boundary *start = &arcs->boundary[k - 1], *end = &arcs->boundary[k];
  /* the first boundary of the arc may be the event itself, a knot, or the start of the run */
  const bool first = !gradyn_model_later(model, t, start->t);
  *meets = k < arcs->count && !gradyn_model_later(model, end->t, t);
  if (*meets && end->fraction < 0)
    return gradyn_fail(
        &model->message, GRADYN_EVENT,
        "%s occurs at t = %.9g s, where a delay of %g s moves a datum: the derivative "
        "by the delay differs on both sides",
        model->event[event].name, t, model->x[end->end]);
  if (!first && !(*meets && end->jumps && !gradyn_event_ends(&model->event[event])))
    return GRADYN_OK;
  return gradyn_fail(
      &model->message, GRADYN_EVENT,
      "%s occurs at t = %.9g s, where %s: the motion after both depends on their order",
      model->event[event].name, t,
      !first                  ? "a signal jumps"
      : start->transition > 0 ? "another event has just happened"
      : k == 1                ? "the run begins"
                              : "a signal has a knot");
}

gradyn_status gradyn_arcs_insert(gradyn_model *model, gradyn_arcs *arcs, int k,
                                 const gradyn_boundary *boundary)
{
  /* the number of boundaries is count + 1 before the insertion */
  int need = arcs->count + 2;
  GRADYN_TRY(need <= arcs->capacity ? GRADYN_OK : reserve(model, arcs, 2 * need));
  memmove(arcs->boundary + k + 1, arcs->boundary + k,
          (size_t)(arcs->count + 1 - k) * sizeof *arcs->boundary);
  arcs->boundary[k] = *boundary;
  arcs->count++;
  return GRADYN_OK;
}

void gradyn_arcs_remove(gradyn_arcs *arcs, int k)
{
  memmove(arcs->boundary + k, arcs->boundary + k + 1,
          (size_t)(arcs->count - k) * sizeof *arcs->boundary);
  arcs->count--;
}

void gradyn_arcs_enter(gradyn_model *model, gradyn_arcs *arcs, int k)
{
  /* Pieces of signals are selected by the midpoint of the arc, so that values at its ends are one-sided
   * limits. */
  gradyn_discrete_state_enter_arc(model, (arcs->boundary[k].t + arcs->boundary[k + 1].t) / 2);
  arcs->boundary[k].discrete = model->discrete;
}

double gradyn_boundary_tangent(const gradyn_boundary *b, const double *dx)
{
  double dt = 0;
  if (b->start >= 0)
    dt += (1 - b->fraction) * dx[b->start];
  if (b->end >= 0)
    dt += b->fraction * dx[b->end];
  return dt;
}

void gradyn_boundary_transposed(const gradyn_boundary *b, double t_bar, double *x_bar)
{
  if (b->start >= 0)
    x_bar[b->start] += (1 - b->fraction) * t_bar;
  if (b->end >= 0)
    x_bar[b->end] += b->fraction * t_bar;
}

bool gradyn_arcs_move(const gradyn_arcs *arcs, const bool *active)
{
  for (int k = 0; k <= arcs->count; k++) {
    const gradyn_boundary *b = &arcs->boundary[k];
    if ((b->start >= 0 && active[b->start]) || (b->end >= 0 && active[b->end]))
      return true;
  }
  return false;
}
