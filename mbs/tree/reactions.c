/* Multipliers of joints on the tree and of base vectors there, which joint coordinates do without. They
 * solve the equations of motion of the bodies in natural coordinates,
 *     R(X, X', X'', lam, d) = 0,
 * that are left when those along the joints' coordinates are met: those of each body's vectors for as many
 * multipliers, from the leaves, whose rows act on their parents, to the root. Rows of a joint's coordinates
 * are among them; what acts on these is not asked. So names, signs and units are those of natural
 * coordinates. A spherical joint has three rows less: along turns of its body, d(axis) = theta x axis, the
 * equations are met, and torques take what schemes leave of them. Of a body without a joint nothing is asked;
 * multipliers of its base vectors are called zero. */
#include "mbs/tree/joints.h"
#include "mbs/tree/reactions.h"
#include "mbs/tree/passes.h"

#include <string.h>

/* Whether anything goes through a joint. */
static bool reacts(const tree *c, int i)
{
  return c->plane || c->link[i].joint >= 0;
}

/* --- lists ------------------------------------------------------------------------------------------ */

/* Component k of a link's vectors in X. */
static int component(const tree *c, const tree_link *link, int k)
{
  return link->own[k / c->mbs->dim] + k % c->mbs->dim;
}

/* How many there are, and as many rows that its matrix has. */
static int size_of(const tree *c, int i)
{
  return c->mbs->dim * c->link[i].vectors;
}

/* Its matrix: rows, and behind them turns, which touch the base vectors. */
static gradyn_status create_matrix(const tree *c, int i)
{
  tree_reactions *r = &c->reaction[i];
  const int size = size_of(c, i);
  int row[TREE_ROWS * TREE_ROWS], col[TREE_ROWS * TREE_ROWS], count = 0;
  for (int at = 0; at < size; at++)
    for (int k = 0; k < size; k++)
      if (at < r->rows ? r->own[at][k] >= 0 : k >= 3) {
        row[count] = at;
        col[count++] = k;
      }
  gradyn_pattern pattern;
  GRADYN_TRY(gradyn_pattern_create(size, size, count, row, col, &pattern));
  gradyn_status status = gradyn_linsys_create(&pattern, false, GRADYN_BACKEND_AUTO, &r->matrix);
  gradyn_pattern_clear(&pattern);
  return status;
}

void tree_free_reactions(tree *c)
{
  for (int i = 0; c->reaction && i < c->links; i++)
    gradyn_linsys_free(c->reaction[i].matrix);
}

gradyn_status tree_find_reactions(tree *c)
{
  c->reaction = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *c->reaction);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  for (int row = 0; row < c->natural->m; row++) {
    const int i = c->left.replaced[row];
    if (i < 0)
      continue;
    tree_reactions *r = &c->reaction[i];
    for (int k = 0; k < c->mbs->dim * c->link[i].vectors && r->rows < TREE_ROWS; k++)
      r->own[r->rows][k] = gradyn_pattern_find(&c->natural->jac, row, component(c, &c->link[i], k));
    if (r->rows < TREE_ROWS)
      r->row[r->rows] = row;
    r->rows++;
  }
  for (int i = 0; i < c->links; i++) {
    const int wanted = size_of(c, i) - (c->link[i].bent ? 3 : 0);
    if (reacts(c, i) && c->reaction[i].rows != wanted)
      return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                         "joint coordinates: %s is tied by %d constraints, not %d: take natural "
                         "coordinates",
                         tree_link_name(c, i), c->reaction[i].rows, wanted);
    if (reacts(c, i))
      GRADYN_TRY(create_matrix(c, i));
  }
  return GRADYN_OK;
}

/* --- values ----------------------------------------------------------------------------------------- */

/* How fast the body turns about an axis of the ground by its vectors, sum of (e_i x de_i)/2; returns where
 * it ends. */
static double *put_turn(const double *X, const int *own, int axis, double *row)
{
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  for (int i = 1; i < TREE_VECTORS; i++, row += 3) {
    row[axis] = 0;
    row[last] = 0.5 * X[own[i] + next];
    row[next] = -0.5 * X[own[i] + last];
  }
  return row;
}

/* The matrix of a link at X. */
static gradyn_status factorise(tree *c, const double *X, int i)
{
  const tree_reactions *r = &c->reaction[i];
  const int size = size_of(c, i);
  double *value = gradyn_linsys_values(r->matrix);
  for (int row = 0; row < r->rows; row++)
    for (int k = 0; k < size; k++)
      if (r->own[row][k] >= 0)
        *value++ = c->J[r->own[row][k]];
  for (int row = r->rows; row < size; row++)
    value = put_turn(X, c->link[i].own, row - r->rows, value);
  const gradyn_status status = gradyn_linsys_factor(r->matrix);
  if (status == GRADYN_OK || gradyn_linsys_starved(status, c->natural->message))
    return status;
  return gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                     "the forces of joint %s are not determined: its directions are degenerate",
                     tree_link_name(c, i));
}

