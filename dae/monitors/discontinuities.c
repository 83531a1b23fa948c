/* Detection of undeclared jumps of the equations.
 *
 * If forces jump as a function of the state, the time at which a motion reaches the jump depends on the data.
 * Gradients lack this dependence, and their error estimates do not show it. Steps become short at such jumps,
 * but also at kinks, in tables and at jumps in time, where gradients are correct. The equations on both
 * sides, evaluated at one time, distinguish them: a jump keeps its size as the two states approach each
 * other, and a continuous change shrinks. The equations are examined where steps are short, and at sudden
 * increases of differences of equal steps.
 *
 * The search bisects the straight line between two states, at fixed time. Let m be the middle of an interval
 * from a to b. Then F(a) - 2 F(m) + F(b) has the size of the jump; without a jump it is proportional to the
 * squared length. Each bisection keeps the half with the larger value. */
#include "core/equations/equations.h"
#include "core/linear/arena.h"
#include "dae/monitors/monitors.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NODES = 7, /* nodes with equal steps for a divided difference */
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

typedef struct discontinuities {
  gradyn_model *model;
  gradyn_findings *found; /* findings of the run: number and times of jumps */
  gradyn_arena arena;
  int ny, rows;   /* length of a state; number of equations that are compared */
  double *y, *yp; /* [ny] a state between two states; fixed rates of general equations */
  /* [rows] residuals at both ends of an interval, in its middle and at its quarters */
  double *r[2], *mid, *quarter[2];
  double *size; /* [rows] natural sizes of the equations' terms */
  /* [ny] state at the end of the previous step, for integrators that do not keep it; end of the step
   * examined */
  double *last, *end;
  double t;            /* time of last, s; NAN: none in this arc */
  double longest;      /* longest recent step, s; it decays */
  bool counted;        /* the present group of short steps has been counted already */
  int arc, before;     /* index of the present arc; number of jumps found before it */
  double *node[NODES]; /* [ny] latest nodes of equal steps, the oldest first */
  /* number of nodes; nodes since the last difference; steps not examined yet */
  int nodes, since, unseen;
  double h, before_it; /* spacing of nodes, s; last difference, -1: none */
} discontinuities;

/* --- memory and arcs --------------------------------------------------------------------------- */

