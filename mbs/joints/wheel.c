/* A wheel, a thin disc, that rolls on a plane of the ground. Centre c, radius R, a triad x, y, z fixed to
 * the wheel with z along its axle; the plane through o has the normal k. With a = k.x, b = k.y and s =
 * sqrt(a^2 + b^2) its lowest point
 *     p = c - R (a x + b y)/s
 * touches the plane,
 *     Phi = k.(p - o) = k.(c - o) - R s.
 * The material point of the wheel there has no velocity along either direction t of the plane,
 *     psi = t.(c' - R (a x' + b y')/s),
 * by nonholonomic constraints. The velocity of this material point along k is Phi'. See
 * docs/problems/bicycle.md. */
#include "mbs/joints/wheel.h"

#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/bodies/frame.h"
#include "mbs/joints/kernel.h"

enum { K, C, X, Y, O, T = O }; /* vectors, in the order of the elements' points */
enum { VECTORS = 5, AXES = 3, LOCAL = AXES * VECTORS };

#define V(i) (a->x + AXES * (i))

/* Components a = k.x and b = k.y of the normal k, and 1/s. */
typedef struct lowest {
  mbs_jet a, b, per;
} lowest;

GRADYN_KERNEL lowest find_lowest(const mbs_arguments *a)
{
  lowest p = {.a = mbs_product(AXES, a, K, X), .b = mbs_product(AXES, a, K, Y)};
  p.per = mbs_inverse_root(mbs_plus(mbs_times(p.a, p.a), mbs_times(p.b, p.b)));
  return p;
}

/* --- contact ---------------------------------------------------------------------------------- */

GRADYN_KERNEL void touch(int dim, const mbs_arguments *a, mbs_gradient *g)
{
  const lowest p = find_lowest(a);
  const mbs_jet minus = mbs_scaled(-1, a->s); /* -R */
  const mbs_jet A = mbs_times(minus, mbs_times(p.a, p.per)),
                B = mbs_times(minus, mbs_times(p.b, p.per));
  (void)dim;
  g->s = mbs_scaled(-1, mbs_plus(mbs_times(p.a, mbs_times(p.a, p.per)),
                                 mbs_times(p.b, mbs_times(p.b, p.per)))); /* -s */
  g->phi = mbs_times(a->s, g->s);
  for (int k = 0; k < AXES; k++) {
    const mbs_jet r = mbs_minus(V(C)[k], V(O)[k]);
    g->phi = mbs_plus(g->phi, mbs_times(V(K)[k], r)); /* k.(c - o) - R s */
    /* Phi_c = k, Phi_o = -k, Phi_x = -R a/s k, Phi_y = -R b/s k, Phi_k = c - o - R (a x + b y)/s */
    g->x[AXES * C + k] = V(K)[k];
    g->x[AXES * O + k] = mbs_scaled(-1, V(K)[k]);
    g->x[AXES * X + k] = mbs_times(A, V(K)[k]);
    g->x[AXES * Y + k] = mbs_times(B, V(K)[k]);
    g->x[AXES * K + k] = mbs_plus(r, mbs_plus(mbs_times(A, V(X)[k]), mbs_times(B, V(Y)[k])));
  }
}

MBS_JET_FUNCTIONS(touch, VECTORS)

/* --- rolling ---------------------------------------------------------------------------------- */

/* The jet of a rate f': its value and first derivative. */
GRADYN_KERNEL mbs_jet rate(mbs_jet f)
{
  return (mbs_jet){{f.d[1], f.d[2], 0}};
}

/* Weights of x' and y' in psi, divided by R: -a/s and -b/s. */
GRADYN_KERNEL void weigh(const mbs_arguments *a, mbs_jet weight[2])
{
  const lowest p = find_lowest(a);
  weight[0] = mbs_scaled(-1, mbs_times(p.a, p.per));
  weight[1] = mbs_scaled(-1, mbs_times(p.b, p.per));
}

/* A, the derivative of psi by rates: A_c = t, A_x = -R a/s t, A_y = -R b/s t. The argument `radius` is used
 * for R. Without `centre`, A_c is left out. */
