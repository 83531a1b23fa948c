/* Kinematics and inverse dynamics as a fixed-step scheme. In a mechanism without degrees of freedom, every
 * node follows from its time alone,
 *   Phi(t, q) = 0,  Phi'(t, q, v) = 0,  Phi''(t, q, v, a) = 0,  R(t, q, v, a, lam) = 0.
 * The node before is used only for the initial guess. Multipliers of drives are their forces and torques. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/size.h"
#include "dae/start/freedom.h"
#include "dae/fixed/stepper.h"

typedef struct kinematic {
  gradyn_stepper base;
  gradyn_mech *mech;
  gradyn_initial first, at; /* the nonlinear problems at the first node and at the present one */
  double *guess;            /* [n] */
  double *d;                /* [3 n + m] derivatives of a node, or its adjoints */
  double *x;                /* [nx] one lane of data */
  gradyn_arena arena;       /* owns all arrays */
} kinematic;

/* --- steps -------------------------------------------------------------------------------------- */

/* Stores a node: (q, v, a, lam). */
static void store(const gradyn_initial *at, double *node)
{
  size_t n = (size_t)at->mech->n;
  memcpy(node, at->q, n * sizeof(double));
  memcpy(node + n, at->v, n * sizeof(double));
  memcpy(node + 2 * n, at->a, n * sizeof(double));
  memcpy(node + 3 * n, at->lam, (size_t)at->mech->m * sizeof(double));
}

/* Refuses a mechanism that has degrees of freedom at the start, if dependent constraints are not counted. */
static gradyn_status check_freedom(kinematic *s)
{
  int dependents = 0;
  GRADYN_TRY(gradyn_freedom_dependents(&s->first, &dependents, NULL));
  /* only the m - dependents independent constraints restrict the motion */
  int freedom = s->mech->n - s->mech->m + dependents;
  if (freedom > 0)
    return gradyn_fail(
        s->mech->message, GRADYN_SINGULAR,
        "%d constraints are redundant at the start, so %d degrees of freedom remain; the method "
        "kinematic needs a mechanism without degrees of freedom. Add drives",
        dependents, freedom);
  return GRADYN_OK;
}

/* Assembles the first node from the user's guess. */
static gradyn_status start(gradyn_stepper *base, double h, double *node)
{
  (void)h;
  kinematic *s = (kinematic *)base;
  GRADYN_TRY(gradyn_initial_solve(&s->first));
  GRADYN_TRY(check_freedom(s));
  store(&s->first, node);
  return GRADYN_OK;
}

/* Refuses a node that is far from its guess, because it may belong to another branch of the assembly. */
static gradyn_status check_near(const kinematic *s, double t, const double *from)
{
  const gradyn_mech *mech = s->mech;
  double off = 0, moved = 0, size = gradyn_mech_size(mech, s->at.q);
  for (int i = 0; i < mech->n; i++) {
    /* angles are converted to lengths */
    off = fmax(off, fabs(s->at.q[i] - s->guess[i]) * mech->length_scale[i]);
    moved = fmax(moved, fabs(s->at.q[i] - from[i]) * mech->length_scale[i]);
  }
  if (off <= 0.1 * size || off <= 0.1 * moved)
    return GRADYN_OK;
  return gradyn_fail(
      mech->message, GRADYN_NOT_CONVERGED,
      "the position at t = %g s differs by %.3g m from the extrapolated motion: the steps are too "
      "long, or the position is singular",
      t, off);
}

/* Solves for the position at t + h from the guess q + h v + h^2/2 a. */
static gradyn_status step(gradyn_stepper *base, double t, double h, const double *from, double *to)
{
  kinematic *s = (kinematic *)base;
  int n = s->mech->n;
  for (int i = 0; i < n; i++)
    /* Taylor series to second order */
    s->guess[i] = from[i] + h * (from[n + i] + h / 2 * from[2 * n + i]);
  s->at.t = t + h;
  s->at.guess = s->guess;
  GRADYN_TRY(gradyn_initial_solve(&s->at));
  GRADYN_TRY(check_near(s, t + h, from));
  store(&s->at, to);
  return GRADYN_OK;
}

/* --- derivatives --------------------------------------------------------------------------------- */

/* Computes ds [3 n + m], the change of a node by a change dx [nx] of the data and dt of its time. */
static gradyn_status follow(gradyn_initial *at, const double *dx, double dt, double *ds)
{
  int n = at->mech->n;
  return gradyn_initial_tangent(at, dx, dt, ds, ds + n, ds + 2 * n, ds + 3 * n);
}

/* Computes the transpose of follow(): passes the adjoint s_bar of a node to data and time. Overwrites
 * s_bar. */
static gradyn_status follow_back(gradyn_initial *at, double *s_bar, double *x_bar, double *t_bar)
{
  int n = at->mech->n;
  return gradyn_initial_transposed(at, s_bar, s_bar + n, s_bar + 2 * n, s_bar + 3 * n, x_bar,
                                   t_bar);
}

static gradyn_status start_tangent(gradyn_stepper *base, const double *dx, double *ds)
{
  return follow(&((kinematic *)base)->first, dx, 0, ds);
}

static gradyn_status start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar)
{
  return follow_back(&((kinematic *)base)->first, s_bar, x_bar, NULL);
}

/* Sets the state to the node at the end of the step. Matrices are evaluated when they are needed. */
static gradyn_status linearise(gradyn_stepper *base, double t, double h, const double *from,
                               const double *to)
{
  (void)from;
  kinematic *s = (kinematic *)base;
  gradyn_initial *at = &s->at;
  size_t n = (size_t)s->mech->n;
  at->t = t + h;
  memcpy(at->q, to, n * sizeof(double));
  memcpy(at->v, to + n, n * sizeof(double));
  memcpy(at->a, to + 2 * n, n * sizeof(double));
  memcpy(at->lam, to + 3 * n, (size_t)s->mech->m * sizeof(double));
  /* corrections of the guess are zero, since the node is its own guess, so their multipliers are zero */
  memset(at->nu, 0, (size_t)at->rows * sizeof(double));
  memset(at->tau, 0, (size_t)at->rows * sizeof(double));
  return GRADYN_OK;
}