static gradyn_status create(gradyn_monitor *m)
{
  gradyn_model *model = m->run->model;
  const int ny = m->run->ny;
  discontinuities *s = m->own = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *s = (discontinuities){.model = model,
                         .found = &m->run->report->found,
                         .ny = ny,
                         .rows = model->mech ? model->mech->n : ny};
  double **state[] = {&s->y, &s->yp, &s->last, &s->end},
         **row[] = {&s->r[0], &s->r[1], &s->mid, &s->quarter[0], &s->quarter[1], &s->size};
  for (size_t k = 0; k < GRADYN_COUNT(state); k++)
    *state[k] = gradyn_arena_numbers(&s->arena, (size_t)ny);
  for (size_t k = 0; k < GRADYN_COUNT(row); k++)
    *row[k] = gradyn_arena_numbers(&s->arena, (size_t)s->rows);
  for (int i = 0; i < NODES; i++)
    s->node[i] = gradyn_arena_numbers(&s->arena, (size_t)ny);
  if (gradyn_arena_status(&s->arena) == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states", ny);
}

static void clear(void *own)
{
  gradyn_arena_clear(&((discontinuities *)own)->arena);
  free(own);
}

/* An arc that is run again discards its earlier results. */
static gradyn_status enter(gradyn_monitor *m, const gradyn_observed *seen)
{
  discontinuities *s = m->own;
  if (seen->arc == s->arc)
    s->found->jumps = s->before;
  s->arc = seen->arc;
  s->before = s->found->jumps;
  s->t = (double)NAN;
  s->longest = 0;
  s->nodes = s->since = s->unseen = 0;
  s->before_it = -1;
  s->counted = false;
  return GRADYN_OK;
}

static gradyn_status begin(gradyn_monitor *m, const gradyn_observed *none)
{
  discontinuities *s = m->own;
  (void)none;
  s->found->jumps = 0;
  s->arc = -1;
  return enter(m, &(gradyn_observed){.arc = 0});
}

/* --- the equations --------------------------------------------------------------------------- */

/* Residual at a state: forces of a mechanism, or F with fixed rates. */
static gradyn_status evaluate(discontinuities *s, double t, const double *y, const double *yp,
                              double *r)
{
  gradyn_mech *mech = s->model->mech;
  if (!mech)
    return gradyn_equations_residual(s->model->equations, t, y, yp, r);
  const int n = mech->n;
  const gradyn_mech_state at = {.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
  return mech->ops->residual(mech, GRADYN_FORCE, &at, r);
}

/* Residual at a share of the line from y to `end`; shares below 0 or above 1 are outside of it. */
static gradyn_status evaluate_at(discontinuities *s, double t, const double *y, const double *end,
                                 double share, double *r)
{
  for (int i = 0; i < s->ny; i++)
    s->y[i] = y[i] + share * (end[i] - y[i]);
  return evaluate(s, t, s->y, s->yp, r);
}

/* Largest difference relative to the sizes of the terms. HUGE_VAL or NaN: cannot be judged. */
static double apart(const discontinuities *s, const double *a, const double *b)
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
static void hold_rates(discontinuities *s, double h, const double *y, const double *end)
{
  for (int i = 0; i < s->ny && !s->model->mech; i++)
    s->yp[i] = s->model->equations->unknown[i].algebraic ? 0 : (end[i] - y[i]) / h;
}

/* Stores in mid the change of F for relative changes of about `part` of all states. Signs and magnitudes
 * alternate, so that no state is preferred. */
static gradyn_status shake(discontinuities *s, double t, const double *y, double part)
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
static gradyn_status measure(discontinuities *s, double t, const double *y)
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
static double beyond(const discontinuities *s, const double *y, const double *end)
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
static gradyn_status check_flat(discontinuities *s, double t, const double *y, const double *end,
                                const double share[2], bool *flat)
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
static double curvature(const discontinuities *s, const double *a, const double *m, const double *b)
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
static gradyn_status halve(discontinuities *s, double t, const double *y, const double *end,
                           double share[2], double *left)
{
  const double half = (share[0] + share[1]) / 2;
  double curvatures[2];
  for (int side = 0; side < 2; side++) {
    GRADYN_TRY(evaluate_at(s, t, y, end, (share[side] + half) / 2, s->quarter[side]));
    curvatures[side] = curvature(s, s->r[side], s->quarter[side], s->mid);
  }
  /* the end of the other half is discarded */
  const int kept = curvatures[1] > curvatures[0] ? 1 : 0, gone = 1 - kept;
  double *old = s->r[gone];
  s->r[gone] = s->mid;
  s->mid = s->quarter[kept];
  s->quarter[kept] = old;
  share[gone] = half;
  *left = curvatures[kept];
  return GRADYN_OK;
}

/* Bisects until the second difference is negligible. *stays: it has not halved in the last TEN bisections, so
 * there is a jump. */
static gradyn_status bisect(discontinuities *s, double t, const double *y, const double *end,
                            double share[2], bool *stays)
{
  double d[MOST_HALVINGS + 1]; /* second differences of the intervals */
  *stays = false;
  GRADYN_TRY(evaluate_at(s, t, y, end, (share[0] + share[1]) / 2, s->mid));
  d[0] = curvature(s, s->r[0], s->mid, s->r[1]);
  for (int k = 0; k < MOST_HALVINGS; k++) {
    if (!(d[k] > slight && isfinite(d[k])))
      return GRADYN_OK;
    GRADYN_TRY(halve(s, t, y, end, share, &d[k + 1]));
  }
  *stays = d[MOST_HALVINGS] > d[MOST_HALVINGS - TEN] / 2;
  return GRADYN_OK;
}

/* Complete examination of a step. Failures of the equations are returned. */
static gradyn_status look(discontinuities *s, double t, double h, const double *y,
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

/* Searches for a jump between the states y at t, s, and `end` at t + h, along the line between them. Errors:
 * failures of class FATAL. */
static gradyn_status check(discontinuities *s, double t, double h, const double *y,
                           const double *end, bool *jumps)
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

static void note(discontinuities *s, double t)
{
  if (s->found->jumps < GRADYN_JUMP_TIMES)
    s->found->jump_time[s->found->jumps] = t;
  s->found->jumps++;
}

/* --- equal steps ---------------------------------------------------------------------------------- */

/* Jumps of the equations in runs with equal steps, where steps do not become short. The indication is a
 * sudden increase of high differences. With node spacing h, the sixth difference of positions is of size h^2
 * da where accelerations jump by da, and h^6 q^(6) elsewhere. For states of general equations, the fifth
 * difference is h dy' or h^5 y^(5). */

/* Nodes between two differences. Schemes that average a force over both ends of a step spread a jump over
 * consecutive differences in the proportion 1, -2, 0, 2, -1. */
enum { EVERY = 2 };

/* A difference has a sudden increase if it exceeds this multiple of its predecessor. After a sudden increase,
 * the predecessor counts with the value up to which it could have grown without one. */
static const double rise = 2.2;

/* Round-off of states in a difference, relative to the largest state. */
static const double round_off = 1024 * DBL_EPSILON;

/* Sum of squares of the sixth differences of positions over all nodes. */
static double differ_positions(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[0][i] + y[6][i]) - 6 * (y[1][i] + y[5][i]) + 15 * (y[2][i] + y[4][i]) -
                     20 * y[3][i];
    sum += d * d;
  }
  return sum;
}

/* Sum of squares of the fifth differences of states over the last six nodes. */
static double differ_states(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[6][i] - y[1][i]) - 5 * (y[5][i] - y[2][i]) + 10 * (y[4][i] - y[3][i]);
    sum += d * d;
  }
  return sum;
}