GRADYN_KERNEL void pull(const mbs_arguments *a, bool centre, mbs_jet radius, mbs_jet *A)
{
  mbs_jet weight[2];
  weigh(a, weight);
  for (int k = 0; k < LOCAL; k++)
    A[k] = mbs_number(0);
  for (int k = 0; k < AXES; k++) {
    A[AXES * C + k] = centre ? V(T)[k] : mbs_number(0);
    A[AXES * X + k] = mbs_times(radius, mbs_times(weight[0], V(T)[k]));
    A[AXES * Y + k] = mbs_times(radius, mbs_times(weight[1], V(T)[k]));
  }
}

/* psi, its derivative by R, and psi_q at given rates, with first time derivatives. With N = a t.x' + b t.y',
 *   psi = t.c' - R N/s,   psi_a = -R (t.x' - a N/s^2)/s,   psi_b = -R (t.y' - b N/s^2)/s,
 *   psi_x = psi_a k,  psi_y = psi_b k,  psi_k = psi_a x + psi_b y,  psi_t = c' - R (a x' + b y')/s. */
GRADYN_KERNEL void roll(const mbs_arguments *a, mbs_gradient *g)
{
  const lowest p = find_lowest(a);
  mbs_jet along[3] = {{{0}}}; /* t.c', t.x', t.y' */
  static const int of[3] = {C, X, Y};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < AXES; k++)
      along[i] = mbs_plus(along[i], mbs_times(V(T)[k], rate(V(of[i])[k])));
  const mbs_jet N = mbs_plus(mbs_times(p.a, along[1]), mbs_times(p.b, along[2]));
  const mbs_jet minus = mbs_scaled(-1, mbs_times(a->s, p.per)), /* -R/s */
      share = mbs_times(N, mbs_times(p.per, p.per));            /* N/s^2 */
  const mbs_jet A = mbs_times(minus, mbs_minus(along[1], mbs_times(p.a, share))),
                B = mbs_times(minus, mbs_minus(along[2], mbs_times(p.b, share)));
  g->phi = mbs_plus(along[0], mbs_times(minus, N));
  g->s = mbs_scaled(-1, mbs_times(p.per, N));
  for (int k = 0; k < AXES; k++) {
    const mbs_jet turned = mbs_plus(mbs_times(p.a, rate(V(X)[k])), mbs_times(p.b, rate(V(Y)[k])));
    g->x[AXES * C + k] = mbs_number(0);
    g->x[AXES * X + k] = mbs_times(A, V(K)[k]);
    g->x[AXES * Y + k] = mbs_times(B, V(K)[k]);
    g->x[AXES * K + k] = mbs_plus(mbs_times(A, V(X)[k]), mbs_times(B, V(Y)[k]));
    g->x[AXES * T + k] = mbs_plus(rate(V(C)[k]), mbs_times(minus, turned));
  }
}

static mbs_gradient rolled(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  mbs_arguments a;
  mbs_gradient g;
  mbs_take_arguments(AXES, 2, VECTORS, e, at, z, &a);
  roll(&a, &g);
  return g;
}

/* psi for order 1, psi' for order 2. */
static gradyn_status roll_phi(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, int order, double *value)
{
  (void)m;
  *value = order == 0 ? 0 : rolled(e, at, z).phi.d[order - 1];
  return GRADYN_OK;
}

/* A for order 0, psi_q for order 1, and psi'_q = (psi_q)' for order 2. */
static gradyn_status roll_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, int order, double *out)
{
  mbs_arguments a;
  mbs_gradient g;
  (void)m;
  mbs_take_arguments(AXES, order, VECTORS, e, at, z, &a);
  if (order == 0)
    pull(&a, true, a.s, g.x);
  else
    roll(&a, &g);
  for (int k = 0; k < LOCAL; k++)
    out[k] = g.x[k].d[order == 2];
  return GRADYN_OK;
}

/* psi'_v = A' + psi_q, the derivative of psi' by velocities. */
static gradyn_status roll_psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *out)
{
  mbs_arguments a;
  mbs_gradient g;
  mbs_jet A[LOCAL];
  (void)m;
  mbs_take_arguments(AXES, 1, VECTORS, e, at, z, &a);
  roll(&a, &g);
  pull(&a, true, a.s, A);
  for (int k = 0; k < LOCAL; k++)
    out[k] = A[k].d[1] + g.x[k].d[0];
  return GRADYN_OK;
}

