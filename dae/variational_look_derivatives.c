/* The variational scheme: derivatives of the states that functionals see, directional and transposed,
 * up to GRADYN_LANES at a time. They refer to a view, whose factors are still there if it was the last. */
#include <string.h>

#include "dae/variational.h"

/* The two problems of a look. */
typedef enum problem { VELOCITY, ACCELERATION } problem;

/* Parts of the residual in a problem of the look. */
static int parts_of(problem which)
{
  return which == VELOCITY ? GRADYN_INERTIA | GRADYN_CONSTRAINT : GRADYN_DYNAMICS;
}

/* The state at which the residual of a problem is taken: M v + G^T mult, or M a + G^T lam - Q. Constraints
 * are evaluated where that of accelerations is. */
static gradyn_mech_state force_state(const gradyn_variational *s, const gradyn_view *view,
                                     problem which)
{
  gradyn_mech_state state = gradyn_variational_state(s, view);
  if (which == VELOCITY) {
    state.a = state.v; /* M v: the momentum in place of an inertia force */
    state.lam = view->mult;
  }
  return state;
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
static gradyn_status solve_along(gradyn_variational *s, const gradyn_view *view, problem which,
                                 const gradyn_view_moves *pack, const double *dP, const double *dy)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, size = n + s->m, ny = s->base.ny, count = pack->count;
  const look_lanes w = lanes_of(s);
  const gradyn_mech_state at = gradyn_variational_state(s, view);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, view, which)};
  const gradyn_mech_look look = {1, &term, &at};
  const gradyn_mech_change d = {
      .lanes = pack->dx, .t = pack->dt, .q = w.q, .v = which == ACCELERATION ? w.v : NULL};
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

/* The pack of directions from j on. */
static gradyn_view_moves pack_of(const gradyn_variational *s, const gradyn_view_moves *moves, int j)
{
  return (gradyn_view_moves){.count = next_pack(j, moves->count),
                             .dx = moves->dx ? moves->dx + data_of(s, j) : NULL,
                             .dt = moves->dt + j};
}

/* dv of all directions of a node from dq and dP [ns apart], all in dy. */
static gradyn_status project_along(gradyn_variational *s, const gradyn_view *view,
                                   const gradyn_view_moves *moves, const double *dP, double *dy)
{
  const int n = s->n, ny = s->base.ny, ns = s->base.ns;
  for (int j = 0; j < moves->count; j += GRADYN_LANES) {
    const gradyn_view_moves pack = pack_of(s, moves, j);
    GRADYN_TRY(solve_along(s, view, VELOCITY, &pack, dP + j * ns, dy + j * ny));
    take_solution(s, pack.count, n, n, dy + j * ny);
  }
  return GRADYN_OK;
}

/* da, dlam of all directions from dq, dv, all in dy; the time of a point in a step moves by
 * dt - (1 - share) dh. */
static gradyn_status accelerate_along(gradyn_variational *s, const gradyn_view *view,
                                      const gradyn_view_moves *moves, double *dy)
{
  int n = s->n, ny = s->base.ny;
  double t[GRADYN_LANES] = {0};
  for (int j = 0; j < moves->count; j += GRADYN_LANES) {
    gradyn_view_moves pack = pack_of(s, moves, j);
    /* the time of the point moves with that of the node and with h */
    for (int k = 0; k < pack.count; k++)
      t[k] = moves->dt[j + k] - (view->node ? 0 : (1 - s->alpha) * moves->dh[j + k]);
    pack.dt = t;
    GRADYN_TRY(solve_along(s, view, ACCELERATION, &pack, NULL, dy + j * ny));
    take_solution(s, pack.count, 2 * n, n + s->m, dy + j * ny);
  }
  return GRADYN_OK;
}

/* Inside a step: q = q_n + alpha dq, v = dq/h. */
static void sample_along(const gradyn_variational *s, const gradyn_view *view,
                         const gradyn_view_moves *moves, const double *ds, double *dy)
{
  const int n = s->n, ny = s->base.ny, ns = s->base.ns;
  const double rest = 1 - s->alpha, h = view->h, *v = view->y + n;
  for (int j = 0; j < moves->count; j++) {
    const double *dq = ds + j * ns, *ddq = dq + 2 * n;
    double *out = dy + j * ny;
    for (int i = 0; i < n; i++) {
      /* q = q_n+1 - (1 - alpha) dq, v = dq/h: dh turns v alone */
      out[i] = dq[i] - rest * ddq[i];
      out[n + i] = (ddq[i] - v[i] * moves->dh[j]) / h;
    }
  }
}

