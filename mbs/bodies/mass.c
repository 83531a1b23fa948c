/* Point masses, and gravity. */
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

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

static const mbs_inertia_ops mass_ops = {1, 1, mass_pairs, mass_slopes, "point mass"};

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
