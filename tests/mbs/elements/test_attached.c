/* Attached points in the plane and in space: every element that accepts them, with every derivative with
 * respect to state, data and time against differences, and with forces and masses on them against sums
 * written here. */

#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

enum { MOST = 3 }; /* axes */

/* Points of either model. A, B, C: of the body; mid, beside: between other points, one of them on the
 * ground. */
typedef struct discrete {
  int dim, O, G, P, body, A, B, C, centre, mid, beside;
} discrete;

static int ground(gradyn_model *model, int dim, const char *name, double x, double y, double z)
{
  return dim == 2 ? gradyn_ground_point(model, name, x, y)
                  : gradyn_ground_point_3d(model, name, x, y, z);
}

static int moving(gradyn_model *model, int dim, const char *name, double x, double y, double z)
{
  return dim == 2 ? gradyn_point(model, name, x, y) : gradyn_point_3d(model, name, x, y, z);
}

static int on_body(gradyn_model *model, int dim, int body, const char *name, double x, double y,
                   double z)
{
  return dim == 2 ? gradyn_body_point(model, body, name, x, y)
                  : gradyn_body_point_3d(model, body, name, x, y, z);
}

static discrete declare_points(gradyn_model *model, int dim)
{
  const gradyn_body_spec plane = {
      .name = "body", .centre = {0.3, 0.2}, .mass = 1.7, .inertia = {0, 0, 0.4}};
  const gradyn_body_spec space = {.name = "body",
                                  .centre = {0.3, 0.2, -0.1},
                                  .mass = 1.7,
                                  .inertia = {0.3, 0.4, 0.35, 0.02, -0.03, 0.01}};
  discrete s = {.dim = dim};
  s.O = ground(model, dim, "O", 0, 0, 0);
  s.G = ground(model, dim, "G", 1.2, -0.7, 0.5);
  s.P = moving(model, dim, "P", 1.5, 0.6, 0.4);
  s.body = dim == 2 ? gradyn_body(model, &plane) : gradyn_body_3d(model, &space);
  s.A = on_body(model, dim, s.body, "A", -0.2, 0.1, 0.3);
  s.B = on_body(model, dim, s.body, "B", 0.8, 0.5, -0.4);
  s.C = on_body(model, dim, s.body, "C", 0.4, -0.6, 0.2);
  s.centre = gradyn_body_centre(model, s.body);
  s.mid = gradyn_point_between(model, "mid", s.P, s.centre, 0.3);
  s.beside = gradyn_point_between(model, "beside", s.G, s.P, 1.4);
  return s;
}

static int wave(gradyn_model *model)
{
  const gradyn_scalar knots[] = {1, 4};
  return declare_signal(model, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, knots);
}

/* Forces on two points. On the first one: w t (v_2 - v_1) u + (x_2 - x_1), along the first axes; on the
 * second one its square in x. */
static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  int dim = *(const int *)at->user;
  for (int k = 0; k < dim; k++)
    force[k] = at->data[0] * at->t * (at->vel[dim + k] - at->vel[k]) * at->u[1] + at->pos[dim + k];
  force[dim] = at->pos[0] * at->pos[dim + 1];
  return GRADYN_OK;
}

static gradyn_status forces(gradyn_model *model, int dim)
{
  static const int dims[] = {2, 3};
  int u = wave(model);
  discrete s = declare_points(model, dim);
  const int pair[2] = {s.B, s.beside};
  gradyn_spring(model, &(gradyn_spring_spec){"to other", s.A, s.mid, 60, 2, 0.4, 5, u});
  gradyn_spring(
      model, &(gradyn_spring_spec){
                 .name = "in itself", .from = s.A, .to = s.B, .k = 40, .c = 3, .free_length = 0.9});
  gradyn_spring(
      model, &(gradyn_spring_spec){
                 .name = "to ground", .from = s.G, .to = s.C, .k = 30, .c = 1, .free_length = 0.2});
  gradyn_spring(model, &(gradyn_spring_spec){
                           .name = "to share", .from = s.beside, .to = s.P, .k = 25, .c = 0.5});
  gradyn_dashpot(model, "dashpot", s.C, s.mid, 1.5);
  gradyn_force(model, &(gradyn_force_spec){"push", s.C, 3, -2, u, dim == 2 ? 0 : 1.5});
  if (dim == 2)
    gradyn_torque(model, &(gradyn_torque_spec){"torque", s.B, s.beside, 2, 0.7, u});
  gradyn_custom_force(model,
                      &(gradyn_custom_force_spec){.name = "pull",
                                                  .points = pair,
                                                  .point_count = 2,
                                                  .fn = pull,
                                                  .data = (gradyn_datum[]){{"weight", "", 0.8}},
                                                  .data_count = 1,
                                                  .user = (void *)&dims[dim - 2]});
  gradyn_point_mass(model, "on B", s.B, 0.9);
  gradyn_point_mass(model, "on mid", s.mid, 0.6);
  gradyn_point_mass(model, "on beside", s.beside, 0.4);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", s.C, s.beside, 1.1, 0.8, true, 0.4, 0.1});
  if (dim == 2)
    gradyn_gravity(model, 0.4, -9.81);
  else
    gradyn_gravity_3d(model, 0.4, -9.81, 1.1);
  return gradyn_build_status(model);
}

