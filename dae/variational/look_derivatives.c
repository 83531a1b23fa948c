/* The variational scheme: derivatives of output states along directions, and their transposes, for up to
 * GRADYN_LANES directions or functionals at a time. They use the factors of the output state, which are
 * still present if it was the last one. */
#include <string.h>

#include "dae/variational/operations.h"

/* Problems that give the velocity and the acceleration of an output state. */
typedef enum problem { VELOCITY, ACCELERATION } problem;

/* Returns the parts of the residual in a problem. */
static int parts_of(problem which)
{
  return which == VELOCITY ? GRADYN_INERTIA | GRADYN_CONSTRAINT : GRADYN_DYNAMICS;
}

/* Returns the state at which forces of a problem are evaluated: M v + G^T mult for velocities, M a + G^T
 * lam - Q for accelerations. Constraints are evaluated at the output state. */
static gradyn_mech_state force_state(const gradyn_variational *s, const gradyn_view *view,
                                     problem which)
{
  gradyn_mech_state state = gradyn_variational_state(s, view);
  if (which == VELOCITY) {
    state.a = state.v; /* M v is evaluated as an inertia force M a */
    state.lam = view->mult;
  }
  return state;
}

/* Multipliers of the rows of a problem, and adjoints of q and v, in lanes. */
typedef struct look_lanes {
  gradyn_lanes *rows;  /* [n + m] */
  gradyn_lanes *q, *v; /* [n] */
} look_lanes;

/* Returns the lanes in the workspace, q and v side by side. */
static look_lanes lanes_of(const gradyn_variational *s)
{
  gradyn_lanes *q = s->lanes + s->n + s->m;
  return (look_lanes){s->lanes, q, q + s->n};
}

/* --- directions -------------------------------------------------------------------------------- */

/* Solves the linearised equations of a problem for its unknowns, in the directions of a group. dy [ny]
 * contains the changes of the other states, and receives those of the unknowns. dP [n] is the change of the
 * momentum, or NULL. */
static gradyn_status solve_along(gradyn_variational *s, const gradyn_view *view, problem which,
                                 const gradyn_view_moves *pack, const gradyn_lanes *dP,
                                 gradyn_lanes *dy)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, size = n + s->m, count = pack->count;
  gradyn_lanes *rows = s->lanes;
  const gradyn_mech_state at = gradyn_variational_state(s, view);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, view, which)};
  const gradyn_mech_point look = {1, &term, &at};
  const gradyn_mech_change d = {
      .lanes = pack->dx, .t = pack->dt, .q = dy, .v = which == ACCELERATION ? dy + n : NULL};
  memset(rows, 0, (size_t)size * sizeof *rows);
  GRADYN_TRY(mech->ops->along(mech, &look, count, &d, &rows));
  for (int i = 0; i < n && dP; i++) /* M v + G^T mult = P */
    rows[i] -= dP[i];
  gradyn_lanes_store(size, count, rows, s->b, size);
  gradyn_projection_solve(&s->project, s->b, count);
  /* s->b contains minus the changes: of v only, or of a and lam */
  gradyn_lanes *out = dy + (which == VELOCITY ? n : 2 * n);
  const int unknowns = which == VELOCITY ? n : size;
  gradyn_lanes_load(unknowns, count, s->b, size, out);
  for (int i = 0; i < unknowns; i++)
    out[i] = -out[i];
  return GRADYN_OK;
}

/* Returns the number of directions, or functionals, in the group that starts at j. */
static int next_pack(int j, int count)
{
  return count - j < GRADYN_LANES ? count - j : GRADYN_LANES;
}

/* Returns the offset of the data of the group that contains direction j. */
static int data_of(const gradyn_variational *s, int j)
{
  return j / GRADYN_LANES * s->base.model->nx;
}

/* Returns the group of directions that starts at j. */
static gradyn_view_moves pack_of(const gradyn_variational *s, const gradyn_view_moves *moves, int j)
{
  return (gradyn_view_moves){.count = next_pack(j, moves->count),
                             .dx = moves->dx ? moves->dx + data_of(s, j) : NULL,
                             .dh = moves->dh + j,
                             .dt = moves->dt + j};
}

/* Computes da and dlam of a group from dq and dv, all in dy. The time of a point inside a step changes by
 * dt - (1 - alpha) dh. */
static gradyn_status accelerate_along(gradyn_variational *s, const gradyn_view *view,
                                      const gradyn_view_moves *pack, gradyn_lanes *dy)
{
  double t[GRADYN_LANES] = {0};
  gradyn_view_moves moved = *pack;
  /* the point is (1 - alpha) h before the step's end */
  for (int k = 0; k < pack->count; k++)
    t[k] = pack->dt[k] - (view->node ? 0 : (1 - s->alpha) * pack->dh[k]);
  moved.dt = t;
  return solve_along(s, view, ACCELERATION, &moved, NULL, dy);
}

