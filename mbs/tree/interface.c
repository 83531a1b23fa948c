/* The interface to schemes of a mechanism in joint coordinates. It evaluates the mechanism in natural
 * coordinates: values by passes along the tree, matrices by products with unit columns, four at a time. */
#include "mbs/passes/factors.h"
#include "mbs/passes/joints.h"
#include "mbs/passes/plane_rods.h"
#include "mbs/tree/readings.h"
#include "mbs/tree/sight.h"

#include <string.h>

void tree_to_natural(tree *c, const gradyn_mech_state *at, const tree_sight *sight,
                     gradyn_mech_state *natural)
{
  if (sight->v || sight->a)
    tree_move(c, at->q, sight->v ? at->v : NULL, sight->a ? at->a : NULL);
  else /* positions are sufficient: they do not depend on velocities */
    tree_move_for(c, 1, at->q, NULL, NULL);
  memset(c->lam, 0, (size_t)tree_rows(c->natural) * sizeof *c->lam);
  for (int i = 0; i < sight->rows && at->lam; i++)
    if (c->row[i] >= 0)
      c->lam[c->row[i]] = at->lam[i];
  *natural = (gradyn_mech_state){
      .t = at->t, .q = c->X[0], .v = c->X[1], .a = c->X[2], .lam = c->lam};
  if (!at->read)
    return;
  double *read = c->lam + tree_rows(c->natural);
  for (int i = 0; i < c->left.rows; i++)
    read[c->row[i]] = at->read[i];
  natural->read = read;
}

gradyn_status tree_look_at_parts(tree *c, int parts, const gradyn_mech_state *at,
                                 gradyn_mech_term *seen)
{
  const int rows = parts & GRADYN_ALL_ROWS ? gradyn_mech_rows(&c->mech, parts) : 0;
  const tree_sight sight = {rows, parts & GRADYN_FORCE, parts & GRADYN_INERTIA};
  const double *read = NULL;
  if (c->left.readings && parts & GRADYN_FORCE && !at->read) {
    tree_to_natural(c, at, &(tree_sight){c->mech.m, true, true}, &seen->at);
    GRADYN_TRY(tree_read(c, &seen->at));
    read = seen->at.read;
  }
  tree_to_natural(c, at, &sight, &seen->at);
  if (read)
    seen->at.read = read;
  seen->parts = parts & GRADYN_FORCE ? parts | GRADYN_INERTIA : parts;
  if (c->left.rows == 0) /* no constraint of the motion remains: all other multipliers are zero */
    seen->parts &= ~GRADYN_CONSTRAINT;
  return GRADYN_OK;
}

/* Computes the loads of elements and inertia on bodies, into c->F. */
gradyn_status tree_loads(tree *c, int parts, const gradyn_mech_state *natural)
{
  GRADYN_TRY(c->natural->ops->residual(c->natural, parts & ~GRADYN_INERTIA, natural, c->F));
  if (parts & GRADYN_INERTIA)
    tree_add_inertia(c, c->F);
  return GRADYN_OK;
}

static gradyn_status residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r)
{
  tree *c = (tree *)mech;
  gradyn_mech_term seen;
  GRADYN_TRY(tree_look_at_parts(c, parts, at, &seen));
  gradyn_status status = tree_loads(c, seen.parts, &seen.at);
  tree_pull(c, r);
  if (parts & GRADYN_CONSTRAINT && at->lam)
    tree_norms_load(c, at, r);
  return status;
}

/* --- matrices --------------------------------------------------------------------------------- */

/* Sets unit columns in c->seed, from column `first` onwards; returns their number. */
static int set_seed(tree *c, int first)
{
  const int n = c->mech.n, columns = n - first < GRADYN_LANES ? n - first : GRADYN_LANES;
  memset(c->seed, 0, (size_t)n * sizeof *c->seed);
  for (int k = 0; k < columns; k++)
    c->seed[first + k][k] = 1;
  return columns;
}

/* Stores lanes as columns of a full matrix [rows][n]. */
static void store_columns(const tree *c, int rows, int first, int columns, double *values)
{
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      values[i * c->mech.n + first + k] = c->out[i][k];
}

