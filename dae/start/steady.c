/* Steady motions. Let q' = L q + u be a motion with which the mechanism could continue (`carry` of
 * core/mech/mech.h). After the time s, its flow takes the state to
 *
 *   q + s v + s^2/2 L v + .. ,    e^(s L) v,      and changes d of the state to e^(s L) d.
 *
 * The motion is steady under two conditions, which are tested now and at later time points. Accelerations
 * must be L v. Linearised accelerations of changes that the flow has taken along must be the linearised
 * accelerations taken along. If a condition is violated, the result names the constraint or the coordinate.
 */
#include "dae/start/steady.h"

#include "core/linear/norm.h"
#include "core/mech/size.h"
#include "dae/start/initial_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 8, TERMS = 60 };

/* Times after the state at which the motion is tested, in units of 1/rate. They are not simple fractions of
 * a turn, because many bodies look the same after such fractions. */
static const double ahead[] = {0.83, 2.17};
/* Accelerations, and their changes, that are below this part of their terms count as zero. In states at the
 * end of runs, accelerations have the error of the state, 4e-10 at tolerances of 1e-6. At the start of a
 * run the state is accurate to round-off. Steady motions of the tests then have errors up to 3e-13; a top
 * that is too fast by 1e-8 has 3e-11. */
static const double nothing = 1e-9, nothing_at_start = 1e-11;

typedef struct steady {
  const gradyn_near *near;
  gradyn_linearisation *out;
  double *L;
  double rate;               /* rate of the motion, 1/s */
  double zero;               /* tolerance of accelerations: `nothing` or `nothing_at_start` */
  double *q, *v, *a;         /* [n] positions, velocities and accelerations at the tested state */
  double *dq, *dv;           /* [n] a change that the flow has taken along */
  double *term, *next, *end; /* [n] terms of a series; expected accelerations */
} steady;

/* --- transport along the flow ---------------------------------------------------------------- */

/* y = L x */
static void multiply(const steady *w, const double *x, double *y)
{
  const int n = w->near->initial->mech->n;
  for (int i = 0; i < n; i++)
    y[i] = gradyn_dot(w->L + (size_t)i * (size_t)n, x, n);
}

/* Adds x + s/(1 + skip) L x + s^2/((1 + skip)(2 + skip)) L^2 x + .. to `to`. */
static void carry(const steady *w, double s, int skip, const double *x, double *to)
{
  const int n = w->near->initial->mech->n;
  memcpy(w->term, x, (size_t)n * sizeof *x);
  for (int k = 1; k < TERMS; k++) {
    for (int i = 0; i < n; i++)
      to[i] += w->term[i];
    multiply(w, w->term, w->next);
    for (int i = 0; i < n; i++)
      w->term[i] = s / (k + skip) * w->next[i];
  }
}

/* to = e^(s L) x */
static void turn(const steady *w, double s, const double *x, double *to)
{
  memset(to, 0, (size_t)w->near->initial->mech->n * sizeof *to);
  carry(w, s, 0, x, to);
}

/* --- comparison ------------------------------------------------------------------------------ */

static double size_of(const steady *w, const double *x)
{
  const gradyn_mech *mech = w->near->initial->mech;
  return gradyn_largest_product(x, mech->length_scale, mech->n);
}

/* Returns whether x and y differ by at most `most`, m, after multiplication by length scales. If not,
 * writes the coordinate with the largest difference to the result. */
static bool agree(const steady *w, const double *x, const double *y, double most, const char *what)
{
  const gradyn_mech *mech = w->near->initial->mech;
  double worst = 0;
  int at = 0;
  for (int i = 0; i < mech->n; i++) {
    const double off = fabs(x[i] - y[i]) * mech->length_scale[i];
    if (off > worst || isnan(off)) {
      worst = off;
      at = i;
    }
  }
  if (worst <= most)
    return true;
  char name[96];
  w->near->model->ops->state_name(w->near->model, at, name, sizeof name);
  (void)snprintf(w->out->unsteady, sizeof w->out->unsteady, "%s of %s differs by %.3g", what, name,
                 x[at] - y[at]);
  return false;
}

/* Returns whether the rows in s->b + n are at most `most`, m. If not, writes the constraint with the
 * largest value to the result. */
