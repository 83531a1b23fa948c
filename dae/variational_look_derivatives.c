/* The variational scheme: derivatives of the states that functionals see, directional and transposed,
 * up to GRADYN_LANES at a time. They refer to the last complete() or sample(), whose factors are still
 * there, and use K, C of a step: linearise() comes after them. */
#include <string.h>

#include "dae/variational.h"

/* The two problems of a look. */
typedef enum problem { VELOCITY, ACCELERATION } problem;

static int parts_of(problem which)
{
  return which == VELOCITY ? GRADYN_INERTIA | GRADYN_CONSTRAINT : GRADYN_DYNAMICS;
}

/* The state at which the residual of a problem is taken: M v + G^T mult, or M a + G^T lam - Q. */
static gradyn_mech_state force_state(const gradyn_variational *s, problem which)
{
  const gradyn_variational_look *at = &s->at;
  gradyn_mech_state state = {.t = at->t, .q = at->q, .v = at->v, .a = at->a, .lam = at->lam};
  if (which == VELOCITY) {
    state.a = at->v;
    state.lam = at->mult;
  }
  return state;
}

static gradyn_mech_state constraint_state(const gradyn_variational *s)
{
  return force_state(s, ACCELERATION);
}

/* Derivatives of a problem: K (H for velocities) and C, Jq = Phi^(order)_q, and in J1 Phi'_q. */
static gradyn_status matrices(gradyn_variational *s, problem which)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  gradyn_mech_state force = force_state(s, which), at = constraint_state(s);
  gradyn_status status = ops->tangent(s->mech, parts_of(which), &force, s->K, s->C, NULL);
  s->known = NULL;
  if (status == GRADYN_OK)
    status = ops->phi_q(s->mech, GRADYN_CONSTRAINT, 1 + (which == ACCELERATION), &at, s->Jq);
  if (status == GRADYN_OK && which == ACCELERATION)
    status = ops->phi_q(s->mech, GRADYN_CONSTRAINT, 1, &at, s->J1);
  return status;
}

/* --- directions ------------------------------------------------------------------------------- */

/* b = derivative of a problem's equations in direction dx, dt at fixed state; then dq, dv. */
static gradyn_status right_side(gradyn_variational *s, problem which, const double *dx, double dt,
                                const double *dq, const double *dv)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, order = 1 + (which == ACCELERATION);
  gradyn_mech_state force = force_state(s, which), at = constraint_state(s);
  double *b = s->b;
  memset(b, 0, (size_t)(n + m) * sizeof(double));
  const gradyn_mech_term term = {parts_of(which), order, force};
  const gradyn_mech_vector d = {.x = dx, .t = dt};
  gradyn_status status = gradyn_mech_along(mech, &term, &at, &d, s->lanes, b);
  gradyn_pattern_multiply(&mech->dyn, n, s->K, 1, dq, b);
  gradyn_pattern_multiply(&mech->jac, m, s->Jq, 1, dq, b + n);
  if (which == ACCELERATION) { /* Phi''_v = 2 Phi'_q */
    gradyn_pattern_multiply(&mech->dyn, n, s->C, 1, dv, b);
    gradyn_pattern_multiply(&mech->jac, m, s->J1, 2, dv, b + n);
  }
  return status;
}

/* da, dlam from dq, dv, all in dy. */
static gradyn_status accelerate(gradyn_variational *s, const double *dx, double dt, double *dy)
{
  int n = s->n;
  gradyn_status status = right_side(s, ACCELERATION, dx, dt, dy, dy + n);
  if (status != GRADYN_OK)
    return status;
  gradyn_variational_solve_look(s, s->b, 1);
  for (int i = 0; i < n + s->m; i++)
    dy[2 * n + i] = -s->b[i];
  return status;
}

