/* The variational scheme: derivatives of the states that functionals see, directional and transposed,
 * up to GRADYN_LANES at a time. They refer to the last complete() or sample(), whose factors are still
 * there. */
#include <string.h>

#include "dae/variational.h"

/* The two problems of a look. */
typedef enum problem { VELOCITY, ACCELERATION } problem;

/* Parts of the residual in a problem of the look. */
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
    state.a = at->v; /* M v: the momentum in place of an inertia force */
    state.lam = at->mult;
  }
  return state;
}

/* Where its constraints are evaluated. */
static gradyn_mech_state constraint_state(const gradyn_variational *s)
{
  return force_state(s, ACCELERATION);
}

/* Lanes of a look: rows or adjoints of a problem, and what they have to do with q and v. */
typedef struct look_lanes {
  gradyn_lanes *rows;  /* [n + m] */
  gradyn_lanes *q, *v; /* [n] */
} look_lanes;

/* Working lanes: rows, then q and v side by side. */
static look_lanes lanes_of(const gradyn_variational *s)
{
  gradyn_lanes *q = s->lanes + s->n + s->m;
  return (look_lanes){s->lanes, q, q + s->n};
}

/* --- directions ------------------------------------------------------------------------------- */

/* Solves a problem's equations for a change of everything but its unknowns, count directions: -out of them
 * go to s->b [count][n + m]. dP [ns apart] is the change of the momentum, or NULL. */
static gradyn_status solve_along(gradyn_variational *s, problem which, int count,
                                 const gradyn_lanes *dx, const double *dt, const double *dP,
                                 const double *dy)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, size = n + s->m, ny = s->base.ny;
  const look_lanes w = lanes_of(s);
  const gradyn_mech_state at = constraint_state(s);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, which)};
  const gradyn_mech_look look = {1, &term, &at};
  const gradyn_mech_change d = {
      .lanes = dx, .t = dt, .q = w.q, .v = which == ACCELERATION ? w.v : NULL};
  memset(w.rows, 0, (size_t)size * sizeof *w.rows);
  gradyn_lanes_load(2 * n, count, dy, ny, w.q); /* q, v in a row */
  GRADYN_TRY(mech->ops->along(mech, &look, count, &d, &(gradyn_lanes *){w.rows}));
  gradyn_lanes_store(size, count, w.rows, s->b, size);
  for (int j = 0; j < count && dP; j++)
    for (int i = 0; i < n; i++)
      /* -P is the right-hand side of velocities: S (v; tau) = (P; ..) */
      s->b[j * size + i] -= dP[j * s->base.ns + i];
  gradyn_projection_solve(&s->project, s->b, count);
  return GRADYN_OK;
}

/* The directions from j on, or functionals, that are taken at once; where their lanes begin. */
static int next_pack(int j, int count)
{
  return count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
}

/* Where the data of the pack begin that has direction j. */
static int data_of(const gradyn_variational *s, int j)
{
  return j / GRADYN_LANES * s->base.model->nx;
}

/* out [size] of each direction, in dy from `offset` on, is minus what has been solved for. */
static void take_solution(const gradyn_variational *s, int count, int offset, int size, double *dy)
{
  for (int j = 0; j < count; j++)
    for (int i = 0; i < size; i++)
      dy[j * s->base.ny + offset + i] = -s->b[j * (s->n + s->m) + i];
}

/* da, dlam of all directions from dq, dv, all in dy; the time of the look moves by dt - share dh. */
static gradyn_status accelerate(gradyn_variational *s, int count, const gradyn_lanes *dx,
                                const double *dt, const double *dh, double *dy)
{
  int n = s->n, ny = s->base.ny;
  double t[GRADYN_LANES] = {0};
  for (int j = 0; j < count; j += GRADYN_LANES) {
    int columns = next_pack(j, count);
    /* the time of the point moves with that of the node and with h */
    for (int k = 0; k < columns; k++)
      t[k] = dt[j + k] - (dh ? (1 - s->alpha) * dh[j + k] : 0);
    GRADYN_TRY(solve_along(s, ACCELERATION, columns, dx + data_of(s, j), t, NULL, dy + j * ny));
    take_solution(s, columns, 2 * n, n + s->m, dy + j * ny);
  }
  return GRADYN_OK;
}

