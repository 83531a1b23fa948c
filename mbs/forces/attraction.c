/* Attraction of two points by the inverse square of their distance, as between masses or charges. With r
 * = r_b - r_a and R = sqrt(r.r + c^2), c the core radius,
 *   U = -G/R,    f_a = G r/R^3 = -f_b,
 * Plummer's potential, which is Newton's or Coulomb's for c = 0. G: strength, N m^2, negative for
 * repulsion. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/formula.h"

enum { STRENGTH, CORE, NUMBERS };

/* Fails if r.r + c^2 is zero. */
static gradyn_status judge(gradyn_mbs *m, const mbs_element *e, double square)
{
  if (square > 0)
    return GRADYN_OK;
  return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                     "the points of attraction %s coincide; the force is infinite there. Set a "
                     "core radius",
                     e->name);
}

/* f_a = G r/R^3 */
static gradyn_status formula(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                             gradyn_scalar *f)
{
  int dim = m->dim;
  gradyn_scalar square = s->z[CORE] * s->z[CORE];
  for (int k = 0; k < dim; k++)
    square += (s->pos[dim + k] - s->pos[k]) * (s->pos[dim + k] - s->pos[k]);
  gradyn_scalar scale = s->z[STRENGTH] / (square * csqrt(square));
  for (int k = 0; k < dim; k++) {
    f[k] = scale * (s->pos[dim + k] - s->pos[k]);
    f[dim + k] = -f[k];
  }
  return judge(m, e, creal(square));
}

/* An attraction is independent of velocities. */
static bool still(const mbs_element *e, const double *data)
{
  (void)e;
  (void)data;
  return true;
}

/* U = -G/R, U_b = G r/R^3, U_G = -1/R, U_c = G c/R^3 */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  double r[3], square = z[CORE] * z[CORE];
  for (int k = 0; k < m->dim; k++) {
    r[k] = at->pos[e->at[1] + k] - at->pos[e->at[0] + k];
    square += r[k] * r[k];
  }
  double inverse = 1 / sqrt(square), slope = z[STRENGTH] * inverse / square; /* 1/R, G/R^3 */
  *U = -z[STRENGTH] * inverse;
  for (int k = 0; k < m->dim && g; k++) {
    g[m->dim + k] = slope * r[k];
    g[k] = -g[m->dim + k];
  }
  if (U_z) {
    U_z[STRENGTH] = -inverse;
    U_z[CORE] = slope * z[CORE];
  }
  return judge(m, e, square);
}

static const mbs_element_ops attraction_ops = {
    .kind = "attraction", MBS_FORMULA_OPS(formula), .still = still, .energy = energy};

int gradyn_attraction(gradyn_model *model, const gradyn_attraction_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_attraction()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "attraction");
  int end[2];
  if (!m || !mbs_take_point(m, name, spec->from, &end[0]) ||
      !mbs_take_point(m, name, spec->to, &end[1]))
    return 0;
  mbs_check_not_negative(m, name, "core", spec->core);
  const gradyn_datum data[NUMBERS] = {{"strength", "N m^2", spec->strength},
                                      {"core", "m", spec->core}};
  mbs_element prototype = mbs_pair(&attraction_ops, end[0], end[1]);
  return mbs_add_force(m, &prototype, name, data, NUMBERS);
}
