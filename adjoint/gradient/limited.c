/* Path constraints at sampled times, by another evaluator of the same problem. The build() of this
 * evaluator calls the user's build(), and then declares a functional for each sample. */
#include "adjoint/evaluator/refined.h"
#include "adjoint/gradient/limited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/extremes/extremes.h"
#include "adjoint/gradient/gradient.h"
#include "adjoint/gradient/maxima.h"
#include "core/equations/equations.h"
#include "core/problems/prior.h"
#include "dae/events/arcs.h"
#include "dae/fixed/events.h"

struct gradyn_limited {
  gradyn_problem problem; /* first member, so that build() can find the others */
  const gradyn_problem *of;
  gradyn_evaluator *ev;
  size_t count;
  gradyn_limit_at at[]; /* [count] */
};

/* Calls the user's build(), and declares the samples. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  /* the problem is the first member of gradyn_limited */
  const gradyn_limited *limited = (const gradyn_limited *)model->problem;
  GRADYN_TRY(gradyn_problem_build(limited->of, model, rho));
  for (size_t i = 0; i < limited->count; i++)
    gradyn_limit_declare_row(model, &limited->at[i]);
  if (!model->finalised)
    gradyn_limits_disable(model);
  return gradyn_build_status(model);
}

gradyn_status gradyn_limited_create(gradyn_evaluator *of, const gradyn_limit_at at[], size_t count,
                                    gradyn_limited **out)
{
  gradyn_limited *limited = *out = calloc(1, sizeof *limited + count * sizeof *at);
  if (!limited)
    return GRADYN_NO_MEMORY;
  limited->problem = *of->problem;
  limited->problem.build = build;
  limited->of = of->problem;
  limited->count = count;
  if (count > 0)
    memcpy(limited->at, at, count * sizeof *at);
  return gradyn_evaluator_extend(of, &limited->problem, NULL, NULL, &limited->ev);
}

void gradyn_limited_free(gradyn_limited *limited)
{
  if (limited)
    gradyn_evaluator_free(limited->ev);
  free(limited);
}

gradyn_evaluator *gradyn_limited_evaluator(const gradyn_limited *limited)
{
  return limited->ev;
}

/* --- violations ------------------------------------------------------------------------------- */

enum { FIRST_ROWS = 4 };

/* Selects how violations of path constraints are found: with `along`, only in the trajectory; otherwise
 * also as maxima over time, which runs with fixed steps locate. */
static void look_along(gradyn_model *model, bool along)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (f->use != GRADYN_PATH_CONSTRAINT)
      continue;
    f->maximum = !along;
    gradyn_maximum_forget(f);
  }
}

/* Window of a function, in shares of the run: a time, and the interval around it in which the function is
 * smooth. */
typedef struct window {
  double share, from, to;
} window;

/* Ends a window at a share where the function may have a kink. If this is the share of the point itself,
 * the window becomes empty. */
static void end_window(window *w, double share)
{
  if (gradyn_limit_same_share(share, w->share))
    w->from = w->to = share;
  else if (share < w->share)
    w->from = fmax(w->from, share);
  else
    w->to = fmin(w->to, share);
}

/* Ends the window of a point at an event inside the window. If the event is at the time of the point, but
 * the point does not belong to it, no window remains. */
static void end_at_event(window *arc, const gradyn_event_record *record, double t_end,
                         gradyn_limit_at *at)
{
  const double share = record->t / t_end;
  const gradyn_occurrence happened = {record->event, record->occurrence};
  const bool own = at->which > 0 && share == arc->share;
  if (!own && gradyn_limit_same_share(share, arc->share)) {
    arc->from = arc->to = share;
  } else if ((own && at->behind) || (!own && share < arc->share && share > arc->from)) {
    arc->from = share;
    at->after = happened;
  } else if (own ? at->before.which == 0 : share > arc->share && share < arc->to) {
    arc->to = share;
    at->before = happened;
  }
}

