/* Products with derivatives by data, time and state, from products of the mechanism in natural coordinates.
 * The map to natural coordinates has other derivatives in each state, so residuals and constraints are
 * evaluated separately. The equations of motion at a node are an exception. */
#include "mbs/passes/joints.h"
#include "mbs/passes/plane_rods.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/sight.h"

#include <string.h>

static void clear(gradyn_lanes *lanes, int count)
{
  memset(lanes, 0, (size_t)count * sizeof *lanes);
}

/* --- tangent products ------------------------------------------------------------------------- */

/* Computes dX, dX', dX''. Returns the change of the natural state for products of elements. */
static gradyn_mech_change follow_along(tree *c, const gradyn_mech_change *d, int columns,
                                       tree_change *change)
{
  *change = (tree_change){d->q, d->v, d, columns};
  tree_follow(c, change);
  return (gradyn_mech_change){
      .x = d->x, .lanes = d->lanes, .t = d->t, .q = c->dX[0], .v = c->dX[1]};
}

/* Whether a term is evaluated together with the multipliers that forces need: it has all parts, and
 * multipliers. */
static bool reads_whole(const tree *c, const gradyn_mech_term *term)
{
  return tree_reads(c, term) && term->parts == GRADYN_DYNAMICS && term->at.lam;
}

/* Finds the natural term of a term's loads, and computes these loads into c->F. */
static gradyn_status look_at_loads(tree *c, const gradyn_mech_term *term, gradyn_mech_term *seen)
{
  if (reads_whole(c, term))
    return tree_look_at_readings(c, &term->at, seen);
  seen->order = GRADYN_NO_ORDER;
  GRADYN_TRY(tree_look_at_parts(c, term->parts, &term->at, seen));
  return tree_loads(c, seen->parts, &seen->at);
}

/* Changes in natural coordinates, into c->rows and, for loads, c->dF; with multiplier-dependent forces if
 * `all`. The change c->dX[2] of accelerations is not in *moved. */
static gradyn_status ask_along(tree *c, bool all, const gradyn_mech_term *seen, int columns,
                               const gradyn_mech_change *moved)
{
  GRADYN_TRY(tree_ask_along(c, all, seen, columns, moved));
  memcpy(c->dF, c->rows, (size_t)c->natural->n * sizeof *c->dF);
  if (seen->parts & GRADYN_INERTIA)
    tree_multiply_mass(c, 1, c->dX[2], c->dF);
  return GRADYN_OK;
}

/* Adds the changes of forces by multipliers, if the term does not include them. */
static gradyn_status readings_along(tree *c, const gradyn_mech_term *term, int columns,
                                    const gradyn_mech_change *d, gradyn_lanes *r)
{
  gradyn_mech_term seen;
  tree_change change;
  if (!tree_reads(c, term) || reads_whole(c, term))
    return GRADYN_OK;
  GRADYN_TRY(tree_look_at_readings(c, &term->at, &seen));
  const gradyn_mech_change moved = follow_along(c, d, columns, &change);
  GRADYN_TRY(ask_along(c, false, &seen, columns, &moved));
  tree_read_along(c, &change, r);
  return GRADYN_OK;
}

gradyn_status tree_equations_along(tree *c, const gradyn_mech_state *node,
                                   const gradyn_mech_term *term, int columns,
                                   const gradyn_mech_change *d, gradyn_lanes *r)
{
  gradyn_mech *natural = c->natural;
  gradyn_mech_term seen = {.parts = term->parts & GRADYN_ALL_ROWS, .order = term->order};
  tree_change change;
  gradyn_lanes *rows = c->rows;
  tree_norms_values_along(c, term->order, node, d, r);
  if (!tree_asks_others(c, term->parts))
    return GRADYN_OK;
  tree_to_natural(c, node, &(tree_sight){0, term->order > 0, term->order > 1}, &seen.at);
  if (term->order == 2) /* for the part of dX'' that is not in `moved` */
    GRADYN_TRY(natural->ops->phi_q(natural, GRADYN_ALL_ROWS, 0, &seen.at, c->J));
  const gradyn_mech_point look = {1, &seen, &seen.at};
  const gradyn_mech_change moved = follow_along(c, d, columns, &change);
  clear(c->rows, natural->n + tree_rows(natural));
  GRADYN_TRY(natural->ops->along(natural, &look, columns, &moved, &rows));
  if (term->order == 2)
    gradyn_lanes_multiply(&natural->jac, tree_rows(natural), c->J, 1, c->dX[2],
                          c->rows + natural->n);
  for (int i = 0; i < gradyn_mech_rows(&c->mech, term->parts); i++)
    if (c->row[i] >= 0)
      r[i] += c->rows[natural->n + c->row[i]];
  return GRADYN_OK;
}

/* Whether a term is the equations of motion of the node. Then one evaluation of the natural mechanism gives
 * residual and constraints. */