static gradyn_status forces_plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return forces(model, 2);
}

static gradyn_status forces_space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return forces(model, 3);
}

/* Phi = (r_1 - r_2).(r_1 - r_3) - w t^2 and its time derivatives. */
static gradyn_status cross(const gradyn_at *at, int order, gradyn_scalar *value)
{
  int dim = *(const int *)at->user;
  const gradyn_scalar *p = at->pos, *v = at->vel, *a = at->acc, t = at->t;
  *value = -at->data[0] * (order == 0 ? t * t : order == 1 ? 2 * t : 2);
  for (int k = 0; k < dim; k++) {
    int i = dim + k, j = 2 * dim + k;
    if (order == 0)
      *value += (p[k] - p[i]) * (p[k] - p[j]);
    else if (order == 1)
      *value += (v[k] - v[i]) * (p[k] - p[j]) + (p[k] - p[i]) * (v[k] - v[j]);
    else
      *value += (a[k] - a[i]) * (p[k] - p[j]) + 2 * (v[k] - v[i]) * (v[k] - v[j]) +
                (p[k] - p[i]) * (a[k] - a[j]);
  }
  return GRADYN_OK;
}

static gradyn_status constraints(gradyn_model *model, int dim)
{
  static const int dims[] = {2, 3};
  static const gradyn_time_function law = {1.1, 0.2, -0.3, 0.25, 2.1, 0.4, 0};
  discrete s = declare_points(model, dim);
  const int three[3] = {s.A, s.beside, s.mid};
  gradyn_pin(model, "pin", s.O, s.A);
  gradyn_pin(model, "joint", s.B, s.mid);
  gradyn_pin(model, "share", s.C, s.beside);
  gradyn_distance(model, "distance", s.C, s.mid, &law);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", s.B, s.P, .length = 0.9, .mass = 0.5});
  gradyn_coordinate(model, "coordinate", s.beside, GRADYN_Y, &law);
  if (dim == 2) {
    gradyn_angle(model, "angle", s.A, s.beside, &law);
    gradyn_fix_initial_angle(model, "held angle", s.B, s.mid, 0.3, 0.1);
  }
  gradyn_custom_constraint(
      model, &(gradyn_custom_constraint_spec){.name = "cross",
                                              .points = three,
                                              .point_count = 3,
                                              .fn = cross,
                                              .data = (gradyn_datum[]){{"weight", "", 0.8}},
                                              .data_count = 1,
                                              .user = (void *)&dims[dim - 2]});
  gradyn_fix_initial_distance(model, "held", s.A, s.beside, 0.8, 0.2);
  gradyn_fix_initial_coordinate(model, s.P, GRADYN_X);
  return gradyn_build_status(model);
}

static gradyn_status constraints_plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return constraints(model, 2);
}

static gradyn_status constraints_space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return constraints(model, 3);
}

TEST(test_derivatives)
{
  static const gradyn_build_fn build[4] = {forces_plane, forces_space, constraints_plane,
                                           constraints_space};
  for (int k = 0; k < 4; k++) {
    bench_local b;
    bench_open(&b, build[k], NULL);
    bench_check_residual(&b, k < 2 ? BENCH_K_FORCE | BENCH_C_FORCE | BENCH_M_INERTIA |
                                         BENCH_X_INERTIA | BENCH_X_FORCE | BENCH_R_TIME
                                   : BENCH_K_CONSTRAINT | BENCH_K_HELD | BENCH_X_CONSTRAINT |
                                         BENCH_X_HELD | BENCH_R_TIME);
    bench_check_constraints(&b, k < 2 ? BENCH_PHI_Q | BENCH_PHI_X0
                                      : BENCH_PHI_Q | BENCH_PHI_X | BENCH_PHI_T);
  }
}

