/* Joints as constraints: pins between points, welds of beams to bodies and to each other. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "mbs/mechanism.h"

/* r_b - r_a = 0 along every axis; returns the number of the first row. */
static int join(gradyn_mbs *m, const char *name, int a, int b)
{
  static const char axis[3] = {'x', 'y', 'z'};
  int first = 0;
  for (int k = 0; k < m->dim; k++) {
    mbs_element e = mbs_pair(&mbs_pin_ops, a, b);
    char full[96];
    int number;
    e.axis = (gradyn_axis)k;
    snprintf(full, sizeof full, "%.80s.%c", name, axis[k]);
    mbs_add_element(m, &m->constraints, &e, full, &number);
    first = k == 0 ? number : first;
  }
  return first;
}

int gradyn_pin(gradyn_model *model, const char *name, int a, int b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "pin";
  if (!m || !mbs_check_point(m, own, a) || !mbs_check_point(m, own, b))
    return 0;
  if (mbs_on_ground(m, a) && mbs_on_ground(m, b))
    gradyn_build_error(model, "%s joins two ground points", own);
  return join(m, own, a, b);
}

/* a.b (or |a|, if they are the same) keeps its value, a datum of the weld. */
static void hold_product(gradyn_mbs *m, const char *name, const char *row, int a, int b,
                         gradyn_scalar value)
{
  char full[96];
  int number;
  mbs_element e = mbs_pair(a == b ? &mbs_square_ops : &mbs_dot_ops, a, b);
  e.points = a == b ? 1 : 2;
  snprintf(full, sizeof full, "%s.%s", name, row);
  e.datum = gradyn_model_datum(m->model, name, row, "", value);
  e.data_count = 1;
  mbs_add_element(m, &m->constraints, &e, full, &number);
}

/* Whether a point is one of a body's: its centre, or attached to nothing but the body. */
static bool belongs(const gradyn_mbs *m, int point, const mbs_body *body)
{
  const mbs_point *p = &m->point[point];
  int own = 0;
  for (int k = 0; k < p->carriers; k++)
    for (int i = 0; i <= m->dim; i++)
      own += p->carrier[k].point == body->point[i];
  return point == body->point[0] || (p->kind == MBS_ATTACHED && own == p->carriers);
}

void gradyn_weld(gradyn_model *model, const char *name, int beam, int node, int body)
{
  static const char *const row[3] = {"e1", "e2", "e3"};
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "weld";
  int point, slope;
  const mbs_body *b = mbs_check_body(m, own, body);
  if (!b || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  gradyn_scalar position[3], direction[3];
  if (!belongs(m, point, b)) {
    char full[96];
    mbs_initial_position(m, point, position);
    snprintf(full, sizeof full, "%s.point", own);
    join(m, own, point, mbs_body_point(m, full, b, position));
  }
  mbs_initial_position(m, slope, direction);
  for (int k = 0; k < m->dim; k++) /* the body's base vectors start as the axes */
    hold_product(m, own, row[k], b->point[1 + k], slope, direction[k]);
}

/* Two slopes that are not parallel keep their lengths and their angle: together they are a rigid frame.
 * Parallel ones are kept equal, or opposite. */
static void weld_slopes(gradyn_mbs *m, const char *name, int a, int b)
{
  gradyn_scalar s[2][3], aa = 0, bb = 0, ab = 0;
  mbs_initial_position(m, a, s[0]);
  mbs_initial_position(m, b, s[1]);
  for (int k = 0; k < m->dim; k++) {
    aa += s[0][k] * s[0][k];
    bb += s[1][k] * s[1][k];
    ab += s[0][k] * s[1][k];
  }
  double cosine = creal(ab) / sqrt(creal(aa) * creal(bb));
  char full[96];
  snprintf(full, sizeof full, "%s.slope", name);
  if (fabs(cosine) > 1 - 1e-6) {
    const mbs_carrier opposite = {a, cosine > 0 ? 1 : -1, 0, -1, 0};
    join(m, full, cosine > 0 ? a : mbs_attach_point(m, full, true, 1, &opposite), b);
    return;
  }
  hold_product(m, name, "slope_1", a, a, csqrt(aa));
  hold_product(m, name, "slope_2", b, b, csqrt(bb));
  hold_product(m, name, "slopes", a, b, ab);
}

void gradyn_weld_beams(gradyn_model *model, const char *name, int beam_a, int node_a, int beam_b,
                       int node_b)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "weld";
  int point_a, slope_a, point_b, slope_b;
  if (!m || !mbs_check_node(m, own, beam_a, node_a, &point_a, &slope_a) ||
      !mbs_check_node(m, own, beam_b, node_b, &point_b, &slope_b) || !mbs_check_name(m, own))
    return;
  if (point_a != point_b)
    join(m, own, point_a, point_b);
  weld_slopes(m, own, slope_a, slope_b);
}

void gradyn_clamp(gradyn_model *model, const char *name, int beam, int node)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "clamp";
  int point, slope;
  if (!m || !mbs_check_node(m, own, beam, node, &point, &slope) || !mbs_check_name(m, own))
    return;
  const int held[2] = {point, slope};
  static const char *const part[2] = {"point", "slope"};
  for (int i = 0; i < 2; i++) {
    gradyn_scalar position[3];
    char full[96];
    if (mbs_on_ground(m, held[i]))
      continue;
    mbs_initial_position(m, held[i], position);
    snprintf(full, sizeof full, "%s.%s", own, part[i]);
    const mbs_point ground = {.kind = MBS_GROUND, .direction = i == 1};
    join(m, full, mbs_add_point(m, full, &ground, position), held[i]);
  }
}