/* Look at a node: dq as it is, dv from dP, then da and dlam. */
gradyn_status gradyn_variational_complete_tangent(gradyn_stepper *base, int count,
                                                  const gradyn_lanes *dx, const double *dt,
                                                  const double *ds, double *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, ny = base->ny, ns = base->ns;
  gradyn_depth depth = s->at.depth;
  gradyn_status status = GRADYN_OK;
  memset(dy, 0, (size_t)(count * ny) * sizeof(double));
  /* q of the look is the node's */
  for (int j = 0; j < count; j++)
    memcpy(dy + j * ny, ds + j * ns, (size_t)n * sizeof(double));
  for (int j = 0; j < count && depth >= GRADYN_VELOCITIES && status == GRADYN_OK;
       j += GRADYN_LANES) {
    int columns = next_pack(j, count);
    status = solve_along(s, VELOCITY, columns, dx + data_of(s, j), dt + j, ds + j * ns + n,
                         dy + j * ny);
    take_solution(s, columns, n, n, dy + j * ny);
  }
  return depth >= GRADYN_FORCES && status == GRADYN_OK ? accelerate(s, count, dx, dt, NULL, dy)
                                                       : status;
}

/* Look inside a step: q_n + alpha dq, dq/h. */
gradyn_status gradyn_variational_sample_tangent(gradyn_stepper *base, int count,
                                                const gradyn_lanes *dx, const double *dh,
                                                const double *dt, const double *ds, double *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, ny = base->ny, ns = base->ns;
  double rest = 1 - s->alpha, h = s->h;
  for (int j = 0; j < count; j++) {
    const double *dq = ds + j * ns, *ddq = dq + 2 * n;
    double *out = dy + j * ny;
    memset(out, 0, (size_t)ny * sizeof(double));
    for (int i = 0; i < n; i++) {
      /* q = q_n+1 - (1 - alpha) dq, v = dq/h: dh turns v alone */
      out[i] = dq[i] - rest * ddq[i];
      out[n + i] = (ddq[i] - s->at.v[i] * dh[j]) / h;
    }
  }
  return s->at.depth >= GRADYN_FORCES ? accelerate(s, count, dx, dt, dh, dy) : GRADYN_OK;
}

/* --- transposed ------------------------------------------------------------------------------- */

/* Against the problem's adjoints, -s->b [count][n + m]: the bars of q and v in y_bar [count][ny], of data and
 * time. */
static gradyn_status solve_against(gradyn_variational *s, problem which, int count, double *y_bar,
                                   gradyn_lanes *x_bar, double *t_bar)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, size = n + s->m, ny = s->base.ny;
  const look_lanes w = lanes_of(s);
  const gradyn_mech_state at = constraint_state(s);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, which)};
  const gradyn_mech_look look = {1, &term, &at};
  const gradyn_mech_bars bars = {
      .lanes = x_bar, .t = t_bar, .q = w.q, .v = which == ACCELERATION ? w.v : NULL};
  gradyn_projection_solve(&s->project, s->b, count); /* symmetric: its own transpose */
  gradyn_lanes_load(size, count, s->b, size, w.rows);
  gradyn_lanes_load(2 * n, count, y_bar, ny, w.q); /* q, v in a row */
  GRADYN_TRY(mech->ops->against(mech, &look, count, &(gradyn_lanes *){w.rows}, &bars));
  gradyn_lanes_store(2 * n, count, w.q, y_bar, ny);
  return GRADYN_OK;
}

/* From the bars of a and lam to those of q and v, in y_bar [count][ny], count <= GRADYN_LANES. */
static gradyn_status acceleration_transposed(gradyn_variational *s, int count, double *y_bar,
                                             gradyn_lanes *x_bar, double *t_bar)
{
  int n = s->n, size = n + s->m;
  for (int f = 0; f < count; f++)
    memcpy(s->b + f * size, y_bar + f * s->base.ny + 2 * n, (size_t)size * sizeof(double));
  return solve_against(s, ACCELERATION, count, y_bar, x_bar, t_bar);
}

