/* Point masses, rods and gravity. A rod is a rigid link; its constraint is the distance of its ends. Its
 * mass needs no further unknowns: velocities are linear between the ends. M has therefore the pair
 * coefficients (m/3, m/6, m/3) if the rod is uniform. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* Pair coefficient of a point mass: M = m 1. */
static void mass_pairs(const double *d, int divisions, double *c)
{
  (void)divisions;
  c[0] = d[0];
}

/* Derivative of the pair coefficient by the mass. */
static void mass_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  (void)d;
  (void)divisions;
  memset(D, 0, sizeof *D);
  D[0][0] = 1;
}

static const mbs_inertia_ops mass_ops = {1, 1, mass_pairs, mass_slopes, "point mass"};

void gradyn_point_mass(gradyn_model *model, const char *name, int point, gradyn_scalar mass)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "point");
  if (!m || !mbs_take_point(m, own, point, &point))
    return;
  mbs_check_not_negative(m, own, "mass", mass);
  int datum = gradyn_model_datum(model, own, "mass", "kg", mass);
  mbs_add_inertia(m, &mass_ops, &point, datum, 0);
}

/* --- rods ------------------------------------------------------------------------------------- */

/* Pair coefficients maa, mab, mbb of a rod between points a and b. J = I + m c^2 is the inertia about a, c
 * the distance of the centre of mass from a. */
static void rod_pairs(const double *d, int divisions, double *c)
{
  (void)divisions;
  double L = d[MBS_ROD_LENGTH], m = d[MBS_ROD_MASS], s = d[MBS_ROD_COM] / L;
  double j = d[MBS_ROD_INERTIA] / (L * L) + m * s * s; /* J / L^2 */
  c[0] = m - 2 * m * s + j;                            /* int (1 - xi)^2 dm, xi along the rod */
  c[1] = m * s - j;                                    /* int xi (1 - xi) dm */
  c[2] = j;                                            /* int xi^2 dm */
}

/* Derivatives of the pair coefficients by length, mass, centre of mass and own inertia. */
static void rod_slopes(const double *d, int divisions, double (*D)[MBS_INERTIA_PAIRS])
{
  (void)divisions;
  double L = d[MBS_ROD_LENGTH], m = d[MBS_ROD_MASS], s = d[MBS_ROD_COM] / L;
  double j = d[MBS_ROD_INERTIA] / (L * L) + m * s * s;
  /* s = com/L and j depend on 1/L and 1/L^2 */
  const double slope[MBS_ROD_DATA][3] = {
      {(2 * m * s - 2 * j) / L, (2 * j - m * s) / L, -2 * j / L},
      {(1 - s) * (1 - s), s - s * s, s * s},
      {(2 * m * s - 2 * m) / L, (m - 2 * m * s) / L, 2 * m * s / L},
      {1 / (L * L), -1 / (L * L), 1 / (L * L)}};
  for (int k = 0; k < MBS_ROD_DATA; k++)
    for (int c = 0; c < 3; c++)
      D[k][c] = slope[k][c];
}

static const mbs_inertia_ops rod_ops = {2, MBS_ROD_DATA, rod_pairs, rod_slopes, NULL};

gradyn_scalar mbs_initial_distance(const gradyn_mbs *m, int from, int to)
{
  gradyn_scalar a[3], b[3], square = 0;
  mbs_initial_position(m, from, a);
  mbs_initial_position(m, to, b);
  for (int k = 0; k < m->dim; k++)
    square += (b[k] - a[k]) * (b[k] - a[k]);
  return csqrt(square);
}

/* Declares a rod: two points at a fixed distance, with the mass of the rod between them. It needs no
 * rotational coordinate. */
int gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_rod()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "rod");
  int end[2];
  if (!m || !mbs_take_point(m, name, spec->from, &end[0]) ||
      !mbs_take_point(m, name, spec->to, &end[1]))
    return 0;
  /* length 0 means the distance at the start */
  gradyn_scalar L = creal(spec->length) == 0 ? mbs_initial_distance(m, end[0], end[1])
                                             : spec->length;
  gradyn_scalar com = spec->own_inertia ? spec->com : L / 2;
  /* moment of inertia of a uniform rod */
  gradyn_scalar inertia = spec->own_inertia ? spec->inertia : spec->mass * L * L / 12;
  if (!(creal(L) > 0))
    gradyn_build_error(model, "%s.length is %g m: it must be positive", name, creal(L));
  mbs_check_not_negative(m, name, "mass", spec->mass);
  mbs_check_not_negative(m, name, "inertia", inertia);
  if (!spec->own_inertia && (spec->com != 0 || spec->inertia != 0))
    gradyn_build_error(model, "%s sets com or inertia: also set own_inertia", name);

  const gradyn_datum data[MBS_ROD_DATA] = {{"length", "m", L},
                                           {"mass", "kg", spec->mass},
                                           {"com", "m", com},
                                           {"inertia", "kg m^2", inertia}};
  /* the length is the first datum of the rod, and the input of its constraint */
  int datum = gradyn_model_data(model, name, data, MBS_ROD_DATA);
  mbs_add_inertia(m, &rod_ops, end, datum, 0);
  mbs_element prototype = mbs_pair(&mbs_distance_ops, end[0], end[1]);
  prototype.source = MBS_FROM_LAW;
  prototype.datum = datum + MBS_ROD_LENGTH;
  prototype.data_count = 1;
  return gradyn_id(model, mbs_add_row(m, &prototype, name));
}

/* --- gravity ---------------------------------------------------------------------------------- */

/* Declares the components of gravity as data: three, in the plane two. A second call is an error. */
static void declare_gravity(gradyn_model *model, int dim, const gradyn_scalar g[3])
{
  gradyn_mbs *m = mbs_of(model);
  if (!m || !mbs_use_dimension(m, "gravity", dim))
    return;
  if (!model->finalised && m->gravity >= 0)
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
