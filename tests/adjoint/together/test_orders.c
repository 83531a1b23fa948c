/* Simultaneous events whose order matters or does not matter, in every scheme: balls that land, Newton's
 * cradle, switches. */
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>

static const char *const sensitivity[] = {"direct", "adjoint"};

static const double t_end = 0.8;

enum { MOST_BALLS = 5 };
static int balls; /* number of balls, which fall from the same height, each to its own floor */

static gradyn_status momentum(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 0;
  for (int k = 0; k < balls; k++)
    *value += (1 + k) * at->vel[2 * (k + 1) + 1];
  return GRADYN_OK;
}

static gradyn_status build_balls(gradyn_model *m, const gradyn_scalar r[])
{
  gradyn_gravity(m, 0, -r[MOST_BALLS]);
  declare_integral(m, "momentum", "kg m", momentum);
  for (int k = 0; k < balls; k++) {
    const int ball = gradyn_point(m, gradyn_format_name(m, "ball%d", k), k, r[k]);
    gradyn_point_mass(m, gradyn_format_name(m, "mass%d", k), ball, 1 + k);
    gradyn_impact(m, &(gradyn_impact_spec){.name = gradyn_format_name(m, "floor%d", k),
                                           .point = ball,
                                           .axis = GRADYN_Y,
                                           .restitution = 0.5 + 0.1 * k});
    gradyn_functional(m, &(gradyn_functional_spec){gradyn_format_name(m, "y%d", k),
                                                   gradyn_measure_point(m, "", ball, 0, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  }
  return gradyn_build_status(m);
}

/* Functionals: the integral of the momentum, which jumps at each event, and the heights. */
static void closed_form_of_balls(const double complex p[], double complex psi[])
{
  const double complex g = p[MOST_BALLS];
  psi[0] = 0;
  for (int k = 0; k < balls; k++) {
    const double complex t = csqrt(2 * p[k] / g), rest = t_end - t;
    psi[k + 1] = (0.5 + 0.1 * k) * g * t * rest - g / 2 * rest * rest;
    psi[0] += (1 + k) * (psi[k + 1] - p[k]);
  }
}

/* For up to four simultaneous events, all orders are tried. */
TEST(several_balls_land_at_once)
{
  enum { Q = MOST_BALLS + 1 };
  static const gradyn_param heights[] = {{.name = "rho", .count = Q, .init = 1}};
  static const gradyn_problem fall_down = PROBLEM("balls", build_balls, heights, .t_end = 0.8,
                                                  .rtol = 1e-11);
  const double rho[Q] = {1.2, 1.2, 1.2, 1.2, 1.2, 9.6};
  for (int c = 0; c < HYBRID_SCHEMES * 2 * 3; c++) {
    double psi[Q], gradient[Q * Q], expected[Q], slope[Q * Q];
    balls = 3 + c % 3;
    run_local *ev = hybrid_open(&fall_down, &hybrid_schemes[c / 6], sensitivity[c / 3 % 2], 0);
    if (balls == MOST_BALLS) {
      assert_refused(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev, GRADYN_EVENT,
                     "occur at the same time");
      continue;
    }
    support_complex_step(closed_form_of_balls, rho, Q, balls + 1, expected, slope);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, balls);
    assert_close_array(psi, expected, balls + 1, 1e-8, 1e-8);
    assert_close_array(gradient, slope, (balls + 1) * Q, 1e-7, 1e-7);
  }
}

/* Three balls in a row: the outer ones hit the middle one at the same time. Each impact exchanges
 * velocities, so three or more impacts would be needed. */
static gradyn_status gap(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[4] - at->pos[2] - 0.1;
  return GRADYN_OK;
}

static gradyn_status gap_behind(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[6] - at->pos[4] - 0.1;
  return GRADYN_OK;
}

static gradyn_status exchange(const gradyn_at *at, gradyn_scalar value[])
{
  value[0] = at->vel[4];
  value[1] = at->vel[2];
  return GRADYN_OK;
}

static gradyn_status exchange_behind(const gradyn_at *at, gradyn_scalar value[])
{
  value[0] = at->vel[6];
  value[1] = at->vel[4];
  return GRADYN_OK;
}

static gradyn_status build_cradle(gradyn_model *m, const gradyn_scalar r[])
{
  static const double start[3] = {-0.6, 0, 0.6}, speed[3] = {1, 0, -1};
  static const gradyn_functional_fn gaps[] = {gap, gap_behind},
                                    laws[] = {exchange, exchange_behind};
  int ball[3];
  for (int k = 0; k < 3; k++) {
    ball[k] = gradyn_point(m, gradyn_format_name(m, "ball%d", k), start[k], 0);
    gradyn_initial_velocity(m, ball[k], r[0] * speed[k], 0);
    gradyn_point_mass(m, gradyn_format_name(m, "mass%d", k), ball[k], 1);
  }
  for (int k = 0; k < 2; k++) {
    const gradyn_component set[] = {{ball[k], GRADYN_X}, {ball[k + 1], GRADYN_X}};
    gradyn_event(m, &(gradyn_event_spec){.name = gradyn_format_name(m, "impact%d", k),
                                         .guard = {.terminal = gaps[k]},
                                         .set = set,
                                         .set_count = 2,
                                         .reset = {.terminal = laws[k]}});
  }
  gradyn_functional(m, &(gradyn_functional_spec){"x",
                                                 gradyn_measure_point(m, "", ball[0], 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(a_cradle_that_is_hit_from_both_sides_is_refused)
{
  static const gradyn_param speeds[] = {{.name = "speed", .init = 1}};
  static const gradyn_problem cradle = PROBLEM("cradle", build_cradle, speeds, .t_end = 1);
  for (int k = 0; k < HYBRID_SCHEMES; k++) {
    double psi;
    run_local *ev = hybrid_open(&cradle, &hybrid_schemes[k], NULL, 0);
    assert_refused(gradyn_evaluator_simulate(ev, (double[]){1}, &psi, NULL), ev, GRADYN_EVENT,
                   "impact0 and impact1 occur at the same time, t = 0.5 s");
  }
}

/* Two clocks switch the force on a cart, in either order. force_of: force before both, after one, after the
 * other, after both. Modes distinguish the orders, so that each clock has two events. */
static double force_of[4];
static double
    time_unit; /* s, unit of the parameters: the clocks switch at 0.5 s + time_unit (rho - 0.5) */

static gradyn_status rings(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] - at->t;
  return GRADYN_OK;
}

static void add_clock(gradyn_model *m, const char *name, int in, int to, gradyn_scalar at)
{
  gradyn_event_set_modes(
      m,
      gradyn_event(m, &(gradyn_event_spec){.name = name,
                                           .guard = {.terminal = rings,
                                                     .data = &(gradyn_datum){"at", "s", at},
                                                     .data_count = 1},
                                           .mode = to}),
      gradyn_modes_of(in));
}

static gradyn_status build_clocks(gradyn_model *m, const gradyn_scalar r[])
{
  static const char *const names[] = {"neither", "first", "second", "both"};
  int mode[4];
  for (int k = 0; k < 4; k++)
    mode[k] = gradyn_mode(m, names[k]);
  const int cart = gradyn_point(m, "cart", 0, 0);
  gradyn_point_mass(m, "cart", cart, 1);
  for (int k = 0; k < 4; k++) {
    gradyn_force_set_modes(
        m,
        gradyn_force(m, &(gradyn_force_spec){.name = gradyn_format_name(m, "push%d", k),
                                             .point = cart,
                                             .fx = force_of[k]}),
        gradyn_modes_of(mode[k]));
  }
  const gradyn_scalar a = 0.5 + time_unit * (r[0] - 0.5), b = 0.5 + time_unit * (r[1] - 0.5);
  add_clock(m, "a", mode[0], mode[1], a);
  add_clock(m, "b", mode[0], mode[2], b);
  add_clock(m, "b behind a", mode[1], mode[3], b);
  add_clock(m, "a behind b", mode[2], mode[3], a);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"v", gradyn_measure_point(m, "", cart, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* v(1) = 0.5 f_0 + 0.5 f_3. Its derivatives are (f_0 - f_1, f_1 - f_3) or (f_2 - f_3, f_0 - f_2), times the
 * unit. Whether they exist must not depend on the size of the unit. */
TEST(switches_at_one_time)
{
  static const gradyn_param times[] = {{.name = "at", .count = 2, .init = 0.5}};
  static const gradyn_problem clocks = PROBLEM("clocks", build_clocks, times, .t_end = 1);
  static const double forces[2][4] = {{1, 3, 0.5, 2.5}, {1, 3, 0.5, 2}};
  static const double units[] = {1, 1e-12};
  for (int c = 0; c < 2 * HYBRID_SCHEMES * 2 * 2; c++) {
    double psi, gradient[2];
    const double rho[2] = {0.5, 0.5};
    memcpy(force_of, forces[c % 2], sizeof force_of);
    time_unit = units[c / 4 % 2];
    run_local *ev = hybrid_open(&clocks, &hybrid_schemes[c / 8], sensitivity[c / 2 % 2], 0);
    assert_run(gradyn_evaluator_simulate(ev, rho, &psi, NULL), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_close(psi, (force_of[0] + force_of[3]) / 2, 1e-8, 0);
    if (c % 2) { /* f_0 - f_1 - f_2 + f_3 is not zero: the derivatives differ between the orders */
      assert_refused(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev, GRADYN_EVENT,
                     "a and b occur at the same time, t = 0.5 s");
      continue;
    }
    assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
    assert_close(gradient[0], time_unit * (force_of[0] - force_of[1]), 1e-7, 0);
    assert_close(gradient[1], time_unit * (force_of[0] - force_of[2]), 1e-7, 0);
  }
}

/* A rod lands flat on two points, each of which is the centre of percussion of the other. An impact at one
 * does not change the velocity of the other, so both orders agree although the rod couples them. */
static const double share[2] = {0.6, 0.5}, arm = 0.37; /* m: arm^2 = inertia/mass */

/* Velocity of the first point minus its expected value, which is zero up to round-off. */
static gradyn_status nothing(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[1] - share[0] * csqrt(2 * at->data[0] * at->data[1]);
  return GRADYN_OK;
}

static gradyn_status build_bar(gradyn_model *m, const gradyn_scalar r[])
{
  const int bar = gradyn_body(m, &(gradyn_body_spec){"bar", .centre = {0, r[0]}, .mass = 2,
                                                     .inertia = {[2] = 2 * arm * arm}});
  const gradyn_datum data[] = {{"h", "m", r[0]}, {"g", "m/s^2", r[1]}};
  gradyn_gravity(m, 0, -r[1]);
  for (int k = 0; k < 2; k++) {
    const int point = gradyn_body_point(m, bar, gradyn_format_name(m, "p%d", k), k ? arm : -arm,
                                        r[0]);
    const int floor = gradyn_impact(
        m, &(gradyn_impact_spec){.name = gradyn_format_name(m, "floor%d", k),
                                 .point = point,
                                 .axis = GRADYN_Y,
                                 .restitution = share[k]});
    gradyn_functional(m, &(gradyn_functional_spec){gradyn_format_name(m, "y%d", k),
                                                   gradyn_measure_point(m, "", point, 0, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
    gradyn_event_impulse(m, gradyn_format_name(m, "off%d", k), floor, 1);
    if (k == 0)
      gradyn_functional(
          m,
          &(gradyn_functional_spec){
              "nothing",
              gradyn_measure_custom(
                  m, &(gradyn_custom_measure_spec){"nothing", "m/s", .formula = nothing,
                                                   .points = &point, .point_count = 1, .data = data,
                                                   .data_count = 2, .hidden = true}),
              .reduction = GRADYN_AFTER_EVENT, .event = floor, .occurrence = 1});
  }
  return gradyn_build_status(m);
}

/* Both points move up with their restitution times the speed; in the short remaining time the rod turns
 * little. */
static void closed_form_of_bar(const double complex p[], double complex psi[])
{
  const double complex t = csqrt(2 * p[0] / p[1]), speed = p[1] * t, rest = 0.7 - t,
                       up = (share[0] + share[1]) / 2 * speed,
                       turn = (share[1] - share[0]) / (2 * arm) * speed * rest;
  for (int k = 0; k < 2; k++) {
    psi[3 * k] = up * rest - p[1] / 2 * rest * rest + (k ? arm : -arm) * csin(turn);
    psi[3 * k + 1] = (1 + share[k]) * speed; /* 1/m + arm^2/inertia = 1/kg */
  }
  psi[2] = 0;
}

TEST(a_rod_lands_on_two_points)
{
  static const gradyn_param fall[] = {{.name = "rho", .count = 2, .init = 1}};
  static const gradyn_problem bar = PROBLEM("bar", build_bar, fall, .t_end = 0.7, .rtol = 1e-11);
  const double rho[2] = {1.2, 9.6};
  double expected[5], slope[10];
  support_complex_step(closed_form_of_bar, rho, 2, 5, expected, slope);
  for (int c = 0; c < HYBRID_SCHEMES * 2; c++) {
    double psi[5], gradient[10];
    run_local *ev = hybrid_open(&bar, &hybrid_schemes[c / 2], sensitivity[c % 2], 0);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_close_array(psi, expected, 5, 1e-5, 1e-5); /* errors of fixed steps of a rotating rod */
    assert_close_array(gradient, slope, 10, 1e-4, 1e-4);
  }
}
