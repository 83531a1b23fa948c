/* A body given by x, y and an angle: the functions that schemes call, by those of the mechanism in natural
 * coordinates. */
#include "tests/mbs/mechanism/curved.h"

#include <math.h>

#include "mbs/joints/kernel.h"

/* --- the place -------------------------------------------------------------------------------- */

/* Sets component i with its derivative with respect to coordinate k. */
static void put(curved_place *p, int i, mbs_jet S, int k, mbs_jet S_k)
{
  for (int order = 0; order < 3; order++) {
    p->X[order][i] = S.d[order];
    p->W[order][i][k] = S_k.d[order];
  }
}

/* Centre (x, y), base vectors (cos, sin) and (-sin, cos). */
static void put_body(const curved *c, const mbs_jet *y, curved_place *p)
{
  double cos_ = cos(y[2].d[0]), sin_ = sin(y[2].d[0]);
  const mbs_jet cosine = mbs_function(y[2], cos_, -sin_, -cos_),
                sine = mbs_function(y[2], sin_, cos_, -sin_);
  for (int k = 0; k < 2; k++)
    put(p, c->base[0] + k, y[k], c->body + k, mbs_number(1));
  put(p, c->base[1], cosine, c->body + 2, mbs_scaled(-1, sine));
  put(p, c->base[1] + 1, sine, c->body + 2, cosine);
  put(p, c->base[2], mbs_scaled(-1, sine), c->body + 2, mbs_scaled(-1, cosine));
  put(p, c->base[2] + 1, cosine, c->body + 2, mbs_scaled(-1, sine));
}

void curved_move(const curved *c, const double *q, const double *v, const double *a,
                 curved_place *p)
{
  mbs_jet y[CURVED_OWN];
  memset(p, 0, sizeof *p);
  for (int k = 0; k < c->mech.n; k++)
    y[k] = (mbs_jet){{q[k], v ? v[k] : 0, a ? a[k] : 0}};
  for (int i = 0; i < c->natural->n; i++)
    if (c->own[i] >= 0)
      put(p, i, y[c->own[i]], c->own[i], mbs_number(1));
  put_body(c, y + c->body, p);
}

void curved_bend(const curved *c, const double *q, const double *F, double *H)
{
  const int n = c->mech.n;
  for (int j = 0; j < n; j++) {
    double seed[CURVED_OWN] = {0};
    curved_place p;
    seed[j] = 1;
    curved_move(c, q, seed, NULL, &p);
    for (int k = 0; k < n; k++) {
      H[k * n + j] = 0;
      for (int i = 0; i < c->natural->n; i++)
        H[k * n + j] += p.W[1][i][k] * F[i];
    }
  }
}

void curved_look(const curved *c, const gradyn_mech_state *at, int rows, bool v, bool a,
                 curved_state *f)
{
  curved_move(c, at->q, v ? at->v : NULL, a ? at->a : NULL, &f->at);
  memset(f->lam, 0, sizeof f->lam);
  for (int i = 0; i < rows && at->lam; i++)
    f->lam[c->row[i]] = at->lam[i];
  f->state = (gradyn_mech_state){
      .t = at->t, .q = f->at.X[0], .v = f->at.X[1], .a = f->at.X[2], .lam = f->lam};
}

int curved_look_at_parts(const curved *c, int parts, const gradyn_mech_state *at, curved_state *f)
{
  int rows = parts & GRADYN_ASSEMBLY ? gradyn_mech_rows(&c->mech, parts) : 0;
  curved_look(c, at, rows, parts & GRADYN_FORCE, parts & GRADYN_INERTIA, f);
  return parts & GRADYN_FORCE ? parts | GRADYN_INERTIA : parts;
}

/* --- matrices --------------------------------------------------------------------------------- */

/* out [n][n] += factor L^T B R. */
static void add_product(const curved *c, double factor, double (*L)[CURVED_OWN], const double *B,
                        double (*R)[CURVED_OWN], double *out)
{
  const gradyn_pattern *dyn = &c->natural->dyn;
  const int n = c->mech.n;
  for (int r = 0; r < dyn->rows; r++)
    for (int e = dyn->start[r]; e < dyn->start[r + 1]; e++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          out[k * n + l] += factor * L[r][k] * B[e] * R[dyn->col[e]][l];
}

static gradyn_status residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r)
{
  const curved *c = (const curved *)mech;
  double R[CURVED_FULL];
  curved_state f;
  parts = curved_look_at_parts(c, parts, at, &f);
  gradyn_status status = c->natural->ops->residual(c->natural, parts, &f.state, R);
  for (int k = 0; k < mech->n; k++) {
    r[k] = 0;
    for (int i = 0; i < c->natural->n; i++)
      r[k] += f.at.W[0][i][k] * R[i];
  }
  return status;
}

