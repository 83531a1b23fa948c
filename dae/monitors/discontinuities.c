/* Detection of undeclared jumps of the equations.
 *
 * If forces jump as a function of the state, the time at which a motion reaches the jump depends on the
 * data. Gradients lack this dependence, and their error estimates do not show it. Steps become short at
 * such jumps, but also at kinks, in tables and at jumps in time, where gradients are correct. To
 * distinguish them, the equations are evaluated on both sides at one time: a jump keeps its size as the two
 * states approach each other, whereas a continuous change shrinks. The equations are examined where steps
 * are short and, if all steps are equal, at sudden increases of differences.
 *
 * The search bisects the straight line between two states, at fixed time. Let m be the middle of an
 * interval from a to b. Then F(a) - 2 F(m) + F(b) has the size of the jump; without a jump it is
 * proportional to the squared length. Each bisection keeps the half with the larger value. */
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
  TEN = 10 /* bisections, which shrink a continuous change to less than half; a root by 32 */
};

/* A step is short if it is below `collapsed` times the longest recent step, which decays by `fading` from
 * step to step. With these and the numbers below, no method reports a jump in any of 150 random systems.
 * The systems have kinks, linear tables, jumps in time, steep laws, roots and unstable motions
 * (tests/campaigns/no_false_alarms.c). */
static const double collapsed = 0.2, fading = 0.8;

/* Jumps below this part of the size of an equation's terms do not count. */
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
  /* [ny] state at the end of the last step, for integrators that do not store it; end of the step that is
   * examined */
  double *last, *end;
  double t;            /* time of `last`, s; NAN: there is none in this arc */
  double longest;      /* longest recent step, s; it decays */
  bool counted;        /* whether a jump has been counted in the present group of short steps */
  int arc, before;     /* index of the present arc; number of jumps found before it */
  double *node[NODES]; /* [ny] latest nodes of equal steps, the oldest first */
  /* number of nodes; nodes since the last difference; steps that were not examined yet */
  int nodes, since, unseen;
  double h, before_it; /* spacing of nodes, s; last difference of nodes, -1: none */
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

/* Enters an arc. An arc that is run again discards its earlier results. */
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

/* Evaluates the equations at a state: forces of a mechanism, or F with fixed rates. */
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

/* Evaluates the equations at a share of the line from y to `end`, which may also be below 0 or above 1. */
static gradyn_status evaluate_at(discontinuities *s, double t, const double *y, const double *end,
                                 double share, double *r)
{
  for (int i = 0; i < s->ny; i++)
    s->y[i] = y[i] + share * (end[i] - y[i]);
  return evaluate(s, t, s->y, s->yp, r);
}

/* Returns the largest difference of two residuals relative to the sizes of the terms. HUGE_VAL or NaN: the
 * equations cannot be judged. */
static double apart(const discontinuities *s, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < s->rows; i++) {
    const double d = fabs(a[i] - b[i]);
    /* size 0: all terms of this equation vanish at one of both states */
    if (!(d <= slight * s->size[i]))
      most = s->size[i] > 0 ? fmax(most, d / s->size[i]) : fmax(most, 1);
  }
  return most;
}

/* Sets the fixed rates: of differential states the mean rate in the step, of algebraic states 0. */
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

/* Sets the sizes of the equations' terms. For forces, all have the size of the largest force. Near an
 * equilibrium, forces may be small differences of large terms; their change for a change of the states by
 * half the digits shows this. For F, the size is the larger of its value without rates, and its change if
 * states change by a tenth. */
