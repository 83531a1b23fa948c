/* Knife edges: a point has no velocity along a direction, or that of a law,
 *     psi = (S u).r' - s(t),
 * u a direction of a frame, r the point and S the identity or, in the plane for what is across u, the turn by
 * a right angle. A row of velocities alone: no function of places has it as its rate. */
#include <string.h>

#include "mbs/bodies/frame.h"
#include "mbs/elements/inputs.h"

enum { U, R }; /* vectors, in the order of the element's points */

/* Entry (k, j) of S. */
static double turned(const mbs_element *e, int k, int j)
{
  return !e->variant ? k == j : k == j ? 0 : k - j; /* (-u_y, u_x) */
}

/* out = S u, or its transpose. */
static void turn(const mbs_element *e, int dim, bool transposed, const double *u, double *out)
{
  for (int k = 0; k < dim; k++) {
    out[k] = 0;
    for (int j = 0; j < dim; j++)
      out[k] += (transposed ? turned(e, j, k) : turned(e, k, j)) * u[j];
  }
}

/* (S u).r. */
static double along(const mbs_element *e, int dim, const double *u, const double *r)
{
  double side[3], sum = 0;
  turn(e, dim, false, u, side);
  for (int k = 0; k < dim; k++)
    sum += side[k] * r[k];
  return sum;
}

/* psi = (S u).r' - s; psi' = (S u').r' + (S u).r'' - s'. */
static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  const int dim = m->dim, u = e->at[U], r = e->at[R];
  *value = order == 0   ? 0
           : order == 1 ? along(e, dim, at->pos + u, at->vel + r) - z[0]
                        : along(e, dim, at->vel + u, at->vel + r) +
                              along(e, dim, at->pos + u, at->acc + r) - z[1];
  return GRADYN_OK;
}

/* A = (0, S u); psi_q = (S^T r', 0); psi'_q = (S^T r'', 0). */
static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  const int dim = m->dim;
  (void)z;
  memset(g, 0, (size_t)(2 * dim) * sizeof *g);
  if (order == 0)
    turn(e, dim, false, at->pos + e->at[U], g + dim);
  else
    turn(e, dim, true, (order == 1 ? at->vel : at->acc) + e->at[R], g);
  return GRADYN_OK;
}

/* psi'_v = (S^T r', S u'). */
static gradyn_status psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           double *g)
{
  (void)z;
  turn(e, m->dim, true, at->vel + e->at[R], g);
  turn(e, m->dim, false, at->vel + e->at[U], g + m->dim);
  return GRADYN_OK;
}

/* Rows of r by columns of u: A_q is not symmetric. */
static gradyn_status hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, double *H)
{
  const int dim = m->dim, local = 2 * dim;
  (void)at;
  (void)z;
  memset(H, 0, (size_t)(local * local) * sizeof *H);
  for (int k = 0; k < dim; k++)
    for (int j = 0; j < dim; j++)
      H[(dim + k) * local + j] = turned(e, k, j);
  return GRADYN_OK;
}

/* By s, s', s''. */
static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  (void)m;
  (void)e;
  (void)at;
  (void)z;
  for (int k = 0; k < 3; k++)
    phi_z[k] = order > 0 && k == order - 1 ? -1 : 0;
  return GRADYN_OK;
}

/* A does not depend on them. */
static gradyn_status phi_q_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *g_z)
{
  (void)at;
  (void)z;
  memset(g_z, 0, (size_t)(mbs_input_count(e) * 2 * m->dim) * sizeof *g_z);
  return GRADYN_OK;
}

static const mbs_element_ops knife_edge_ops = {.kind = "knife edge",
                                               .phi = phi,
                                               .phi_q = phi_q,
                                               .psi_v = psi_v,
                                               .hessian = hessian,
                                               .phi_input = phi_input,
                                               .phi_q_input = phi_q_input,
                                               .degree = 2};

/* Whether the point and the direction may belong to such a row. */
static bool check(gradyn_mbs *m, const char *name, const mbs_frame *frame, gradyn_axis axis,
                  int point)
{
  if (!mbs_check_axis(m, name, axis) || !mbs_check_point(m, name, point))
    return false;
  if (mbs_on_ground(m, point)) {
    gradyn_build_error(m->model, "%s: %s does not move, and has no velocity to be held", name,
                       m->point[point].name);
    return false;
  }
  if (frame->body == MBS_BAR_FRAME && m->dim == 3 && axis != GRADYN_Z) {
    gradyn_build_error(m->model, "%s: %s is the frame of a bar, whose only direction in space is z",
                       name, frame->name);
    return false;
  }
  return true;
}

int gradyn_knife_edge(gradyn_model *model, const char *name, int frame, gradyn_axis axis, int point,
                      const gradyn_law *speed)
{
  static const char *const speeds[] = {"m/s", "m/s^2", "m/s^3"};
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : knife_edge_ops.kind;
  mbs_frame *f = mbs_check_frame(m, own, frame);
  if (!f || !check(m, own, f, axis, point))
    return 0;
  /* in the plane a frame has x alone, and y is across it */
  const bool across = m->dim == 2 && axis == GRADYN_Y;
  mbs_element element = {
      .ops = &knife_edge_ops,
      .points = 2,
      .point = {[U] = mbs_frame_direction(m, f, across ? 0 : (int)axis), [R] = point},
      .variant = across};
  element.datum = mbs_declare_law(m, own, speeds, speed, &element);
  return mbs_add_row(m, &element, own);
}
