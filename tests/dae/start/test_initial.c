/* The consistent initial state of mechanisms: closed forms, fixed initial conditions, failures. */
#include "tests/dae/start/solved.h"
#include "tests/support.h"

#include <complex.h>
#include <tgmath.h>

#include <gradyn/mechanism.h>

/* --- pendulum --------------------------------------------------------------------------------- */

enum { NOTHING, COORDINATE, ANGLE, DISTANCE };
static const double Ax = 0.3, Ay = -0.2, L = 1.3, mass = 0.7, gravity = 9.81;

/* rho: guess x, y, vx, vy; the fixed quantity; its value and rate. */
static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", Ax, Ay);
  int B = gradyn_ground_point(model, "B", 2, 0);
  int P = gradyn_point(model, "P", rho[0], rho[1]);
  gradyn_initial_velocity(model, P, rho[2], rho[3]);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", A, P, .length = L});
  gradyn_point_mass(model, "bob", P, mass);
  gradyn_gravity(model, 0, -gravity);
  switch ((int)creal(rho[4])) {
  case COORDINATE:
    gradyn_fix_initial_coordinate(model, P, GRADYN_X);
    break;
  case ANGLE:
    gradyn_fix_initial_angle(model, "angle", A, P, rho[5], rho[6]);
    break;
  case DISTANCE:
    gradyn_fix_initial_distance(model, "distance", B, P, rho[5], rho[6]);
    break;
  default:
    break;
  }
  return gradyn_build_status(model);
}

/* Compares tangential and centripetal acceleration and tension with those of a position and velocity on the
 * circle. */
static void check_motion(const gradyn_initial *s)
{
  double r[2] = {(s->q[0] - Ax) / L, (s->q[1] - Ay) / L}, t[2] = {-r[1], r[0]};
  double v = s->v[0] * t[0] + s->v[1] * t[1];
  assert_close(hypot(s->q[0] - Ax, s->q[1] - Ay), L, 1e-14, 0);
  assert_close(s->v[0] * r[0] + s->v[1] * r[1], 0, 0, 1e-13);
  for (int k = 0; k < 2; k++)
    assert_close(s->a[k], -gravity * t[1] * t[k] - v * v / L * r[k], 1e-12, 1e-12);
  assert_close(s->lam[0], mass * (v * v / L - gravity * r[1]), 1e-12, 1e-12);
}

TEST(nearest_point_is_the_projection)
{
  const double guess[][2] = {{2, 1}, {0.31, -3}, {-0.9, -0.25}, {0.35, -0.15}};
  for (size_t i = 0; i < sizeof guess / sizeof *guess; i++) {
    const gradyn_scalar rho[7] = {guess[i][0], guess[i][1], 0.8, -1.9, NOTHING};
    double r[2] = {guess[i][0] - Ax, guess[i][1] - Ay}, length = hypot(r[0], r[1]);
    solved s = solve(pendulum, rho);
    assert_ok(s.status, s.model->message.text);
    assert_close(s.initial.q[0], Ax + L * r[0] / length, 1e-13, 1e-13);
    assert_close(s.initial.q[1], Ay + L * r[1] / length, 1e-13, 1e-13);
    /* the component of the velocity along the rod is removed */
    double along = (0.8 * r[0] - 1.9 * r[1]) / length;
    assert_close(s.initial.v[0], 0.8 - along * r[0] / length, 1e-13, 1e-13);
    assert_close(s.initial.v[1], -1.9 - along * r[1] / length, 1e-13, 1e-13);
    check_motion(&s.initial);
    release(&s);
  }
}

TEST(fixed_coordinates_keep_their_values)
{
  const gradyn_scalar rho[7] = {1.1, -2, 0.6, 7, COORDINATE};
  solved s = solve(pendulum, rho);
  assert_ok(s.status, s.model->message.text);
  double dy = -sqrt(L * L - 0.8 * 0.8);
  assert_close(s.initial.q[0], 1.1, 1e-14, 0);
  assert_close(s.initial.q[1], Ay + dy, 1e-13, 0);
  assert_close(s.initial.v[0], 0.6, 1e-14, 0);
  assert_close(s.initial.v[1], -0.6 * 0.8 / dy, 1e-13, 0);
  check_motion(&s.initial);
  release(&s);
}

TEST(fixed_angles_keep_their_values)
{
  const double angle = -2.1, rate = 1.7;
  const gradyn_scalar rho[7] = {-0.5, -1, 3, 4, ANGLE, angle, rate};
  solved s = solve(pendulum, rho);
  assert_ok(s.status, s.model->message.text);
  assert_close(s.initial.q[0], Ax + L * cos(angle), 1e-13, 1e-13);
  assert_close(s.initial.q[1], Ay + L * sin(angle), 1e-13, 1e-13);
  assert_close(s.initial.v[0], -L * rate * sin(angle), 1e-13, 1e-13);
  assert_close(s.initial.v[1], L * rate * cos(angle), 1e-13, 1e-13);
  check_motion(&s.initial);
  release(&s);
}

TEST(fixed_distances_keep_their_values)
{
  const double distance = 2.2, rate = -0.9;
  const gradyn_scalar rho[7] = {0.2, -1.6, 0, 0, DISTANCE, distance, rate};
  solved s = solve(pendulum, rho);
  assert_ok(s.status, s.model->message.text);
  double d[2] = {s.initial.q[0] - 2, s.initial.q[1]};
  assert_close(hypot(d[0], d[1]), distance, 1e-14, 0);
  assert_close((d[0] * s.initial.v[0] + d[1] * s.initial.v[1]) / distance, rate, 1e-13, 0);
  check_motion(&s.initial);
  release(&s);
}