/* Round-off in the norm of a difference. */
static double blur(const double *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return round_off * sqrt(sum);
}

/* State at node i. Velocities of a mechanism are differences of the neighbouring positions. */
static void restore(const discontinuities *s, int i, double *y)
{
  const int n = s->model->mech ? s->model->mech->n : 0, last = NODES - 1;
  const int before = i > 0 ? i - 1 : i, after = i < last ? i + 1 : i;
  const double *from = s->node[before], *to = s->node[after];
  if (n == 0) {
    memcpy(y, s->node[i], (size_t)s->ny * sizeof *y);
    return;
  }
  /* accelerations and multipliers are not known here */
  memset(y, 0, (size_t)s->ny * sizeof *y);
  memcpy(y, s->node[i], (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    y[n + j] = (to[j] - from[j]) / ((after - before) * s->h);
}

/* Examines the latest steps that have not been examined, the newest first. Older steps had a sudden increase
 * before. */
static gradyn_status look_back(discontinuities *s)
{
  bool jumps = false;
  /* The velocity at the newest node is that of half a step before it. Therefore the last step of a mechanism
   * waits for the next node. */
  const int waits = s->model->mech ? 1 : 0, last = NODES - 2 - waits;
  const int first = s->unseen - waits <= last ? last + 1 + waits - s->unseen : 0;
  s->unseen = waits;
  /* one jump explains the increase */
  for (int i = last; i >= first && !jumps; i--) {
    const double t = s->t - (NODES - 1 - i) * s->h;
    restore(s, i, s->last);
    restore(s, i + 1, s->end);
    GRADYN_TRY(check(s, t, s->h, s->last, s->end, &jumps));
    if (jumps)
      note(s, t + s->h / 2);
  }
  return GRADYN_OK;
}

/* Computes the difference of the present nodes, and examines the steps if it has increased suddenly. */
static gradyn_status judge(discontinuities *s)
{
  const gradyn_mech *mech = s->model->mech;
  const int n = mech ? mech->n : s->ny;
  const double d = sqrt(mech ? differ_positions(s->node, n) : differ_states(s->node, n));
  s->since = 0;
  /* larger than before and larger than round-off */
  const bool rises = s->before_it >= 0 && d > rise * s->before_it &&
                     d > blur(s->node[NODES - 1], n);
  s->before_it = rises ? rise * s->before_it : d;
  if (rises)
    GRADYN_TRY(look_back(s));
  return GRADYN_OK;
}

/* A node of a run with equal steps: positions of a mechanism, or the state of general equations. */
static gradyn_status add_node(discontinuities *s, double t, const double *y)
{
  const size_t size = (size_t)(s->model->mech ? s->model->mech->n : s->ny) * sizeof *y;
  const double h = t - s->t;
  /* steps of another length start a new sequence of nodes; the last node is its first */
  if (s->nodes > 1 && !(fabs(h - s->h) <= 1e-6 * s->h)) {
    memmove(s->node[0], s->node[s->nodes - 1], size);
    s->nodes = 1;
    s->unseen = 0;
    s->before_it = -1;
  }
  s->h = h;
  s->t = t;
  if (s->nodes == NODES) { /* the oldest node is overwritten */
    double *position = s->node[0];
    for (int i = 1; i < NODES; i++)
      s->node[i - 1] = s->node[i];
    s->node[--s->nodes] = position;
  }
  memcpy(s->node[s->nodes++], y, size);
  s->unseen++;
  /* a jump appears in several differences, so that not all of them are needed */
  return s->nodes == NODES && ++s->since >= EVERY ? judge(s) : GRADYN_OK;
}

/* Compares an accepted step with the steps before it. */
static gradyn_status compare(discontinuities *s, double t, double h, const double *y,
                             const double *end)
{
  bool jumps = false;
  const bool brief = h < collapsed * s->longest;
  s->longest = fmax(h, fading * s->longest);
  /* a jump is counted once, until steps are long again */
  s->counted = s->counted && brief;
  if (!brief || s->counted)
    return GRADYN_OK;
  GRADYN_TRY(check(s, t, h, y, end, &jumps));
  if (jumps)
    note(s, t + h / 2);
  s->counted = jumps;
  return GRADYN_OK;
}

static gradyn_status observe_step(gradyn_monitor *m, const gradyn_observed *step)
{
  return m->run->derivatives && !m->run->equal
             ? compare(m->own, step->t, step->h, step->from, step->to)
             : GRADYN_OK;
}

/* The end of a step, which is the start of the next one: for integrators that keep no states. */
static gradyn_status reach(discontinuities *s, double t, const double *y)
{
  const double h = t - s->t; /* NaN at the first step of an arc */
  if (h > 0)
    GRADYN_TRY(compare(s, s->t, h, s->last, y));
  memcpy(s->last, y, (size_t)s->ny * sizeof *y);
  s->t = t;
  return GRADYN_OK;
}

static gradyn_status observe_node(gradyn_monitor *m, const gradyn_observed *node)
{
  const gradyn_observed_run *run = m->run;
  if (!run->derivatives || node->opens || !(run->equal || run->nodes))
    return GRADYN_OK;
  return run->equal ? add_node(m->own, node->t, node->to) : reach(m->own, node->t, node->to);
}

const gradyn_monitor_ops gradyn_discontinuities_monitor = {.create = create,
                                                           .free = clear,
                                                           .on = {[GRADYN_ON_BEGIN] = begin,
                                                                  [GRADYN_ON_ARC] = enter,
                                                                  [GRADYN_ON_NODE] = observe_node,
                                                                  [GRADYN_ON_STEP] = observe_step}};
