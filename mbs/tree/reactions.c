/* Multipliers of joints in the tree and of their base vectors, which joint coordinates eliminate. They
 * satisfy the equations of motion of the bodies in natural coordinates,
 *     R(X, X', X'', lam, d) = 0.
 * If the equations along joint coordinates are satisfied, the remaining ones determine the multipliers. The
 * solution runs from the leaves to the root. Each body gives as many equations as multipliers; its
 * constraints also act on its parent. Constraints of a joint's coordinates are among them; forces on these
 * coordinates are not needed. Names, signs and units are as in natural coordinates. A spherical joint has
 * three constraints less. Along rotations of its body, d(axis) = theta x axis, the equations are satisfied,
 * and torques take the part that schemes leave of them. For a body without a joint, no multipliers are
 * computed; the multipliers of its base vectors are set to zero. */
#include "mbs/passes/joints.h"
#include "mbs/tree/reactions.h"
#include "mbs/passes/passes.h"
#include "mbs/tree/choose.h"

#include <string.h>

/* Whether the joint of link i transmits forces. */
static bool reacts(const tree *c, int i)
{
  return c->plane || c->link[i].joint >= 0;
}

/* --- lists ------------------------------------------------------------------------------------ */

/* Component k of a link's vectors in X. */
static int component(const tree *c, const tree_link *link, int k)
{
  return link->own[k / c->mbs->dim] + k % c->mbs->dim;
}

/* Number of components of a link's vectors, which is the size of its matrix. */
static int size_of(const tree *c, int i)
{
  return c->mbs->dim * c->link[i].vectors;
}

/* Creates the matrix of a link: constraints, followed by rotations, which involve the base vectors. */
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
    const int requested = size_of(c, i) - (c->link[i].bent ? 3 : 0);
    if (reacts(c, i) && c->reaction[i].rows != requested)
      return gradyn_fail(c->natural->message, GRADYN_UNSUPPORTED,
                         "joint coordinates: %s has %d constraints instead of %d. Use natural "
                         "coordinates",
                         tree_link_name(c, i), c->reaction[i].rows, requested);
    if (reacts(c, i))
      GRADYN_TRY(create_matrix(c, i));
  }
  return GRADYN_OK;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Writes the rotation of the body about an axis of the ground as a row for its vectors, sum of (e_i x
 * de_i)/2; returns the end of the row. */
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

/* Forms and factorises the matrix of a link at X. */
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
  if (status == GRADYN_OK || gradyn_linsys_solver_failed(status, c->natural->message))
    return status;
  return gradyn_fail(c->natural->message, GRADYN_SINGULAR,
                     "the forces of joint %s are not determined: its directions are degenerate",
                     tree_link_name(c, i));
}

/* Computes the multipliers of a link from loads in c->F, and adds their loads to other bodies. */
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

/* --- derivatives ------------------------------------------------------------------------------ */

/* Computes into c->rows the factors dX of the equations of motion for adjoints of the multipliers, J
 * dX = -lam_bar. Runs from the root to the leaves. */
static void test_links(tree *c, const gradyn_lanes *lam_bar)
{
  const gradyn_pattern *jac = &c->natural->jac;
  for (int i = 0; i < c->links; i++) {
    const tree_link *link = &c->link[i];
    const tree_reactions *r = &c->reaction[i];
    gradyn_lanes b[TREE_ROWS] = {{0}};
    /* entries of the link's own vectors are still zero */
    for (int row = 0; row < r->rows && reacts(c, i); row++) {
      b[row] = -lam_bar[r->row[row]];
      for (int e = jac->start[r->row[row]]; e < jac->start[r->row[row] + 1]; e++)
        b[row] -= c->J[e] * c->rows[jac->col[e]];
    }
    if (reacts(c, i))
      gradyn_linsys_solve_lanes(c->reaction[i].matrix, false, GRADYN_LANES, b);
    for (int k = 0; k < size_of(c, i); k++)
      c->rows[component(c, link, k)] = b[k];
  }
}

/* Computes the adjoints of X'' and of the remaining multipliers from those of the tree's multipliers. */
static void react_test(tree *c, const gradyn_lanes *lam_bar, gradyn_lanes *left_bar)
{
  const gradyn_mech *natural = c->natural;
  memset(c->rows, 0, (size_t)(natural->n + natural->m + natural->held) * sizeof *c->rows);
  test_links(c, lam_bar);
  if (left_bar)
    gradyn_lanes_multiply(&natural->jac, natural->m, c->J, 1, c->rows, left_bar);
  for (int i = 0; i < natural->n; i++) /* transposed products subtract */
    c->rows[i] = -c->rows[i];
  tree_clear_adjoints(c);
  gradyn_lanes_multiply_transposed(&natural->dyn, natural->n, c->mbs->mass.M, -1, c->rows,
                                   c->bar[2]);
}

/* Adds the adjoints of base vectors that follow from torques along rotations; c->rows has minus dX. */
static void rests_against(tree *c)
{
  for (int i = 0; i < c->links; i++) {
    const tree_reactions *r = &c->reaction[i];
    for (int e = 1; e < TREE_VECTORS && reacts(c, i) && r->rows < size_of(c, i); e++) {
      const int at = c->link[i].own[e];
      for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        c->bar[0][at + k] -= 0.5 * (r->rest[last] * c->rows[at + next] -
                                    r->rest[next] * c->rows[at + last]);
      }
    }
  }
}

gradyn_status tree_react_against(tree *c, const gradyn_mech_state *at, int columns,
                                 const gradyn_lanes *lam_bar, gradyn_lanes *left_bar,
                                 const gradyn_mech_adjoints *data)
{
  const gradyn_mech_term term = {GRADYN_DYNAMICS, GRADYN_NO_ORDER, *at};
  const gradyn_mech_point look = {1, &term, at};
  react_test(c, lam_bar, left_bar);
  gradyn_mech_adjoints adjoints = *data;
  adjoints.q = c->bar[0];
  adjoints.v = c->bar[1];
  GRADYN_TRY(c->natural->ops->against(c->natural, &look, columns, &c->rows, &adjoints));
  rests_against(c);
  return GRADYN_OK;
}