/* --- four-bar linkage ------------------------------------------------------------------------- */

static const double base = 4, crank = 1, coupler = 3.5, rocker = 3;

/* rho: crank angle and its rate, both fixed. */
static gradyn_status four_bar(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_ground_point(model, "B", base, 0);
  int P1 = gradyn_point(model, "1", 0.5, 0.5), P2 = gradyn_point(model, "2", 3, 3);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, P1, .length = crank, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"coupler", P1, P2, .length = coupler, .mass = 2});
  gradyn_rod(model, &(gradyn_rod_spec){"rocker", P2, B, .length = rocker, .mass = 3});
  gradyn_fix_initial_angle(model, "angle", A, P1, rho[0], rho[1]);
  return gradyn_build_status(model);
}

/* Upper intersection of the circles about the crank's end and about B, as a function of the angle. */
static void follow(gradyn_scalar theta, gradyn_scalar P[2])
{
  gradyn_scalar x = crank * cos(theta), y = crank * sin(theta), dx = base - x, dy = -y;
  gradyn_scalar d2 = dx * dx + dy * dy;
  gradyn_scalar along = (d2 + coupler * coupler - rocker * rocker) / (2 * d2);
  gradyn_scalar across = sqrt(coupler * coupler / d2 - along * along);
  P[0] = x + along * dx - across * dy;
  P[1] = y + along * dy + across * dx;
}

/* The declared points are nearer to the opposite direction. This is refused instead of reversing the
 * direction. */
TEST(reversed_directions_are_refused)
{
  const gradyn_scalar rho[2] = {-1.5, 0};
  solved s = solve(four_bar, rho);
  assert_status(s.status, GRADYN_NOT_ASSEMBLED, s.model->message.text);
  assert_says(s.model->message.text, "the direction angle is reversed");
  release(&s);
}

TEST(four_bar_closes)
{
  const double h = 1e-40;
  for (double theta = -0.7; theta < 2.2; theta += 0.7) {
    const double rate = 2.3;
    const gradyn_scalar rho[2] = {theta, rate};
    gradyn_scalar P[2];
    follow(theta + h * I, P);
    solved s = solve(four_bar, rho);
    assert_ok(s.status, s.model->message.text);
    for (int k = 0; k < 2; k++) {
      assert_close(s.initial.q[2 + k], creal(P[k]), 1e-13, 1e-13);
      assert_close(s.initial.v[2 + k], rate * cimag(P[k]) / h, 1e-12, 1e-12);
    }
    release(&s);
  }
}

/* --- failures --------------------------------------------------------------------------------- */

static gradyn_status too_short(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar m = rho[2];
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_ground_point(model, "B", 5 * m, 0);
  int P = gradyn_point(model, "P", 2 * m, 1 * m);
  gradyn_rod(model, &(gradyn_rod_spec){"left", A, P, .length = 1 * m, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"right", P, B, .length = rho[0] * m, .mass = 1});
  gradyn_fix_initial_angle(model, "first", A, P, rho[1], 1);
  gradyn_fix_initial_angle(model, "second", A, P, rho[1], 2);
  return gradyn_build_status(model);
}

TEST(models_that_cannot_be_assembled_are_named)
{
  const gradyn_scalar metres[3] = {1.5, 0, 1}, minute[3] = {1.5, 0, 1e-10};
  const gradyn_scalar contradiction[3] = {4, 0, 1};
  solved s;
  for (int small = 0; small < 2; small++) {
    s = solve(too_short, small ? minute : metres);
    assert_status(s.status, GRADYN_NOT_ASSEMBLED, s.model->message.text);
    assert_says(s.model->message.text, "; violated most: ");
    assert_says(s.model->message.text, "left by ");
    assert_says(s.model->message.text, "right by ");
    assert_says(s.model->message.text, " m");
    release(&s);
  }

  s = solve(too_short, contradiction);
  assert_status(s.status, GRADYN_NOT_ASSEMBLED, s.model->message.text);
  assert_says(s.model->message.text, "no velocity satisfies");
  release(&s);
}

/* A point with two contradictory drives; nothing else is fixed. */
static gradyn_status torn(gradyn_model *model, const gradyn_scalar rho[])
{
  int P = gradyn_point(model, "P", 0, 0);
  gradyn_point_mass(model, "m", P, 1);
  gradyn_coordinate(model, "slow", P, GRADYN_X, &(gradyn_time_function){.rate = rho[0]});
  gradyn_coordinate(model, "fast", P, GRADYN_X, &(gradyn_time_function){.rate = rho[1]});
  return gradyn_build_status(model);
}

TEST(nothing_fixed_is_not_blamed)
{
  const gradyn_scalar rates[2] = {1, 2};
  solved s = solve(torn, rates);
  assert_status(s.status, GRADYN_NOT_ASSEMBLED, s.model->message.text);
  assert_says(s.model->message.text, "no velocity satisfies the constraints: Phi' = ");
  assert_null(strstr(s.model->message.text, "eld"));
  assert_null(strstr(s.model->message.text, "Hold"));
  release(&s);
}

static gradyn_status massless(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1, 0);
  gradyn_point(model, "ghost", 3, 3);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", A, P, .length = 1, .mass = 1});
  return gradyn_build_status(model);
}

TEST(points_without_mass_are_named)
{
  solved s = solve(massless, NULL);
  assert_status(s.status, GRADYN_SINGULAR, s.model->message.text);
  assert_says(s.model->message.text, "ghost");
  release(&s);
}
