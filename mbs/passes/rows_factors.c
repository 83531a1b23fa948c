/* Remaining constraints in solves with M = L D L^T: E = J L^-T, which is zero except along a constraint's
 * branches, and E D^-1, so that S = J M^-1 J^T = E D^-1 E^T. Massless coordinates of remaining joints are
 * eliminated together with the constraint that ties them, [0, j; j, .]. */
#include "mbs/passes/factors.h"
#include "mbs/passes/plane_rods.h"

/* Whether a constraint that ties a massless coordinate depends on no other massless one. */
static bool ties_one(const tree *c, const tree_pair *pair)
{
  const tree_on_top *rows = &c->left.on_top;
  bool alone = true;
  for (int i = 0; i < rows->pairs; i++)
    if (rows->pair[i].z != pair->z)
      alone = alone && gradyn_pattern_find(&c->natural->jac, c->row[pair->row],
                                           c->source[rows->pair[i].z]) < 0;
  return alone;
}

static bool pairs_serve(const tree *c)
{
  for (int i = 0; i < c->left.on_top.pairs; i++) {
    const tree_pair *pair = &c->left.on_top.pair[i];
    if (!ties_one(c, pair) || c->mbs->constraints.item[c->row[pair->row]].modes.bits != 0)
      return false;
  }
  return true;
}

/* Whether an inertia acts on a coordinate in X; diagonal entries of matrices exist in any case. */
static bool has_inertia(const gradyn_mbs *m, int at)
{
  for (int i = 0; i < m->lists.inertias; i++) {
    const mbs_inertia *e = &m->lists.inertia[i];
    mbs_term term;
    for (int r = 0; r < e->ops->points; r++)
      for (int k = 0; mbs_point_term(m, e->point[r], k, &term); k++)
        if (at >= term.at && at < term.at + e->axes)
          return true;
  }
  return false;
}

/* Whether the remaining constraints can take part in solves: they may determine massless coordinates of
 * joints, but no other massless coordinates. In the plane, only if there are none. */