static gradyn_status tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                             const double *dh, const double *dt, gradyn_lanes *ds)
{
  (void)dh;
  kinematic *s = (kinematic *)base;
  memset(s->x, 0, (size_t)s->mech->nx * sizeof(double));
  for (int k = 0; k < count; k++) {
    if (dx)
      gradyn_lane_get(dx, s->mech->nx, k, s->x);
    GRADYN_TRY(follow(&s->at, s->x, dt[k], s->d));
    gradyn_lane_put(s->d, base->ns, k, ds);
  }
  return GRADYN_OK;
}

/* Adds the derivatives by data and time. The adjoint of the node before becomes zero, because a node does
 * not depend on it. */
static gradyn_status transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                gradyn_lanes *x_bar, double *h_bar, double *t_bar)
{
  (void)h_bar;
  kinematic *s = (kinematic *)base;
  for (int k = 0; k < count; k++) {
    gradyn_lanes *pack = s_bar + (size_t)(k / GRADYN_LANES) * (size_t)base->ns;
    for (int i = 0; i < base->ns; i++) {
      /* functionals are processed one at a time */
      s->d[i] = pack[i][k % GRADYN_LANES];
      pack[i][k % GRADYN_LANES] = 0; /* the node does not depend on the one before */
    }
    memset(s->x, 0, (size_t)s->mech->nx * sizeof(double));
    GRADYN_TRY(follow_back(&s->at, s->d, s->x, t_bar ? t_bar + k : NULL));
    pack = x_bar + (size_t)(k / GRADYN_LANES) * (size_t)s->mech->nx;
    for (int i = 0; i < s->mech->nx; i++)
      pack[i][k % GRADYN_LANES] += s->x[i];
  }
  return GRADYN_OK;
}

/* Computes the largest violations of the constraints and of their first two time derivatives. */
static gradyn_status drift(gradyn_stepper *base, double t, const double *node,
                           const gradyn_view *view, double *worst)
{
  (void)view; /* a node contains all of y */
  kinematic *s = (kinematic *)base;
  int n = s->mech->n;
  const gradyn_mech_state at = {
      .t = t, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  return gradyn_mech_drift(s->mech, &at, 3, s->d, worst);
}

/* --- jumps of signals -------------------------------------------------------------------------  */

/* Sets the node at the start of an arc, which is y. */
static gradyn_status enter(gradyn_stepper *base, double t, double h, const double *y, double *node)
{
  (void)t, (void)h;
  memcpy(node, y, (size_t)base->ny * sizeof(double));
  return GRADYN_OK;
}

static gradyn_status enter_tangent(gradyn_stepper *base, const double *y, const double *dx,
                                   const double *dy, double *ds)
{
  (void)y, (void)dx;
  memcpy(ds, dy, (size_t)base->ny * sizeof(double));
  return GRADYN_OK;
}

static gradyn_status enter_transposed(gradyn_stepper *base, const double *y, const double *s_bar,
                                      double *y_bar, double *x_bar)
{
  (void)y, (void)x_bar;
  for (int i = 0; i < base->ny; i++)
    y_bar[i] += s_bar[i];
  return GRADYN_OK;
}

/* --- life ---------------------------------------------------------------------------------------- */

static void free_scheme(gradyn_stepper *base)
{
  kinematic *s = (kinematic *)base;
  gradyn_initial_clear(&s->first);
  gradyn_initial_clear(&s->at);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_stepper_ops kinematic_ops = {.name = "kinematic",
                                                 .start = start,
                                                 .step = step,
                                                 .start_tangent = start_tangent,
                                                 .start_transposed = start_transposed,
                                                 .linearise = linearise,
                                                 .tangent = tangent,
                                                 .transposed = transposed,
                                                 .enter = enter,
                                                 .enter_tangent = enter_tangent,
                                                 .enter_transposed = enter_transposed,
                                                 .drift = drift,
                                                 .free = free_scheme};

static gradyn_status take_memory(kinematic *s)
{
  s->guess = gradyn_arena_numbers(&s->arena, (size_t)s->mech->n);
  s->d = gradyn_arena_numbers(&s->arena, (size_t)s->base.ny);
  s->x = gradyn_arena_numbers(&s->arena, (size_t)s->mech->nx);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(gradyn_initial_create(s->mech, GRADYN_CONSTRAINT, &s->first));
  return gradyn_initial_create(s->mech, GRADYN_CONSTRAINT, &s->at);
}

gradyn_status gradyn_kinematic_create(gradyn_model *model, const gradyn_options *options,
                                      gradyn_stepper **out)
{
  (void)options;
  gradyn_mech *mech = model->mech;
  *out = NULL;
  /* if constraints are dependent, degrees of freedom may remain although n = m; start() detects this */
  if (mech->n > mech->m)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "the method kinematic needs a mechanism without degrees of freedom: %d "
                       "coordinates and %d constraints leave %d. Add drives",
                       mech->n, mech->m, mech->n - mech->m);
  kinematic *s = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = mech;
  int ny = 3 * mech->n + mech->m;
  /* no numbers other than y pass from step to step */
  s->base = (gradyn_stepper){
      .ops = &kinematic_ops, .model = model, .ny = ny, .ns = ny, .record = ny};
  const gradyn_status status = take_memory(s);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", mech->n);
}