gradyn_status gradyn_variational_complete_tangent(gradyn_stepper *base, int count, const double *dx,
                                                  const double *dt, const double *ds, double *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, nx = base->model->nx, ny = base->ny, ns = base->ns;
  gradyn_depth depth = s->at.depth;
  gradyn_status status = depth >= GRADYN_VELOCITIES ? matrices(s, VELOCITY) : GRADYN_OK;
  memset(dy, 0, (size_t)(count * ny) * sizeof(double));
  for (int j = 0; j < count && status == GRADYN_OK; j++) {
    const double *dP = ds + j * ns + n;
    double *dq = dy + j * ny, *dv = dq + n;
    memcpy(dq, ds + j * ns, (size_t)n * sizeof(double));
    if (depth < GRADYN_VELOCITIES)
      continue;
    status = right_side(s, VELOCITY, dx + j * nx, dt[j], dq, NULL);
    for (int i = 0; i < n; i++)
      s->b[i] -= dP[i];
    gradyn_variational_solve_look(s, s->b, 1);
    for (int i = 0; i < n; i++)
      dv[i] = -s->b[i];
  }
  if (depth < GRADYN_FORCES || status != GRADYN_OK)
    return status;
  status = matrices(s, ACCELERATION);
  for (int j = 0; j < count && status == GRADYN_OK; j++)
    status = accelerate(s, dx + j * nx, dt[j], dy + j * ny);
  return status;
}

gradyn_status gradyn_variational_sample_tangent(gradyn_stepper *base, int count, const double *dx,
                                                const double *dh, const double *dt,
                                                const double *ds, double *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, nx = base->model->nx, ny = base->ny, ns = base->ns;
  double rest = 1 - s->alpha, h = s->h;
  for (int j = 0; j < count; j++) {
    const double *dq = ds + j * ns, *ddq = dq + 2 * n;
    double *out = dy + j * ny;
    memset(out, 0, (size_t)ny * sizeof(double));
    for (int i = 0; i < n; i++) {
      out[i] = dq[i] - rest * ddq[i];
      out[n + i] = (ddq[i] - s->at.v[i] * dh[j]) / h;
    }
  }
  if (s->at.depth < GRADYN_FORCES)
    return GRADYN_OK;
  gradyn_status status = matrices(s, ACCELERATION);
  for (int j = 0; j < count && status == GRADYN_OK; j++)
    status = accelerate(s, dx + j * nx, dt[j] - rest * dh[j], dy + j * ny);
  return status;
}

/* --- transposed ------------------------------------------------------------------------------- */

/* x_bar += and t_bar += for the adjoints in b [count][n + m]. */
static gradyn_status data_transposed(gradyn_variational *s, problem which, int count, double *x_bar,
                                     double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m, order = 1 + (which == ACCELERATION);
  gradyn_mech_state force = force_state(s, which), at = constraint_state(s);
  const gradyn_mech_term term = {parts_of(which), order, force};
  const gradyn_mech_look look = {1, &term, &at};
  gradyn_lanes_load(size, count, s->b, size, s->lanes);
  for (int i = 0; i < size; i++)
    s->lanes[i] = -s->lanes[i];
  const gradyn_mech_bars bars = {.x = x_bar, .t = t_bar};
  return mech->ops->against(mech, &look, count, &s->lanes, &bars);
}

/* From the bars of a and lam to those of q and v, in y_bar [count][ny], count <= GRADYN_LANES. */
static gradyn_status acceleration_transposed(gradyn_variational *s, int count, double *y_bar,
                                             double *x_bar, double *t_bar)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m, ny = s->base.ny;
  for (int f = 0; f < count; f++)
    for (int i = 0; i < size; i++)
      s->b[f * size + i] = -y_bar[f * ny + 2 * n + i];
  gradyn_variational_solve_look(s, s->b, count); /* symmetric: its own transpose */
  for (int f = 0; f < count; f++) {
    const double *mu = s->b + f * size;
    double *q_bar = y_bar + f * ny, *v_bar = q_bar + n;
    gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, 1, mu, q_bar);
    gradyn_pattern_multiply_transposed(&mech->dyn, n, s->C, 1, mu, v_bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->Jq, 1, mu + n, q_bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->J1, 2, mu + n, v_bar);
  }
  return data_transposed(s, ACCELERATION, count, x_bar, t_bar);
}

/* Entry i of the bars of functional f in packs of lanes. */
static double *lane(const gradyn_variational *s, gradyn_lanes *s_bar, int f, int i)
{
  return (double *)(s_bar + f / GRADYN_LANES * s->base.ns + i) + f % GRADYN_LANES;
}

