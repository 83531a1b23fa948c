/* gradyn_evaluator_check() must find a factor 1 + 1e-6 in functions without a table: kernels of rods and of
 * scalar products, and contributions of ground, attached and free points to all elements. The error is
 * planted between the mechanism and its callers: the contribution of the element or of the datum alone is
 * added once more, or left out. */
#include "tests/adjoint/check/planted.h"
#include "tests/support.h"

typedef enum block {
  NOTHING,
  ROD_PHI_Q,
  ROD_PHI_Q_RATE,
  ROD_PHI_Q_SECOND,
  ROD_HESSIAN,
  ROD_FORCE_BY_LENGTH,
  ROD_PHI_BY_LENGTH,
  ROD_PRODUCT, /* derivatives of the rod's row with respect to q and v, in forward products */
  PLACE,
  LOST, /* data that transposed products leave out */
  FREE
} block;

/* The planted error: the block, and the rod, or the data or coordinate of a point. */
static struct {
  block in;
  int row, first, end;
  const gradyn_mech_ops *right;
} planted;

static const double part = PLANTED;

/* Restricts the mechanism to the rod if all elements are active and returns true. Returns false if another
 * element is already isolated. */
static bool enter(gradyn_mech *mech, bool *all)
{
  const gradyn_mbs *m = (gradyn_mbs *)mech;
  *all = !m->whole.kept;
  if (*all) {
    planted.right->isolate(mech, planted.row);
    planted.right->activate(mech, NULL);
  }
  return (m->lists.rods == 1 && m->lists.rod->row == planted.row) ||
         (m->lists.dots == 1 && m->lists.dot->row == planted.row);
}

static void leave(gradyn_mech *mech, bool all)
{
  if (!all)
    return;
  planted.right->isolate(mech, -1);
  planted.right->activate(mech, NULL);
}

static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *values)
{
  gradyn_status status = planted.right->phi_q(mech, parts, order, at, values);
  const gradyn_pattern *jac = &mech->jac;
  if ((int)planted.in == ROD_PHI_Q + order && planted.row >= 0)
    for (int k = jac->start[planted.row]; k < jac->start[planted.row + 1]; k++)
      values[k] *= 1 + part;
  return status;
}

/* Tangent matrix with a planted error in K of the rod, or in the columns of a free point. */
static gradyn_status tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                             double *C, double *M)
{
  gradyn_status status = planted.right->tangent(mech, parts, at, K, C, M);
  bool all;
  for (int k = 0; k < mech->dyn.nnz && K && planted.in == FREE; k++)
    if (mech->dyn.col[k] >= planted.first && mech->dyn.col[k] < planted.end)
      K[k] *= 1 + part;
  if (!K || planted.in != ROD_HESSIAN)
    return status;
  FREED double *own = terms_zeros(mech->dyn.nnz + 1);
  if (enter(mech, &all))
    planted.right->tangent(mech, parts, at, own, NULL, NULL);
  leave(mech, all);
  for (int k = 0; k < mech->dyn.nnz; k++)
    K[k] += part * own[k];
  return status;
}

/* Returns whether row i of term k is present and belongs to the block. */
static bool counts(const gradyn_mech *mech, const gradyn_mech_point *look, int k, int i)
{
  bool there = i < mech->n + mech->m || look->term[k].parts & GRADYN_HELD;
  return there && (planted.in == PLACE || (planted.in == ROD_FORCE_BY_LENGTH) == (i < mech->n));
}

static bool in_data(int k)
{
  return planted.in < PLACE || (k >= planted.first && k < planted.end);
}

static int rows_of(const gradyn_mech *mech)
{
  return mech->n + mech->m + mech->held;
}

/* Rows of all terms in one array. NULL mu: zeros, otherwise the rows of the block. */
static gradyn_lanes *rows_for(const gradyn_mech *mech, const gradyn_mech_point *look,
                              gradyn_lanes *const *mu, gradyn_lanes *to[])
{
  int rows = rows_of(mech);
  gradyn_lanes *own = gradyn_lanes_create((size_t)(GRADYN_MECH_TERMS * rows));
  for (int k = 0; k < look->terms; k++) {
    to[k] = own + k * rows;
    for (int i = 0; i < rows && mu; i++)
      if (counts(mech, look, k, i))
        to[k][i] = mu[k][i];
  }
  return own;
}

static gradyn_status along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  gradyn_status status = planted.right->along(mech, look, columns, d, r);
  gradyn_lanes *to[GRADYN_MECH_TERMS];
  int nx = mech->nx;
  bool all = false, product = planted.in == ROD_PRODUCT;
  if (planted.in < ROD_FORCE_BY_LENGTH || planted.in > PLACE ||
      !(product ? d->q != NULL : d->x != NULL))
    return status;
  FREED gradyn_lanes *own = rows_for(mech, look, NULL, to);
  FREED double *some = terms_zeros(columns * nx);
  for (int k = 0; k < columns * nx && !product; k++)
    some[k] = in_data(k % nx) ? d->x[k] : 0;
  if (planted.in == PLACE || enter(mech, &all))
    planted.right->along(mech, look, columns, product ? d : &(gradyn_mech_change){.x = some}, to);
  leave(mech, all);
  for (int k = 0; k < look->terms; k++)
    for (int i = 0; i < rows_of(mech); i++)
      if (counts(mech, look, k, i))
        r[k][i] += part * to[k][i];
  return status;
}