/* What is in c->F acts on a link: its multipliers, and their loads on all else. */
static void react(tree *c, int i, double *lam)
{
  const tree_link *link = &c->link[i];
  tree_reactions *r = &c->reaction[i];
  double b[TREE_ROWS];
  const gradyn_pattern *jac = &c->natural->jac;
  for (int k = 0; k < size_of(c, i); k++)
    b[k] = -c->F[component(c, link, k)];
  gradyn_linsys_solve_transposed(r->matrix, b, 1);
  for (int row = r->rows; row < size_of(c, i); row++)
    r->rest[row - r->rows] = b[row];
  for (int row = 0; row < r->rows; row++) {
    lam[r->row[row]] = b[row];
    for (int e = jac->start[r->row[row]]; e < jac->start[r->row[row] + 1]; e++)
      c->F[jac->col[e]] += c->J[e] * b[row];
  }
}

gradyn_status tree_react(tree *c, const gradyn_mech_state *at, double *lam)
{
  gradyn_mech *natural = c->natural;
  for (int i = 0; i < c->links; i++)
    for (int row = 0; row < c->reaction[i].rows; row++)
      lam[c->reaction[i].row[row]] = 0;
  gradyn_mech_state others = *at;
  others.lam = lam;
  GRADYN_TRY(natural->ops->residual(natural, GRADYN_DYNAMICS, &others, c->F));
  GRADYN_TRY(natural->ops->phi_q(natural, GRADYN_CONSTRAINT, 0, at, c->J));
  for (int i = c->links - 1; i >= 0; i--) {
    if (!reacts(c, i))
      continue;
    GRADYN_TRY(factorise(c, at->q, i));
    react(c, i, lam);
  }
  return GRADYN_OK;
}

/* --- derivatives ------------------------------------------------------------------------------------ */

/* dX, lane 0 of c->rows: what of the equations of motion makes up the multipliers, J dX = -lam_bar, from the
 * root to the leaves. */
static void test_links(tree *c, const double *lam_bar)
{
  const gradyn_pattern *jac = &c->natural->jac;
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const tree_reactions *r = &c->reaction[i];
    double b[TREE_ROWS] = {0};
    for (int row = 0; row < r->rows && reacts(c, i); row++) { /* own vectors are still zero */
      b[row] = -lam_bar[r->row[row]];
      for (int e = jac->start[r->row[row]]; e < jac->start[r->row[row] + 1]; e++)
        b[row] -= c->J[e] * c->rows[jac->col[e]][0];
    }
    if (reacts(c, i))
      gradyn_linsys_solve(r->matrix, b, 1);
    for (int k = 0; k < size_of(c, i); k++)
      c->rows[component(c, link, k)] = (gradyn_lanes){b[k]};
  }
}

/* Whether any of the multipliers is asked for. */
static bool any(const tree *c, const double *lam_bar)
{
  for (int i = 0; i < c->links; i++)
    for (int row = 0; row < c->reaction[i].rows && reacts(c, i); row++)
      if (lam_bar[c->reaction[i].row[row]] != 0)
        return true;
  return false;
}

/* Bars of base vectors by way of torques that turns are left with; c->rows: minus dX. */
static void rests_against(tree *c)
{
  for (int i = 0; i < c->links; i++) {
    const tree_reactions *r = &c->reaction[i];
    for (int e = 1; e < TREE_VECTORS && reacts(c, i) && r->rows < size_of(c, i); e++) {
      const int at = c->link[i].own[e];
      const double moved[3] = {c->rows[at][0], c->rows[at + 1][0], c->rows[at + 2][0]};
      double across[3];
      mbs_cross(moved, r->rest, across);
      for (int k = 0; k < 3; k++)
        c->bar[0][at + k][0] -= 0.5 * across[k];
    }
  }
}

gradyn_status tree_react_against(tree *c, const gradyn_mech_state *at, double *y_bar, double *x_bar,
                                 double *t_bar)
{
  gradyn_mech *natural = c->natural;
  const int N = natural->n, m = natural->m;
  const gradyn_mech_term term = {GRADYN_DYNAMICS, GRADYN_NO_ORDER, *at};
  const gradyn_mech_look look = {1, &term, at};
  gradyn_lanes *rows = c->rows;
  if (!any(c, y_bar + 3 * N))
    return GRADYN_OK;
  memset(rows, 0, (size_t)(N + m + natural->held) * sizeof *rows);
  test_links(c, y_bar + 3 * N);
  /* J dX into the others' bars; against() subtracts */
  memset(c->out, 0, (size_t)(N + m) * sizeof *c->out);
  gradyn_lanes_multiply(&natural->jac, m, c->J, 1, rows, c->out);
  for (int i = 0; i < m; i++)
    y_bar[3 * N + i] += c->out[i][0];
  for (int i = 0; i < N; i++)
    rows[i] = -rows[i];
  tree_begin_bars(c);
  GRADYN_TRY(natural->ops->against(
      natural, &look, 1, &rows,
      &(gradyn_mech_bars){.x = x_bar, .t = t_bar, .q = c->bar[0], .v = c->bar[1]}));
  gradyn_lanes_multiply_transposed(&natural->dyn, N, c->mbs->mass.M, -1, rows, c->bar[2]);
  rests_against(c);
  for (int order = 0; order < 3; order++)
    for (int i = 0; i < N; i++)
      y_bar[order * N + i] += c->bar[order][i][0];
  return GRADYN_OK;
}
