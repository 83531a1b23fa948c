/* Inertia: what bodies, rods, beams and point masses have in common, and gravity. In natural coordinates
 * the velocity field of a body is linear in the velocities of its points, so its mass matrix is
 * constant, and uniform gravity acts as the same matrix times the acceleration of gravity. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* Number of the pair (r, s), r <= s, among those of `points` points. */
static int pair(int points, int r, int s)
{
  return r * points - r * (r - 1) / 2 + s - r;
}

/* f += [c_rs] w of a rod, which most mechanisms are made of. */
static void apply_rod(const gradyn_mbs *m, const mbs_inertia *e, const double *c, const double *w,
                      double *f)
{
  const double *w_a = w + e->at[0], *w_b = w + e->at[1];
  double *f_a = f + e->at[0], *f_b = f + e->at[1];
  for (int k = 0; k < m->dim; k++) {
    f_a[k] += c[0] * w_a[k] + c[1] * w_b[k];
    f_b[k] += c[1] * w_a[k] + c[2] * w_b[k];
  }
}

/* The same for any body. */
static void apply(const gradyn_mbs *m, const mbs_inertia *e, const double *c, const double *w,
                  double *f)
{
  if (e->ops->points == 2) {
    apply_rod(m, e, c, w, f);
    return;
  }
  /* f += c_rs w, for pairs r <= s of a symmetric matrix */
  for (int r = 0; r < e->ops->points; r++)
    for (int s = r; s < e->ops->points; s++, c++)
      for (int k = 0; k < e->axes; k++) {
        f[e->at[r] + k] += *c * w[e->at[s] + k];
        if (s > r)
          f[e->at[s] + k] += *c * w[e->at[r] + k];
      }
}

/* a, less gravity where forces count: M (a - g) is inertia and weight at once. */
void mbs_inertia_field(gradyn_mbs *m, int parts)
{
  for (int i = 0; i < m->full_size; i++)
    m->mass.field[i] = parts & GRADYN_INERTIA ? m->acc[i] : 0;
  if (!(parts & GRADYN_FORCE) || m->gravity < 0)
    return;
  const double *g = m->model->x + m->gravity;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < m->dim && !m->point[i].direction; k++) /* base vectors do not fall */
      m->mass.field[m->point[i].offset + k] -= g[k];
}

void mbs_inertia_apply(const gradyn_mbs *m, bool attached, const double *w, double *f)
{
  for (int i = 0; i < m->lists.inertias; i++)
    if (!attached || m->lists.inertia[i].attached)
      apply(m, &m->lists.inertia[i], m->lists.inertia[i].c, w, f);
}

/* --- gravity ---------------------------------------------------------------------------------- */

/* What weighs on all points with a gravity of 1 along every axis, which directions do not feel; and with that
 * of the model. */
static void load_weight(gradyn_mbs *m)
{
  const double zero[3] = {0}, *g = m->gravity >= 0 ? m->model->x + m->gravity : zero;
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      m->mass.field[m->point[i].offset + k] = !m->point[i].direction;
  for (int k = 0; k < m->full_size; k++)
    m->mass.falling[k] = 0;
  mbs_inertia_apply(m, false, m->mass.field, m->mass.falling);
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i); k++)
      m->mass.weight[m->point[i].offset + k] = -m->mass.falling[m->point[i].offset + k] * g[k];
  mbs_pull(m, m->mass.weight);
  for (int k = m->mech.n; k < m->full_size; k++) /* carriers have it, the ground needs none */
    m->mass.weight[k] = 0;
}

/* Adds the pairs of a body to the constant mass matrix, at the places of attached points' carriers. */
static void add_mass(gradyn_mbs *m, const mbs_inertia *e, const double *c)
{
  int points = e->ops->points;
  for (int r = 0; r < points; r++)
    for (int s = 0; s < points; s++) {
      double value = c[r < s ? pair(points, r, s) : pair(points, s, r)];
      /* attached points hand their mass to carriers */
      mbs_term row, col;
      for (int i = 0; mbs_point_term(m, e->point[r], i, &row); i++)
        for (int j = 0; mbs_point_term(m, e->point[s], j, &col); j++)
          for (int k = 0; k < e->axes; k++) {
            int at = mbs_dyn_position(m, row.at + k, col.at + k);
            m->mass.M[at] += value * row.weight * col.weight;
          }
    }
}