static bool hold(const steady *w, double most, const char *what)
{
  gradyn_initial *s = w->near->initial;
  const double *row = s->b + s->mech->n;
  double worst = 0;
  int at = 0;
  for (int i = 0; i < s->rows; i++)
    if (!(fabs(row[i]) <= worst * s->row[i])) {
      worst = fabs(row[i]) / s->row[i];
      at = i;
    }
  if (worst <= most)
    return true;
  (void)snprintf(w->out->unsteady, sizeof w->out->unsteady,
                 "%s of the constraint %s differs by %.3g", what,
                 s->mech->constraint_name(s->mech, at), row[at]);
  return false;
}

/* Returns whether the accelerations of the present state are those of the steady motion. */
static bool goes_on(const steady *w)
{
  const gradyn_initial *s = w->near->initial;
  multiply(w, s->v, w->end);
  return agree(w, s->a, w->end, w->zero * (w->out->largest + w->rate * w->rate) * s->mech->length,
               "the acceleration");
}

/* --- later time points ----------------------------------------------------------------------- */

/* Moves the initial problem to the state after the time s, and computes accelerations there. Sets *same to
 * whether constraints and accelerations agree with the steady motion. */
static gradyn_status move(const steady *w, double t, double s, bool *same)
{
  gradyn_initial *initial = w->near->initial;
  gradyn_mech *mech = initial->mech;
  memset(initial->v, 0, (size_t)mech->n * sizeof(double));
  carry(w, s, 1, w->v, initial->v); /* (v + s/2 L v + ..) */
  for (int i = 0; i < mech->n; i++)
    initial->q[i] = w->q[i] + s * initial->v[i];
  turn(w, s, w->v, initial->v);
  initial->t = t + s;
  const gradyn_mech_state at = gradyn_initial_place_state(initial);
  /* this function also computes the sizes of rows */
  GRADYN_TRY(gradyn_initial_velocity_matrix(initial));
  GRADYN_TRY(mech->ops->phi(mech, initial->parts, 0, &at, initial->b + mech->n));
  *same = hold(w, nothing * mech->length, "later in the motion the value");
  if (!*same)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_initial_accelerate(initial, initial->t, initial->q, initial->v));
  *same = goes_on(w);
  return GRADYN_OK;
}

/* Takes change k along with the flow and tests it: it must satisfy the constraints, and its accelerations
 * must be those of the flow. Sets *same to whether both are true. */
static gradyn_status compare(const steady *w, int k, double s, double most, bool *same)
{
  gradyn_initial *initial = w->near->initial;
  gradyn_model *model = w->near->model;
  gradyn_mech *mech = initial->mech;
  const int n = mech->n, signal = k - w->near->family[2];
  const double *from = w->near->change + 3 * (size_t)k * (size_t)n;
  FREED double *dx = calloc((size_t)mech->nx + 1, sizeof *dx);
  if (!dx)
    return gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory");
  if (signal >= 0)
    gradyn_signal_raise(&model->signal[signal], dx);
  turn(w, s, from, w->dq);
  turn(w, s, from + n, w->dv);
  turn(w, s, from + 2 * n, w->end);
  const gradyn_mech_state at = gradyn_initial_motion_state(initial, initial->t, initial->q,
                                                           initial->v);
  const gradyn_mech_vector d = {.x = dx, .q = w->dq, .v = w->dv};
  const double sizes[2] = {size_of(w, w->dq), size_of(w, w->dv) + w->rate * size_of(w, w->dq)};
  for (int order = 0; order < 2 && *same; order++) {
    const gradyn_mech_term term = {GRADYN_CONSTRAINT, order, at};
    memset(initial->b, 0, (size_t)(n + initial->rows) * sizeof(double));
    GRADYN_TRY(gradyn_mech_along(mech, &term, &at, &d, initial->work, initial->b));
    /* a change by a signal has no size to compare with */
    if (signal < 0)
      *same = hold(w, nothing * sizes[order], "later in the motion the change");
  }
  if (!*same)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_initial_accelerate_tangent(initial, &at, &d, initial->way.direction));
  *same = agree(w, initial->way.direction, w->end, most,
                "later in the motion the linearised acceleration");
  return GRADYN_OK;
}

/* Returns the tolerance of accelerations for changes first, ..., end - 1, which are of one kind. */
static double allowed(const steady *w, int first, int end, double least)
{
  const int n = w->near->initial->mech->n;
  double most = least;
  for (int k = first; k < end; k++)
    most = fmax(most, size_of(w, w->near->change + (3 * (size_t)k + 2) * (size_t)n));
  return nothing * most;
}

