/* The search for the largest values of functions of time.
 *
 * All functions are evaluated together at the ends and in the middle of each piece: a mechanism's motion
 * follows from the ends of a step, and accelerations are computed only for functions that use them. The
 * parabola through three values estimates the maximum of a piece. Brent's method then locates a maximum on
 * the continuous extension of the step, and Newton's method on g' = g_y y' + g_t of the run itself. */
#include "adjoint/extremes/climb.h"

#include <math.h>
#include <string.h>

#include "core/model/limit.h"
#include "core/model/same_time.h"

enum {
  MOST_SHORTER = 60, /* iterations of Brent's method, which bisects at worst */
  MOST_NEWTON = 3
};

/* Assumed error of the parabola's maximum, relative to the change of the function within a piece. */
static const double tenth = 0.1;
/* Tolerance of times in Brent's method, relative to the step. Values near a maximum determine its time only
 * to the square root of their round-off. */
static const double near = 1e-6;
/* Distance between the points of a second difference, and the correction below which Newton's method ends,
 * both relative to the step. */
static const double apart = 0.02, enough = 1e-5;
/* Values that differ by less, relative to their size, are equal up to round-off. */
static const double digits = 1e-14;

/* --- values --------------------------------------------------------------------------------------- */

/* Stores the first failure that is not recoverable. Recoverable ones are values that do not exist. Returns
 * whether the status is GRADYN_OK. */
static bool succeeds(gradyn_climb *c, gradyn_status status)
{
  if (gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE &&
      c->status == GRADYN_OK)
    c->status = status;
  return status == GRADYN_OK;
}

/* Returns the function at the present row; -HUGE_VAL where it does not exist. */
static double value_at(gradyn_climb *c, const gradyn_heights *h, double t, gradyn_status status)
{
  double g = 0;
  const gradyn_sample at = {t, c->pieces.row};
  if (status == GRADYN_OK)
    status = gradyn_functional_inside(c->ev->model, h->f, &at, &g);
  return succeeds(c, status) ? g : -HUGE_VAL;
}

static double extended(gradyn_climb *c, const gradyn_heights *h, double t)
{
  return value_at(c, h, t, gradyn_pieces_extend(&c->pieces, t, h->all));
}

static double followed(gradyn_climb *c, const gradyn_heights *h, double t)
{
  return value_at(c, h, t, gradyn_pieces_follow(&c->pieces, t));
}

static double value_at_end(gradyn_climb *c, const gradyn_heights *h, bool end)
{
  const gradyn_status status = gradyn_pieces_end(&c->pieces, end, h->all);
  return value_at(c, h, end ? c->pieces.end : c->pieces.start, status);
}

/* Returns dg/dt at the present row, which is exact, or NAN if the function uses states whose rates are not
 * known. */
static double slope_at(gradyn_climb *c, const gradyn_heights *h, double t)
{
  const size_t ny = (size_t)c->ev->model->ops->state_count(c->ev->model);
  const gradyn_functional_entry *f = h->f;
  const gradyn_sample at = {t, c->pieces.row};
  double slope = 0;
  memset(c->adjoint, 0, ny * sizeof *c->adjoint);
  const gradyn_gradient_out out = {c->adjoint, 1, NULL, &slope};
  if (!f->terminal || !succeeds(c, gradyn_pieces_rates(&c->pieces, t)) ||
      !succeeds(c, f->terminal->gradient(c->ev->model, f, &at, 1, &out)))
    return (double)NAN;
  for (size_t i = 0; i < ny; i++)
    slope += c->adjoint[i] != 0 ? c->adjoint[i] * c->pieces.rates[i] : 0;
  return slope;
}

/* --- estimates ------------------------------------------------------------------------------------ */

/* Returns the maximum of the parabola through the values at the ends and in the middle. */
static double estimate(const double g[3])
{
  const double most = fmax(fmax(g[0], g[1]), g[2]);
  /* g = g_1 + slope s + curvature s^2 for s from -1 to 1 */
  const double slope = (g[2] - g[0]) / 2, curvature = (g[0] + g[2]) / 2 - g[1];
  const double s = curvature < 0 ? -slope / (2 * curvature) : 2;
  return fabs(s) < 1 ? fmax(most, g[1] + slope * s / 2) : most;
}

/* Returns whether any function needs the whole state. */
static bool any_needs_all(const gradyn_climb *c)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->heights[i].all)
      return true;
  return false;
}

/* Stores the values of all functions at the present row as value k of a piece. Both bounds l and u of a
 * path constraint use the same value of the measure m. */
