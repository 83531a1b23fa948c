/* Forces and torques of joints. A constraint with multiplier lambda acts on b with -lambda Phi_b. In
 * frame a with directions u, with d = r_b - r_a and about the origin of b:
 *   origins coincide, lambda in axes of the ground   force -lambda.u;
 *   guide u_i.d                                      force -lambda along u_i;
 *   normal u_i.w_j                                   torque lambda u_i x w_j;
 *   slide u_z.d - s, angle about u_z                 force, torque -lambda along u_z.
 * In the plane guides act along the normal of x, and parallel directions x.x give a torque -lambda
 * x_a.x_b. */
#include "mbs/measures/measure.h"

enum { JOINT, AXIS, IS_TORQUE };

/* Computes a sum over the constraints of a joint; with out, adds weight times its derivatives to *out. */
typedef struct pass {
  const gradyn_mbs *m;
  const double *y;
  double sum, weight;
  const gradyn_gradient_out *out;
} pass;

/* Multiplier of a constraint. */
static double lambda(const pass *p, int row)
{
  return p->y[3 * p->m->mech.n + row];
}

/* Adds weight bar to the adjoint of a multiplier. */
static void lambda_bar(const pass *p, int row, double bar)
{
  if (p->out && p->out->y_bar)
    p->out->y_bar[(3 * p->m->mech.n + row) * p->out->stride] += p->weight * bar;
}

/* A direction or position v [3]; z is 0 in the plane. */
static void vector(const pass *p, int point, double v[3])
{
  v[0] = v[1] = v[2] = 0; /* set because gcc cannot see that dim is 2 or 3 */
  for (int k = 0; k < p->m->dim; k++)
    v[k] = mbs_component(p->m, point, 0, k, p->y);
}

/* Adds weight bar to the adjoint of a direction or position. */
static void vector_bar(const pass *p, int point, const double *bar)
{
  for (int k = 0; k < p->m->dim && p->out; k++)
    mbs_component_bar(p->m, point, 0, k, p->weight * bar[k], p->y, p->out);
}

/* Adds factor times a multiplier to the sum, with its derivative. */
static void add_plain(pass *p, int row, double factor)
{
  p->sum += factor * lambda(p, row);
  lambda_bar(p, row, factor);
}

/* Adds -lambda.n for the multipliers of coinciding origins. n is the direction u or, with `across` in the
 * plane, its normal (-u_y, u_x). */
static void add_pin(pass *p, int first, int direction, bool across)
{
  double u[3], bar[3] = {0};
  int dim = p->m->dim;
  vector(p, direction, u);
  /* n is along u, or across u in the plane */
  const double n[3] = {across ? -u[1] : u[0], across ? u[0] : u[1], u[2]};
  for (int k = 0; k < dim; k++) {
    p->sum -= lambda(p, first + k) * n[k];
    lambda_bar(p, first + k, -n[k]);
    bar[k] = -lambda(p, first + k);
  }
  const double turned[3] = {bar[1], -bar[0], 0};
  vector_bar(p, direction, across ? turned : bar);
}

/* Adds lambda (u x w).a, the component along a of the torque that keeps the directions u and w normal. */
static void add_normal(pass *p, int row, const int *pair, int along)
{
  double u[3], w[3], a[3], c[3], bar[3];
  vector(p, pair[0], u);
  vector(p, pair[1], w);
  vector(p, along, a);
  mbs_cross(u, w, c); /* lam (u x w).a */
  double triple = c[0] * a[0] + c[1] * a[1] + c[2] * a[2], lam = lambda(p, row);
  p->sum += lam * triple;
  lambda_bar(p, row, triple);
  for (int k = 0; k < 3; k++)
    bar[k] = lam * c[k];
  vector_bar(p, along, bar);
  mbs_cross(w, a, bar); /* (u x w).a = u.(w x a) = w.(a x u) */
  for (int k = 0; k < 3; k++)
    bar[k] *= lam;
  vector_bar(p, pair[0], bar);
  mbs_cross(a, u, bar);
  for (int k = 0; k < 3; k++)
    bar[k] *= lam;
  vector_bar(p, pair[1], bar);
}

/* Adds -lambda u.w, the torque that keeps the directions u and w parallel in the plane. */
static void add_parallel(pass *p, int row, const int *pair)
{
  double u[3], w[3], bar[2][3], lam = lambda(p, row);
  vector(p, pair[0], u);
  vector(p, pair[1], w);
  double cosine = u[0] * w[0] + u[1] * w[1];
  p->sum -= lam * cosine;
  lambda_bar(p, row, -cosine);
  for (int k = 0; k < 2; k++) {
    bar[0][k] = -lam * w[k];
    bar[1][k] = -lam * u[k];
  }
  vector_bar(p, pair[0], bar[0]);
  vector_bar(p, pair[1], bar[1]);
}

