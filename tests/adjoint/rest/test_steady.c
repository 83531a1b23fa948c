/* Linearisation of steady motions: eigenvalues for disturbances in the moving frame against closed forms.
 * If a motion is not steady, the cause is named. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <string.h>

static const double g = 9.81, m = 1.7, l = 0.6; /* m/s^2, kg, m */

/* --- models: rho is what the motion is to be, and a disturbance ------------------------------------ */

/* A mass on a rod moves on a circle at the angle rho[0] from the vertical. This force makes the motion
 * unsteady. */
static gradyn_status meet(const gradyn_at *at, gradyn_scalar force[])
{
  const double *what = at->user;
  const gradyn_scalar *r = at->pos, square = r[0] * r[0] + r[1] * r[1];
  const double circle = l * sin(0.7);
  /* a constant wind; springs along y; springs that act only off the circle, depending on the direction */
  const gradyn_scalar off = (square - circle * circle) * r[0] * r[0];
  force[0] = what[0] - what[2] * off * r[0];
  force[1] = -what[1] * r[1] - what[2] * off * r[1];
  force[2] = 0;
  return GRADYN_OK;
}

static double met[3];
/* Relative excess of the angular velocity over that of the steady motion. */
static double faster;

static gradyn_status cone(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar rate = csqrt(g / (l * ccos(rho[0]))), s = csin(rho[0]), c = ccos(rho[0]);
  int hub = gradyn_ground_point_3d(model, "hub", 0, 0, 0);
  int bob = gradyn_point_3d(model, "bob", l * s, 0, -l * c);
  gradyn_initial_velocity_3d(model, bob, 0, (1 + faster) * rate * l * s, 0);
  gradyn_distance(model, "rod", hub, bob, &(gradyn_time_function){.value = l});
  gradyn_point_mass(model, "mass", bob, m);
  gradyn_gravity_3d(model, 0, 0, -g);
  if (met[0] != 0 || met[1] != 0 || met[2] != 0)
    gradyn_custom_force(
        model, &(gradyn_custom_force_spec){
                   .name = "air", .points = &bob, .point_count = 1, .fn = meet, .user = met});
  gradyn_functional(
      model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", bob, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* A mass on a spring moves on a circle in the plane with the angular velocity rho[0]. */
static gradyn_status circle(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar r = l / (1 - rho[0] * rho[0] / 100); /* k (r - l) = m Omega^2 r, k = 100 m */
  int hub = gradyn_ground_point(model, "hub", 0, 0), bob = gradyn_point(model, "bob", 0, r);
  gradyn_initial_velocity(model, bob, -(1 + faster) * rho[0] * r, 0);
  gradyn_spring(model, &(gradyn_spring_spec){"spring", hub, bob, .k = 100 * m, .free_length = l});
  gradyn_point_mass(model, "mass", bob, m);
  gradyn_functional(
      model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", bob, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* A body held at its centre rotates about z with 7 rad/s. Its moment of inertia about x is rho[0]; the
 * others are 1.4 and 2. */
static gradyn_status gyro(gradyn_model *model, const gradyn_scalar rho[])
{
  int hub = gradyn_ground_point_3d(model, "hub", 0, 0, 0);
  int body = gradyn_body_3d(model, &(gradyn_body_spec){.name = "body",
                                                       .mass = m,
                                                       .inertia = {rho[0], 1.4, 2},
                                                       .omega = {7 * faster, 0, 7}});
  gradyn_pin(model, "pin", hub, gradyn_body_centre(model, body));
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "x", gradyn_measure_point(model, "", gradyn_body_centre(model, body), 0, GRADYN_X),
                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

enum { TOP_PRECESSION = 2 };          /* rad/s */
static const double A = 0.9, C = 0.3; /* kg m^2, of the top about its fixed point */

/* A heavy top inclined by rho[0], with the spin that gives a precession of 2 rad/s. */
static gradyn_status top(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar s = csin(rho[0]), c = ccos(rho[0]), u[3] = {s, 0, c};
  const double W = TOP_PRECESSION;
  const gradyn_scalar spin = (A * W * W * c + m * g * l) / (C * W); /* about its axis, in all */
  const gradyn_scalar across = A - m * l * l, w = (1 + faster) * spin - W * c;
  const gradyn_scalar omega[3] = {w * u[0], 0, W + w * u[2]};
  int hub = gradyn_ground_point_3d(model, "hub", 0, 0, 0);
  int body = gradyn_body_3d(
      model,
      &(gradyn_body_spec){.name = "top",
                          .centre = {l * s, 0, l * c},
                          .mass = m,
                          .inertia = {across + (C - across) * s * s, across,
                                      across + (C - across) * c * c, 0, (C - across) * s * c, 0},
                          .velocity = {0, omega[2] * l * s - omega[0] * l * c, 0},
                          .omega = {omega[0], 0, omega[2]}});
  gradyn_pin(model, "pin", hub, gradyn_body_point_3d(model, body, "tip", 0, 0, 0));
  gradyn_gravity_3d(model, 0, 0, -g);
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "x", gradyn_measure_point(model, "", gradyn_body_centre(model, body), 0, GRADYN_X),
                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const double shaft = 0.5, J[3] = {0.06, 0.05, 0.02}; /* kg m^2 */

/* A pendulum hinged to a shaft that rotates about the vertical, at the angle rho[0]; D c Omega^2 = m g l. */
static gradyn_status turning(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar s = csin(rho[0]), c = ccos(rho[0]);
  const gradyn_scalar rate = (1 + faster) * csqrt(m * g * l / ((m * l * l + J[0] - J[2]) * c));
  gradyn_gravity_3d(model, 0, 0, -g);
  int post = gradyn_body_3d(
      model, &(gradyn_body_spec){
                 .name = "post", .mass = 1, .inertia = {1, 1, shaft}, .omega = {0, 0, rate}});
  int arm = gradyn_body_3d(model, &(gradyn_body_spec){.name = "arm",
                                                      .centre = {l * s, 0, -l * c},
                                                      .mass = m,
                                                      .inertia = {J[0] * c * c + J[2] * s * s, J[1],
                                                                  J[0] * s * s + J[2] * c * c, 0,
                                                                  (J[0] - J[2]) * s * c, 0},
                                                      .velocity = {0, rate * l * s, 0},
                                                      .omega = {0, 0, rate}});
  declare_joint(model, "bearing", GRADYN_REVOLUTE, GRADYN_GROUND, post, NULL, VECTOR(0, 0, 1));
  declare_joint(model, "hinge", GRADYN_REVOLUTE, post, arm, NULL, VECTOR(0, 1, 0));
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "x", gradyn_measure_point(model, "", gradyn_body_centre(model, arm), 0, GRADYN_X),
                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* --- closed forms: squares of the eigenvalues that are not zero ------------------------------------ */

/* Omega^2 (1 + 3 cos^2) */
static int of_cone(double x, double square[])
{
  square[0] = -g / (l * cos(x)) * (1 + 3 * cos(x) * cos(x));
  return 1;
}

/* k/m + 3 Omega^2 */
static int of_circle(double x, double square[])
{
  square[0] = -(100 + 3 * x * x);
  return 1;
}

/* Eigenvalues by Euler's equations, and +-7i for the attitude in the rotating frame. The latter do not
 * occur for a body of revolution. */
static int of_gyro(double x, double square[])
{
  square[0] = -49 * (2 - x) * (2 - 1.4) / (1.4 * x);
  square[1] = -49;
  return 2;
}

static int of_round_gyro(double x, double square[])
{
  square[0] = -49 * 4 / (x * x); /* C Omega/A */
  return 1;
}

/* (f/A)^2 - 2 Omega cos f/A + Omega^2, f = m g l/Omega */
static int of_top(double x, double square[])
{
  const double W = TOP_PRECESSION, f = m * g * l / (W * A);
  square[0] = -(f * f - 2 * W * cos(x) * f + W * W);
  return 1;
}

/* V'' over the moment of inertia about the hinge, J = shaft + J_z + D sin^2 */
static int of_turning(double x, double square[])
{
  const double s = sin(x), c = cos(x), D = m * l * l + J[0] - J[2], W2 = m * g * l / (D * c);
  const double about = shaft + J[2] + D * s * s, slope = 2 * D * s * c,
               bend = 2 * D * (c * c - s * s);
  square[0] = (W2 / 2 * (bend - 2 * slope * slope / about) - m * g * l * c) / (m * l * l + J[1]);
  return 1;
}

/* --- tests ---------------------------------------------------------------------------------------- */

static const gradyn_param param = {"x", "", .init = 0.7, .lower = 0, .upper = 10};

static gradyn_problem problem_of(gradyn_build_fn build)
{
  return (gradyn_problem){GRADYN_PROBLEM_SIZES, .name = "probe", .params = &param,
                          .param_count = 1,     .build = build,  .t_end = 1,
                          .method = "explicit", .rtol = 1e-10};
}

/* Checks eigenvalues, sorted by size: first zeros, then pairs with these squares. */
static void check(const gradyn_linearisation *found, int pairs, const double square[])
{
  const int size = 2 * found->dof;
  double left[4];
  memcpy(left, square, (size_t)pairs * sizeof *left);
  for (int k = 0; k < size; k++) {
    const double re = found->real[k], im = found->imag[k], s2 = re * re - im * im;
    if (k < size - 2 * pairs) { /* multiple zeros are accurate to the square root of round-off */
      assert_close(hypot(re, im), 0, 0, 2e-5);
      continue;
    }
    double off = HUGE_VAL;
    for (int i = 0; i < pairs; i++)
      off = fmin(off, hypot(s2 - square[i], 2 * re * im) / fabs(square[i]));
    assert_close(off, 0, 0, 1e-9);
  }
}

TEST(steady_motions_have_constant_eigenvalues)
{
  static const struct {
    gradyn_build_fn build;
    double at[2];
    int (*squares)(double x, double square[]);
    const char *coordinates;
  } motions[] = {
      {cone, {0.4, 1.2}, of_cone, "natural"},     {circle, {2, 6}, of_circle, "natural"},
      {gyro, {1, 2.9}, of_gyro, "natural"},       {gyro, {1.4, 1.4}, of_round_gyro, "natural"},
      {top, {0.5, 1.3}, of_top, "natural"},       {turning, {0.3, 1.1}, of_turning, "natural"},
      {turning, {0.3, 1.1}, of_turning, "joint"}, {gyro, {1, 2.9}, of_gyro, "joint"},
      {gyro, {1.4, 1.4}, of_round_gyro, "joint"}, {top, {0.5, 1.3}, of_top, "joint"}};
  memset(met, 0, sizeof met);
  for (size_t i = 0; i < GRADYN_COUNT(motions); i++)
    for (int k = 0; k < 4; k++) {
      gradyn_problem problem = problem_of(motions[i].build);
      problem.coordinates = motions[i].coordinates;
      const double x = motions[i].at[k % 2];
      double square[4];
      run_local *ev = run_with(.problem = &problem);
      LOCAL(gradyn_linearisation) found;
      /* at the start, and at the end of a run */
      assert_run(gradyn_evaluator_linearise(ev, &x, k > 1, &found), ev);
      assert_string_equal(found.unsteady, "");
      assert_int_equal(found.motion, GRADYN_STEADY_MOTION);
      check(&found, motions[i].squares(x, square), square);
    }
}

TEST(unsteady_motions_are_named)
{
  static const struct {
    double met[3], x;
    const char *says;
  } rows[] = {{{1}, 0.7, "the acceleration of bob."},
              {{0, 1}, 0.7, "the acceleration of bob."},
              {{0, 0, 1}, 0.7, "later in the motion the linearised acceleration of bob"}};
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    const gradyn_problem problem = problem_of(cone);
    LOCAL(gradyn_linearisation) found;
    memcpy(met, rows[i].met, sizeof met);
    run_local *ev = run_with(.problem = &problem);
    assert_run(gradyn_evaluator_linearise(ev, &rows[i].x, false, &found), ev);
    assert_int_equal(found.motion, GRADYN_TRANSIENT);
    if (strncmp(found.unsteady, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("'%s' is told, not '%s'", found.unsteady, rows[i].says);
  }
  memset(met, 0, sizeof met);
}

enum { FEW = 7 };

/* Nearly steady motions are not accepted: a rotation that is slightly too fast, or that wobbles. */
TEST(what_is_nearly_steady_is_not)
{
  static const struct {
    gradyn_build_fn build;
    double at;
    const char *coordinates;
  } motions[] = {{cone, 0.7, "natural"}, {circle, 6, "natural"},    {gyro, 1, "natural"},
                 {top, 0.5, "natural"},  {turning, 0.3, "natural"}, {turning, 0.3, "joint"},
                 {gyro, 1, "joint"},     {top, 0.5, "joint"}};
  for (size_t i = 0; i < FEW * GRADYN_COUNT(motions); i++) {
    gradyn_problem problem = problem_of(motions[i / FEW].build);
    LOCAL(gradyn_linearisation) found;
    problem.coordinates = motions[i / FEW].coordinates;
    run_local *ev = run_with(.problem = &problem);
    faster = pow(10, -(double)(i % FEW) - 2);
    assert_run(gradyn_evaluator_linearise(ev, &motions[i / FEW].at, false, &found), ev);
    faster = 0;
    assert_int_equal(found.motion, GRADYN_TRANSIENT);
    assert_true(found.unsteady[0] != '\0');
  }
}
