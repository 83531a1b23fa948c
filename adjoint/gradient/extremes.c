/* True extremes of a run.
 *
 * Each step of a trajectory is looked at from within: at its two rows, with the signals and the
 * mode of the step, and in its middle, where positions and velocities, or differential states, are
 * interpolated and all else follows from the equations of motion. The parabola through these
 * three tells what the step may come to; where that is the most, a golden section finds it. */
#include "adjoint/gradient/extremes.h"
#include "adjoint/gradient/between.h"
#include "adjoint/gradient/gradient.h"

#include <math.h>
#include <stdlib.h>

#include "dae/trajectory.h"

enum { SECTIONS = 44 }; /* 0.618^44 = 6e-10 of a step */
/* other summits as high as this, relatively, are told */
static const double tie = 1e-6;
/* of its change within a step, by which the parabola may miss the most that the function comes to */
static const double tenth = 0.1;
/* of a top's height, between it and another top of the same stretch */
static const double dip = 0.1;

/* A search along a trajectory. */
typedef struct climb {
  gradyn_evaluator *ev;
  const gradyn_trajectory *trajectory;
  gradyn_between between;
  size_t steps;         /* of the trajectory, less one */
  double *row;          /* [columns] */
  double *height;       /* [steps] what each step may come to, of one functional, */
  double *slack;        /* [steps] and how far that may be off */
  gradyn_status status; /* what a user's function has failed with for good */
  gradyn_arena arena;   /* of all arrays */
} climb;

/* Whether a functional is a maximum over time. */
static bool is_maximum(const gradyn_functional_entry *f)
{
  return f->maximum || (f->integrand && f->outer.sharpness != 0);
}

bool gradyn_functional_is_maximum(const gradyn_evaluator *ev, size_t functional)
{
  return functional < gradyn_functional_count(ev) && is_maximum(&ev->model->functional[functional]);
}

/* Time of a row. */
static double row_time(const climb *c, size_t row)
{
  return gradyn_trajectory_step(c->trajectory, row, NULL);
}

/* The function behind a maximum at c->row. What cannot be evaluated there is no maximum; other failures are
 * kept. */
static double value_of(climb *c, const gradyn_functional_entry *f, double t, gradyn_status status)
{
  double g = 0;
  const gradyn_sample at = {t, c->row};
  if (status == GRADYN_OK)
    status = gradyn_functional_inside(c->ev->model, f, &at, &g);
  if (status == GRADYN_OK)
    return g;
  if (gradyn_status_classify((int)status) != GRADYN_CLASS_RECOVERABLE && c->status == GRADYN_OK)
    c->status = status;
  return -HUGE_VAL;
}

/* At a row. */
static double value_at_row(climb *c, const gradyn_functional_entry *f, size_t row)
{
  return value_of(c, f, gradyn_trajectory_step(c->trajectory, row, c->row), GRADYN_OK);
}

/* The same at a time within the step that has been entered. */
static double value_within(climb *c, const gradyn_functional_entry *f, double t)
{
  return value_of(c, f, t, gradyn_between_interpolate(&c->between, t, c->row));
}

/* The same, as exact as the rows are. */
static double exact_value(climb *c, const gradyn_functional_entry *f, double t)
{
  return value_of(c, f, t, gradyn_between_follow(&c->between, t, c->row));
}

/* The same for comparisons: by interpolation where following takes a factorisation for each stage. */
static double compared_value(climb *c, const gradyn_functional_entry *f, double t)
{
  return c->ev->model->mech ? exact_value(c, f, t) : value_within(c, f, t);
}

/* A top found by comparing values is known to the root of their digits only; this is its place by
 * the slopes beside it, (4 D(d/2) - D(d))/3 with D the central difference, and one step of
 * Newton's method. */
static void refine(climb *c, const gradyn_functional_entry *f, double h, gradyn_extreme *top)
{
  const double d = 0.02 * h, t = top->t, g = exact_value(c, f, t);
  double slope[2], bend = 0;
  /* D at d and d/2; the bend of the wider one */
  for (int k = 0; k < 2; k++) {
    const double e = k ? d / 2 : d;
    const double after = exact_value(c, f, t + e), before = exact_value(c, f, t - e);
    slope[k] = (after - before) / (2 * e);
    bend = k ? bend : (after - 2 * g + before) / (e * e);
  }
  const double move = -(4 * slope[1] - slope[0]) / 3 / bend;
  /* at a corner there is nothing to refine */
  if (bend < 0 && fabs(move) < d)
    *top = (gradyn_extreme){exact_value(c, f, t + move), t + move, NAN};
}

