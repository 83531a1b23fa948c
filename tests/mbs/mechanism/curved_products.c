/* A body given by x, y and an angle: products with derivatives with respect to data, time and state, from
 * those of the mechanism in natural coordinates. Residuals and equations are requested separately, because
 * the nonlinear coordinates enter each at a different state. */
#include "tests/mbs/mechanism/curved.h"

#include <string.h>

/* dX, dX', dX''. */
static void follow(const curved *c, const curved_place *p, const gradyn_mech_change *d,
                   gradyn_lanes (*X)[CURVED_FULL])
{
  memset(X, 0, 3 * sizeof *X);
  for (int i = 0; i < c->natural->n; i++)
    for (int k = 0; k < c->mech.n; k++) {
      for (int order = 0; order < 3 && d->q; order++)
        X[order][i] += p->W[order][i][k] * d->q[k];
      if (!d->v)
        continue;
      X[1][i] += p->W[0][i][k] * d->v[k];
      X[2][i] += 2 * p->W[1][i][k] * d->v[k];
    }
}

void curved_pull(const curved *c, const curved_place *p, gradyn_lanes (*bar)[CURVED_FULL],
                 gradyn_lanes *q, gradyn_lanes *v, gradyn_lanes *a)
{
  for (int k = 0; k < c->mech.n; k++)
    for (int i = 0; i < c->natural->n; i++) {
      for (int order = 0; order < 3 && q; order++)
        q[k] += p->W[order][i][k] * bar[order][i];
      if (v)
        v[k] += p->W[0][i][k] * bar[1][i] + 2 * p->W[1][i][k] * bar[2][i];
      if (a)
        a[k] += p->W[0][i][k] * bar[2][i];
    }
}

/* The residual of a term, as requested from the natural coordinates. */
typedef struct loads {
  curved_state f;
  gradyn_mech_term term;
  gradyn_mech_point look;
  bool moved;
  double H[CURVED_OWN * CURVED_OWN]; /* (W^T R)_q at fixed R, if the state changes */
} loads;

static gradyn_status begin_loads(const curved *c, const gradyn_mech_term *term, bool moved,
                                 loads *l)
{
  gradyn_mech *natural = c->natural;
  double R[CURVED_FULL];
  int parts = curved_look_at_parts(c, term->parts, &term->at, &l->f);
  l->term = (gradyn_mech_term){parts, GRADYN_NO_ORDER, l->f.state};
  l->look = (gradyn_mech_point){1, &l->term, &l->term.at};
  l->moved = moved;
  if (!moved)
    return GRADYN_OK;
  gradyn_status status = natural->ops->residual(natural, parts, &l->f.state, R);
  if (status == GRADYN_OK)
    status = natural->ops->tangent(natural, parts & GRADYN_INERTIA, &l->f.state, NULL, NULL, c->M);
  curved_bend(c, term->at.q, R, l->H);
  return status;
}

static gradyn_status loads_along(const curved *c, const gradyn_mech_term *term, int columns,
                                 const gradyn_mech_change *d, gradyn_lanes *r)
{
  const int n = c->mech.n, N = c->natural->n;
  gradyn_lanes X[3][CURVED_FULL], R[CURVED_FULL + CURVED_ROWS] = {{0}}, *rows = R;
  loads l;
  gradyn_status status = begin_loads(c, term, d->q || d->v, &l);
  follow(c, &l.f.at, d, X);
  const gradyn_mech_change change = {.x = d->x,
                                     .lanes = d->lanes,
                                     .t = d->t,
                                     .q = l.moved ? X[0] : NULL,
                                     .v = l.moved ? X[1] : NULL};
  if (status == GRADYN_OK)
    status = c->natural->ops->along(c->natural, &l.look, columns, &change, &rows);
  if (l.moved)
    gradyn_lanes_multiply(&c->natural->dyn, N, c->M, 1, X[2], R);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < N; i++)
      r[k] += l.f.at.W[0][i][k] * R[i];
    for (int j = 0; j < n && d->q; j++)
      r[k] += l.H[k * n + j] * d->q[j];
  }
  return status;
}

