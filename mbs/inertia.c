/* Inertia: rods and point masses, and gravity. In natural coordinates the velocity field of a rod
 * is linear between its points, so its mass matrix is constant, and uniform gravity acts as the
 * same matrix times the acceleration of gravity at both points. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "mbs/planar.h"

enum { LENGTH, MASS, COM, INERTIA, ROD_DATA };

/* Coefficients maa, mab, mbb of a rod with J = I + m c^2 the inertia about its first point. */
static void rod_coefficients(const double *d, double c[3])
{
  double L = d[LENGTH], m = d[MASS], s = d[COM] / L;
  double j = d[INERTIA] / (L * L) + m * s * s; /* J / L^2 */
  c[0] = m - 2 * m * s + j;
  c[1] = m * s - j;
  c[2] = j;
}

/* Derivatives of the coefficients with respect to length, mass, com, inertia. */
static void rod_slopes(const double *d, double D[ROD_DATA][3])
{
  double L = d[LENGTH], m = d[MASS], s = d[COM] / L;
  double j = d[INERTIA] / (L * L) + m * s * s;
  const double slope[ROD_DATA][3] = {{(2 * m * s - 2 * j) / L, (2 * j - m * s) / L, -2 * j / L},
                                     {(1 - s) * (1 - s), s - s * s, s * s},
                                     {(2 * m * s - 2 * m) / L, (m - 2 * m * s) / L, 2 * m * s / L},
                                     {1 / (L * L), -1 / (L * L), 1 / (L * L)}};
  memcpy(D, slope, sizeof slope);
}

/* f += [c0 c1; c1 c2] w of the pair, for x and y. */
static void apply(const gradyn_mbs *m, const mbs_inertia *e, const double c[3], const double *w,
                  double *f)
{
  int a = m->point[e->point[0]].offset, b = m->point[e->point[1]].offset;
  for (int k = 0; k < 2; k++) {
    f[a + k] += c[0] * w[a + k];
    if (e->count == 2) {
      f[a + k] += c[1] * w[b + k];
      f[b + k] += c[1] * w[a + k] + c[2] * w[b + k];
    }
  }
}

/* Pair sums mu_a w_a, mu_a w_b + mu_b w_a, mu_b w_b over x and y, that the three coefficients
 * multiply. mu is zero from coordinate `moving` on. */
static void pair_sums(const gradyn_mbs *m, const mbs_inertia *e, const double *w, const double *mu,
                      int moving, double sum[3])
{
  int a = m->point[e->point[0]].offset, b = m->point[e->point[1]].offset;
  sum[0] = sum[1] = sum[2] = 0;
  for (int k = 0; k < 2; k++) {
    double mu_a = a < moving ? mu[a + k] : 0, mu_b = b < moving ? mu[b + k] : 0;
    sum[0] += mu_a * w[a + k];
    sum[1] += mu_a * w[b + k] + mu_b * w[a + k];
    sum[2] += mu_b * w[b + k];
  }
}

static void coefficients(const gradyn_mbs *m, const mbs_inertia *e, double c[3])
{
  const double *d = m->model->x + e->datum;
  if (e->count == 2) {
    rod_coefficients(d, c);
  } else {
    c[0] = d[0];
    c[1] = c[2] = 0;
  }
}

static int slopes(const gradyn_mbs *m, const mbs_inertia *e, double D[ROD_DATA][3])
{
  if (e->count == 2) {
    rod_slopes(m->model->x + e->datum, D);
    return ROD_DATA;
  }
  D[0][0] = 1;
  D[0][1] = D[0][2] = 0;
  return 1;
}

void mbs_load_inertia(gradyn_mbs *m)
{
  const double *x = m->model->x;
  for (int k = 0; k <= m->mech.dyn.nnz; k++)
    m->mass[k] = 0;
  for (int k = 0; k < 2 * m->points; k++) {
    m->weight[k] = 0;
    m->field[k] = m->gravity >= 0 ? x[m->gravity + k % 2] : 0;
  }
  for (int i = 0; i < m->inertias; i++) {
    const mbs_inertia *e = &m->inertia[i];
    double c[3];
    coefficients(m, e, c);
    apply(m, e, c, m->field, m->weight);
    for (int k = 0; k < 2; k++)
      for (int r = 0; r < e->count; r++)
        for (int s = 0; s < e->count; s++)
          m->mass[e->dyn[r][s][k]] += c[r + s];
  }
}

void mbs_inertia_tangent(const gradyn_mbs *m, const double *w, const double *dx, double *f)
{
  for (int i = 0; i < m->inertias; i++) {
    const mbs_inertia *e = &m->inertia[i];
    double D[ROD_DATA][3];
    if (!e->active)
      continue;
    int count = slopes(m, e, D);
    for (int k = 0; k < count; k++) {
      double step = dx[e->datum + k];
      double c[3] = {D[k][0] * step, D[k][1] * step, D[k][2] * step};
      if (step != 0)
        apply(m, e, c, w, f);
    }
  }
}

void mbs_inertia_transposed(const gradyn_mbs *m, const double *w, int count, const double *mu,
                            int stride, int moving, double *x_bar)
{
  for (int i = 0; i < m->inertias; i++) {
    const mbs_inertia *e = &m->inertia[i];
    double D[ROD_DATA][3], sum[3];
    if (!e->active)
      continue;
    int data = slopes(m, e, D);
    for (int v = 0; v < count; v++) {
      pair_sums(m, e, w, mu + v * stride, moving, sum);
      for (int k = 0; k < data; k++)
        x_bar[v * m->mech.nx + e->datum + k] += D[k][0] * sum[0] + D[k][1] * sum[1] +
                                                D[k][2] * sum[2];
    }
  }
}