/* What a step may come to: the parabola through its ends and its middle. */
static double estimate(double a, double m, double b)
{
  const double most = fmax(fmax(a, m), b);
  /* g = m + slope s + bend s^2 for s from -1 to 1 */
  const double slope = (b - a) / 2, bend = (a + b) / 2 - m;
  const double s = bend < 0 ? -slope / (2 * bend) : 2;
  return fabs(s) < 1 ? fmax(most, m + slope * s / 2) : most;
}

/* How the function changes at the start of the step that has been entered (towards 1) or at its end (-1), by
 * its values inside: fourth order. Where steps are too short for digits, along the equations beyond them. */
static double rate_at(climb *c, const gradyn_functional_entry *f, int towards)
{
  static const double weight[] = {-25.0 / 12, 4, -3, 4.0 / 3, -0.25}, share = 0.02, least = 1e-6;
  const double t0 = row_time(c, c->between.step), t1 = row_time(c, c->between.step + 1);
  const double d = towards * fmax(share * (t1 - t0), least * row_time(c, c->steps));
  double sum = 0;
  for (int k = 0; k < 5; k++)
    sum += weight[k] * exact_value(c, f, (towards > 0 ? t0 : t1) + k * d);
  return sum / d;
}

/* The highest place of the step that has been entered. */
static gradyn_summit climb_step(climb *c, const gradyn_functional_entry *f)
{
  const double golden = 0.6180339887498949, t0 = row_time(c, c->between.step),
               t1 = row_time(c, c->between.step + 1);
  double from = t0, to = t1;
  double t[2] = {to - golden * (to - from), from + golden * (to - from)};
  double g[2] = {compared_value(c, f, t[0]), compared_value(c, f, t[1])};
  for (int i = 0; i < SECTIONS; i++) {
    const int better = g[1] > g[0];
    /* the part beside the lower one of both places is left out */
    *(better ? &from : &to) = t[!better];
    t[!better] = t[better];
    g[!better] = g[better];
    t[better] = better ? from + golden * (to - from) : to - golden * (to - from);
    g[better] = compared_value(c, f, t[better]);
  }
  const int best = g[1] > g[0];
  const double start = value_at_row(c, f, c->between.step),
               end = value_at_row(c, f, c->between.step + 1);
  gradyn_summit s = {{g[best], t[best], NAN}, c->between.step, GRADYN_PART_INSIDE, 0};
  /* what lies as near to an end as that is the end itself */
  const double near = 1e-6 * (t1 - t0);
  if (fmin(t1 - s.extreme.t, s.extreme.t - t0) > near)
    refine(c, f, t1 - t0, &s.extreme);
  if (end >= s.extreme.value || t1 - s.extreme.t < near)
    s = (gradyn_summit){{end, t1, NAN}, c->between.step, GRADYN_PART_END, rate_at(c, f, -1)};
  if (start > s.extreme.value || s.extreme.t - t0 < near)
    s = (gradyn_summit){{start, t0, NAN}, c->between.step, GRADYN_PART_START, rate_at(c, f, 1)};
  return s;
}

/* The highest place of a step and of those beside it. */
static gradyn_summit climb_around(climb *c, const gradyn_functional_entry *f, size_t step)
{
  gradyn_summit best = {{-HUGE_VAL, NAN, NAN}, step, GRADYN_PART_INSIDE, 0};
  for (size_t k = step > 0 ? step - 1 : 0; k <= step + 1 && k < c->steps; k++) {
    if (!(row_time(c, k + 1) > row_time(c, k))) /* both sides of an event */
      continue;
    gradyn_between_enter(&c->between, k);
    const gradyn_summit here = climb_step(c, f);
    if (here.extreme.value > best.extreme.value)
      best = here;
  }
  return best;
}

/* Whether a step promises as much as those beside it, and as the summit but for a little. */
static bool may_tie(const climb *c, size_t k, const gradyn_summit *summit)
{
  const double *h = c->height, least = summit->extreme.value - 1e-3 * fabs(summit->extreme.value);
  return h[k] >= least && (k == 0 || h[k] >= h[k - 1]) && (k + 1 == c->steps || h[k] >= h[k + 1]) &&
         (k > summit->step + 1 || k + 1 < summit->step);
}

