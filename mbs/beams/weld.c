/* Welds of beams to bodies, to each other and to the ground, with the same constraints as joints of
 * bodies. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* Fixes the direction of a slope in a body, or on the ground (NULL). The slope stays normal to directions
 * of the body that are normal to it at the start. The length of the slope, which depends on the axial
 * strain, is free. */
static void hold_direction(gradyn_mbs *m, const char *name, int slope, const mbs_body *body)
{
  gradyn_scalar t[3], n[2][3];
  mbs_initial_position(m, slope, t);
  mbs_find_normals(m, t, n);
  /* n_j.s = 0 for each normal n_j: one constraint in the plane, two in space */
  for (int j = 0; j < m->dim - 1; j++) {
    const char *full = gradyn_format_name(m->model, "%s.n%d", name, j + 1);
    mbs_element e = mbs_pair(&mbs_dot_ops, mbs_fix_direction(m, full, body, n[j]), slope);
    mbs_add_row(m, &e, full);
  }
}

/* Welds a node of a beam and its tangent to the ground. */
static void clamp(gradyn_mbs *m, const char *name, int beam, int node)
{
  if (!m)
    return;
  const char *own = gradyn_own_name(m->model, name, "clamp");
  int point, slope;
  if (!m || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  /* a node that is not on the ground is fixed at its initial position */
  if (!mbs_on_ground(m, point)) {
    const mbs_point ground = {.kind = MBS_GROUND};
    gradyn_scalar position[3];
    const char *full = gradyn_format_name(m->model, "%s.point", own);
    mbs_initial_position(m, point, position);
    mbs_join(m, full, mbs_add_point(m, full, &ground, position), point);
  }
  hold_direction(m, own, slope, NULL);
}

/* Welds a node of a beam and its tangent to a body. */
static void weld(gradyn_mbs *m, const char *name, int beam, int node, int body)
{
  if (!m)
    return;
  const char *own = gradyn_own_name(m->model, name, "weld");
  int point, slope;
  const mbs_body *b = mbs_check_body(m, own, body);
  if (!b || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  /* a node that is a point of the body needs no pin */
  if (!mbs_belongs(m, point, b)) {
    gradyn_scalar position[3];
    const char *full = gradyn_format_name(m->model, "%s.point", own);
    mbs_initial_position(m, point, position);
    mbs_join(m, own, point, mbs_body_point(m, full, b, position));
  }
  hold_direction(m, own, slope, b);
}

void gradyn_weld(gradyn_model *model, const char *name, int beam, int node, int body)
{
  gradyn_mbs *m = mbs_of(model);
  if (body == GRADYN_GROUND)
    clamp(m, name, beam, node);
  else
    weld(m, name, beam, node, body);
}

/* Keeps the angle between two slopes constant. The lengths of slopes, which depend on axial strains, are
 * free. For parallel slopes the cosine of the angle has derivative 0: such slopes are kept equal, or
 * opposite. */
static void weld_slopes(gradyn_mbs *m, const char *name, int a, int b)
{
  gradyn_scalar s[2][3], aa = 0, bb = 0, ab = 0;
  /* cosine of the angle at the start */
  mbs_initial_position(m, a, s[0]);
  mbs_initial_position(m, b, s[1]);
  for (int k = 0; k < m->dim; k++) {
    aa += s[0][k] * s[0][k];
    bb += s[1][k] * s[1][k];
    ab += s[0][k] * s[1][k];
  }
  double cosine = creal(ab) / sqrt(creal(aa) * creal(bb));
  const char *full = gradyn_format_name(m->model, "%s.slope", name);
  /* the derivative of the cosine vanishes near 1 and -1 */
  if (fabs(cosine) > 1 - 1e-6) {
    const mbs_carrier opposite = {a, cosine > 0 ? 1 : -1, 0, -1, 0};
    mbs_join(m, full, cosine > 0 ? a : mbs_attach_point(m, full, true, 1, &opposite), b);
    return;
  }
  mbs_element e = mbs_pair(&mbs_corner_ops, a, b);
  /* the cosine is a datum, so that it can depend on parameters */
  e.datum = gradyn_model_datum(m->model, name, "cosine", "", ab / (csqrt(aa) * csqrt(bb)));
  e.data_count = 1;
  mbs_add_row(m, &e, full);
}

/* Welds two beams at a node of each: the nodes coincide, and the angle between the tangents is constant. */
void gradyn_weld_beams(gradyn_model *model, const char *name, int beam_a, int node_a, int beam_b,
                       int node_b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "weld");
  int point_a, slope_a, point_b, slope_b;
  if (!m || !mbs_check_node(m, own, beam_a, node_a, &point_a, &slope_a) ||
      !mbs_check_node(m, own, beam_b, node_b, &point_b, &slope_b) || !mbs_check_name(m, own))
    return;
  if (point_a != point_b) /* shared nodes need no pin */
    mbs_join(m, own, point_a, point_b);
  weld_slopes(m, own, slope_a, slope_b);
}