/* Sets the window of a point: from the last knot or event before it to the first one after it, as shares of
 * the run. For a point at an event, `behind` selects the side. Points at knots and at the ends of the run
 * have no window. */
static void set_window(const gradyn_model *model, const gradyn_arcs *arcs, double t,
                       gradyn_limit_at *at)
{
  const double t_end = model->x[model->t_end];
  window w = {t / t_end, gradyn_model_start(model) / t_end, arcs->boundary[arcs->count].t / t_end};
  end_window(&w, w.from);
  end_window(&w, w.to);
  for (int k = 1; k < arcs->count; k++)
    end_window(&w, arcs->boundary[k].t / t_end);
  window arc = w;
  for (int i = 0; i < model->log.count; i++)
    end_at_event(&arc, &model->log.record[i], t_end, at);
  if (!(arc.to > arc.from))
    return;
  at->from = w.from;
  at->to = fmin(w.to, 1);
}

/* Returns the sample at which a violation is to be enforced. */
static gradyn_limit_at hold_at(const gradyn_evaluator *ev, size_t side, const gradyn_summit *worst,
                               const gradyn_path_check *look)
{
  const gradyn_model *model = ev->model;
  const double t_end = model->x[model->t_end], t = worst->extreme.t;
  const bool behind = worst->part == GRADYN_PART_START;
  const gradyn_event_record *event = worst->part == GRADYN_PART_INSIDE
                                         ? NULL
                                         : gradyn_maxima_event_at(model, t, behind);
  gradyn_limit_at at = {.side = side, .share = t / t_end};
  if (event)
    at = (gradyn_limit_at){.side = side,
                           .share = t / t_end,
                           .event = event->event,
                           .which = event->occurrence,
                           .behind = behind};
  else if (t >= look->length * t_end) /* the end of the run, also if the end time varies */
    at.share = 1;
  else if (look->grid > 0)
    at.share = fmin(round(at.share * look->grid) / look->grid, 1);
  else if (behind && t > gradyn_model_start(model)) {
    at.share = gradyn_maxima_behind(t, t_end) / t_end;
    at.behind = true;
  }
  return at;
}

/* Adds violations that a run with fixed steps has located as maxima, at vertices of parabolas. A vertex may
 * violate a bound although the nodes do not. */
static gradyn_status add_vertices(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  double part, const double *psi, gradyn_excesses *out)
{
  const size_t nf = (size_t)ev->model->functional_count;
  FREED gradyn_summit *summit = calloc(nf + 1, sizeof *summit);
  double end;
  GRADYN_TRY(summit ? gradyn_find_summits(ev, trajectory, false, &end, summit) : GRADYN_NO_MEMORY);
  for (size_t f = 0; f < nf; f++) {
    const gradyn_functional_entry *side = &ev->model->functional[f];
    bool seen = side->use != GRADYN_PATH_CONSTRAINT || psi[f] <= part * side->tolerance;
    for (size_t i = 0; i < out->count; i++)
      seen = seen || out->item[i].side == f;
    if (seen)
      continue;
    summit[f].extreme.value = psi[f];
    GRADYN_TRY(gradyn_excesses_add(ev->model, f, &summit[f], out));
  }
  return GRADYN_OK;
}

/* Returns the number of initial samples of a bound of a path constraint: of its knots, or of the points of
 * its grid. */
static int count_first(const gradyn_model *model, size_t side)
{
  const int knots = gradyn_limit_knots(model, side);
  if (model->functional[side].use != GRADYN_PATH_CONSTRAINT)
    return 0;
  return knots > 0 ? knots : gradyn_limit_grid(model, side, FIRST_ROWS);
}

/* Returns initial sample k = 1, 2, ..., `count`: a knot of a signal, or a point of an equidistant grid. */
static gradyn_limit_at first_at(const gradyn_model *model, const gradyn_path_check *out,
                                size_t side, int k, int count)
{
  if (gradyn_limit_knots(model, side) > 0)
    return (gradyn_limit_at){.side = side, .share = (k - 0.5) / count, .knot = k};
  double share = k < count ? out->length * k / count : 1;
  if (out->grid > 0)
    share = fmin(round(share * out->grid) / out->grid, 1);
  return (gradyn_limit_at){.side = side, .share = share};
}