/* Computes the changes of q = q_n+1 - (1 - alpha) dq and v = dq/h inside a step. */
static void sample_along(const gradyn_variational *s, const gradyn_view *view,
                         const gradyn_view_moves *pack, const gradyn_lanes *ds, gradyn_lanes *dy)
{
  const int n = s->n;
  const double rest = 1 - s->alpha, h = view->h, *v = view->y + n;
  const gradyn_lanes *dq = ds, *ddq = dq + 2 * n;
  gradyn_lanes dh;
  gradyn_lanes_load(1, pack->count, pack->dh, 1, &dh);
  for (int i = 0; i < n; i++) {
    /* dh changes only v */
    dy[i] = dq[i] - rest * ddq[i];
    dy[n + i] = (ddq[i] - v[i] * dh) / h;
  }
}

/* Computes the changes of an output state: first dq and dv, then da and dlam. At a node, dv follows from
 * the change of the momentum; inside a step, from the change of the increment. */
static gradyn_status view_pack(gradyn_variational *s, const gradyn_view *view,
                               const gradyn_view_moves *pack, const gradyn_lanes *ds,
                               gradyn_lanes *dy)
{
  const int n = s->n;
  memset(dy, 0, (size_t)s->base.ny * sizeof *dy);
  if (view->node) {
    memcpy(dy, ds, (size_t)n * sizeof *dy);
    if (view->depth >= GRADYN_VELOCITIES)
      GRADYN_TRY(solve_along(s, view, VELOCITY, pack, ds + n, dy));
  } else
    sample_along(s, view, pack, ds, dy);
  return view->depth >= GRADYN_FORCES ? accelerate_along(s, view, pack, dy) : GRADYN_OK;
}

gradyn_status gradyn_variational_view_tangent(gradyn_stepper *base, const gradyn_view *view,
                                              const gradyn_view_moves *moves,
                                              const gradyn_lanes *ds, gradyn_lanes *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  /* velocities of a point in a step need no projection */
  if (view->depth >= (view->node ? GRADYN_VELOCITIES : GRADYN_FORCES))
    GRADYN_TRY(gradyn_variational_factor_view(s, view));
  for (int j = 0; j < moves->count; j += GRADYN_LANES, ds += base->ns, dy += base->ny) {
    const gradyn_view_moves pack = pack_of(s, moves, j);
    GRADYN_TRY(view_pack(s, view, &pack, ds, dy));
  }
  return GRADYN_OK;
}

/* --- transposed -------------------------------------------------------------------------------- */

/* Solves a problem for the right-hand sides s->b [count][n + m], with its transposed matrix. Subtracts the
 * products of the solution with derivatives of the residual from the adjoints of q and v in y_bar
 * [count][ny], of data and of time. */
static gradyn_status solve_against(gradyn_variational *s, const gradyn_view *view, problem which,
                                   const gradyn_view_bars *pack, double *y_bar)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, size = n + s->m, ny = s->base.ny, count = pack->count;
  const look_lanes w = lanes_of(s);
  const gradyn_mech_state at = gradyn_variational_state(s, view);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, view, which)};
  const gradyn_mech_point look = {1, &term, &at};
  const gradyn_mech_adjoints adjoints = {
      .lanes = pack->x_bar, .t = pack->t_bar, .q = w.q, .v = which == ACCELERATION ? w.v : NULL};
  gradyn_projection_solve(&s->project, s->b, count); /* the matrix is symmetric */
  gradyn_lanes_load(size, count, s->b, size, w.rows);
  /* q and v are side by side in y_bar and in w */
  gradyn_lanes_load(2 * n, count, y_bar, ny, w.q);
  GRADYN_TRY(mech->ops->against(mech, &look, count, &(gradyn_lanes *){w.rows}, &adjoints));
  gradyn_lanes_store(2 * n, count, w.q, y_bar, ny);
  return GRADYN_OK;
}

/* Returns the address of entry i of the adjoints of functional f, which are stored in groups of lanes. */
static double *lane(const gradyn_variational *s, const gradyn_lanes *s_bar, int f, int i)
{
  return gradyn_lane(s_bar, s->base.ns, f) + (size_t)i * GRADYN_LANES;
}

/* Returns whether any of `columns` functionals has a nonzero adjoint among the `size` entries of y_bar from
 * `offset` onwards. */
static bool has_bars(const double *y_bar, int ny, int columns, int offset, int size)
{
  for (int f = 0; f < columns; f++)
    for (int i = 0; i < size; i++)
      if (y_bar[f * ny + offset + i] != 0)
        return true;
  return false;
}

