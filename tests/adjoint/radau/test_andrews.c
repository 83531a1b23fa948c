/* Andrews' squeezing mechanism (Hairer and Wanner, Solving Ordinary Differential Equations II, VII.7;
 * Mazzia and Magherini, Test Set for Initial Value Problem Solvers). A motor turns seven bodies against a
 * spring, in natural coordinates. Angles are compared with published ones, gradients with those of
 * `explicit`. */
#include <math.h>

#include "tests/runs.h"
#include "tests/declare.h"

enum { BODIES = 7, JOINTS = 10, P = 2, F = 2 * BODIES };
enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, ANGLES };

static const double start[ANGLES] = {
    -0.0617138900142764496358948458001, 0,
    0.455279819163070380255912382449,   0.222668390165885884674473185609,
    0.487364979543842550225598953530,   -0.222668390165885884674473185609,
    1.23054744454982119249735015568};
/* at t = 0.03 s */
static const double published[ANGLES] = {
    15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
    0.5244099658805304, 0.5347301163226948, 1.048080741042263};

/* The motor's torque and the stiffness are parameters; other values are those of the test set, in m. */
static const gradyn_param params[] = {
    {"motor", "N m", .init = 0.033, .lower = 0.01, .upper = 0.1},
    {"stiffness", "N/m", .init = 4530, .lower = 1000, .upper = 10000},
};
static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                    yc = 0.072;
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                    sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916,
                    u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421,
                    free_length = 0.07785;
static const double mass[BODIES] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
static const double inertia[BODIES] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                       1.169e-5, 5.667e-7, 1.912e-5};

typedef struct place {
  double x, y;
} place;

/* from + along (cos a, sin a) + across (-sin a, cos a). */
static place reach(place from, double angle, double along, double across)
{
  return (place){from.x + along * cos(angle) - across * sin(angle),
                 from.y + along * sin(angle) + across * cos(angle)};
}

/* Positions of the centres of mass and of the joints. */
typedef struct places {
  place centre[BODIES], crank, squeezed, on_5, on_7, spring;
} places;

static places find_places(const double q[ANGLES])
{
  const place o = {0, 0}, a = {xa, ya}, b = {xb, yb};
  const double second = q[BETA] + q[THETA], fourth = q[PHI] + q[DELTA],
               sixth = q[OMEGA] + q[EPSILON];
  places p = {.crank = reach(o, q[BETA], rr, 0),
              .on_5 = reach(a, q[DELTA], zt, 0),
              .on_7 = reach(a, q[EPSILON], 0, -u),
              .spring = reach(b, q[GAMMA], sd, -sc)};
  p.squeezed = reach(p.crank, second, -d, 0);
  p.centre[0] = reach(o, q[BETA], ra, 0);
  p.centre[1] = reach(p.crank, second, -da, 0);
  p.centre[2] = reach(b, q[GAMMA], sb, -sa);
  p.centre[3] = reach(p.on_5, fourth, 0, -(e - ea));
  p.centre[4] = reach(a, q[DELTA], ta, tb);
  p.centre[5] = reach(p.on_7, sixth, zf - fa, 0);
  p.centre[6] = reach(a, q[EPSILON], -ub, -ua);
  return p;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const places p = find_places(start);
  const place o = {0, 0}, a = {xa, ya}, b = {xb, yb};
  const int g = GRADYN_GROUND;
  const struct {
    int a, b;
    place at;
  } joint[JOINTS] = {{g, 0, o},          {0, 1, p.crank},    {g, 2, b}, {1, 2, p.squeezed},
                     {1, 3, p.squeezed}, {1, 5, p.squeezed}, {g, 4, a}, {3, 4, p.on_5},
                     {g, 6, a},          {5, 6, p.on_7}};
  int body[BODIES];
  for (int k = 0; k < BODIES; k++)
    body[k] = gradyn_body(mbs, &(gradyn_body_spec){.name = gradyn_format_name(mbs, "K%d", k + 1),
                                                   .centre = {p.centre[k].x, p.centre[k].y},
                                                   .mass = mass[k],
                                                   .inertia = {[2] = inertia[k]}});
  for (int k = 0; k < JOINTS; k++)
    declare_joint(mbs, gradyn_format_name(mbs, "joint%d", k + 1), GRADYN_REVOLUTE,
                  joint[k].a < 0 ? g : body[joint[k].a], body[joint[k].b],
                  VECTOR(joint[k].at.x, joint[k].at.y), NULL);
  const int pin = gradyn_body_point(mbs, body[0], "pin", p.crank.x, p.crank.y),
            hook = gradyn_body_point(mbs, body[2], "hook", p.spring.x, p.spring.y),
            wall = gradyn_ground_point(mbs, "wall", xc, yc);
  gradyn_torque(
      mbs, &(gradyn_torque_spec){"motor", gradyn_body_centre(mbs, body[0]), pin, .torque = rho[0]});
  gradyn_spring(
      mbs, &(gradyn_spring_spec){"spring", hook, wall, .k = rho[1], .free_length = free_length});
  for (int k = 0; k < BODIES; k++)
    for (int axis = 0; axis < 2; axis++)
      gradyn_functional(mbs, &(gradyn_functional_spec){
                                 gradyn_format_name(mbs, "K%d.%c", k + 1, "xy"[axis]),
                                 gradyn_measure_point(mbs, "", gradyn_body_centre(mbs, body[k]), 0,
                                                      axis == 0 ? GRADYN_X : GRADYN_Y),
                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const gradyn_problem andrews = {GRADYN_PROBLEM_SIZES, .name = "andrews", .params = params,
                                       .param_count = P,     .build = build,    .t_end = 0.03};

static void run(const char *method, const char *sensitivity, double rtol, double psi[F],
                double gradient[F * P])
{
  const double rho[P] = {0.033, 4530};
  run_local *ev = run_with(&andrews, .method = method, .sensitivity = sensitivity, .rtol = rtol);
  assert_run(gradient ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL),
             ev);
}

TEST(the_angles_are_the_published_ones)
{
  const places end = find_places(published);
  for (double rtol = 1e-5; rtol > 1e-10; rtol /= 100) {
    double psi[F], worst = 0;
    run("radau", "adjoint", rtol, psi, NULL);
    for (int k = 0; k < BODIES; k++)
      worst = fmax(
          worst, fmax(fabs(psi[2 * k] - end.centre[k].x), fabs(psi[2 * k + 1] - end.centre[k].y)));
    print_message("at %.0e: centres are off by %.1e m\n", rtol, worst);
    assert_true(worst < 3 * rtol * fabs(xa));
  }
}

THOROUGH_TEST(gradients_meet_the_tolerance)
{
  double psi[F], exact[F * P], gradient[2][F * P];
  run("explicit", "adjoint", support_rtol(1e-12), psi, exact);
  for (double rtol = 1e-5; rtol > (support_thorough() ? 1e-10 : 1e-6); rtol /= 100) {
    run("radau", "adjoint", rtol, psi, gradient[0]);
    run("radau", "direct", rtol, psi, gradient[1]);
    for (int f = 0; f < F; f++) {
      const double most = fmax(fabs(exact[P * f]), fabs(exact[P * f + 1]));
      assert_close_array(gradient[0] + P * f, exact + P * f, P, 0, 3 * rtol * most);
      assert_close_array(gradient[1] + P * f, gradient[0] + P * f, P, 0, 1e-10 * most);
    }
  }
}