bool tree_rows_serve(const tree *c)
{
  if (c->left.rows == 0)
    return true;
  for (int i = 0; i < c->own.alones; i++)
    if (!has_inertia(c->mbs, c->source[c->own.alone[i]]))
      return false;
  return !c->plane && pairs_serve(c);
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Copies entries of a group's constraints to their positions in `values`. */
static void gather(const tree *c, int group, const gradyn_lanes *x, double *values)
{
  const gradyn_pattern *jac = &c->mech.jac;
  for (int k = 0, row = group * GRADYN_LANES; k < GRADYN_LANES && row < c->left.rows; k++, row++)
    for (int e = jac->start[row]; e < jac->start[row + 1]; e++)
      values[e] = x[jac->col[e]][k];
}

/* Copies the entries of J at coordinates for a group of constraints: at those in its rows, and along its
 * path. Constraints at the start or at contacts may extend the path. */
static void load_coordinates(const tree *c, int group, gradyn_lanes *x)
{
  const gradyn_pattern *jac = &c->mech.jac;
  const tree_on_top *rows = &c->left.on_top;
  const int first = group * GRADYN_LANES;
  for (int i = 0; i < c->own.alones; i++)
    x[c->own.alone[i]] = (gradyn_lanes){0};
  for (int row = first; row < first + GRADYN_LANES && row < c->left.rows; row++)
    for (int e = jac->start[row]; e < jac->start[row + 1]; e++)
      x[jac->col[e]] = rows->load[tree_load_at(c, jac->col[e])];
  for (int p = rows->start[group]; p < rows->start[group + 1]; p++) {
    const tree_link *link = &c->link[rows->path[p]];
    for (int k = 0; k < link->k; k++)
      x[link->z[k]] = rows->load[tree_load_at(c, link->z[k])];
  }
}

/* Computes E and E D^-1 of a group. */
static void factor_group(tree *c, int group, double *f, double *E)
{
  const gradyn_pattern *jac = &c->mech.jac;
  gradyn_lanes *x = c->out;
  tree_spread_rows(c, group);
  load_coordinates(c, group, x);
  tree_enter_rows(c, group, f, x);
  gather(c, group, x, E);
  tree_divide_rows(c, group, f, x);
  gather(c, group, x, E + jac->start[c->left.rows]);
  tree_clear_rows(c, group);
}

/* Computes the lower triangle of S = E D^-1 E^T, followed by the sizes of its rows. */
static void multiply_rows(tree *c, const double *E, double *S)
{
  const gradyn_pattern *jac = &c->mech.jac;
  const tree_on_top *rows = &c->left.on_top;
  const int m = c->left.rows;
  const double *divided = E + jac->start[m];
  for (int j = 0; j < m; j++) {
    for (int e = jac->start[j]; e < jac->start[j + 1]; e++)
      rows->value[jac->col[e]] = divided[e];
    for (int i = 0; i < rows->pairs; i++)
      rows->value[rows->pair[i].z] = 0;
    for (int i = j; i < m; i++) {
      S[i * m + j] = 0;
      for (int e = jac->start[i]; e < jac->start[i + 1]; e++)
        S[i * m + j] += E[e] * rows->value[jac->col[e]];
    }
    for (int e = jac->start[j]; e < jac->start[j + 1]; e++)
      rows->value[jac->col[e]] = 0;
    S[m * m + j] = tree_row_size(c, j) / c->own.heaviest;
  }
}

/* Subtracts `share` times the row of a pair from row i, so that its entry at the pair's coordinate vanishes.
 * `share` is stored in this entry. */
static void subtract_row(const gradyn_pattern *jac, int i, const tree_pair *pair, double share,
                         double *values)
{
  for (int e = jac->start[pair->row]; e < jac->start[pair->row + 1]; e++)
    values[gradyn_pattern_find(jac, i, jac->col[e])] -= share * values[e];
  values[gradyn_pattern_find(jac, i, pair->z)] = share;
}

/* Eliminates a massless coordinate, with the constraint that ties it, from all other constraints. */
static gradyn_status take_pair(const tree *c, const tree_pair *pair, double *E)
{
  const gradyn_pattern *jac = &c->mech.jac;
  const int own = gradyn_pattern_find(jac, pair->row, pair->z);
  double *divided = E + jac->start[c->left.rows];
  if (E[own] == 0)
    return GRADYN_SINGULAR;
  for (int i = 0; i < c->left.rows; i++) {
    const int at = i == pair->row ? -1 : gradyn_pattern_find(jac, i, pair->z);
    if (at < 0)
      continue;
    const double share = E[at] / E[own];
    subtract_row(jac, i, pair, share, E);
    subtract_row(jac, i, pair, share, divided);
  }
  divided[own] = 0;
  return GRADYN_OK;
}

/* Replaces the row of a pair's constraint in S by one of the identity: its multiplier is computed in
 * another way. */
static void set_apart(int m, int row, double *S)
{
  for (int i = 0; i < m; i++)
    S[(i < row ? row : i) * m + (i < row ? i : row)] = i == row;
  S[m * m + row] = 1;
}

/* Factorises the remaining constraints; c->J must contain J_X. */
static gradyn_status factor_rows(tree *c, double *f, double *S, int *weak)
{
  const tree_on_top *rows = &c->left.on_top;
  double *E = f + c->own.kept;
  for (int g = 0; g * GRADYN_LANES < c->left.rows; g++)
    factor_group(c, g, f, E);
  for (int i = 0; i < rows->pairs; i++) {
    *weak = rows->pair[i].z;
    GRADYN_TRY(take_pair(c, &rows->pair[i], E));
  }
  multiply_rows(c, E, S);
  for (int i = 0; i < rows->pairs; i++)
    set_apart(c->left.rows, rows->pair[i].row, S);
  return GRADYN_OK;
}

gradyn_status tree_factor(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak)
{
  tree *c = (tree *)mech;
  if (c->plane)
    plane_take_angles(c, at->q);
  if (!plane_rods_serve(c, GRADYN_DYNAMICS))
    tree_move(c, at->q, at->v, NULL); /* velocities too: forces are evaluated next */
  GRADYN_TRY(tree_factor_links(c, f, weak));
  if (c->left.rows == 0)
    return GRADYN_OK;
  const gradyn_mech_state natural = {.t = at->t, .q = c->X[0], .v = c->X[1], .a = c->X[2]};
  GRADYN_TRY(c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, &natural, c->J));
  return factor_rows(c, f, S, weak);
}

