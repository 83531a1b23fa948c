/* Joints as constraints: pins between points, welds of beams to bodies and to each other. Joints
 * between frames are in frame_joints.c; both kinds become rows of the same few constraints. */
#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "mbs/elements/mechanism.h"

/* Two points at one place: a row for each axis. */
int mbs_join(gradyn_mbs *m, const char *name, int a, int b)
{
  static const char axis[3] = {'x', 'y', 'z'};
  int first = 0;
  /* one row for each axis, numbered in a row */
  for (int k = 0; k < m->dim && k < 3; k++) {
    mbs_element e = mbs_pair(&mbs_pin_ops, a, b);
    int number;
    e.axis = (gradyn_axis)k;
    mbs_add_element(m, &m->constraints, &e, gradyn_name(m->model, "%.80s.%c", name, axis[k]),
                    &number);
    first = k == 0 ? number : first;
  }
  return first;
}

/* A pin leaves all rotations: in the plane one, in space three. */
int gradyn_pin(gradyn_model *model, const char *name, int a, int b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "pin";
  if (!m || !mbs_check_point(m, own, a) || !mbs_check_point(m, own, b))
    return 0;
  /* neither end could give way */
  if (mbs_on_ground(m, a) && mbs_on_ground(m, b))
    gradyn_build_error(model, "%s joins two ground points", own);
  return mbs_join(m, own, a, b);
}

/* Whether a point moves with the body: its origin, or a point attached to nothing but the body. */
bool mbs_belongs(const gradyn_mbs *m, int point, const mbs_body *body)
{
  const mbs_point *p = &m->point[point];
  int own = 0;
  /* all carriers must be the body's own points */
  for (int k = 0; k < p->carriers; k++)
    for (int i = 0; i <= m->dim; i++)
      own += p->carrier[k].point == body->point[i];
  return point == body->point[0] || (p->kind == MBS_ATTACHED && own == p->carriers);
}

void mbs_find_normals(const gradyn_mbs *m, gradyn_scalar t[3], gradyn_scalar n[2][3])
{
  gradyn_scalar square = 0, part = 0;
  int least = 0;
  for (int k = 0; k < m->dim; k++)
    square += t[k] * t[k];
  for (int k = 0; k < m->dim; k++) {
    t[k] /= csqrt(square); /* t of unit length, complex for its derivatives */
    least = fabs(creal(t[k])) < fabs(creal(t[least])) ? k : least;
  }
  /* right-handed with t */
  if (m->dim == 2) {
    n[0][0] = -t[1];
    n[0][1] = t[0];
    return;
  }
  for (int k = 0; k < 3; k++) { /* the axis that t is farthest from, less its part along t */
    n[0][k] = (k == least) - t[least] * t[k]; /* e_least - (t.e_least) t */
    part += n[0][k] * n[0][k];
  }
  for (int k = 0; k < 3; k++)
    n[0][k] /= csqrt(part);
  for (int k = 0; k < 3; k++)
    /* n2 = t x n1 */
    n[1][k] = t[(k + 1) % 3] * n[0][(k + 2) % 3] - t[(k + 2) % 3] * n[0][(k + 1) % 3];
}

/* A direction that is fixed to a body, or to the ground (NULL). */
int mbs_fix_direction(gradyn_mbs *m, const char *name, const mbs_body *body,
                      const gradyn_scalar n[3])
{
  static const char *const local[3] = {"local_x", "local_y", "local_z"};
  const mbs_point ground = {.kind = MBS_GROUND, .direction = true};
  if (!body)
    return mbs_add_point(m, name, &ground, n);
  mbs_carrier carrier[3];
  for (int k = 0; k < m->dim; k++) { /* the body's base vectors start as the axes */
    int datum = gradyn_model_datum(m->model, name, local[k], "", n[k]);
    carrier[k] = (mbs_carrier){body->point[1 + k], 0, 1, datum, 0};
  }
  return mbs_attach_point(m, name, true, m->dim, carrier);
}

/* A slope keeps its direction in a body (NULL: on the ground): it stays normal to its initial normals.
 * Its length, the axial strain, is free. */
static void hold_direction(gradyn_mbs *m, const char *name, int slope, const mbs_body *body)
{
  gradyn_scalar t[3], n[2][3];
  mbs_initial_position(m, slope, t);
  mbs_find_normals(m, t, n);
  /* n_j.s = 0: a line in the plane, two in space */
  for (int j = 0; j < m->dim - 1; j++) {
    int number;
    const char *full = gradyn_name(m->model, "%s.n%d", name, j + 1);
    mbs_element e = mbs_pair(&mbs_dot_ops, mbs_fix_direction(m, full, body, n[j]), slope);
    mbs_add_element(m, &m->constraints, &e, full, &number);
  }
}

/* Ties a node of a beam to a body, with its tangent. */
void gradyn_weld(gradyn_model *model, const char *name, int beam, int node, int body)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "weld";
  int point, slope;
  const mbs_body *b = mbs_check_body(m, own, body);
  if (!b || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  /* a node that is one of the body's points needs no pin */
  if (!mbs_belongs(m, point, b)) {
    gradyn_scalar position[3];
    const char *full = gradyn_name(m->model, "%s.point", own);
    mbs_initial_position(m, point, position);
    mbs_join(m, own, point, mbs_body_point(m, full, b, position));
  }
  hold_direction(m, own, slope, b);
}

/* Two slopes that are not parallel keep their angle; their lengths, the axial strains, are free. The
 * cosine would not hold parallel ones: they are kept equal, or opposite. */
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
  const char *full = gradyn_name(m->model, "%s.slope", name);
  /* near 1 the derivative of the cosine vanishes */
  if (fabs(cosine) > 1 - 1e-6) {
    const mbs_carrier opposite = {a, cosine > 0 ? 1 : -1, 0, -1, 0};
    mbs_join(m, full, cosine > 0 ? a : mbs_attach_point(m, full, true, 1, &opposite), b);
    return;
  }
  int number;
  mbs_element e = mbs_pair(&mbs_corner_ops, a, b);
  /* as a datum, it follows the design */
  e.datum = gradyn_model_datum(m->model, name, "cosine", "", ab / (csqrt(aa) * csqrt(bb)));
  e.data_count = 1;
  mbs_add_element(m, &m->constraints, &e, full, &number);
}

/* Two beams with one node and one direction. */
void gradyn_weld_beams(gradyn_model *model, const char *name, int beam_a, int node_a, int beam_b,
                       int node_b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "weld";
  int point_a, slope_a, point_b, slope_b;
  if (!m || !mbs_check_node(m, own, beam_a, node_a, &point_a, &slope_a) ||
      !mbs_check_node(m, own, beam_b, node_b, &point_b, &slope_b) || !mbs_check_name(m, own))
    return;
  if (point_a != point_b) /* shared nodes are together anyway */
    mbs_join(m, own, point_a, point_b);
  weld_slopes(m, own, slope_a, slope_b);
}

/* A welding to the ground. */
void gradyn_clamp(gradyn_model *model, const char *name, int beam, int node)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "clamp";
  int point, slope;
  if (!m || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  /* its point is fixed where it starts */
  if (!mbs_on_ground(m, point)) {
    const mbs_point ground = {.kind = MBS_GROUND};
    gradyn_scalar position[3];
    const char *full = gradyn_name(m->model, "%s.point", own);
    mbs_initial_position(m, point, position);
    mbs_join(m, full, mbs_add_point(m, full, &ground, position), point);
  }
  /* and the tangent there */
  hold_direction(m, own, slope, NULL);
}