static gradyn_status measure(discontinuities *s, double t, const double *y)
{
  const bool forces = s->model->mech != NULL;
  double largest = 0;
  GRADYN_TRY(shake(s, t, y, forces ? sqrt(DBL_EPSILON) : 0.1));
  for (int i = 0; i < s->rows; i++) {
    /* at both ends, because a force may begin to act between them */
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

/* Returns the length by which the line is extended at both ends, as a share of it. Afterwards its ends
 * differ by at least half of the digits of a state. */
static double beyond(const discontinuities *s, const double *y, const double *end)
{
  const double near = sqrt(DBL_EPSILON);
  double most = 0;
  for (int i = 0; i < s->ny; i++)
    if (y[i] != end[i])
      most = fmax(most, fabs(end[i] - y[i]) / fmax(fabs(y[i]), fabs(end[i])));
  return most > 0 && most < near ? near / most : 0;
}

/* Sets *flat if F hardly changes on each side of a jump, within a few round-offs of the states. Round-off
 * and steep functions are not flat and are no jumps. */
static gradyn_status check_flat(discontinuities *s, double t, const double *y, const double *end,
                                const double share[2], bool *flat)
{
  const double jump = apart(s, s->r[0], s->r[1]),
               width = 4 * sqrt(DBL_EPSILON) * (1 + share[1] - share[0]);
  *flat = true;
  /* before the start of the interval, and after its end */
  for (int side = 0; side < 2 && *flat; side++) {
    GRADYN_TRY(evaluate_at(s, t, y, end, share[side] + (side ? width : -width), s->mid));
    *flat = apart(s, s->r[side], s->mid) < jump / 4;
  }
  return GRADYN_OK;
}

/* Returns the largest |F(a) - 2 F(m) + F(b)| relative to the sizes of the terms. */
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

/* Replaces the interval by its half with the larger second difference, *left. Evaluates both quarters. */
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

/* Bisects until the second difference is negligible. Sets *stays if it has not halved in the last TEN
 * bisections, which shows a jump. */
static gradyn_status bisect(discontinuities *s, double t, const double *y, const double *end,
                            double share[2], bool *stays)
{
  double d[MOST_HALVINGS + 1]; /* second differences of all intervals */
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

/* Examines a step. Returns failures of the equations. */
static gradyn_status look(discontinuities *s, double t, double h, const double *y,
                          const double *end, bool *jumps)
{
  const double more = beyond(s, y, end);
  double share[2] = {-more, 1 + more};
  /* both ends at the same time and with the same rates */
  hold_rates(s, h, y, end);
  GRADYN_TRY(evaluate_at(s, t, y, end, share[0], s->r[0]));
  GRADYN_TRY(evaluate_at(s, t, y, end, share[1], s->r[1]));
  GRADYN_TRY(measure(s, t, y));
  GRADYN_TRY(bisect(s, t, y, end, share, jumps));
  return *jumps ? check_flat(s, t, y, end, share, jumps) : GRADYN_OK;
}

/* Searches for a jump between the states y at t, s, and `end` at t + h, along the line between them. Only
 * failures of class FATAL are returned. */
static gradyn_status check(discontinuities *s, double t, double h, const double *y,
                           const double *end, bool *jumps)
{
  /* a failed examination must not leave a message */
  const gradyn_message kept = s->model->message;
  *jumps = false;
  const gradyn_status status = look(s, t, h, y, end, jumps);
  if (status == GRADYN_OK || gradyn_status_describe(status).kind == GRADYN_CLASS_FATAL)
    return status;
  /* no conclusion: the equations cannot be evaluated at a state between those of the run */
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

/* Jumps of the equations in runs with equal steps, where steps do not become short. A jump shows by a
 * sudden increase of high differences of states. With node spacing h, the sixth difference of positions is
 * of size h^2 da if accelerations jump by da, and otherwise of size h^6 q^(6). For states of general
 * equations, the fifth difference is h dy' at a jump, and otherwise h^5 y^(5). */

/* A difference is computed at every second node. Schemes that average a force over both ends of a step
 * spread a jump over consecutive differences in the proportion 1, -2, 0, 2, -1. */
enum { EVERY = 2 };

/* A difference has increased suddenly if it exceeds this multiple of the one before it. The next comparison
 * then uses this bound instead of it. */
static const double rise = 2.2;

/* Round-off of states in a difference, relative to the largest state. */
static const double round_off = 1024 * DBL_EPSILON;

/* Returns the sum of squares of the sixth differences of positions over all nodes. */
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

/* Returns the sum of squares of the fifth differences of states over the last six nodes. */
static double differ_states(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[6][i] - y[1][i]) - 5 * (y[5][i] - y[2][i]) + 10 * (y[4][i] - y[3][i]);
    sum += d * d;
  }
  return sum;
}

/* Returns the round-off in the norm of a difference. */
static double blur(const double *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return round_off * sqrt(sum);
}

/* Sets y to the state at node i. Velocities of a mechanism are differences of the neighbouring positions. */
static void restore(const discontinuities *s, int i, double *y)
{
  const int n = s->model->mech ? s->model->mech->n : 0, last = NODES - 1;
  const int before = i > 0 ? i - 1 : i, after = i < last ? i + 1 : i;
  const double *from = s->node[before], *to = s->node[after];
  if (n == 0) {
    memcpy(y, s->node[i], (size_t)s->ny * sizeof *y);
    return;
  }
  /* accelerations and multipliers are not known at nodes */
  memset(y, 0, (size_t)s->ny * sizeof *y);
  memcpy(y, s->node[i], (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    y[n + j] = (to[j] - from[j]) / ((after - before) * s->h);
}

/* Examines the latest steps, from the newest to the oldest, as far as no earlier increase has led to their
 * examination. */
static gradyn_status look_back(discontinuities *s)
{
  bool jumps = false;
  /* The velocity computed at the newest node belongs to the middle of the last step. Therefore, the last
   * step of a mechanism is examined with the next node. */
  const int waits = s->model->mech ? 1 : 0, last = NODES - 2 - waits;
  const int first = s->unseen - waits <= last ? last + 1 + waits - s->unseen : 0;
  s->unseen = waits;
  /* until a jump is found, since one jump explains the increase */
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

/* Computes the difference of the present nodes. If it has increased suddenly, examines the steps. */
static gradyn_status judge(discontinuities *s)
{
  const gradyn_mech *mech = s->model->mech;
  const int n = mech ? mech->n : s->ny;
  const double d = sqrt(mech ? differ_positions(s->node, n) : differ_states(s->node, n));
  s->since = 0;
  /* larger than expected after the difference before it, and larger than round-off */
  const bool rises = s->before_it >= 0 && d > rise * s->before_it &&
                     d > blur(s->node[NODES - 1], n);
  s->before_it = rises ? rise * s->before_it : d;
  if (rises)
    GRADYN_TRY(look_back(s));
  return GRADYN_OK;
}

/* Adds a node of a run with equal steps: positions of a mechanism, or the state of general equations. */
static gradyn_status add_node(discontinuities *s, double t, const double *y)
{
  const size_t size = (size_t)(s->model->mech ? s->model->mech->n : s->ny) * sizeof *y;
  const double h = t - s->t;
  /* after a change of the length, a new sequence of nodes starts at the last node */
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
  /* every second difference suffices, because a jump appears in several of them */
  return s->nodes == NODES && ++s->since >= EVERY ? judge(s) : GRADYN_OK;
}

/* Compares the length of an accepted step with the steps before it. Examines the step if it is short. */
static gradyn_status compare(discontinuities *s, double t, double h, const double *y,
                             const double *end)
{
  bool jumps = false;
  const bool brief = h < collapsed * s->longest;
  s->longest = fmax(h, fading * s->longest);
  /* a jump is counted once, until a step is not short */
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

/* Examines the step that ends at a state, for integrators that store no states. */
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