static gradyn_status against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                             gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_status status = planted.right->against(mech, look, columns, mu, adjoints);
  gradyn_lanes *to[GRADYN_MECH_TERMS];
  int nx = mech->nx;
  bool all = false;
  for (int k = 0; k < columns * nx && planted.in == LOST && adjoints->x; k++)
    adjoints->x[k] = in_data(k % nx) ? 0 : adjoints->x[k];
  if (planted.in < ROD_FORCE_BY_LENGTH || planted.in == ROD_PRODUCT || planted.in > PLACE ||
      !adjoints->x)
    return status;
  FREED gradyn_lanes *own = rows_for(mech, look, mu, to);
  FREED double *x_bar = terms_zeros(columns * nx);
  if (planted.in == PLACE || enter(mech, &all))
    planted.right->against(mech, look, columns, to, &(gradyn_mech_adjoints){.x = x_bar});
  leave(mech, all);
  for (int k = 0; k < columns * nx; k++)
    if (in_data(k % nx))
      adjoints->x[k] += part * x_bar[k];
  return status;
}

/* --- checking --------------------------------------------------------------------------------- */

static void expect(terms_scene *s, const char *who, const char *what)
{
  bool named;
  int failures = planted_check(s, false, who, what, &named);
  if (!named)
    fail_msg("block %d, \"%s\", \"%s\": not %s", (int)planted.in, who, what,
             failures > 0 ? "named" : "found");
}

/* Checks the blocks of a constraint, up to the last one that its kernels compute. */
static void check_row(terms_scene *s, int row, block last)
{
  static const char *const item[] = {[ROD_PHI_Q] = "Phi_q",
                                     [ROD_PHI_Q_RATE] = "Phi'_q",
                                     [ROD_PHI_Q_SECOND] = "Phi\'\'_q",
                                     [ROD_HESSIAN] = "K = dR/dq",
                                     [ROD_FORCE_BY_LENGTH] = "dR/dx",
                                     [ROD_PHI_BY_LENGTH] = "dPhi",
                                     [ROD_PRODUCT] = "Phi by q and v"};
  const gradyn_mbs *m = s->model->impl;
  const mbs_element *e = &m->constraints.item[row];
  char who[100];
  planted.row = row;
  snprintf(who, sizeof who, "%s %s: ", e->ops->kind, e->name);
  for (block in = ROD_PHI_Q; in <= last; in++) {
    planted.in = in;
    expect(s, who, item[in]);
  }
}

/* Checks a rod between two moving points, a length and a scalar product. */
static void check_kernels(terms_scene *s)
{
  const mbs_lists *l = &((gradyn_mbs *)s->model->impl)->lists;
  if (l->rods > 1)
    check_row(s, l->rod[1].row, ROD_PRODUCT);
  for (int i = 0; i < 2 && l->dots > 1; i++)
    check_row(s, l->dot[i].row, ROD_HESSIAN);
  assert_true(l->rods > 1 || l->dots > 1);
}

/* Checks the data of a ground or attached point, taken together, or the coordinates of a free one. */
static void check_place(terms_scene *s, const mbs_point *p)
{
  char what[100];
  planted.row = -1;
  if (p->kind == MBS_MOVING) {
    planted.in = FREE;
    planted.first = p->offset;
    planted.end = p->offset + ((gradyn_mbs *)s->model->impl)->dim;
    snprintf(what, sizeof what, "at %s.", p->name);
    expect(s, "K = dR/dq", what);
    return;
  }
  planted.in = PLACE;
  for (int k = 0; k < p->carriers; k++)
    planted.first = p->carrier[k].datum;
  if (p->kind == MBS_GROUND)
    planted.first = p->x;
  planted.end = planted.first + 1;
  snprintf(what, sizeof what, "at %s", s->model->entry[planted.first].name);
  expect(s, ": ", what);
  /* these products are the only source of the elements' derivatives, so the comparison of the whole
   * gradient finds the error */
  planted.in = LOST;
  expect(s, ", transposed", what);
}

static void check_model(gradyn_build_fn build, const char *const *points, int count)
{
  terms_local s;
  terms_open(&s, build);
  s.node.t = 0.7; /* between knots */
  gradyn_mbs *m = s.model->impl;
  gradyn_mech_ops wrong = *m->mech.ops;
  planted.right = m->mech.ops;
  wrong.phi_q = phi_q;
  wrong.tangent = tangent;
  wrong.along = along;
  wrong.against = against;
  m->mech.ops = &wrong;
  if (count == 0)
    check_kernels(&s);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < m->points; i++)
      if (strcmp(m->point[i].name, points[k]) == 0)
        check_place(&s, &m->point[i]);
  planted.in = NOTHING;
  m->mech.ops = planted.right;
}

TEST(blocks_of_kernels_are_named)
{
  check_model(terms_models[0].build, NULL, 0);
  check_model(terms_bodies, NULL, 0);
}

TEST(positions_are_named)
{
  check_model(terms_models[0].build, (const char *const[]){"A", "P"}, 2);
  check_model(terms_carried, (const char *const[]){"D", "E", "C"}, 3);
}