/* Returns whether a path constraint of general equations depends on values of jumping signals or on
 * algebraic states: x_bar and y_bar contain its derivatives. */
static bool has_jumping_terms(const gradyn_model *model, const double *x_bar, const double *y_bar)
{
  bool any = false;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *signal = &model->signal[i];
    for (int k = 0; k < signal->stored && signal->kind == GRADYN_PIECEWISE_CONSTANT; k++)
      any = any || x_bar[signal->knot + signal->first + k] != 0;
  }
  for (int i = 0; i < model->equations->count; i++)
    any = any || (model->equations->unknown[i].algebraic && y_bar[i] != 0);
  return any;
}

/* Sets *jumps if a path constraint may jump at time t, in s, inside an arc because a signal jumps. For
 * general equations, this follows from derivatives at a state without zeros; a constraint without a value
 * there may jump. Error: GRADYN_NO_MEMORY. */
static gradyn_status may_jump(gradyn_model *model, size_t side, double t, bool *jumps)
{
  const gradyn_functional_entry *f = &model->functional[side];
  const size_t ny = (size_t)model->ops->state_count(model), nx = (size_t)model->nx;
  *jumps = f->use == GRADYN_PATH_CONSTRAINT && gradyn_limit_knots(model, side) == 0 &&
           !f->data_only && !f->positions_only && !f->motion_only;
  if (!*jumps || model->mech)
    return GRADYN_OK;
  FREED double *y = calloc(2 * ny + nx + 1, sizeof *y);
  if (!y)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  for (size_t i = 0; i < ny; i++)
    y[i] = 1 + 0.1 * (double)i;
  const gradyn_message kept = model->message;
  const gradyn_sample at = {t, y};
  const gradyn_gradient_out out = {y + ny, 1, y + 2 * ny, NULL};
  if (f->terminal->gradient(model, f, &at, 1, &out) == GRADYN_OK)
    *jumps = has_jumping_terms(model, y + 2 * ny, y + ny);
  model->message = kept;
  return GRADYN_OK;
}

/* Adds samples at the start of a run that begins after time 0, and on both sides of each jump of a signal.
 * Between two jumps, a bound that reads the signal has its extremes at these times. */
static void add_jumps(const gradyn_model *model, const gradyn_arcs *arcs, size_t side,
                      gradyn_path_check *out)
{
  const double t_end = model->x[model->t_end], start = gradyn_model_start(model) / t_end;
  if (start > 0) {
    out->first[out->first_count++] = (gradyn_limit_at){
        .side = side, .share = start, .behind = true};
    out->sides++;
  }
  for (int k = 1; k < arcs->count; k++) {
    const double t = arcs->boundary[k].t;
    if (!arcs->boundary[k].jumps)
      continue;
    out->first[out->first_count++] = (gradyn_limit_at){.side = side, .share = t / t_end};
    out->first[out->first_count++] = (gradyn_limit_at){
        .side = side, .share = gradyn_maxima_behind(t, t_end) / t_end, .behind = true};
    out->sides += 2;
  }
}

/* Fills the initial samples. */
static gradyn_status fill_first(gradyn_model *model, const gradyn_arcs *arcs,
                                gradyn_path_check *out)
{
  const double inside = (arcs->boundary[0].t + arcs->boundary[1].t) / 2;
  size_t most = 0;
  for (int f = 0; f < model->functional_count; f++)
    most += (size_t)count_first(model, (size_t)f) + 2 * (size_t)arcs->count;
  out->first = calloc(most + 1, sizeof *out->first);
  if (!out->first)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  for (size_t f = 0; f < (size_t)model->functional_count; f++)
    for (int k = 1, count = count_first(model, f); k <= count; k++)
      out->first[out->first_count++] = first_at(model, out, f, k, count);
  for (size_t f = 0; f < (size_t)model->functional_count && out->grid == 0; f++) {
    bool jumps;
    GRADYN_TRY(may_jump(model, f, inside, &jumps));
    if (jumps)
      add_jumps(model, arcs, f, out);
  }
  return GRADYN_OK;
}