/* --- by hand ---------------------------------------------------------------------------------- */

static gradyn_status one_spring(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  discrete s = declare_points(model, 3);
  gradyn_spring(model, &(gradyn_spring_spec){.name = "spring",
                                             .from = s.B,
                                             .to = s.mid,
                                             .k = 60,
                                             .c = 2,
                                             .free_length = 0.4,
                                             .force = 5});
  gradyn_point_mass(model, "bob", s.B, 0.9);
  return gradyn_build_status(model);
}

/* Position and velocity of B and mid from those of P, of the centre and of the base vectors. */
static void place(const double *q, double *B, double *mid)
{
  static const double local[3] = {0.5, 0.3, -0.3};
  for (int k = 0; k < 3; k++) {
    B[k] = q[3 + k];
    for (int i = 0; i < 3; i++)
      B[k] += local[i] * q[6 + 3 * i + k];
    mid[k] = 0.7 * q[k] + 0.3 * q[3 + k];
  }
}

/* The tension acts on the body's centre and, multiplied by the local coordinates, on its base vectors. The
 * opposite force acts on P and the centre in proportion to their shares of the point. */
TEST(test_spring_by_hand)
{
  static const double local[3] = {0.5, 0.3, -0.3};
  bench_local b;
  double B[2][3], mid[2][3], r[BENCH_STATES], expected[15] = {0}, square = 0, rate = 0;
  bench_open(&b, one_spring, NULL);
  for (int order = 0; order < 2; order++)
    place(b.y + order * b.mech->n, B[order], mid[order]);
  for (int k = 0; k < 3; k++)
    square += (mid[0][k] - B[0][k]) * (mid[0][k] - B[0][k]);
  double s = sqrt(square);
  for (int k = 0; k < 3; k++)
    rate += (mid[0][k] - B[0][k]) * (mid[1][k] - B[1][k]) / s;
  double tension = 60 * (s - 0.4) + 2 * rate + 5;
  for (int k = 0; k < 3; k++) {
    double f = tension * (mid[0][k] - B[0][k]) / s; /* on B */
    expected[k] = 0.7 * f;
    expected[3 + k] = 0.3 * f - f;
    for (int i = 0; i < 3; i++)
      expected[6 + 3 * i + k] = -local[i] * f;
  }
  gradyn_mech_state at = bench_state(&b, b.y, b.t);
  assert_int_equal(b.mech->n, 15);
  assert_ok(b.mech->ops->residual(b.mech, GRADYN_FORCE, &at, r), b.model->message.text);
  assert_close_array(r, expected, 15, 1e-14, 1e-13);
}

/* The inertia force of a mass on B is m a_B on the centre, and its product with the local coordinates on
 * the base vectors. That of the body is m a and sum_j E_ij e_j'' with E = (trace/2) 1 - J. */
TEST(test_inertia_by_hand)
{
  static const double local[3] = {0.5, 0.3, -0.3};
  static const double E[3][3] = {{0.225, -0.02, 0.03}, {-0.02, 0.125, -0.01}, {0.03, -0.01, 0.175}};
  bench_local b;
  double r[BENCH_STATES], expected[15] = {0}, B[3], mid[3];
  bench_open(&b, one_spring, NULL);
  const double *a = b.y + 2 * b.mech->n;
  place(a, B, mid);
  for (int k = 0; k < 3; k++) {
    expected[3 + k] = 1.7 * a[3 + k] + 0.9 * B[k];
    for (int i = 0; i < 3; i++) {
      expected[6 + 3 * i + k] = 0.9 * local[i] * B[k];
      for (int j = 0; j < 3; j++)
        expected[6 + 3 * i + k] += E[i][j] * a[6 + 3 * j + k];
    }
  }
  gradyn_mech_state at = bench_state(&b, b.y, b.t);
  assert_ok(b.mech->ops->residual(b.mech, GRADYN_INERTIA, &at, r), b.model->message.text);
  assert_close_array(r, expected, 15, 1e-14, 1e-14);
}