static gradyn_status tangent(gradyn_mech *mech, int wanted, const gradyn_mech_state *at, double *K,
                             double *C, double *M)
{
  const curved *c = (const curved *)mech;
  gradyn_mech *natural = c->natural;
  size_t bytes = (size_t)(mech->n * mech->n) * sizeof(double);
  double R[CURVED_FULL];
  curved_state f;
  int parts = curved_look_at_parts(c, wanted, at, &f);
  gradyn_status status = natural->ops->tangent(natural, parts, &f.state, c->K, c->C, c->M);
  if (status == GRADYN_OK && K)
    status = natural->ops->residual(natural, parts, &f.state, R);
  if (K) {
    curved_bend(c, at->q, R, K);
    add_product(c, 1, f.at.W[0], c->K, f.at.W[0], K);
    add_product(c, 1, f.at.W[0], c->C, f.at.W[1], K);
    add_product(c, 1, f.at.W[0], c->M, f.at.W[2], K);
  }
  if (C) {
    memset(C, 0, bytes);
    add_product(c, 1, f.at.W[0], c->C, f.at.W[0], C);
    add_product(c, 2, f.at.W[0], c->M, f.at.W[1], C);
  }
  if (M)
    memset(M, 0, bytes);
  if (M && wanted & GRADYN_INERTIA)
    add_product(c, 1, f.at.W[0], c->M, f.at.W[0], M);
  return status;
}

/* Returns whether row i is requested. */
static bool wanted_row(const gradyn_mech *mech, int parts, int i)
{
  return parts & (i < mech->m ? GRADYN_CONSTRAINT : GRADYN_HELD);
}

static gradyn_status phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                         double *value)
{
  const curved *c = (const curved *)mech;
  double all[CURVED_ROWS] = {0};
  curved_state f;
  curved_look(c, at, 0, order > 0, order > 1, &f);
  gradyn_status status = c->natural->ops->phi(c->natural, parts, order, &f.state, all);
  for (int i = 0; i < mech->m + mech->held; i++)
    if (wanted_row(mech, parts, i))
      value[i] = all[c->row[i]];
  return status;
}

/* Phi_q = J W, Phi'_q = J' W + J W', Phi''_q = J'' W + 2 J' W' + J W''. */
static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *values)
{
  static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  const curved *c = (const curved *)mech;
  const gradyn_pattern *jac = &c->natural->jac;
  const int n = mech->n;
  gradyn_status status = GRADYN_OK;
  curved_state f;
  curved_look(c, at, 0, order > 0, order > 1, &f);
  for (int k = 0; k <= order && status == GRADYN_OK; k++)
    status = c->natural->ops->phi_q(c->natural, parts, k, &f.state, c->J[k]);
  for (int i = 0; i < mech->m + mech->held; i++) {
    if (!wanted_row(mech, parts, i))
      continue;
    memset(values + i * n, 0, (size_t)n * sizeof *values);
    for (int k = 0; k <= order; k++)
      for (int e = jac->start[c->row[i]]; e < jac->start[c->row[i] + 1]; e++)
        for (int l = 0; l < n; l++)
          values[i * n + l] += binomial[order][k] * c->J[k][e] * f.at.W[order - k][jac->col[e]][l];
  }
  return status;
}

static int reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle)
{
  (void)angle;
  const curved *c = (const curved *)mech;
  curved_state f;
  curved_look(c, at, 0, true, true, &f);
  const int all = c->natural->m + c->natural->held;
  const int first = c->natural->ops->reversed(c->natural, all, &f.state, NULL);
  for (int i = 0; i < rows && first >= 0; i++)
    if (c->row[i] == first)
      return i;
  return -1;
}

static void activate(gradyn_mech *mech, const bool *active)
{
  const curved *c = (const curved *)mech;
  c->natural->ops->activate(c->natural, active);
}

const gradyn_mech_ops curved_mech_ops = {.residual = residual,
                                         .tangent = tangent,
                                         .phi = phi,
                                         .phi_q = phi_q,
                                         .along = curved_along,
                                         .against = curved_against,
                                         .activate = activate,
                                         .reversed = reversed};