static void take_values(gradyn_climb *c, double t, int k, gradyn_status status)
{
  const double *x = c->ev->model->x;
  for (size_t i = 0; i < c->count; i++) {
    gradyn_heights *h = &c->heights[i], *before = h - 1;
    if (!h->second || !isfinite(before->value[k]))
      h->value[k] = h->second ? -HUGE_VAL : value_at(c, h, t, status);
    else /* l - m from m - u */
      h->value[k] = x[h->f->along.bound] - x[before->f->along.bound] - before->value[k];
  }
}

/* Values at the ends and in the middle of a piece. Within a step, the end of the one before is the start of
 * this one. */
static void take_piece(gradyn_climb *c, bool all)
{
  gradyn_pieces *p = &c->pieces;
  const double middle = (p->from + p->to) / 2;
  if (p->from > p->start) {
    for (size_t i = 0; i < c->count; i++)
      c->heights[i].value[0] = c->heights[i].value[2];
  } else {
    take_values(c, p->start, 0, gradyn_pieces_end(p, false, all));
  }
  take_values(c, middle, 1, gradyn_pieces_estimate(p, middle, all));
  if (p->to < p->end) {
    take_values(c, p->to, 2, gradyn_pieces_estimate(p, p->to, all));
  } else {
    take_values(c, p->end, 2, gradyn_pieces_end(p, true, all));
  }
}

/* Returns whether the present piece is in the window of a function. Steps end at the ends of a window. */
static bool is_inside(const gradyn_climb *c, const gradyn_heights *h)
{
  const double middle = (c->pieces.from + c->pieces.to) / 2;
  return middle > h->from && middle < h->to;
}

/* Estimates the maximum of each function in each piece, with its uncertainty; -HUGE_VAL if there is no
 * value. */
static gradyn_status measure_heights(gradyn_climb *c)
{
  const bool all = any_needs_all(c);
  for (size_t k = 0; k < c->pieces.count; k++) {
    GRADYN_TRY(gradyn_pieces_enter(&c->pieces, k));
    /* a piece without length contains both sides of an event */
    const bool nothing = !(c->pieces.to > c->pieces.from);
    if (!nothing)
      take_piece(c, all);
    for (size_t i = 0; i < c->count; i++) {
      gradyn_heights *h = &c->heights[i];
      const double *g = h->value;
      h->most[k] = nothing || !is_inside(c, h) ? -HUGE_VAL : estimate(g);
      h->slack[k] = nothing ? 0 : tenth * (fabs(g[1] - g[0]) + fabs(g[2] - g[1]));
    }
    GRADYN_TRY(c->status);
  }
  return GRADYN_OK;
}

/* --- life ----------------------------------------------------------------------------------------- */

/* Returns whether a function may use more than the differential states. */
static bool needs_all(const gradyn_climb *c, const gradyn_functional_entry *f)
{
  const gradyn_onestep *run = c->pieces.reader.run;
  if (f->data_only || (c->ev->model->mech && (f->positions_only || f->motion_only)))
    return false;
  return c->ev->model->mech || !run || run->rates->nz < run->rates->ny;
}