/* --- solves ----------------------------------------------------------------------------------- */

/* E = J L^-T of the remaining constraints [m] in factors, by the pattern jac; E D^-1 follows. */
static const double *rows_in(const tree *c, const double *f)
{
  return f + c->own.kept;
}

/* A massless coordinate and the constraint that ties it, in factors, [0, j; j, .]. The constraint keeps its
 * own entries of E, except for j. From all other rows i that depend on the coordinate, J_iz / j times this
 * row has been subtracted, and this number replaces the entry. First half: the part of the constraint's
 * multiplier that b determines replaces the coordinate, and loads the other constraints. */
static void enter_pair(const tree *c, int i, const double *E, gradyn_lanes *x)
{
  const gradyn_pattern *jac = &c->mech.jac;
  const tree_pair *pair = &c->left.on_top.pair[i];
  gradyn_lanes *own = &x[pair->z], *rate = &x[c->mech.n + pair->row];
  const gradyn_lanes lam = *own / E[gradyn_pattern_find(jac, pair->row, pair->z)];
  for (int e = jac->start[pair->row]; e < jac->start[pair->row + 1]; e++)
    x[jac->col[e]] -= E[e] * lam;
  c->left.on_top.rate[i] = lam;
  *own = -*rate; /* multiplier of the constraint; J_iz / j times it is added to the other rows */
}

/* Second half: the coordinate follows from its constraint, which then gets its multiplier. */
static void leave_pair(const tree *c, int i, const double *E, gradyn_lanes *x)
{
  const gradyn_pattern *jac = &c->mech.jac;
  const tree_pair *pair = &c->left.on_top.pair[i];
  const double *divided = E + jac->start[c->left.rows];
  const gradyn_lanes lam = x[pair->z];
  gradyn_lanes rest = c->left.on_top.rate[i];
  x[pair->z] = (gradyn_lanes){0};
  for (int e = jac->start[pair->row]; e < jac->start[pair->row + 1]; e++)
    rest -= divided[e] * x[jac->col[e]];
  x[pair->z] = rest / E[gradyn_pattern_find(jac, pair->row, pair->z)];
  x[c->mech.n + pair->row] = lam;
}

void tree_enter(gradyn_mech *mech, const double *f, gradyn_lanes *x)
{
  tree *c = (tree *)mech;
  const gradyn_pattern *jac = &mech->jac;
  const tree_on_top *rows = &c->left.on_top;
  const int n = mech->n, m = c->left.rows;
  tree_enter_links(c, f, x);
  for (int i = n; i < n + m; i++)
    x[i] = -x[i];
  for (int i = 0; i < rows->pairs; i++)
    enter_pair(c, i, rows_in(c, f), x);
  if (m > 0) /* J M^-1 b = E D^-1 L^-1 b */
    gradyn_lanes_multiply(jac, m, rows_in(c, f) + jac->start[m], 1, x, x + n);
  for (int i = 0; i < rows->pairs; i++) {
    x[n + rows->pair[i].row] = x[rows->pair[i].z];
    x[rows->pair[i].z] = rows->rate[i];
  }
}

void tree_leave(gradyn_mech *mech, const double *f, gradyn_lanes *x)
{
  tree *c = (tree *)mech;
  const tree_on_top *rows = &c->left.on_top;
  for (int i = 0; i < rows->pairs; i++) {
    rows->rate[i] = x[mech->n + rows->pair[i].row];
    x[mech->n + rows->pair[i].row] = (gradyn_lanes){0};
  }
  if (c->left.rows > 0) /* L^-1 J^T lam = E^T lam */
    gradyn_lanes_subtract(1, true, &mech->jac, c->left.rows, rows_in(c, f), x + mech->n, x);
  for (int i = 0; i < rows->pairs; i++)
    leave_pair(c, i, rows_in(c, f), x);
  tree_leave_links(c, f, x);
}