/* A_q, which is not symmetric: column j is A' for the seed x' = e_j. */
static gradyn_status roll_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *H)
{
  mbs_arguments a;
  mbs_jet A[LOCAL];
  (void)m;
  mbs_take_arguments(AXES, 0, VECTORS, e, at, z, &a);
  for (int j = 0; j < LOCAL; j++) {
    a.x[j].d[1] = 1;
    pull(&a, true, a.s, A);
    a.x[j].d[1] = 0;
    for (int i = 0; i < LOCAL; i++)
      H[i * LOCAL + j] = A[i].d[1];
  }
  return GRADYN_OK;
}

static gradyn_status roll_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, int order, double *phi_z)
{
  (void)m;
  *phi_z = order == 0 ? 0 : rolled(e, at, z).s.d[order - 1];
  return GRADYN_OK;
}

/* The derivative of A by the radius: A with radius 1 and without A_c. */
static gradyn_status roll_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *g_z)
{
  mbs_arguments a;
  mbs_jet A[LOCAL];
  (void)m;
  mbs_take_arguments(AXES, 0, VECTORS, e, at, z, &a);
  pull(&a, false, mbs_number(1), A);
  for (int k = 0; k < LOCAL; k++)
    g_z[k] = A[k].d[0];
  return GRADYN_OK;
}

static const mbs_element_ops touch_ops = {
    .kind = "contact of a wheel", .degree = 3, MBS_JET_OPS(touch)};
static const mbs_element_ops roll_ops = {.kind = "rolling of a wheel",
                                         .phi = roll_phi,
                                         .phi_q = roll_phi_q,
                                         .psi_v = roll_psi_v,
                                         .hessian = roll_hessian,
                                         .phi_input = roll_input,
                                         .phi_q_input = roll_mixed,
                                         .degree = 3};

/* --- declaration ------------------------------------------------------------------------------ */

bool mbs_check_wheel(gradyn_mbs *m, const char *name, const mbs_frame *wheel,
                     const mbs_frame *ground, gradyn_scalar radius)
{
  if (m->dim == 2)
    gradyn_build_error(m->model, "%s is a wheel, which needs a spatial mechanism", name);
  else if (wheel->body < 0)
    gradyn_build_error(m->model, "%s: the frame of the wheel, %s, is not fixed to a body", name,
                       wheel->name);
  else if (ground->body != GRADYN_GROUND)
    gradyn_build_error(m->model, "%s rolls on %s, which is not a frame of the ground", name,
                       ground->name);
  else if (!(creal(radius) > 0))
    gradyn_build_error(m->model, "%s has the radius %g m: it must be positive", name,
                       creal(radius));
  else if (wheel->has_axis && ground->has_axis) {
    gradyn_scalar along = 0; /* z.k at the start */
    for (int k = 0; k < 3; k++)
      along += wheel->triad[2][k] * ground->triad[2][k];
    if (!(creal(along * along) < 1 - 1e-6))
      gradyn_build_error(m->model,
                         "%s lies flat on %s; the axis of a wheel must not be normal to the ground",
                         name, ground->name);
  }
  return !m->model->failed;
}

int gradyn_wheel(gradyn_model *model, const gradyn_wheel_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_wheel()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "wheel");
  mbs_frame *wheel = mbs_check_frame(m, name, spec->wheel);
  mbs_frame *ground = mbs_check_frame(m, name, spec->ground);
  if (!wheel || !ground || !mbs_check_name(m, name) ||
      !mbs_check_wheel(m, name, wheel, ground, spec->radius))
    return 0;
  mbs_element e = {.ops = &touch_ops,
                   .points = VECTORS,
                   .point = {[K] = mbs_frame_direction(m, ground, 2),
                             [C] = wheel->origin,
                             [X] = mbs_frame_direction(m, wheel, 0),
                             [Y] = mbs_frame_direction(m, wheel, 1),
                             [O] = ground->origin},
                   .datum = gradyn_model_datum(model, name, "radius", "m", spec->radius),
                   .data_count = 1};
  const int first = mbs_add_row(m, &e, gradyn_format_name(model, "%s.contact", name));
  e.ops = &roll_ops;
  e.modes.shared = true;
  for (int i = 0; i < 2; i++) {
    e.point[T] = mbs_frame_direction(m, ground, i);
    mbs_add_row(m, &e, gradyn_format_name(model, "%s.roll_%s", name, i ? "y" : "x"));
  }
  return gradyn_id(model, first);
}