/* What each step may come to, of one functional; returns the most promising one. */
static size_t measure_heights(climb *c, const gradyn_functional_entry *f)
{
  size_t best = 0;
  for (size_t k = 0; k < c->steps; k++) {
    const double t0 = row_time(c, k), t1 = row_time(c, k + 1);
    c->height[k] = -HUGE_VAL;
    c->slack[k] = 0;
    if (!(t1 > t0))
      continue;
    gradyn_between_enter(&c->between, k);
    const double a = value_at_row(c, f, k), b = value_at_row(c, f, k + 1);
    const double m = value_within(c, f, (t0 + t1) / 2);
    c->height[k] = estimate(a, m, b);
    c->slack[k] = tenth * (fabs(m - a) + fabs(b - m));
    best = c->height[k] > c->height[best] ? k : best;
  }
  return best;
}

/* The summit of one functional, and another one that is as high. */
static gradyn_summit find_summit(climb *c, const gradyn_functional_entry *f)
{
  const size_t best = measure_heights(c, f);
  gradyn_summit summit = climb_around(c, f, best);
  for (size_t k = 0; k < c->steps && isnan(summit.extreme.t_second); k++) {
    if (!may_tie(c, k, &summit))
      continue;
    const gradyn_summit other = climb_around(c, f, k);
    /* a neighbour's end is no other place */
    if (other.extreme.value >= summit.extreme.value - tie * fabs(summit.extreme.value) &&
        fabs(other.extreme.t - summit.extreme.t) > row_time(c, k + 1) - row_time(c, k))
      summit.extreme.t_second = other.extreme.t;
  }
  return summit;
}