/* From the bars of v of functionals first to first + count - 1 to those of q and P. */
static gradyn_status velocity_transposed(gradyn_variational *s, int first, int count, double *y_bar,
                                         gradyn_lanes *s_bar, double *x_bar, double *t_bar)
{
  const gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m, size = n + m, ny = s->base.ny;
  for (int f = 0; f < count; f++)
    for (int i = 0; i < size; i++)
      s->b[f * size + i] = i < n ? -y_bar[f * ny + n + i] : 0;
  gradyn_variational_solve_look(s, s->b, count);
  for (int f = 0; f < count; f++) {
    const double *mu = s->b + f * size;
    double *q_bar = y_bar + f * ny;
    gradyn_pattern_multiply_transposed(&mech->dyn, n, s->K, 1, mu, q_bar);
    gradyn_pattern_multiply_transposed(&mech->jac, m, s->Jq, 1, mu + n, q_bar);
    for (int i = 0; i < n; i++)
      *lane(s, s_bar, first + f, n + i) -= mu[i];
  }
  return data_transposed(s, VELOCITY, count, x_bar, t_bar);
}

static bool has_bars(const double *bars, int size)
{
  for (int i = 0; i < size; i++)
    if (bars[i] != 0)
      return true;
  return false;
}

/* Length of the next run of functionals, at most GRADYN_LANES, that have bars of `size` numbers from
 * `offset` on; *first moves to its start. 0: there is none. */
static int next_run(const double *y_bar, int ny, int count, int offset, int size, int *first)
{
  int run = 0;
  while (*first < count && !has_bars(y_bar + *first * ny + offset, size))
    ++*first;
  while (*first + run < count && run < GRADYN_LANES &&
         has_bars(y_bar + (*first + run) * ny + offset, size))
    run++;
  return run;
}

gradyn_status gradyn_variational_complete_transposed(gradyn_stepper *base, int count, double *y_bar,
                                                     gradyn_lanes *s_bar, double *x_bar,
                                                     double *t_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, nx = base->model->nx, ny = base->ny;
  gradyn_status status = GRADYN_OK;
  if (s->at.depth >= GRADYN_FORCES)
    status = matrices(s, ACCELERATION);
  for (int f = 0, run; s->at.depth >= GRADYN_FORCES && status == GRADYN_OK &&
                       (run = next_run(y_bar, ny, count, 2 * n, n + s->m, &f)) > 0;
       f += run)
    status = acceleration_transposed(s, run, y_bar + f * ny, x_bar + f * nx,
                                     t_bar ? t_bar + f : NULL);
  if (s->at.depth >= GRADYN_VELOCITIES && status == GRADYN_OK)
    status = matrices(s, VELOCITY);
  for (int f = 0, run; s->at.depth >= GRADYN_VELOCITIES && status == GRADYN_OK &&
                       (run = next_run(y_bar, ny, count, n, n, &f)) > 0;
       f += run)
    status = velocity_transposed(s, f, run, y_bar + f * ny, s_bar, x_bar + f * nx,
                                 t_bar ? t_bar + f : NULL);
  for (int f = 0; f < count; f++)
    for (int i = 0; i < n; i++)
      *lane(s, s_bar, f, i) += y_bar[f * ny + i];
  return status;
}

gradyn_status gradyn_variational_sample_transposed(gradyn_stepper *base, int count, double *y_bar,
                                                   gradyn_lanes *s_bar, double *x_bar,
                                                   double *h_bar, double *t_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, nx = base->model->nx, ny = base->ny;
  double rest = 1 - s->alpha, h = s->h;
  gradyn_status status = GRADYN_OK;
  bool forces = s->at.depth >= GRADYN_FORCES;
  if (forces)
    status = matrices(s, ACCELERATION);
  for (int f = 0, run;
       forces && status == GRADYN_OK && (run = next_run(y_bar, ny, count, 2 * n, n + s->m, &f)) > 0;
       f += run) {
    double moved[GRADYN_LANES] = {0};
    status = acceleration_transposed(s, run, y_bar + f * ny, x_bar + f * nx, t_bar ? moved : NULL);
    for (int k = 0; k < run && t_bar; k++) { /* the time of the point is t_end - rest h */
      t_bar[f + k] += moved[k];
      h_bar[f + k] -= rest * moved[k];
    }
  }
  for (int f = 0; f < count; f++) {
    const double *q_bar = y_bar + f * ny, *v_bar = q_bar + n;
    double along = 0;
    for (int i = 0; i < n; i++) {
      *lane(s, s_bar, f, i) += q_bar[i];
      *lane(s, s_bar, f, 2 * n + i) += v_bar[i] / h - rest * q_bar[i];
      along += v_bar[i] * s->at.v[i];
    }
    if (h_bar)
      h_bar[f] -= along / h;
  }
  return status;
}
