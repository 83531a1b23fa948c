/* Jumps of the equations between two states: bisection along the straight line from one to the other, at
 * fixed time. Let m be the middle of an interval from a to b. Then F(a) - 2 F(m) + F(b) has the size of the
 * jump; without a jump it is proportional to the squared length. Each bisection keeps the half with the
 * larger value. */
#include "dae/events/discontinuities.h"

#include "core/equations/equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  MOST_HALVINGS = 40,
  /* bisections in which a continuous change shrinks by more than half; a square root shrinks by 32 */
  TEN = 10
};

/* Steps are short below `collapsed` times the longest recent step, which decays by `fading` from step to
 * step. With these and the numbers below, no method reports a jump in any of 150 random systems. The systems
 * have kinks, linear tables, jumps in time, steep laws, roots and unstable motions
 * (tests/campaigns/no_false_alarms.c). */
static const double collapsed = 0.2, fading = 0.8;

/* Jumps below this part of the terms of an equation do not count. */
static const double slight = 1e-6;

/* --- memory and arcs --------------------------------------------------------------------------- */

gradyn_status gradyn_discontinuities_create(gradyn_model *model, int ny, gradyn_discontinuities *s)
{
  *s = (gradyn_discontinuities){
      .model = model, .ny = ny, .rows = model->mech ? model->mech->n : ny};
  const size_t states = (size_t)ny, rows = (size_t)s->rows;
  s->y = gradyn_arena_numbers(&s->arena, states);
  s->yp = gradyn_arena_numbers(&s->arena, states);
  s->last = gradyn_arena_numbers(&s->arena, states);
  s->end = gradyn_arena_numbers(&s->arena, states);
  for (int i = 0; i < GRADYN_SIDES_NODES; i++)
    s->node[i] = gradyn_arena_numbers(&s->arena, states);
  s->r[0] = gradyn_arena_numbers(&s->arena, rows);
  s->r[1] = gradyn_arena_numbers(&s->arena, rows);
  s->mid = gradyn_arena_numbers(&s->arena, rows);
  s->quarter[0] = gradyn_arena_numbers(&s->arena, rows);
  s->quarter[1] = gradyn_arena_numbers(&s->arena, rows);
  s->size = gradyn_arena_numbers(&s->arena, rows);
  if (gradyn_arena_status(&s->arena) == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states", ny);
}

void gradyn_discontinuities_clear(gradyn_discontinuities *s)
{
  gradyn_arena_clear(&s->arena);
}

void gradyn_discontinuities_begin(gradyn_discontinuities *s, bool on)
{
  s->on = on;
  s->found = s->before = 0;
  s->arc = -1;
  gradyn_discontinuities_enter(s, 0);
}

void gradyn_discontinuities_enter(gradyn_discontinuities *s, int k)
{
  /* an arc that is run again discards its earlier results */
  if (k == s->arc)
    s->found = s->before;
  s->arc = k;
  s->before = s->found;
  s->t = (double)NAN;
  s->longest = 0;
  s->nodes = s->since = s->unseen = 0;
  s->before_it = -1;
  s->told = false;
}

/* --- the equations --------------------------------------------------------------------------- */

/* Residual at a state: forces of a mechanism, or F with fixed rates. */
static gradyn_status evaluate(gradyn_discontinuities *s, double t, const double *y,
                              const double *yp, double *r)
{
  gradyn_mech *mech = s->model->mech;
  if (!mech)
    return gradyn_equations_residual(s->model->equations, t, y, yp, r);
  const int n = mech->n;
  const gradyn_mech_state at = {.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
  return mech->ops->residual(mech, GRADYN_FORCE, &at, r);
}

/* Residual at a share of the line from y to `end`; shares below 0 or above 1 are outside of it. */
static gradyn_status evaluate_at(gradyn_discontinuities *s, double t, const double *y,
                                 const double *end, double share, double *r)
{
  for (int i = 0; i < s->ny; i++)
    s->y[i] = y[i] + share * (end[i] - y[i]);
  return evaluate(s, t, s->y, s->yp, r);
}

/* Largest difference relative to the sizes of the terms. HUGE_VAL or NaN: cannot be judged. */
static double apart(const gradyn_discontinuities *s, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < s->rows; i++) {
    const double d = fabs(a[i] - b[i]);
    /* an equation of size 0 has terms that vanish on one side */
    if (!(d <= slight * s->size[i]))
      most = s->size[i] > 0 ? fmax(most, d / s->size[i]) : fmax(most, 1);
  }
  return most;
}

/* Sets the fixed rates: for differential states their mean rate in the step, for algebraic states 0. */
static void hold_rates(gradyn_discontinuities *s, double h, const double *y, const double *end)
{
  for (int i = 0; i < s->ny && !s->model->mech; i++)
    s->yp[i] = s->model->equations->unknown[i].algebraic ? 0 : (end[i] - y[i]) / h;
}

/* Stores in mid the change of F for relative changes of about `part` of all states. Signs and magnitudes
 * alternate, so that no state is preferred. */
static gradyn_status shake(gradyn_discontinuities *s, double t, const double *y, double part)
{
  for (int i = 0; i < s->ny; i++)
    s->y[i] = y[i] * (1 + part * (i % 2 ? -1 : 1) * (1 + i % 7 / 7.0));
  GRADYN_TRY(evaluate(s, t, s->y, s->yp, s->mid));
  for (int i = 0; i < s->rows; i++)
    s->mid[i] = fabs(s->mid[i] - s->r[0][i]);
  return GRADYN_OK;
}

/* Sizes of the equations' terms. For forces: the largest of all forces. Near an equilibrium, forces may be
 * small differences of large terms; a change of states by half their digits shows this. For F: its value
 * without rates, and its change if states change by a tenth. */
static gradyn_status measure(gradyn_discontinuities *s, double t, const double *y)
{
  const bool forces = s->model->mech != NULL;
  double largest = 0;
  GRADYN_TRY(shake(s, t, y, forces ? sqrt(DBL_EPSILON) : 0.1));
  for (int i = 0; i < s->rows; i++) {
    /* at both ends: a force may begin to act between them */
    largest = fmax(largest, fmax(fabs(s->r[0][i]), fabs(s->r[1][i])));
    largest = fmax(largest, s->mid[i]);
    s->size[i] = s->mid[i];
  }
  if (forces) {
    for (int i = 0; i < s->rows; i++)
      s->size[i] = largest;
    return GRADYN_OK;
  }
  /* |F(y + dy) - F(y)| and |F(y, 0)| */
  memset(s->y, 0, (size_t)s->ny * sizeof *s->y);
  GRADYN_TRY(evaluate(s, t, y, s->y, s->mid));
  for (int i = 0; i < s->rows; i++)
    s->size[i] = fmax(s->size[i], fabs(s->mid[i]));
  return GRADYN_OK;
}

/* --- bisection ------------------------------------------------------------------------------- */

/* Extension of the line beyond its ends, as a share of it: afterwards its ends differ by at least half the
 * digits of a state. */
static double beyond(const gradyn_discontinuities *s, const double *y, const double *end)
{
  const double near = sqrt(DBL_EPSILON);
  double most = 0;
  for (int i = 0; i < s->ny; i++)
    if (y[i] != end[i])
      most = fmax(most, fabs(end[i] - y[i]) / fmax(fabs(y[i]), fabs(end[i])));
  return most > 0 && most < near ? near / most : 0;
}

/* Determines whether F is flat on both sides of a jump, with states a few round-offs away. Round-off and
 * steep functions are not flat and do not count as jumps. */
static gradyn_status check_flat(gradyn_discontinuities *s, double t, const double *y,
                                const double *end, const double share[2], bool *flat)
{
  const double jump = apart(s, s->r[0], s->r[1]),
               width = 4 * sqrt(DBL_EPSILON) * (1 + share[1] - share[0]);
  *flat = true;
  /* before the first side, and after the second */
  for (int side = 0; side < 2 && *flat; side++) {
    GRADYN_TRY(evaluate_at(s, t, y, end, share[side] + (side ? width : -width), s->mid));
    *flat = apart(s, s->r[side], s->mid) < jump / 4;
  }
  return GRADYN_OK;
}

/* Largest |F(a) - 2 F(m) + F(b)| relative to the sizes of the terms. */
static double bend(const gradyn_discontinuities *s, const double *a, const double *m,
                   const double *b)
{
  double most = 0;
  for (int i = 0; i < s->rows; i++) {
    const double d = fabs(a[i] - 2 * m[i] + b[i]), own = s->size[i] > 0 ? d / s->size[i] : d > 0;
    if (!(own <= most))
      most = own;
  }
  return most;
}

/* Replaces the interval by the half with the larger second difference, which is returned in *left. Evaluates
 * both quarters. */
static gradyn_status halve(gradyn_discontinuities *s, double t, const double *y, const double *end,
                           double share[2], double *left)
{
  const double half = (share[0] + share[1]) / 2;
  double bends[2];
  for (int side = 0; side < 2; side++) {
    GRADYN_TRY(evaluate_at(s, t, y, end, (share[side] + half) / 2, s->quarter[side]));
    bends[side] = bend(s, s->r[side], s->quarter[side], s->mid);
  }
  /* the end of the other half is discarded */
  const int kept = bends[1] > bends[0] ? 1 : 0, gone = 1 - kept;
  double *old = s->r[gone];
  s->r[gone] = s->mid;
  s->mid = s->quarter[kept];
  s->quarter[kept] = old;
  share[gone] = half;
  *left = bends[kept];
  return GRADYN_OK;
}

/* Bisects until the second difference is negligible. *stays: it has not halved in the last TEN bisections, so
 * there is a jump. */
static gradyn_status bisect(gradyn_discontinuities *s, double t, const double *y, const double *end,
                            double share[2], bool *stays)
{
  double d[MOST_HALVINGS + 1]; /* second differences of the intervals */
  *stays = false;
  GRADYN_TRY(evaluate_at(s, t, y, end, (share[0] + share[1]) / 2, s->mid));
  d[0] = bend(s, s->r[0], s->mid, s->r[1]);
  for (int k = 0; k < MOST_HALVINGS; k++) {
    if (!(d[k] > slight && isfinite(d[k])))
      return GRADYN_OK;
    GRADYN_TRY(halve(s, t, y, end, share, &d[k + 1]));
  }
  *stays = d[MOST_HALVINGS] > d[MOST_HALVINGS - TEN] / 2;
  return GRADYN_OK;
}

/* Complete examination of a step. Failures of the equations are returned. */
static gradyn_status look(gradyn_discontinuities *s, double t, double h, const double *y,
                          const double *end, bool *jumps)
{
  const double more = beyond(s, y, end);
  double share[2] = {-more, 1 + more};
  /* both ends, at one time and with the same rates */
  hold_rates(s, h, y, end);
  GRADYN_TRY(evaluate_at(s, t, y, end, share[0], s->r[0]));
  GRADYN_TRY(evaluate_at(s, t, y, end, share[1], s->r[1]));
  GRADYN_TRY(measure(s, t, y));
  GRADYN_TRY(bisect(s, t, y, end, share, jumps));
  return *jumps ? check_flat(s, t, y, end, share, jumps) : GRADYN_OK;
}

gradyn_status gradyn_discontinuities_check(gradyn_discontinuities *s, double t, double h,
                                           const double *y, const double *end, bool *jumps)
{
  /* a failed examination must not leave a message */
  const gradyn_message kept = s->model->message;
  *jumps = false;
  const gradyn_status status = look(s, t, h, y, end, jumps);
  if (status == GRADYN_OK || gradyn_status_describe(status).kind == GRADYN_CLASS_FATAL)
    return status;
  /* the equations cannot be evaluated at a state that no step has reached */
  s->model->message = kept;
  *jumps = false;
  return GRADYN_OK;
}

/* --- during a run ---------------------------------------------------------------------------- */

void gradyn_discontinuities_note(gradyn_discontinuities *s, double t)
{
  if (s->found < GRADYN_JUMP_TIMES)
    s->at[s->found] = t;
  s->found++;
}

gradyn_status gradyn_discontinuities_step(gradyn_discontinuities *s, double t, double h,
                                          const double *y, const double *end)
{
  bool jumps = false;
  if (!s->on)
    return GRADYN_OK;
  /* compared with the steps before it */
  const bool brief = h < collapsed * s->longest;
  s->longest = fmax(h, fading * s->longest);
  /* a jump is counted once, until steps are long again */
  s->told = s->told && brief;
  if (!brief || s->told)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_discontinuities_check(s, t, h, y, end, &jumps));
  if (jumps)
    gradyn_discontinuities_note(s, t + h / 2);
  s->told = jumps;
  return GRADYN_OK;
}

gradyn_status gradyn_discontinuities_reach(gradyn_discontinuities *s, double t, const double *y)
{
  if (!s->on)
    return GRADYN_OK;
  const double h = t - s->t; /* NaN at the first step of an arc */
  if (h > 0)
    GRADYN_TRY(gradyn_discontinuities_step(s, s->t, h, s->last, y));
  memcpy(s->last, y, (size_t)s->ny * sizeof *y);
  s->t = t;
  return GRADYN_OK;
}

void gradyn_discontinuities_report(const gradyn_discontinuities *s, gradyn_findings *findings)
{
  findings->jumps = s->found;
  memcpy(findings->jump_time, s->at, sizeof findings->jump_time);
}