static bool is_motion(const tree *c, const gradyn_mech_point *look, const gradyn_mech_term *term)
{
  const gradyn_mech_state *at = &term->at, *node = look->node;
  return c->left.rows > 0 && term->order == 2 && term->parts == GRADYN_DYNAMICS && at->lam &&
         at->q == node->q && at->v == node->v && at->a == node->a && at->t == node->t;
}

/* For a term that is the equations of motion: finds the natural term, the loads, into c->F, and J, into *J.
 */
static gradyn_status look_at_motion(tree *c, const gradyn_mech_term *term, gradyn_mech_term *seen,
                                    const double **J)
{
  const bool whole = reads_whole(c, term);
  GRADYN_TRY(look_at_loads(c, term, seen));
  seen->order = 2;
  *J = whole ? c->left.readings->J : c->J;
  return whole ? GRADYN_OK
               : c->natural->ops->phi_q(c->natural, GRADYN_CONSTRAINT, 0, &seen->at, c->J);
}

/* Changes of the loads of a term; for the equations of motion, also those of the constraints, which follow.
 */
static gradyn_status loads_along(tree *c, bool motion, const gradyn_mech_term *term, int columns,
                                 const gradyn_mech_change *d, gradyn_lanes *r)
{
  const gradyn_mech *natural = c->natural;
  const bool whole = reads_whole(c, term);
  const double *J = NULL;
  gradyn_mech_term seen;
  tree_change change;
  GRADYN_TRY(motion ? look_at_motion(c, term, &seen, &J) : look_at_loads(c, term, &seen));
  const gradyn_mech_change moved = follow_along(c, d, columns, &change);
  GRADYN_TRY(ask_along(c, true, &seen, columns, &moved));
  if (motion) {
    gradyn_lanes_multiply(&natural->jac, natural->m, J, 1, c->dX[2], c->rows + natural->n);
    for (int i = 0; i < c->left.rows; i++)
      r[c->mech.n + i] += c->rows[natural->n + c->row[i]];
    tree_norms_values_along(c, 2, &term->at, d, r + c->mech.n);
  }
  if (whole)
    tree_read_along(c, &change, r);
  tree_pull_change(c, &change, r);
  if (term->parts & GRADYN_CONSTRAINT && term->at.lam)
    tree_norms_load_along(c, &term->at, d, r);
  return readings_along(c, term, columns, d, r);
}

gradyn_status tree_loads_along(tree *c, const gradyn_mech_term *term, int columns,
                               const gradyn_mech_change *d, gradyn_lanes *r)
{
  return loads_along(c, false, term, columns, d, r);
}

gradyn_status tree_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  tree *c = (tree *)mech;
  for (int k = 0; k < look->terms; k++) {
    const gradyn_mech_term *term = &look->term[k];
    const bool motion = is_motion(c, look, term);
    GRADYN_TRY(loads_along(c, motion, term, columns, d, r[k]));
    if (term->order >= 0 && !motion)
      GRADYN_TRY(tree_equations_along(c, look->node, term, columns, d, r[k] + mech->n));
  }
  return GRADYN_OK;
}

/* --- transposed products ---------------------------------------------------------------------- */

/* Adjoints of the natural state, to which elements add. Positions are always included, because data of
 * joints move them. */
static gradyn_mech_adjoints ask(tree *c, const gradyn_mech_adjoints *adjoints)
{
  tree_clear_adjoints(c);
  return (gradyn_mech_adjoints){
      .x = adjoints->x, .lanes = adjoints->lanes, .t = adjoints->t, .q = c->bar[0], .v = c->bar[1]};
}

/* Computes W mu of a term, into c->dX[0]. Returns the factors of the natural equations: c->dX[0], or
 * c->rows, which also has the part of multiplier-dependent forces. */
static gradyn_lanes *push_rows(tree *c, const gradyn_mech_term *term, const gradyn_lanes *mu)
{
  tree_push(c, mu);
  if (!reads_whole(c, term))
    return c->dX[0];
  memcpy(c->rows, c->dX[0], (size_t)c->natural->n * sizeof *c->rows);
  tree_read_test(c, mu);
  return c->rows;
}

/* Adjoints of X, X', X'' by the natural equations, multiplied by `rows`; with multiplier-dependent forces
 * if `all`. With `reads`, also by the multipliers of these forces. */
static gradyn_status ask_against(tree *c, bool all, bool reads, const gradyn_mech_term *seen,
                                 int columns, gradyn_lanes *rows,
                                 const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech_adjoints asked = ask(c, adjoints);
  GRADYN_TRY(tree_ask_against(c, all, seen, columns, rows, &asked));
  if (seen->parts & GRADYN_INERTIA)
    tree_multiply_mass(c, -1, rows, c->bar[2]);
  if (reads)
    tree_read_against(c, &(tree_adjoints){.data = adjoints, .columns = columns});
  return GRADYN_OK;
}