/* y += W^T M W x with constant M, at the present position. */
static void multiply_mass(tree *c, const gradyn_lanes *x, gradyn_lanes *y)
{
  const gradyn_mech *natural = c->natural;
  tree_push(c, x);
  memset(c->F, 0, (size_t)natural->n * sizeof *c->F);
  memset(c->dF, 0, (size_t)natural->n * sizeof *c->dF);
  tree_multiply_mass(c, 1, c->dX[0], c->dF);
  tree_pull_change(c, &(tree_change){0}, y);
}

static void weigh(gradyn_mech *mech, const gradyn_mech_state *at, const gradyn_lanes *x,
                  gradyn_lanes *y)
{
  tree *c = (tree *)mech;
  tree_move(c, at->q, NULL, at->a);
  multiply_mass(c, x, y);
}

static gradyn_status tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                             double *C, double *M)
{
  tree *c = (tree *)mech;
  const int n = mech->n;
  const gradyn_mech_term term = {parts, GRADYN_NO_ORDER, *at};
  double *const matrix[3] = {K, C, M};
  const bool composed = c->own.composite && !c->plane && parts & GRADYN_INERTIA;
  if (M)
    tree_move(c, at->q, NULL, NULL);
  if (M && composed)
    tree_fill_mass(c, M);
  for (int which = composed ? 1 : 2; which >= 0; which--)
    for (int first = 0; first < n && matrix[which]; first += GRADYN_LANES) {
      const int columns = set_seed(c, first);
      const gradyn_mech_change d = {.q = which == 0 ? c->seed : NULL,
                                    .v = which == 1 ? c->seed : NULL};
      memset(c->out, 0, (size_t)n * sizeof *c->out);
      if (which < 2)
        GRADYN_TRY(tree_loads_along(c, &term, columns, &d, c->out));
      else if (parts & GRADYN_INERTIA)
        multiply_mass(c, c->seed, c->out);
      store_columns(c, n, first, columns, matrix[which]);
    }
  return M && parts & GRADYN_FORCE ? tree_readings_slopes(c, at, M, NULL) : GRADYN_OK;
}

/* Whether constraint i is requested. */
static bool requested(const gradyn_mech *mech, int parts, int i)
{
  return parts & (i < mech->m                ? GRADYN_CONSTRAINT
                  : i < mech->m + mech->held ? GRADYN_HELD
                                             : GRADYN_CONTACT);
}

bool tree_asks_others(const tree *c, int parts)
{
  return c->left.rows > 0 || (parts & GRADYN_HELD && c->mech.held > 0) ||
         (parts & GRADYN_CONTACT && c->mech.contacts > 0);
}

static gradyn_status phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                         double *value)
{
  tree *c = (tree *)mech;
  gradyn_mech_state natural;
  if (gradyn_mech_rows(mech, parts) == 0)
    return GRADYN_OK;
  gradyn_status status = GRADYN_OK;
  if (tree_asks_others(c, parts)) {
    tree_to_natural(c, at, &(tree_sight){0, order > 0, order > 1}, &natural);
    status = c->natural->ops->phi(c->natural, parts, order, &natural, c->phi);
  }
  for (int i = 0; i < tree_rows(mech); i++)
    if (requested(mech, parts, i) && c->row[i] >= 0)
      value[i] = c->phi[c->row[i]];
  if (parts & GRADYN_CONSTRAINT)
    tree_norms_values(c, order, at, value);
  return status;
}

/* Computes the requested rows of J W, with J in c->J, at the present position. */
static void fill_rows(tree *c, int parts, double *values)
{
  const int m = c->mech.m, all = m + c->mech.held;
  const struct {
    int part, first, last;
  } kind[] = {
      {GRADYN_CONSTRAINT, 0, m}, {GRADYN_HELD, m, all}, {GRADYN_CONTACT, all, tree_rows(&c->mech)}};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
    if (parts & kind[k].part)
      tree_fill_rows(c, kind[k].first, kind[k].last, values);
}

/* Phi_q = J W. */
static gradyn_status phi_q_of_places(tree *c, int parts, const gradyn_mech_state *at,
                                     double *values)
{
  gradyn_mech_state natural;
  if (tree_asks_others(c, parts)) {
    tree_to_natural(c, at, &(tree_sight){0}, &natural);
    GRADYN_TRY(c->natural->ops->phi_q(c->natural, parts & GRADYN_ALL_ROWS, 0, &natural, c->J));
    fill_rows(c, parts, values);
  }
  if (parts & GRADYN_CONSTRAINT)
    tree_norms_slopes(c, at->q, values);
  return GRADYN_OK;
}