/* Entry i of the bars of functional f in packs of lanes. */
static double *lane(const gradyn_variational *s, gradyn_lanes *s_bar, int f, int i)
{
  return (double *)(s_bar + f / GRADYN_LANES * s->base.ns + i) + f % GRADYN_LANES;
}

/* From the bars of v of functionals first to first + count - 1 to those of q and P. */
static gradyn_status velocity_transposed(gradyn_variational *s, int first, int count, double *y_bar,
                                         gradyn_lanes *s_bar, gradyn_lanes *x_bar, double *t_bar)
{
  int n = s->n, size = n + s->m;
  for (int f = 0; f < count; f++)
    for (int i = 0; i < size; i++)
      s->b[f * size + i] = i < n ? y_bar[f * s->base.ny + n + i] : 0;
  GRADYN_TRY(solve_against(s, VELOCITY, count, y_bar, x_bar, t_bar));
  for (int f = 0; f < count; f++)
    for (int i = 0; i < n; i++)
      *lane(s, s_bar, first + f, n + i) += s->b[f * size + i];
  return GRADYN_OK;
}

/* Whether any of `columns` functionals has bars of `size` numbers from `offset` on. */
static bool has_bars(const double *y_bar, int ny, int columns, int offset, int size)
{
  for (int f = 0; f < columns; f++)
    for (int i = 0; i < size; i++)
      if (y_bar[f * ny + offset + i] != 0)
        return true;
  return false;
}

/* The transpose of the look at a node: (a, lam) first, which see v. */
gradyn_status gradyn_variational_complete_transposed(gradyn_stepper *base, int count, double *y_bar,
                                                     gradyn_lanes *s_bar, gradyn_lanes *x_bar,
                                                     double *t_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_depth depth = s->at.depth;
  int n = s->n, ny = base->ny;
  for (int f = 0; f < count; f += GRADYN_LANES) {
    int columns = next_pack(f, count);
    double *bars = y_bar + f * ny, *time = t_bar ? t_bar + f : NULL;
    gradyn_lanes *data = x_bar + data_of(s, f);
    if (depth >= GRADYN_FORCES && has_bars(bars, ny, columns, 2 * n, n + s->m))
      GRADYN_TRY(acceleration_transposed(s, columns, bars, data, time));
    if (depth >= GRADYN_VELOCITIES && has_bars(bars, ny, columns, n, n))
      GRADYN_TRY(velocity_transposed(s, f, columns, bars, s_bar, data, time));
  }
  /* q of the look is the node's */
  for (int f = 0; f < count; f++)
    for (int i = 0; i < n; i++)
      *lane(s, s_bar, f, i) += y_bar[f * ny + i];
  return GRADYN_OK;
}

/* The transpose of the look inside a step. */
gradyn_status gradyn_variational_sample_transposed(gradyn_stepper *base, int count, double *y_bar,
                                                   gradyn_lanes *s_bar, gradyn_lanes *x_bar,
                                                   double *h_bar, double *t_bar)
{
  gradyn_variational *s = (gradyn_variational *)base;
  int n = s->n, ny = base->ny;
  double rest = 1 - s->alpha, h = s->h;
  for (int f = 0; f < count && s->at.depth >= GRADYN_FORCES; f += GRADYN_LANES) {
    double moved[GRADYN_LANES] = {0}, *bars = y_bar + f * ny;
    int columns = next_pack(f, count);
    if (!has_bars(bars, ny, columns, 2 * n, n + s->m))
      continue;
    GRADYN_TRY(
        acceleration_transposed(s, columns, bars, x_bar + data_of(s, f), t_bar ? moved : NULL));
    for (int k = 0; k < columns && t_bar; k++) { /* the time of the point is t_end - rest h */
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
  return GRADYN_OK;
}