void mbs_load_inertia(gradyn_mbs *m)
{
  /* M and its slopes by data from scratch: data have changed */
  for (int k = 0; k <= m->mech.dyn.nnz; k++)
    m->mass.M[k] = 0;
  for (int i = 0; i < m->lists.inertias; i++) {
    mbs_inertia *e = &m->lists.inertia[i];
    e->ops->pairs(m->model->x + e->datum, e->divisions, e->c);
    e->ops->slopes(m->model->x + e->datum, e->divisions, e->D);
    add_mass(m, e, e->c);
  }
  for (int i = 0; i < m->mech.n; i++)
    if (m->point[m->owner[i]].idle) /* any mass will do: nothing moves it */
      m->mass.M[mbs_dyn_position(m, i, i)] = 1;
  load_weight(m);
}

/* --- declarations ----------------------------------------------------------------------------- */

void mbs_add_inertia(gradyn_mbs *m, const mbs_inertia_ops *ops, const int *points, int datum,
                     int divisions)
{
  /* a later build is compared: masses are structure */
  int number = m->inertia_cursor++;
  if (m->model->sealed) {
    if (number < m->lists.inertias)
      mbs_compare_inertia(m, &m->lists.inertia[number], ops, points);
    return;
  }
  mbs_inertia *grown = gradyn_model_grow(m->model, m->lists.inertia, m->lists.inertias,
                                         sizeof *grown);
  if (!grown)
    return;
  m->lists.inertia = grown;
  mbs_inertia *e = &grown[m->lists.inertias++];
  *e = (mbs_inertia){.ops = ops, .datum = datum, .divisions = divisions};
  e->axes = mbs_axes(m, points[0]);
  memcpy(e->point, points, (size_t)ops->points * sizeof *points);
}

void mbs_check_not_negative(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value)
{
  if (creal(value) < 0)
    gradyn_build_error(m->model, "%s.%s is %g: it must not be negative", name, what, creal(value));
}

/* A point mass: M = m 1. */
static void mass_pairs(const double *d, int divisions, double *c)
{
  (void)divisions;
  c[0] = d[0];
}

/* By m. */
static void mass_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  (void)d;
  (void)divisions;
  memset(D, 0, sizeof *D);
  D[0][0] = 1;
}

static const mbs_inertia_ops mass_ops = {1, 1, mass_pairs, mass_slopes};

void gradyn_point_mass(gradyn_model *model, const char *name, int point, gradyn_scalar mass)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "point";
  if (!m || !mbs_check_point(m, own, point))
    return;
  mbs_check_not_negative(m, own, "mass", mass);
  int datum = gradyn_model_datum(model, own, "mass", "kg", mass);
  mbs_add_inertia(m, &mass_ops, &point, datum, 0);
}

/* Three data, or two in the plane, once. */
static void declare_gravity(gradyn_model *model, int dim, const gradyn_scalar g[3])
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_use_dimension(m, "gravity", dim))
    return;
  if (!model->sealed && m->gravity >= 0)
    gradyn_build_error(model, "gravity is declared twice");
  static const char *const axis[3] = {"x", "y", "z"};
  for (int k = 0; k < dim; k++) {
    int datum = gradyn_model_datum(model, "gravity", axis[k], "m/s^2", g[k]);
    m->gravity = k == 0 ? datum : m->gravity;
  }
}

void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy)
{
  declare_gravity(model, 2, (gradyn_scalar[3]){gx, gy, 0});
}

void gradyn_gravity_3d(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy, gradyn_scalar gz)
{
  declare_gravity(model, 3, (gradyn_scalar[3]){gx, gy, gz});
}