/* Stores lanes as columns of requested rows, from `first` onwards, by pattern jac. */
static void store_rows(const tree *c, int parts, int first, int columns, double *values)
{
  const gradyn_pattern *jac = &c->mech.jac;
  for (int i = 0; i < jac->rows; i++)
    for (int e = jac->start[i]; e < jac->start[i + 1] && requested(&c->mech, parts, i); e++)
      if (jac->col[e] >= first && jac->col[e] < first + columns)
        values[e] = c->out[i][jac->col[e] - first];
}

static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *values)
{
  tree *c = (tree *)mech;
  const int n = mech->n, rows = tree_rows(mech);
  if (gradyn_mech_rows(mech, parts) == 0)
    return GRADYN_OK;
  if (order == 0)
    return phi_q_of_places(c, parts, at, values);
  const gradyn_mech_term term = {parts & GRADYN_ALL_ROWS, order, *at};
  for (int first = 0; first < n; first += GRADYN_LANES) {
    const int columns = set_seed(c, first);
    const gradyn_mech_change d = {.q = c->seed};
    memset(c->out, 0, (size_t)rows * sizeof *c->out);
    GRADYN_TRY(tree_equations_along(c, at, &term, columns, &d, c->out));
    store_rows(c, parts, first, columns, values);
  }
  return GRADYN_OK;
}

/* psi'_v of nonholonomic constraints: tangent products of psi' by rates. */
static gradyn_status psi_v(gradyn_mech *mech, const gradyn_mech_state *at, double *values)
{
  tree *c = (tree *)mech;
  const gradyn_pattern *jac = &mech->jac;
  const gradyn_mech_term term = {GRADYN_CONSTRAINT, 2, *at};
  for (int first = 0; first < mech->n; first += GRADYN_LANES) {
    const int columns = set_seed(c, first);
    const gradyn_mech_change d = {.v = c->seed};
    memset(c->out, 0, (size_t)tree_rows(mech) * sizeof *c->out);
    GRADYN_TRY(tree_equations_along(c, at, &term, columns, &d, c->out));
    for (int i = 0; i < mech->m; i++)
      for (int e = jac->start[i]; e < jac->start[i + 1] && mech->rolls[i]; e++)
        if (jac->col[e] >= first && jac->col[e] < first + columns)
          values[e] = c->out[i][jac->col[e] - first];
  }
  return GRADYN_OK;
}

static gradyn_status residual_lam(gradyn_mech *mech, const gradyn_mech_state *at, double *values)
{
  tree *c = (tree *)mech;
  gradyn_mech_state natural;
  tree_to_natural(c, at, &(tree_sight){mech->m, true, false}, &natural);
  GRADYN_TRY(c->natural->ops->residual_lam(c->natural, &natural, c->J));
  fill_rows(c, GRADYN_CONSTRAINT, values);
  tree_norms_slopes(c, at->q, values);
  return tree_readings_slopes(c, at, NULL, values);
}

static const char *is_read(const gradyn_mech *mech, int i)
{
  const tree *c = (const tree *)mech;
  return c->row[i] < 0 ? NULL : c->natural->ops->is_read(c->natural, c->row[i]);
}

static bool holds(const gradyn_mech *mech, int i, int mode)
{
  const tree *c = (const tree *)mech;
  return c->row[i] < 0 || c->natural->ops->holds(c->natural, c->row[i], mode);
}

/* Index of a constraint that is satisfied in the opposite direction; -1: none. Angles are coordinates that
 * rotate bodies, so that none can be corrected separately. */
static int reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle)
{
  (void)angle;
  tree *c = (tree *)mech;
  gradyn_mech_state natural;
  tree_to_natural(c, at, &(tree_sight){0, true, true}, &natural);
  const int all = c->natural->m + c->natural->held; /* constraints of the assembly */
  const int first = c->natural->ops->reversed(c->natural, all, &natural, NULL);
  for (int i = 0; i < rows && first >= 0; i++)
    if (c->row[i] == first)
      return i;
  return -1;
}

/* Makes the pattern of matrices, which is full for any tree, when it is first requested. */
static gradyn_status form(gradyn_mech *mech)
{
  return mech->dyn.start ? GRADYN_OK : gradyn_pattern_fill(mech->n, &mech->dyn);
}