/* Tests all changes at the present time point. */
static gradyn_status compare_all(const steady *w, double s, bool *same)
{
  const gradyn_near *near = w->near;
  const double length = near->initial->mech->length,
               least[4] = {w->rate * w->rate * length, w->rate * length, 0, 0};
  for (int kind = 0, k = 0; kind < 4; kind++) {
    const int end = kind < 3 ? near->family[kind] : near->count;
    const double most = allowed(w, k, end, least[kind]);
    for (; k < end && *same; k++)
      GRADYN_TRY(compare(w, k, s, most, same));
  }
  return GRADYN_OK;
}

/* --- the test -------------------------------------------------------------------------------- */

/* Sets the rate of the motion, 1/s, the larger one of translation and rotation. */
static void find_rate(steady *w)
{
  const gradyn_mech *mech = w->near->initial->mech;
  const int n = mech->n;
  w->rate = size_of(w, w->v) / mech->length;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += fabs(w->L[(size_t)i * (size_t)n + (size_t)k]);
    w->rate = fmax(w->rate, sum);
  }
}

/* Returns the initial problem to the tested state. */
static gradyn_status restore(const steady *w, double t)
{
  gradyn_initial *s = w->near->initial;
  const size_t bytes = (size_t)s->mech->n * sizeof(double);
  memcpy(s->q, w->q, bytes);
  memcpy(s->v, w->v, bytes);
  s->t = t;
  return gradyn_initial_accelerate(s, t, s->q, s->v);
}

/* Tests whether the motion with the present L is steady. *is: the result. */
static gradyn_status judge(steady *w, bool *is)
{
  const double t = w->near->initial->t;
  find_rate(w);
  *is = goes_on(w);
  for (size_t k = 0; k < GRADYN_COUNT(ahead) && *is; k++) {
    const double s = ahead[k] / w->rate;
    gradyn_status status = move(w, t, s, is);
    if (status == GRADYN_OK && *is)
      status = compare_all(w, s, is);
    const gradyn_status back = restore(w, t);
    GRADYN_TRY(status == GRADYN_OK ? back : status);
  }
  return GRADYN_OK;
}

/* Tests the candidates for L one after the other, until the motion with one of them is steady. */
static gradyn_status search(steady *w)
{
  gradyn_mech *mech = w->near->initial->mech;
  gradyn_mech_state at = gradyn_initial_motion_state(w->near->initial, w->near->initial->t, w->q,
                                                     w->v);
  const size_t square = (size_t)mech->n * (size_t)mech->n;
  at.a = w->a;
  bool is = false;
  for (int which = 0; !is; which++) {
    if (mech->ops->carry ? !mech->ops->carry(mech, &at, which, w->L) : which > 0)
      break;
    GRADYN_TRY(judge(w, &is));
  }
  w->out->motion = is ? GRADYN_STEADY_MOTION : GRADYN_TRANSIENT;
  if (is)
    w->out->unsteady[0] = '\0';
  else
    memset(w->L, 0, square * sizeof(double));
  return GRADYN_OK;
}

/* Returns whether the mechanism is at equilibrium: only integrals of first-order states may change. */
static bool rests(const steady *w)
{
  const gradyn_mech *mech = w->near->initial->mech;
  const double fast = sqrt(fmax(w->out->largest, 0)) * mech->length;
  for (int i = 0; i < mech->n; i++)
    if (!(mech->spare && mech->spare[i]) &&
        !(fabs(w->v[i]) * mech->length_scale[i] <= nothing * fast))
      return false;
  return goes_on(w);
}

gradyn_status gradyn_steady_find(const gradyn_near *near, gradyn_linearisation *out, double *L)
{
  const gradyn_mech *mech = near->initial->mech;
  const size_t n = (size_t)mech->n;
  double *memory = calloc(ARRAYS * n + 1, sizeof *memory);
  if (!memory)
    return gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory");
  steady w = {.near = near, .out = out, .L = L, .q = memory, .v = memory + n, .a = memory + 2 * n};
  w.dq = memory + 3 * n;
  w.dv = memory + 4 * n;
  w.term = memory + 5 * n;
  w.next = memory + 6 * n;
  w.end = memory + 7 * n;
  memcpy(w.q, near->initial->q, n * sizeof(double));
  memcpy(w.v, near->initial->v, n * sizeof(double));
  memcpy(w.a, near->initial->a, n * sizeof(double));
  memset(L, 0, n * n * sizeof *L);
  w.zero = near->initial->t > gradyn_model_start(near->model) ? nothing : nothing_at_start;
  out->motion = GRADYN_EQUILIBRIUM;
  gradyn_status status = rests(&w) ? GRADYN_OK : search(&w);
  free(memory);
  return status;
}