void gradyn_path_check_clear(gradyn_path_check *look)
{
  free(look->found);
  free(look->first);
  free(look->event);
  *look = (gradyn_path_check){.length = 1, .t_end = NAN};
}

/* Fills the events of the last run. */
static gradyn_status fill_events(gradyn_model *model, gradyn_path_check *out)
{
  out->event = calloc((size_t)model->log.count + 1, sizeof *out->event);
  if (!out->event)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  for (int i = 0; i < model->log.count; i++) {
    const gradyn_event_record *record = &model->log.record[i];
    out->event[out->event_count++] = (gradyn_limit_event){{record->event, record->occurrence},
                                                          record->t / model->x[model->t_end]};
  }
  return GRADYN_OK;
}

/* Fills *out from the last run. trajectory: its rows; NULL: the method stores its steps. psi: maxima that
 * the run has located; NULL: none. */
static gradyn_status fill(gradyn_evaluator *ev, const gradyn_trajectory *trajectory, double part,
                          const double *psi, gradyn_path_check *out)
{
  const gradyn_model *model = ev->model;
  const double t_end = model->x[model->t_end];
  gradyn_excesses excesses = {0};
  LOCAL(gradyn_arcs) arcs = {0};
  gradyn_status status = gradyn_find_excesses(ev, trajectory, part, &excesses);
  if (status == GRADYN_OK)
    status = gradyn_arcs_find(ev->model, GRADYN_KINKS, &arcs);
  if (psi && status == GRADYN_OK)
    status = add_vertices(ev, trajectory, part, psi, &excesses);
  out->length = excesses.end > 0 ? excesses.end / t_end : 1;
  const gradyn_fixed *run = ev->method->integration.fixed ? ev->method->integration.fixed(ev->run)
                                                          : NULL;
  out->grid = run && run->plan.even ? run->plan.steps : 0;
  out->t_end = t_end;
  if (status == GRADYN_OK)
    status = fill_events(ev->model, out);
  if (status == GRADYN_OK)
    status = fill_first(ev->model, &arcs, out);
  out->found = calloc(excesses.count + 1, sizeof *out->found);
  if (status == GRADYN_OK && !out->found)
    status = gradyn_fail(&ev->model->message, GRADYN_NO_MEMORY,
                         "out of memory for path constraints");
  for (size_t i = 0; i < excesses.count && status == GRADYN_OK && out->found; i++) {
    const gradyn_summit *worst = &excesses.item[i].worst;
    gradyn_limit_found *found = &out->found[out->count++];
    *found = (gradyn_limit_found){hold_at(ev, excesses.item[i].side, worst, out), worst->extreme.t,
                                  worst->extreme.value};
    if (!ev->method->integration.fixed)
      set_window(model, &arcs, found->t, &found->at);
  }
  free(excesses.item);
  return status;
}

gradyn_status gradyn_limits_find(gradyn_evaluator *ev, const double rho[], double part,
                                 gradyn_path_check *out)
{
  *out = (gradyn_path_check){.length = 1, .t_end = NAN};
  const bool fixed = ev->method->integration.fixed != NULL;
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  FREED double *psi = calloc((size_t)ev->model->functional_count + 1, sizeof *psi);
  look_along(ev->model, !fixed);
  gradyn_status status = trajectory && psi ? gradyn_evaluator_simulate(ev, rho, psi, trajectory)
                                           : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_evaluator_report_model(
        ev, fill(ev, ev->method->integration.onestep ? NULL : trajectory, part, fixed ? psi : NULL,
                 out));
  look_along(ev->model, false);
  return gradyn_evaluator_report(ev, status);
}