static void activate(gradyn_mech *mech, const bool *active)
{
  tree *c = (tree *)mech;
  c->natural->ops->activate(c->natural, active);
  c->looked.orders = 0;
  if (c->plane)
    plane_activate(c, active);
  for (int i = 0; i < c->links && !c->plane; i++) {
    tree_link *link = &c->link[i];
    link->active = false;
    for (int k = 0; k < link->data; k++) {
      link->datum[k].active = !active || active[link->datum[k].at];
      link->active = link->active || link->datum[k].active;
    }
  }
}

/* --- lists of elements ------------------------------------------------------------------------ */

/* During calls of schemes, replaced constraints and points that only these use are not listed. All other
 * users of the natural mechanism see the complete lists. */
void tree_hide_replaced(tree *c)
{
  const tree_left *left = &c->left;
  gradyn_mbs *m = c->mbs;
  c->left.all = (tree_aside){m->lists, m->attached, m->places_active};
  m->lists = left->lists;
  m->attached = left->attached;
  m->places_active = left->all.places_active && left->positions;
}

gradyn_status tree_restore_lists(tree *c, gradyn_status status)
{
  gradyn_mbs *m = c->mbs;
  m->lists = c->left.all.lists;
  m->attached = c->left.all.attached;
  m->places_active = c->left.all.places_active;
  return status;
}

static gradyn_status residual_of_left(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                      double *r)
{
  if (plane_rods_serve((tree *)mech, parts)) { /* this function uses no elements */
    plane_rods_residual((tree *)mech, parts, at, r);
    return GRADYN_OK;
  }
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, residual(mech, parts, at, r));
}

static gradyn_status tangent_of_left(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                     double *K, double *C, double *M)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, tangent(mech, parts, at, K, C, M));
}

static gradyn_status phi_of_left(gradyn_mech *mech, int parts, int order,
                                 const gradyn_mech_state *at, double *value)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, phi(mech, parts, order, at, value));
}

static gradyn_status phi_q_of_left(gradyn_mech *mech, int parts, int order,
                                   const gradyn_mech_state *at, double *values)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, phi_q(mech, parts, order, at, values));
}

static gradyn_status psi_v_of_left(gradyn_mech *mech, const gradyn_mech_state *at, double *values)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, psi_v(mech, at, values));
}

static gradyn_status residual_lam_of_left(gradyn_mech *mech, const gradyn_mech_state *at,
                                          double *values)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, residual_lam(mech, at, values));
}

static gradyn_status along_left(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, tree_along(mech, look, columns, d, r));
}

static gradyn_status against_left(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                  gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  if (look->terms == 1 && plane_rods_serve((tree *)mech, look->term->parts))
    return tree_products_against(mech, look, columns, mu, adjoints);
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, tree_products_against(mech, look, columns, mu, adjoints));
}

static gradyn_status factor_left(gradyn_mech *mech, const gradyn_mech_state *at, double *f,
                                 double *S, int *weak)
{
  if (plane_rods_serve((tree *)mech, GRADYN_DYNAMICS))
    return tree_factor(mech, at, f, S, weak);
  tree_hide_replaced((tree *)mech);
  return tree_restore_lists((tree *)mech, tree_factor(mech, at, f, S, weak));
}

static void settle(gradyn_mech *mech, gradyn_lanes *sums, gradyn_lanes *lanes)
{
  plane_rods_settle((tree *)mech, sums, lanes);
}

const gradyn_mech_ops tree_mech_ops = {.residual = residual_of_left,
                                       .tangent = tangent_of_left,
                                       .residual_lam = residual_lam_of_left,
                                       .phi = phi_of_left,
                                       .phi_q = phi_q_of_left,
                                       .psi_v = psi_v_of_left,
                                       .form = form,
                                       .factor = factor_left,
                                       .enter = tree_enter,
                                       .leave = tree_leave,
                                       .weigh = weigh,
                                       .along = along_left,
                                       .against = against_left,
                                       .settle = settle,
                                       .activate = activate,
                                       .holds = holds,
                                       .is_read = is_read,
                                       .row_size = tree_row_size_of_bodies,
                                       .reversed = reversed,
                                       .carry = tree_carry};