void mbs_gravity_tangent(const gradyn_mbs *m, const double *dg, double *f)
{
  for (int i = 0; i < m->inertias; i++) {
    double c[3];
    coefficients(m, &m->inertia[i], c);
    for (int k = 0; k < 2; k++) {
      int a = m->point[m->inertia[i].point[0]].offset, b = m->point[m->inertia[i].point[1]].offset;
      f[a + k] -= (c[0] + c[1]) * dg[k];
      f[b + k] -= (c[1] + c[2]) * dg[k];
    }
  }
}

void mbs_gravity_transposed(const gradyn_mbs *m, const double *mu, int moving, double *x_bar)
{
  for (int i = 0; i < m->inertias; i++) {
    double c[3];
    coefficients(m, &m->inertia[i], c);
    int a = m->point[m->inertia[i].point[0]].offset, b = m->point[m->inertia[i].point[1]].offset;
    for (int k = 0; k < 2; k++) {
      double mu_a = a < moving ? mu[a + k] : 0, mu_b = b < moving ? mu[b + k] : 0;
      x_bar[m->gravity + k] -= (c[0] + c[1]) * mu_a + (c[1] + c[2]) * mu_b;
    }
  }
}

/* --- declarations ----------------------------------------------------------------------------- */

static mbs_inertia *add_inertia(gradyn_mbs *m, const char *name, int from, int to, int count)
{
  if (m->model->sealed) {
    /* more than before: the data have told that the structure has changed */
    int k = m->inertia_cursor++;
    return k < m->inertias ? &m->inertia[k] : NULL;
  }
  mbs_inertia *grown = gradyn_model_grow(m->model, m->inertia, m->inertias, sizeof *grown);
  if (!grown)
    return NULL;
  m->inertia = grown;
  m->inertia_cursor++;
  mbs_inertia *e = &grown[m->inertias++];
  *e = (mbs_inertia){.point = {from, to}, .count = count};
  e->name = gradyn_model_copy_name(m->model, name);
  return e;
}

static void check_not_negative(gradyn_mbs *m, const char *name, const char *what,
                               gradyn_scalar value)
{
  if (creal(value) < 0)
    gradyn_build_error(m->model, "%s.%s is %g: it must not be negative", name, what, creal(value));
}

/* Initial distance of two points, from their data. */
static gradyn_scalar initial_distance(const gradyn_mbs *m, int from, int to)
{
  const gradyn_scalar *a = m->model->value + m->point[from].x;
  const gradyn_scalar *b = m->model->value + m->point[to].x;
  return csqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
}

int gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec)
{
  gradyn_mbs *m = mbs_of(model);
  const char *name = spec->name ? spec->name : "rod";
  if (!m || !mbs_check_point(m, name, spec->from) || !mbs_check_point(m, name, spec->to))
    return 0;
  gradyn_scalar L = creal(spec->length) == 0 ? initial_distance(m, spec->from, spec->to)
                                             : spec->length;
  gradyn_scalar com = spec->own_inertia ? spec->com : L / 2;
  gradyn_scalar inertia = spec->own_inertia ? spec->inertia : spec->mass * L * L / 12;
  if (!(creal(L) > 0))
    gradyn_build_error(model, "%s.length is %g m: it must be positive", name, creal(L));
  check_not_negative(m, name, "mass", spec->mass);
  check_not_negative(m, name, "inertia", inertia);
  if (!spec->own_inertia && (spec->com != 0 || spec->inertia != 0))
    gradyn_build_error(model, "%s gives com or inertia: set own_inertia as well", name);

  const gradyn_datum data[ROD_DATA] = {{"length", "m", L},
                                       {"mass", "kg", spec->mass},
                                       {"com", "m", com},
                                       {"inertia", "kg m^2", inertia}};
  int datum = gradyn_model_data(model, name, data, ROD_DATA);
  mbs_inertia *body = add_inertia(m, name, spec->from, spec->to, 2);
  if (body)
    body->datum = datum;
  mbs_element prototype = mbs_pair(&mbs_distance_ops, spec->from, spec->to);
  prototype.source = MBS_FROM_LAW;
  prototype.datum = datum + LENGTH;
  prototype.data_count = 1;
  int number;
  mbs_add_element(m, &m->constraints, &prototype, name, &number);
  return number;
}

void gradyn_point_mass(gradyn_model *model, const char *name, int point, gradyn_scalar mass)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_check_point(m, name, point))
    return;
  check_not_negative(m, name, "mass", mass);
  int datum = gradyn_model_datum(model, name, "mass", "kg", mass);
  mbs_inertia *body = add_inertia(m, name, point, point, 1);
  if (body)
    body->datum = datum;
}

void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy)
{
  gradyn_mbs *m = mbs_of(model);
  if (!m)
    return;
  if (!model->sealed && m->gravity >= 0)
    gradyn_build_error(model, "gravity is declared twice");
  m->gravity = gradyn_model_datum(model, "gravity", "x", "m/s^2", gx);
  gradyn_model_datum(model, "gravity", "y", "m/s^2", gy);
}