/* Transpose of the part of a term's loads that depends on the state through multipliers. */
static gradyn_status readings_against(tree *c, const gradyn_mech_term *term, int columns,
                                      const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_mech_term seen;
  if (!tree_reads(c, term) || reads_whole(c, term))
    return GRADYN_OK;
  GRADYN_TRY(tree_look_at_readings(c, &term->at, &seen));
  clear(c->rows, c->natural->n + tree_rows(c->natural));
  tree_read_test(c, mu);
  GRADYN_TRY(ask_against(c, false, true, &seen, columns, c->rows, adjoints));
  tree_against(c, &(tree_adjoints){adjoints->q, adjoints->v, NULL, NULL, adjoints, columns, 3});
  return GRADYN_OK;
}

/* Transpose of tree_equations_along() for mu [rows of the term]. */
static gradyn_status equations_against(tree *c, const gradyn_mech_point *look,
                                       const gradyn_mech_term *term, int columns,
                                       const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_mech *natural = c->natural;
  const int N = natural->n;
  gradyn_mech_term seen = {.parts = term->parts & GRADYN_ALL_ROWS, .order = term->order};
  gradyn_lanes *rows = c->rows;
  tree_norms_values_against(c, term->order, look->node, mu, adjoints);
  if (!tree_asks_others(c, term->parts))
    return GRADYN_OK;
  tree_to_natural(c, look->node, &(tree_sight){0, term->order > 0, term->order > 1}, &seen.at);
  if (term->order == 2) /* for the part of X'' that depends on the state */
    GRADYN_TRY(natural->ops->phi_q(natural, GRADYN_ALL_ROWS, 0, &seen.at, c->J));
  const gradyn_mech_point one = {1, &seen, &seen.at};
  clear(c->rows, N + tree_rows(natural));
  for (int i = 0; i < gradyn_mech_rows(&c->mech, term->parts); i++)
    if (c->row[i] >= 0)
      c->rows[N + c->row[i]] = mu[i];
  const gradyn_mech_adjoints all = ask(c, adjoints);
  GRADYN_TRY(natural->ops->against(natural, &one, columns, &rows, &all));
  if (term->order == 2)
    gradyn_lanes_multiply_transposed(&natural->jac, tree_rows(natural), c->J, -1, c->rows + N,
                                     c->bar[2]);
  tree_against(c, &(tree_adjoints){adjoints->q, adjoints->v, NULL, NULL, adjoints, columns, 3});
  return GRADYN_OK;
}

/* Transpose of tree_loads_along() for mu. With `motion`, also of the constraints of accelerations. */
static gradyn_status loads_against(tree *c, bool motion, const gradyn_mech_term *term, int columns,
                                   const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech *natural = c->natural;
  const double *J = NULL;
  gradyn_mech_term seen;
  GRADYN_TRY(motion ? look_at_motion(c, term, &seen, &J) : look_at_loads(c, term, &seen));
  gradyn_lanes *rows = push_rows(c, term, mu);
  if (motion) {
    if (rows != c->rows)
      memcpy(c->rows, rows, (size_t)natural->n * sizeof *rows);
    rows = c->rows;
    clear(rows + natural->n, natural->m);
    for (int i = 0; i < c->left.rows; i++)
      rows[natural->n + c->row[i]] = mu[c->mech.n + i];
  }
  GRADYN_TRY(ask_against(c, true, reads_whole(c, term), &seen, columns, rows, adjoints));
  if (motion)
    gradyn_lanes_multiply_transposed(&natural->jac, natural->m, J, -1, rows + natural->n,
                                     c->bar[2]);
  tree_against(c, &(tree_adjoints){adjoints->q, adjoints->v, NULL, mu, adjoints, columns, 3});
  if (term->parts & GRADYN_CONSTRAINT && term->at.lam)
    tree_norms_load_against(c, &term->at, mu, adjoints);
  if (motion)
    tree_norms_values_against(c, 2, &term->at, mu + c->mech.n, adjoints);
  return readings_against(c, term, columns, mu, adjoints);
}

gradyn_status tree_products_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                    gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  tree *c = (tree *)mech;
  for (int k = 0; k < look->terms; k++) {
    const gradyn_mech_term *term = &look->term[k];
    const bool motion = is_motion(c, look, term);
    if (!motion && plane_rods_serve(c, term->parts))
      plane_rods_against(c, term, columns, mu[k], adjoints);
    else
      GRADYN_TRY(loads_against(c, motion, term, columns, mu[k], adjoints));
    if (term->order >= 0 && !motion)
      GRADYN_TRY(equations_against(c, look, term, columns, mu[k] + mech->n, adjoints));
  }
  return GRADYN_OK;
}