static gradyn_status loads_against(const curved *c, const gradyn_mech_term *term, int columns,
                                   const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  const int n = c->mech.n, N = c->natural->n;
  gradyn_lanes X[3][CURVED_FULL] = {{{0}}}, R[CURVED_FULL + CURVED_ROWS] = {{0}}, *rows = R;
  loads l;
  gradyn_status status = begin_loads(c, term, adjoints->q || adjoints->v, &l);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < n; k++)
      R[i] += l.f.at.W[0][i][k] * mu[k];
  const gradyn_mech_adjoints natural = {.x = adjoints->x,
                                        .lanes = adjoints->lanes,
                                        .t = adjoints->t,
                                        .q = l.moved ? X[0] : NULL,
                                        .v = l.moved ? X[1] : NULL};
  if (status == GRADYN_OK)
    status = c->natural->ops->against(c->natural, &l.look, columns, &rows, &natural);
  if (!l.moved)
    return status;
  gradyn_lanes_multiply_transposed(&c->natural->dyn, N, c->M, -1, R, X[2]);
  curved_pull(c, &l.f.at, X, adjoints->q, adjoints->v, NULL);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n && adjoints->q; j++)
      adjoints->q[j] -= l.H[k * n + j] * mu[k];
  return status;
}

/* The equations of a term, at the node; zero multipliers remove its residual. */
static gradyn_status begin_equations(const curved *c, const gradyn_mech_point *look,
                                     const gradyn_mech_term *term, loads *l)
{
  gradyn_mech *natural = c->natural;
  curved_look(c, look->node, 0, term->order > 0, term->order > 1, &l->f);
  l->term = (gradyn_mech_term){term->parts & GRADYN_ASSEMBLY, term->order, l->f.state};
  l->look = (gradyn_mech_point){1, &l->term, &l->term.at};
  return natural->ops->phi_q(natural, GRADYN_ASSEMBLY, 0, &l->f.state, c->J[0]);
}

static gradyn_status equations_along(const curved *c, const gradyn_mech_point *look,
                                     const gradyn_mech_term *term, int columns,
                                     const gradyn_mech_change *d, gradyn_lanes *r)
{
  const gradyn_mech *natural = c->natural;
  gradyn_lanes X[3][CURVED_FULL], R[CURVED_FULL + CURVED_ROWS] = {{0}}, *rows = R;
  loads l;
  gradyn_status status = begin_equations(c, look, term, &l);
  follow(c, &l.f.at, d, X);
  const gradyn_mech_change change = {.x = d->x,
                                     .lanes = d->lanes,
                                     .t = d->t,
                                     .q = d->q || d->v ? X[0] : NULL,
                                     .v = d->q || d->v ? X[1] : NULL};
  if (status == GRADYN_OK)
    status = natural->ops->along(c->natural, &l.look, columns, &change, &rows);
  if (term->order == 2)
    gradyn_lanes_multiply(&natural->jac, natural->jac.rows, c->J[0], 1, X[2], R + natural->n);
  for (int i = 0; i < gradyn_mech_rows(&c->mech, term->parts); i++)
    r[i] += R[natural->n + c->row[i]];
  return status;
}

static gradyn_status equations_against(const curved *c, const gradyn_mech_point *look,
                                       const gradyn_mech_term *term, int columns,
                                       const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech *natural = c->natural;
  const bool moved = adjoints->q || adjoints->v;
  gradyn_lanes X[3][CURVED_FULL] = {{{0}}}, R[CURVED_FULL + CURVED_ROWS] = {{0}}, *rows = R;
  loads l;
  gradyn_status status = begin_equations(c, look, term, &l);
  for (int i = 0; i < gradyn_mech_rows(&c->mech, term->parts); i++)
    R[natural->n + c->row[i]] = mu[i];
  const gradyn_mech_adjoints all = {.x = adjoints->x,
                                    .lanes = adjoints->lanes,
                                    .t = adjoints->t,
                                    .q = moved ? X[0] : NULL,
                                    .v = moved ? X[1] : NULL};
  if (status == GRADYN_OK)
    status = natural->ops->against(c->natural, &l.look, columns, &rows, &all);
  if (term->order == 2)
    gradyn_lanes_multiply_transposed(&natural->jac, natural->jac.rows, c->J[0], -1, R + natural->n,
                                     X[2]);
  curved_pull(c, &l.f.at, X, adjoints->q, adjoints->v, NULL);
  return status;
}

gradyn_status curved_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           const gradyn_mech_change *d, gradyn_lanes *const *r)
{
  const curved *c = (const curved *)mech;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < look->terms && status == GRADYN_OK; k++) {
    status = loads_along(c, &look->term[k], columns, d, r[k]);
    if (status == GRADYN_OK && look->term[k].order >= 0)
      status = equations_along(c, look, &look->term[k], columns, d, r[k] + mech->n);
  }
  return status;
}

gradyn_status curved_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                             gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  const curved *c = (const curved *)mech;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < look->terms && status == GRADYN_OK; k++) {
    status = loads_against(c, &look->term[k], columns, mu[k], adjoints);
    if (status == GRADYN_OK && look->term[k].order >= 0)
      status = equations_against(c, look, &look->term[k], columns, mu[k] + mech->n, adjoints);
  }
  return status;
}