/* Prepares a search along a trajectory. */
static gradyn_status begin(climb *c)
{
  gradyn_model *model = c->ev->model;
  const size_t rows = gradyn_trajectory_steps(c->trajectory);
  c->steps = rows > 0 ? rows - 1 : 0;
  c->row = gradyn_arena_numbers(&c->arena, gradyn_trajectory_columns(c->trajectory));
  c->height = gradyn_arena_numbers(&c->arena, rows);
  c->slack = gradyn_arena_numbers(&c->arena, rows);
  if (gradyn_arena_status(&c->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu steps", rows);
  return gradyn_between_create(model, c->trajectory, &c->between);
}

/* Whether to go on behind one functional. */
static gradyn_status go_on(const climb *c)
{
  gradyn_model *model = c->ev->model;
  return c->status != GRADYN_OK ? c->status : gradyn_model_cancelled(model, model->x[model->t_end]);
}

/* Of any stage of begin(). */
static void end(climb *c)
{
  gradyn_between_clear(&c->between);
  gradyn_arena_clear(&c->arena);
}

gradyn_status gradyn_find_summits(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  gradyn_summit *summit)
{
  gradyn_model *model = ev->model;
  OWNED_UNTIL_END(end) climb c = {.ev = ev, .trajectory = trajectory};
  GRADYN_TRY(begin(&c));
  const gradyn_message kept = model->message;
  for (int f = 0; f < model->functional_count; f++) {
    summit[f] = (gradyn_summit){{NAN, NAN, NAN}, 0, GRADYN_PART_INSIDE, 0};
    if (is_maximum(&model->functional[f]) && c.steps > 0)
      summit[f] = find_summit(&c, &model->functional[f]);
    GRADYN_TRY(go_on(&c));
  }
  model->message = kept; /* places that cannot be evaluated are no failure */
  return GRADYN_OK;
}

gradyn_status gradyn_excesses_add(gradyn_model *model, size_t side, const gradyn_summit *place,
                                  gradyn_excesses *out)
{
  void *grown = realloc(out->item, (out->count + 1) * sizeof *out->item);
  if (!grown)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for limits");
  out->item = grown;
  out->item[out->count++] = (struct gradyn_excess){side, *place};
  return GRADYN_OK;
}

/* Adds the top of a step and its neighbours, if it is beyond the threshold. */
static gradyn_status add_top(climb *c, int f, size_t step, double threshold, gradyn_excesses *out)
{
  const gradyn_summit top = climb_around(c, &c->ev->model->functional[f], step);
  return top.extreme.value > threshold ? gradyn_excesses_add(c->ev->model, (size_t)f, &top, out)
                                       : GRADYN_OK;
}

/* Adds the tops of the steps from `first` to before `last`, each with a dip of a part of it on both sides. */
static gradyn_status add_excess(climb *c, int f, size_t first, size_t last, double threshold,
                                gradyn_excesses *out)
{
  const double *h = c->height;
  size_t top = first, valley = first;
  bool down = false; /* behind the top */
  for (size_t k = first; k < last; k++) {
    if (!(row_time(c, k + 1) > row_time(c, k))) /* both sides of an event */
      continue;
    if (!down && h[k] > h[top])
      top = k;
    if (!down && h[k] < h[top] - dip * fabs(h[top])) {
      GRADYN_TRY(add_top(c, f, top, threshold, out));
      down = true;
      valley = k;
    }
    valley = down && h[k] < h[valley] ? k : valley;
    if (down && h[k] > h[valley] + dip * fabs(h[k])) {
      down = false;
      top = k;
    }
  }
  return down ? GRADYN_OK : add_top(c, f, top, threshold, out);
}

/* The start of the run is told by itself where it is beyond the threshold. */
static gradyn_status add_start(climb *c, int f, double threshold, gradyn_excesses *out)
{
  gradyn_between_enter(&c->between, 0);
  const double value = value_at_row(c, &c->ev->model->functional[f], 0);
  return value > threshold
             ? gradyn_excesses_add(c->ev->model, (size_t)f,
                                   &(gradyn_summit){{value, 0, NAN}, 0, GRADYN_PART_START, 0}, out)
             : GRADYN_OK;
}

/* Whether step k, which is not beyond the threshold by the parabola, may be so all the same, and is as high
 * as its neighbours, which are not either. */
static bool may_exceed(const climb *c, size_t k, double threshold)
{
  const double *h = c->height;
  const double before = k > 0 ? h[k - 1] : -HUGE_VAL,
               behind = k + 1 < c->steps ? h[k + 1] : -HUGE_VAL;
  return h[k] + c->slack[k] > threshold && fmax(fmax(before, behind), h[k]) <= threshold &&
         h[k] >= before && h[k] >= behind;
}

/* The stretches of one side. */
static gradyn_status add_stretches(climb *c, int f, double threshold, gradyn_excesses *out)
{
  measure_heights(c, &c->ev->model->functional[f]);
  size_t first = 0;
  if (c->steps > 0)
    GRADYN_TRY(add_start(c, f, threshold, out));
  for (size_t k = 0; k <= c->steps; k++) {
    /* a stretch ends with a step that keeps the limit; both sides of an event belong to it */
    const bool nothing = k < c->steps && !(row_time(c, k + 1) > row_time(c, k));
    if (k < c->steps && (nothing || c->height[k] > threshold))
      continue;
    if (k > first)
      GRADYN_TRY(add_excess(c, f, first, k, threshold, out));
    first = k + 1;
    if (k < c->steps && may_exceed(c, k, threshold))
      GRADYN_TRY(add_top(c, f, k, threshold, out));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_find_excesses(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   double part, gradyn_excesses *out)
{
  gradyn_model *model = ev->model;
  OWNED_UNTIL_END(end) climb c = {.ev = ev, .trajectory = trajectory};
  GRADYN_TRY(begin(&c));
  const gradyn_message kept = model->message;
  for (int f = 0; f < model->functional_count; f++) {
    const double threshold = part * model->functional[f].tolerance;
    if (model->functional[f].use != GRADYN_PATH_CONSTRAINT)
      continue;
    GRADYN_TRY(add_stretches(&c, f, threshold, out));
    GRADYN_TRY(go_on(&c));
  }
  model->message = kept;
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_extremes(gradyn_evaluator *ev, const double *rho,
                                        gradyn_extreme *extreme)
{
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, extreme, "extreme"));
  const size_t nf = gradyn_functional_count(ev);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  FREED gradyn_summit *summit = calloc(nf + 1, sizeof *summit);
  if (!trajectory || !summit)
    return gradyn_evaluator_report(ev, GRADYN_NO_MEMORY);
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, NULL, trajectory));
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_find_summits(ev, trajectory, summit)));
  for (size_t f = 0; f < nf; f++)
    extreme[f] = summit[f].extreme;
  return GRADYN_OK;
}