gradyn_status gradyn_climb_begin(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                 const int functional[], size_t count, gradyn_climb *out)
{
  gradyn_model *model = ev->model;
  *out = (gradyn_climb){.ev = ev, .count = count};
  GRADYN_TRY(gradyn_pieces_create(ev, trajectory, &out->pieces));
  out->heights = gradyn_arena_take(&out->arena, count + 1, sizeof *out->heights);
  out->adjoint = gradyn_arena_numbers(&out->arena, (size_t)model->ops->state_count(model));
  GRADYN_TRY(gradyn_arena_status(&out->arena));
  for (size_t i = 0; i < count; i++) {
    gradyn_heights *h = &out->heights[i];
    h->f = &model->functional[functional[i]];
    h->all = needs_all(out, h->f);
    gradyn_functional_window(model, h->f, &h->from, &h->to);
    h->second = i > 0 && h->f->along.second && h->f == out->heights[i - 1].f + 1;
    h->most = gradyn_arena_numbers(&out->arena, out->pieces.count);
    h->slack = gradyn_arena_numbers(&out->arena, out->pieces.count);
  }
  if (gradyn_arena_status(&out->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu intervals",
                       out->pieces.count);
  const gradyn_message kept = model->message;
  GRADYN_TRY(measure_heights(out));
  model->message = kept; /* values that do not exist are no failure */
  return GRADYN_OK;
}

void gradyn_climb_clear(gradyn_climb *c)
{
  gradyn_pieces_clear(&c->pieces);
  gradyn_arena_clear(&c->arena);
}

/* --- a maximum ------------------------------------------------------------------------------------ */

/* A bracket of Brent's method: the best time, the second and third best, and the last two changes. */
typedef struct bracket {
  double a, b, x[3], g[3], move, before;
} bracket;

/* Returns the next time. The parabola through three times gives it if it halves the changes and stays
 * inside; otherwise the golden section of the longer side does. */
static double next_time(bracket *s, double tol)
{
  const double golden = 0.3819660112501051, *x = s->x, *g = s->g;
  const double r = (x[0] - x[1]) * (g[2] - g[0]), q = (x[0] - x[2]) * (g[1] - g[0]);
  const double move = ((x[0] - x[2]) * q - (x[0] - x[1]) * r) / (2 * (r - q)), u = x[0] + move;
  const bool parabola = fabs(move) < fabs(s->before) / 2 && u > s->a && u < s->b;
  s->before = s->move;
  if (!parabola) {
    const double rest = x[0] < (s->a + s->b) / 2 ? s->b - x[0] : s->a - x[0];
    s->before = rest;
    s->move = golden * rest;
  } else {
    /* not closer to an end than round-off permits */
    const bool close = u - s->a < 2 * tol || s->b - u < 2 * tol;
    s->move = close ? copysign(tol, (s->a + s->b) / 2 - x[0]) : move;
  }
  return x[0] + (fabs(s->move) >= tol ? s->move : copysign(tol, s->move));
}

/* Adds the value g at the time u to the bracket. */
static void take_in(bracket *s, double u, double g)
{
  if (g > s->g[0]) {
    *(u >= s->x[0] ? &s->a : &s->b) = s->x[0];
  } else {
    *(u < s->x[0] ? &s->a : &s->b) = u;
  }
  const int rank = g > s->g[0]                                                ? 0
                   : g >= s->g[1] || s->x[1] == s->x[0]                       ? 1
                   : g >= s->g[2] || s->x[2] == s->x[0] || s->x[2] == s->x[1] ? 2
                                                                              : 3;
  for (int k = 2; k > rank; k--) {
    s->x[k] = s->x[k - 1];
    s->g[k] = s->g[k - 1];
  }
  if (rank < 3) {
    s->x[rank] = u;
    s->g[rank] = g;
  }
}

/* Finds the maximum between two times by Brent's method, starting from the values of the present piece. */
static gradyn_extreme maximise(gradyn_climb *c, const gradyn_heights *h, double a, double b)
{
  const gradyn_pieces *p = &c->pieces;
  const double tol = near * (p->end - p->start), x = (p->from + p->to) / 2, g = extended(c, h, x);
  bracket s = {.a = a, .b = b, .x = {x, x, x}, .g = {g, g, g}, .before = b - a};
  take_in(&s, p->from, extended(c, h, p->from));
  take_in(&s, p->to, extended(c, h, p->to));
  s.move = s.before;
  for (int i = 0; i < MOST_SHORTER && fabs(s.x[0] - (s.a + s.b) / 2) + (s.b - s.a) / 2 > 2 * tol;
       i++) {
    const double u = next_time(&s, tol);
    take_in(&s, u, extended(c, h, u));
  }
  return (gradyn_extreme){s.g[0], s.x[0], (double)NAN};
}

/* Finds the maximum of the present piece and its neighbours in the same step. */
static gradyn_summit climb_step(gradyn_climb *c, const gradyn_heights *h)
{
  const gradyn_pieces *p = &c->pieces;
  const double width = p->to - p->from, tol = 2 * near * (p->end - p->start);
  const double a = p->from - width < p->start + tol ? p->start : p->from - width,
               b = p->to + width > p->end - tol ? p->end : p->to + width;
  const double close = fmax(2 * tol, GRADYN_SAME_TIME * gradyn_pieces_last(&c->pieces));
  gradyn_summit s = {maximise(c, h, a, b), p->piece, GRADYN_PART_INSIDE, 0};
  for (int end = 1; end >= 0; end--) {
    const double t = end ? p->end : p->start;
    if ((end ? b : a) != t)
      continue;
    /* a maximum this close to an end, or with the same value except for round-off, is the end itself */
    const bool inside = s.part == GRADYN_PART_INSIDE;
    const double g = value_at_end(c, h, end), same = inside ? digits * fabs(g) : 0;
    if (g > s.extreme.value - same || (inside && fabs(t - s.extreme.t) < close))
      s = (gradyn_summit){
          {g, t, (double)NAN}, p->piece, end ? GRADYN_PART_END : GRADYN_PART_START, 0};
  }
  return s;
}

/* Enters the next piece before or after a step that has a length. Returns false if there is none. */
static bool enter_beside(gradyn_climb *c, size_t piece, bool after)
{
  const size_t parts = gradyn_pieces_of_step(&c->pieces);
  size_t k = after ? (piece / parts + 1) * parts : piece / parts * parts;
  for (; after ? k < c->pieces.count : k > 0; k += after ? 1 : (size_t)-1) {
    if (!succeeds(c, gradyn_pieces_enter(&c->pieces, after ? k : k - 1)))
      return false;
    if (c->pieces.to > c->pieces.from)
      return true;
  }
  return false;
}

gradyn_summit gradyn_climb_from(gradyn_climb *c, const gradyn_heights *h, size_t piece)
{
  gradyn_summit best = {{-HUGE_VAL, (double)NAN, (double)NAN}, piece, GRADYN_PART_INSIDE, 0};
  if (!succeeds(c, gradyn_pieces_enter(&c->pieces, piece)))
    return best;
  best = climb_step(c, h);
  const gradyn_part part = best.part;
  if (part == GRADYN_PART_INSIDE || !enter_beside(c, piece, part == GRADYN_PART_END) ||
      !is_inside(c, h))
    return best;
  const gradyn_summit beside = climb_step(c, h);
  /* if the values on both sides of a time are equal, the side before it counts */
  const bool first = part == GRADYN_PART_START && beside.part == GRADYN_PART_END;
  return beside.extreme.value > best.extreme.value ||
                 (first && beside.extreme.value == best.extreme.value)
             ? beside
             : best;
}

/* Returns the slope at t by four values of the run itself, (4 D(d/2) - D(d))/3, where D is the central
 * difference. */
static double slope_by_values(gradyn_climb *c, const gradyn_heights *h, double t, double d)
{
  double slope[2];
  for (int k = 0; k < 2; k++) {
    const double e = k ? d / 2 : d;
    slope[k] = (followed(c, h, t + e) - followed(c, h, t - e)) / (2 * e);
  }
  return (4 * slope[1] - slope[0]) / 3;
}

/* Applies Newton's method to g' = 0. Its last correction is not evaluated. */
static void refine(gradyn_climb *c, const gradyn_heights *h, gradyn_extreme *top)
{
  const double length = c->pieces.end - c->pieces.start, d = apart * length;
  double t = top->t, last = 0, before = 0;
  double curvature = (extended(c, h, t + d) - 2 * extended(c, h, t) + extended(c, h, t - d)) /
                     (d * d);
  for (int i = 0; i < MOST_NEWTON; i++) {
    const double g = followed(c, h, t);
    double slope = slope_at(c, h, t);
    if (isnan(slope))
      slope = slope_by_values(c, h, t, d);
    curvature = i > 0 ? (slope - last) / (t - before) : curvature;
    const double move = -slope / curvature;
    if (g == -HUGE_VAL)
      return;
    if (!(curvature < 0 && fabs(move) < d)) { /* a kink */
      *top = (gradyn_extreme){g, t, (double)NAN};
      return;
    }
    *top = (gradyn_extreme){g + slope * move / 2, t + move, (double)NAN};
    if (fabs(move) <= enough * length)
      return;
    before = t;
    last = slope;
    t += move;
  }
}

/* Returns the rate of the function at an end of the present step. If its slope is not known, the rate
 * follows from five values inside the step, or beyond a step that is too short for accurate differences. */
static double rate_at(gradyn_climb *c, const gradyn_heights *h, bool end)
{
  static const double weight[] = {-25.0 / 12, 4, -3, 4.0 / 3, -0.25}, least = 1e-6;
  const gradyn_pieces *p = &c->pieces;
  const double t = end ? p->end : p->start;
  const double d = fmax(apart * (p->end - p->start), least * gradyn_pieces_last(&c->pieces));
  const double slope = succeeds(c, gradyn_pieces_end(&c->pieces, end, h->all)) ? slope_at(c, h, t)
                                                                               : (double)NAN;
  double sum = 0;
  for (int k = 0; k < 5 && isnan(slope); k++)
    sum += weight[k] * followed(c, h, t + (end ? -k : k) * d);
  return isnan(slope) ? sum / (end ? -d : d) : slope;
}

void gradyn_climb_refine(gradyn_climb *c, const gradyn_heights *h, gradyn_summit *summit)
{
  if (!isfinite(summit->extreme.value) ||
      !succeeds(c, gradyn_pieces_enter(&c->pieces, summit->step)))
    return;
  const gradyn_message kept = c->ev->model->message;
  if (summit->part == GRADYN_PART_INSIDE)
    refine(c, h, &summit->extreme);
  else
    summit->rate = rate_at(c, h, summit->part == GRADYN_PART_END);
  if (c->status == GRADYN_OK)
    c->ev->model->message = kept;
}

double gradyn_climb_first(gradyn_climb *c, const gradyn_heights *h)
{
  return succeeds(c, gradyn_pieces_enter(&c->pieces, 0)) ? value_at_end(c, h, false) : -HUGE_VAL;
}
