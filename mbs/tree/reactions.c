/* Multipliers of joints on the tree and of base vectors there, which joint coordinates do without. They
 * solve the equations of motion of the bodies in natural coordinates,
 *     R(X, X', X'', lam, d) = 0,
 * that are left when those along the joints' coordinates are met: twelve of each body for as many
 * multipliers, from the leaves, whose rows act on their parents, to the root. Rows of a joint's coordinates
 * are among them; what acts on these is not asked. So names, signs and units are those of natural
 * coordinates. A spherical joint has three rows less: along turns of its body, d(axis) = theta x axis, the
 * equations are met, and torques take what schemes leave of them. Of a body without a joint nothing is asked;
 * multipliers of its base vectors are called zero. */
#include "mbs/tree/joints.h"
#include "mbs/tree/reactions.h"

#include <string.h>

/* LAPACK, column-major. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dgetrs_(const char *trans, const int *n, const int *columns, const double *a, const int *lda,
             const int *pivots, double *b, const int *ldb, int *info, size_t trans_length);

static const int size = TREE_ROWS;

/* Whether anything goes through a joint. */
static bool reacts(const tree *c, int i)
{
  return c->link[i].joint >= 0;
}

/* --- lists ------------------------------------------------------------------------------------------ */

/* Where the Jacobian has what a row does to a body's vectors, [component]. */
static void find_entries(const tree *c, int row, const int *at, int *entry)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      entry[3 * i + k] = at[i] < 0 ? -1 : gradyn_pattern_find(&c->natural->jac, row, at[i] + k);
}

gradyn_status tree_find_reactions(tree *c)
{
  c->reaction = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *c->reaction);
  int *count = gradyn_arena_take(&c->arena, (size_t)c->links, sizeof *count);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  for (int row = 0; row < c->natural->m; row++) {
    const int i = c->left.replaced[row];
    if (i < 0)
      continue;
    tree_reactions *r = &c->reaction[i];
    r->rows = count[i] < TREE_ROWS ? count[i] + 1 : TREE_ROWS;
    if (count[i] < TREE_ROWS) {
      r->row[count[i]] = row;
      find_entries(c, row, c->link[i].own, r->own[count[i]]);
      find_entries(c, row, c->link[i].from, r->from[count[i]]);
    }
    count[i]++;
  }
  for (int i = 0; i < c->links; i++) {
    const bool turns = tree_kind_of(c->mbs, &c->link[i])->ties == TREE_POINTS;
    const int wanted = turns ? TREE_ROWS - 3 : TREE_ROWS;
    if (reacts(c, i) && count[i] != wanted)
      return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                         "joint coordinates: %s is tied by %d constraints, not %d: take natural "
                         "coordinates",
                         c->mbs->parts.body[c->link[i].body].name, count[i], wanted);
  }
  return GRADYN_OK;
}

/* --- values ----------------------------------------------------------------------------------------- */

/* How fast the body turns about an axis of the ground by its vectors, sum of (e_i x de_i)/2. */
static void put_turn(const double *X, const int *own, int axis, double *row)
{
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  memset(row, 0, TREE_ROWS * sizeof *row);
  for (int i = 1; i < TREE_VECTORS; i++) {
    row[3 * i + last] = 0.5 * X[own[i] + next];
    row[3 * i + next] = -0.5 * X[own[i] + last];
  }
}

/* The matrix of a link at X, row by row. */
static gradyn_status factorise(tree *c, const double *X, int i)
{
  tree_reactions *r = &c->reaction[i];
  int info;
  for (int row = 0; row < r->rows; row++)
    for (int k = 0; k < TREE_ROWS; k++)
      r->lu[TREE_ROWS * row + k] = r->own[row][k] >= 0 ? c->J[r->own[row][k]] : 0;
  for (int row = r->rows; row < TREE_ROWS; row++)
    put_turn(X, c->link[i].own, row - r->rows, r->lu + TREE_ROWS * row);
  dgetrf_(&size, &size, r->lu, &size, r->pivot, &info);
  if (info == 0)
    return GRADYN_OK;
  return gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                     "the forces of joint %s are not determined: its directions are degenerate",
                     c->mbs->parts.joint[c->link[i].joint].name);
}

/* J b = rhs, or its transpose, in place: LAPACK takes rows for columns. */
static void solve(const tree_reactions *r, bool transposed, double *b)
{
  const int one = 1;
  int info;
  dgetrs_(transposed ? "N" : "T", &size, &one, r->lu, &size, r->pivot, b, &size, &info, 1);
}

/* What is in c->F acts on a link: its multipliers, and their loads on its parent. */
static void react(tree *c, int i, double *lam)
{
  const tree_link *link = &c->link[i];
  tree_reactions *r = &c->reaction[i];
  double b[TREE_ROWS];
  for (int k = 0; k < TREE_ROWS; k++)
    b[k] = -c->F[link->own[k / 3] + k % 3];
  solve(r, true, b);
  for (int row = r->rows; row < TREE_ROWS; row++)
    r->rest[row - r->rows] = b[row];
  for (int row = 0; row < r->rows; row++) {
    lam[r->row[row]] = b[row];
    for (int k = 0; k < TREE_ROWS; k++)
      if (r->from[row][k] >= 0)
        c->F[link->from[k / 3] + k % 3] += c->J[r->from[row][k]] * b[row];
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
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const tree_reactions *r = &c->reaction[i];
    double b[TREE_ROWS] = {0};
    for (int row = 0; row < r->rows && reacts(c, i); row++) {
      b[row] = -lam_bar[r->row[row]];
      for (int k = 0; k < TREE_ROWS; k++)
        if (r->from[row][k] >= 0)
          b[row] -= c->J[r->from[row][k]] * c->rows[link->from[k / 3] + k % 3][0];
    }
    if (reacts(c, i))
      solve(r, false, b);
    for (int k = 0; k < TREE_ROWS; k++)
      c->rows[link->own[k / 3] + k % 3] = (gradyn_lanes){b[k]};
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
    for (int e = 1; e < TREE_VECTORS && reacts(c, i) && r->rows < TREE_ROWS; e++) {
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
  for (int order = 0; order < 3; order++)
    memset(c->bar[order], 0, (size_t)N * sizeof *c->bar[order]);
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