/* Passes the adjoints of a and lam of a group to q and v, in y_bar [count][ny], and to data and times. A
 * point inside a step is (1 - alpha) h before the step's end. */
static gradyn_status accelerate_against(gradyn_variational *s, const gradyn_view *view,
                                        const gradyn_view_bars *pack, double *y_bar)
{
  const int n = s->n, size = n + s->m, ny = s->base.ny;
  double moved[GRADYN_LANES] = {0};
  gradyn_view_bars at = *pack;
  if (!has_bars(y_bar, ny, pack->count, 2 * n, size))
    return GRADYN_OK;
  for (int f = 0; f < pack->count; f++)
    memcpy(s->b + f * size, y_bar + f * ny + 2 * n, (size_t)size * sizeof(double));
  at.t_bar = pack->t_bar ? moved : NULL;
  GRADYN_TRY(solve_against(s, view, ACCELERATION, &at, y_bar));
  for (int k = 0; k < pack->count && pack->t_bar; k++) {
    pack->t_bar[k] += moved[k];
    if (!view->node && pack->h_bar)
      pack->h_bar[k] -= (1 - s->alpha) * moved[k];
  }
  return GRADYN_OK;
}

/* Passes the adjoints of v at a node to q and P, for the group that starts at functional `first`. */
static gradyn_status project_against(gradyn_variational *s, const gradyn_view *view, int first,
                                     const gradyn_view_bars *pack, double *y_bar)
{
  const int n = s->n, size = n + s->m, ny = s->base.ny;
  if (!has_bars(y_bar, ny, pack->count, n, n))
    return GRADYN_OK;
  for (int f = 0; f < pack->count; f++)
    for (int i = 0; i < size; i++)
      s->b[f * size + i] = i < n ? y_bar[f * ny + n + i] : 0;
  GRADYN_TRY(solve_against(s, view, VELOCITY, pack, y_bar));
  for (int f = 0; f < pack->count; f++)
    for (int i = 0; i < n; i++)
      *lane(s, pack->s_bar, first + f, n + i) += s->b[f * size + i];
  return GRADYN_OK;
}

/* Passes the adjoints of q = q_n+1 - (1 - alpha) dq and v = dq/h inside a step to the node at its end and
 * to h. */
static void sample_against(const gradyn_variational *s, const gradyn_view *view,
                           const double *y_bar, const gradyn_view_bars *adjoints)
{
  const int n = s->n, ny = s->base.ny;
  const double rest = 1 - s->alpha, h = view->h, *v = view->y + n;
  for (int f = 0; f < adjoints->count; f++) {
    const double *q_bar = y_bar + f * ny, *v_bar = q_bar + n;
    double along = 0;
    for (int i = 0; i < n; i++) {
      *lane(s, adjoints->s_bar, f, i) += q_bar[i];
      *lane(s, adjoints->s_bar, f, 2 * n + i) += v_bar[i] / h - rest * q_bar[i];
      along += v_bar[i] * v[i];
    }
    if (adjoints->h_bar) /* v_h = -v/h */
      adjoints->h_bar[f] -= along / h;
  }
}

/* Passes the adjoints of an output state to nodes, data and times: first those of (a, lam), which depend on
 * v, then of v, then of q. */
gradyn_status gradyn_variational_view_transposed(gradyn_stepper *base, const gradyn_view *view,
                                                 double *y_bar, const gradyn_view_bars *adjoints)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const int n = s->n, ny = base->ny;
  const bool projected = view->node && view->depth >= GRADYN_VELOCITIES;
  if (projected || view->depth >= GRADYN_FORCES)
    GRADYN_TRY(gradyn_variational_factor_view(s, view));
  for (int f = 0; f < adjoints->count; f += GRADYN_LANES) {
    const gradyn_view_bars pack = {.count = next_pack(f, adjoints->count),
                                   .s_bar = adjoints->s_bar,
                                   .x_bar = adjoints->x_bar + data_of(s, f),
                                   .h_bar = adjoints->h_bar ? adjoints->h_bar + f : NULL,
                                   .t_bar = adjoints->t_bar ? adjoints->t_bar + f : NULL};
    if (view->depth >= GRADYN_FORCES)
      GRADYN_TRY(accelerate_against(s, view, &pack, y_bar + f * ny));
    if (projected)
      GRADYN_TRY(project_against(s, view, f, &pack, y_bar + f * ny));
  }
  /* adjoints of q are last, because v, a and lam depend on q */
  if (!view->node)
    sample_against(s, view, y_bar, adjoints);
  else /* q of the output state is that of the node */
    for (int f = 0; f < adjoints->count; f++)
      for (int i = 0; i < n; i++)
        *lane(s, adjoints->s_bar, f, i) += y_bar[f * ny + i];
  return GRADYN_OK;
}