/* Adds the force or torque of one constraint along axis i of frame a. */
static void add_row(pass *p, const mbs_joint *joint, int row, int i, bool torque)
{
  const gradyn_mbs *m = p->m;
  const mbs_element *e = &m->constraints.item[row];
  const mbs_frame *a = &m->parts.frame[joint->a];
  /* a guide along direction i of frame a */
  bool guide = (e->ops == &mbs_along_ops && e->point[0] == a->direction[i]) ||
               (e->ops == &mbs_across_ops && i == 1);
  if (e->ops == &mbs_pin_ops && !torque && e->axis == GRADYN_X)
    add_pin(p, row, a->direction[m->dim == 2 ? 0 : i], m->dim == 2 && i == 1);
  else if (guide && !torque)
    add_plain(p, row, -1);
  else if (e->ops == &mbs_dot_ops && torque)
    add_normal(p, row, e->point, a->direction[i]);
  else if (e->ops == &mbs_parallel_ops && torque)
    add_parallel(p, row, e->point);
}

/* Force or torque of a joint: the sum over its constraints, and over those of its coordinates. */
static double take(gradyn_mbs *m, const mbs_measure *s, const gradyn_sample *at, double weight,
                   const gradyn_gradient_out *out)
{
  const mbs_joint *joint = &m->parts.joint[s->index[JOINT]];
  pass p = {.m = m, .y = at->y, .weight = weight, .out = out};
  int i = s->index[AXIS], along = m->dim == 2 ? 0 : 2;
  bool torque = s->index[IS_TORQUE];
  for (int row = joint->first; row < joint->first + joint->rows; row++)
    add_row(&p, joint, row, i, torque);
  if (!torque && i == along && joint->slide_row >= 0)
    add_plain(&p, joint->slide_row, -1);
  if (!torque && i < 2 && joint->along_row[i] >= 0)
    add_plain(&p, joint->along_row[i], -1);
  if (torque && i == 2 && joint->angle_row >= 0)
    add_plain(&p, joint->angle_row, -1);
  return p.sum;
}

/* --- declaration ------------------------------------------------------------------------------ */

/* Declares a force along, or a torque about, an axis of frame a. */
static int declare(gradyn_model *model, const char *name, int joint, gradyn_axis axis, bool torque)
{
  gradyn_mbs *m = mbs_of(model);
  const mbs_joint *j = mbs_check_joint(m, name, joint);
  if (!j)
    return 0;
  int i = (int)axis;
  /* in the plane: forces along x and y, torques about z */
  if (i < 0 || i > 2 || (m->dim == 2 && torque != (i == 2))) {
    gradyn_build_error(model, "%s: axis %d: %s", name, i,
                       m->dim == 3 ? "must be GRADYN_X, GRADYN_Y or GRADYN_Z"
                                   : "in the plane forces are along GRADYN_X and GRADYN_Y, torques "
                                     "about GRADYN_Z");
    return 0;
  }
  if (j->kind == GRADYN_CONSTANT_LENGTH || (j->loose && !torque)) {
    gradyn_build_error(model, "%s: joint %s has no constraint that determines its force%s", name,
                       j->name,
                       j->loose ? ", because other parts already connect the origins of "
                                  "its frames rigidly"
                                : "");
    return 0;
  }
  const mbs_frame *a = &m->parts.frame[j->a];
  if (m->dim == 3 && i != 2 && a->body == MBS_BAR_FRAME) {
    gradyn_build_error(
        model, "%s: axis %d: the frame %s of a rod has only the direction GRADYN_Z, along the rod",
        name, i, a->name);
    return 0;
  }
  for (int k = 0; k < 3; k++) /* declares directions that the joint itself does not need */
    if ((m->dim == 3 && k == i) || (m->dim == 2 && k == 0 && !torque))
      mbs_frame_direction(m, &m->parts.frame[j->a], k);
  return mbs_add_measure(m, name,
                         &(mbs_measure){.take = take,
                                        .unit = torque ? "N m" : "N",
                                        .index = {(int)(j - m->parts.joint), i, torque},
                                        .order = 3});
}

int gradyn_measure_joint_force(gradyn_model *model, const char *name, int joint, gradyn_axis axis)
{
  return declare(model, name, joint, axis, false);
}

int gradyn_measure_joint_torque(gradyn_model *model, const char *name, int joint, gradyn_axis axis)
{
  return declare(model, name, joint, axis, true);
}