/* dq first: that of the node as it is, with dv from dP, or that of the point in a step; then da and dlam. */
gradyn_status gradyn_variational_view_tangent(gradyn_stepper *base, const gradyn_view *view,
                                              const gradyn_view_moves *moves, const double *ds,
                                              double *dy)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const int n = s->n, ny = base->ny, ns = base->ns;
  memset(dy, 0, (size_t)(moves->count * ny) * sizeof(double));
  /* a point in a step has velocities without a projection */
  if (view->depth >= (view->node ? GRADYN_VELOCITIES : GRADYN_FORCES))
    GRADYN_TRY(gradyn_variational_factor_view(s, view));
  if (view->node) {
    for (int j = 0; j < moves->count; j++)
      memcpy(dy + j * ny, ds + j * ns, (size_t)n * sizeof(double));
    if (view->depth >= GRADYN_VELOCITIES)
      GRADYN_TRY(project_along(s, view, moves, ds + n, dy));
  } else
    sample_along(s, view, moves, ds, dy);
  return view->depth >= GRADYN_FORCES ? accelerate_along(s, view, moves, dy) : GRADYN_OK;
}

/* --- transposed ------------------------------------------------------------------------------- */

/* Against the problem's adjoints, -s->b [count][n + m]: the bars of q and v in y_bar [count][ny], of data and
 * time. */
static gradyn_status solve_against(gradyn_variational *s, const gradyn_view *view, problem which,
                                   const gradyn_view_bars *pack, double *y_bar)
{
  gradyn_mech *mech = s->mech;
  const int n = s->n, size = n + s->m, ny = s->base.ny, count = pack->count;
  const look_lanes w = lanes_of(s);
  const gradyn_mech_state at = gradyn_variational_state(s, view);
  const gradyn_mech_term term = {parts_of(which), 1 + (which == ACCELERATION),
                                 force_state(s, view, which)};
  const gradyn_mech_look look = {1, &term, &at};
  const gradyn_mech_bars bars = {
      .lanes = pack->x_bar, .t = pack->t_bar, .q = w.q, .v = which == ACCELERATION ? w.v : NULL};
  gradyn_projection_solve(&s->project, s->b, count); /* symmetric: its own transpose */
  gradyn_lanes_load(size, count, s->b, size, w.rows);
  gradyn_lanes_load(2 * n, count, y_bar, ny, w.q); /* q, v in a row */
  GRADYN_TRY(mech->ops->against(mech, &look, count, &(gradyn_lanes *){w.rows}, &bars));
  gradyn_lanes_store(2 * n, count, w.q, y_bar, ny);
  return GRADYN_OK;
}

/* Entry i of the bars of functional f in packs of lanes. */
static double *lane(const gradyn_variational *s, gradyn_lanes *s_bar, int f, int i)
{
  return (double *)(s_bar + f / GRADYN_LANES * s->base.ns + i) + f % GRADYN_LANES;
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

/* From the bars of a and lam of a pack to those of q and v, in y_bar [count][ny]; the time of a point in a
 * step is that of its end less rest h. */
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

/* From the bars of v of the pack from functional `first` on to those of q and P. */
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

/* The bars of a point in a step, q = q_n+1 - rest dq and v = dq/h, to those of the second node. */
static void sample_against(const gradyn_variational *s, const gradyn_view *view,
                           const double *y_bar, const gradyn_view_bars *bars)
{
  const int n = s->n, ny = s->base.ny;
  const double rest = 1 - s->alpha, h = view->h, *v = view->y + n;
  for (int f = 0; f < bars->count; f++) {
    const double *q_bar = y_bar + f * ny, *v_bar = q_bar + n;
    double along = 0;
    for (int i = 0; i < n; i++) {
      *lane(s, bars->s_bar, f, i) += q_bar[i];
      *lane(s, bars->s_bar, f, 2 * n + i) += v_bar[i] / h - rest * q_bar[i];
      along += v_bar[i] * v[i];
    }
    if (bars->h_bar) /* v_h = -v/h */
      bars->h_bar[f] -= along / h;
  }
}

/* In the reverse order: (a, lam) first, which see v, then v, then q. */
gradyn_status gradyn_variational_view_transposed(gradyn_stepper *base, const gradyn_view *view,
                                                 double *y_bar, const gradyn_view_bars *bars)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const int n = s->n, ny = base->ny;
  const bool projected = view->node && view->depth >= GRADYN_VELOCITIES;
  if (projected || view->depth >= GRADYN_FORCES)
    GRADYN_TRY(gradyn_variational_factor_view(s, view));
  for (int f = 0; f < bars->count; f += GRADYN_LANES) {
    const gradyn_view_bars pack = {.count = next_pack(f, bars->count),
                                   .s_bar = bars->s_bar,
                                   .x_bar = bars->x_bar + data_of(s, f),
                                   .h_bar = bars->h_bar ? bars->h_bar + f : NULL,
                                   .t_bar = bars->t_bar ? bars->t_bar + f : NULL};
    if (view->depth >= GRADYN_FORCES)
      GRADYN_TRY(accelerate_against(s, view, &pack, y_bar + f * ny));
    if (projected)
      GRADYN_TRY(project_against(s, view, f, &pack, y_bar + f * ny));
  }
  /* last what everything else has seen */
  if (!view->node)
    sample_against(s, view, y_bar, bars);
  else /* q of the view is the node's */
    for (int f = 0; f < bars->count; f++)
      for (int i = 0; i < n; i++)
        *lane(s, bars->s_bar, f, i) += y_bar[f * ny + i];
  return GRADYN_OK;
}
