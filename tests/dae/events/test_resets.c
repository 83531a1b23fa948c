/* Resets in closed form: a ball whose restitution decreases with the speed of its approach, a free rod that
 * is pushed at one end, and a bob for which more velocities are set than its rod leaves free. Also refused
 * resets. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include <gradyn/gradyn.h>

static const struct method {
  const char *name;
  double step;
} methods[] = {{"idas", 0}, {"explicit", 0}, {"ali3p", 0.013}, {"variational", 0.013}};

static gradyn_evaluator *open(const gradyn_problem *problem, const struct method *method,
                              const char *sensitivity)
{
  return run_with(problem, sensitivity, method->name, .step = method->step);
}

/* --- a ball: v_k+1 = e v_k/(1 + c v_k), flights of 2 v_k/g ------------------------------------------ */

enum { HEIGHT, SHARE, LOSS, GRAVITY, BALL_P, HOPS = 4, BALL_F = HOPS + 1 };
static const double ball_rho[BALL_P] = {1.2, 0.9, 0.15, 9.81}, ball_mass = 1.7;

static void hop(const double complex p[], double complex psi[])
{
  double complex v = csqrt(2 * p[GRAVITY] * p[HEIGHT]), t = v / p[GRAVITY];
  for (int k = 0; k < HOPS; k++) {
    psi[k] = t;
    psi[HOPS] = v = p[SHARE] * v / (1 + p[LOSS] * v);
    t += 2 * v / p[GRAVITY];
  }
}

FORMULA(height, at->pos[3])
FORMULA(rebound, -at->data[0] * at->vel[3] / (1 - at->data[1] * at->vel[3]))
FORMULA(rises, at->vel[3])

static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar r[])
{
  const int p = gradyn_point(m, "ball", 0, r[HEIGHT]);
  const gradyn_datum law[] = {{"share", "", r[SHARE]}, {"loss", "s/m", r[LOSS]}};
  gradyn_point_mass(m, "ball", p, ball_mass);
  gradyn_gravity(m, 0, -r[GRAVITY]);
  const int floor = gradyn_event(
      m, &(gradyn_event_spec){.name = "floor",
                              .guard = {.terminal = height},
                              .invariant = true,
                              .set = &(gradyn_component){p, GRADYN_Y},
                              .set_count = 1,
                              .reset = {.terminal = rebound, .data = law, .data_count = 2}});
  for (int k = 0; k < HOPS; k++)
    gradyn_event_time(m, gradyn_format_name(m, "hop%d", k), floor, 1 + k);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "speed",
                           gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"speed", "m/s",
                                                                                  .formula = rises,
                                                                                  .hidden = true}),
                           .reduction = GRADYN_AFTER_EVENT, .event = floor, .occurrence = HOPS});
  return gradyn_build_status(m);
}

static const gradyn_param ball_params[] = {{.name = "rho", .count = BALL_P, .init = 1}};

TEST(a_ball_bounces_by_its_law)
{
  static const gradyn_problem ball = PROBLEM("ball", build_ball, ball_params, .t_end = 2.6,
                                             .rtol = 1e-11);
  double value[BALL_F], slope[BALL_F * BALL_P];
  support_complex_step(hop, ball_rho, BALL_P, BALL_F, value, slope);
  for (size_t k = 0; k < 2 * GRADYN_COUNT(methods); k++) {
    double psi[BALL_F], gradient[BALL_F * BALL_P];
    run_local *ev = open(&ball, &methods[k / 2], k % 2 ? "adjoint" : "direct");
    assert_ok(gradyn_evaluator_gradient(ev, ball_rho, psi, gradient), gradyn_evaluator_message(ev));
    assert_close_array(psi, value, BALL_F, 1e-8, 0);
    assert_close_array(gradient, slope, BALL_F * BALL_P, 1e-7, 1e-8);
    assert_null(strstr(gradyn_evaluator_warnings(ev), "floor at t = "));
    const gradyn_event_record last = gradyn_event_log_at(ev, HOPS - 1);
    const double back = value[HOPS], came = back / (ball_rho[SHARE] - ball_rho[LOSS] * back);
    assert_close(last.energy_lost, ball_mass * (came * came - back * back) / 2, 1e-7, 0);
    assert_close(last.impulse, ball_mass * (came + back), 1e-7, 0);
  }
}

/* --- a free rod of mass m: an impulse J at an end changes its velocity by 4 J/m, the other by -2 J/m ---- */

FORMULA(clock, 0.1 - at->t)
FORMULA(push, 0.3 * at->vel[3] + 1)
FORMULA(other_end, at->vel[5])

static gradyn_status build_rod(gradyn_model *m, const gradyn_scalar r[])
{
  const int a = gradyn_point(m, "a", 0, 0), b = gradyn_point(m, "b", 2, 0);
  gradyn_initial_velocity(m, a, 0, r[0]);
  gradyn_initial_velocity(m, b, 0, r[0]);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", a, b, .mass = 0.7});
  const int event = gradyn_event(m, &(gradyn_event_spec){.name = "push",
                                                         .guard = {.terminal = clock},
                                                         .set = &(gradyn_component){a, GRADYN_Y},
                                                         .set_count = 1,
                                                         .reset = {.terminal = push}});
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "other",
                        gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"other", "m/s",
                                                                               .formula = other_end,
                                                                               .hidden = true}),
                        .reduction = GRADYN_AFTER_EVENT, .event = event, .occurrence = 1});
  return gradyn_build_status(m);
}

TEST(other_velocities_follow_by_mass)
{
  static const gradyn_param params[] = {{.name = "v", .init = 0.4}};
  static const gradyn_problem rod = PROBLEM("rod", build_rod, params, .t_end = 0.2, .rtol = 1e-10);
  for (size_t k = 0; k < 2 * GRADYN_COUNT(methods); k++) {
    run_local *ev = open(&rod, &methods[k / 2], k % 2 ? "adjoint" : "direct");
    double psi, gradient;
    const double v = 0.4, change = 0.3 * v + 1 - v;
    assert_ok(gradyn_evaluator_gradient(ev, &v, &psi, &gradient), gradyn_evaluator_message(ev));
    assert_null(strstr(gradyn_evaluator_warnings(ev), "push at t = ")); /* impulses balance */
    assert_close(psi, v - change / 2, 1e-9, 0);
    assert_close(gradient, 1 + 0.7 / 2, 1e-9, 0);
  }
}

/* --- a bob on a rod has one velocity, not two ------------------------------------------------------- */

/* A velocity that is set, and its deviation from the tangent of the circle. */
typedef struct turn_told {
  double share, tilt;
  bool refused;
} turn_told;
static turn_told told;

static gradyn_status turn(const gradyn_at *at, gradyn_scalar value[])
{
  for (int i = 0; i < 2; i++)
    value[i] = told.share * at->vel[2 + i] + (i == 0 ? told.tilt : 0);
  return GRADYN_OK;
}

static gradyn_status build_bob(gradyn_model *m, const gradyn_scalar r[])
{
  const int pivot = gradyn_ground_point(m, "pivot", 0, 0), bob = gradyn_point(m, "bob", 0.8, -0.6);
  const gradyn_component both[] = {{bob, GRADYN_X}, {bob, GRADYN_Y}};
  gradyn_point_mass(m, "bob", bob, 1);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", pivot, bob, .mass = 0.3});
  gradyn_gravity(m, 0, -r[0]);
  gradyn_event(m, &(gradyn_event_spec){.name = "turn",
                                       .guard = {.terminal = clock},
                                       .set = both,
                                       .set_count = 2,
                                       .reset = {.terminal = turn}});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", bob, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(velocities_that_cannot_be_are_refused)
{
  static const gradyn_param params[] = {{.name = "g", .init = 9.81}};
  static const gradyn_problem bob = PROBLEM("bob", build_bob, params, .t_end = 0.3, .rtol = 1e-10);
  /* one velocity too many, but consistent: accepted up to the error of the run */
  static const turn_told rows[] = {
      {-0.5, 0, false}, {1, 0, false}, {1, 1e-15, false}, {-0.5, 0.2, true}, {1, 1e-4, true}};
  for (size_t k = 0; k < GRADYN_COUNT(methods) * GRADYN_COUNT(rows); k++) {
    double psi[3], gradient[2];
    const double g = 9.81;
    const struct method *method = &methods[k % GRADYN_COUNT(methods)];
    told = rows[k / GRADYN_COUNT(methods)];
    for (int way = 0; way < 2 && !told.refused; way++) {
      run_local *ev = open(&bob, method, way ? "adjoint" : "direct");
      assert_ok(gradyn_evaluator_gradient(ev, &g, &psi[way], &gradient[way]),
                gradyn_evaluator_message(ev));
    }
    if (!told.refused) {
      assert_close(gradient[0], gradient[1], 1e-7, 0);
      assert_true(fabs(gradient[0]) > 1e-3);
      continue;
    }
    run_local *ev = open(&bob, method, "direct");
    assert_status(gradyn_evaluator_simulate(ev, &g, psi, NULL), GRADYN_EVENT,
                  gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev),
                "turn at t = 0.1 s sets velocities that contradict the constraints after "
                "the event: bob.vx = ");
  }
}

/* --- accelerations and algebraic states jump with the event: NAN is all that there is to see --------- */

FORMULA(look, at->acc ? at->acc[2] : at->y[1])

FORMULAS(flow, at->yp[0] + at->y[1], at->y[1] - at->y[0])

static gradyn_status build_looking(gradyn_model *m, const gradyn_scalar r[])
{
  const bool flows = creal(r[0]) > 0;
  const int of = flows ? gradyn_state(m, "y", "", 1) : gradyn_point(m, "P", 0, 0);
  if (flows) {
    gradyn_algebraic_state(m, "z", "", 1);
    declare_equations(m, flow, NULL, 0);
  } else {
    gradyn_point_mass(m, "P", of, 1);
  }
  gradyn_event(m, &(gradyn_event_spec){.name = "kick",
                                       .guard = {.terminal = clock},
                                       .set = &(gradyn_component){of, GRADYN_X},
                                       .set_count = 1,
                                       .reset = {.terminal = look}});
  gradyn_end_time_functional(m, "t");
  return gradyn_build_status(m);
}

TEST(jumping_functions_are_not_compared)
{
  static const gradyn_param params[] = {{.name = "flows", .init = 0}};
  static const gradyn_problem problem = PROBLEM("looking", build_looking, params, .t_end = 0.2);
  for (int k = 0; k < 2; k++) {
    gradyn_param flows = params[0];
    flows.init = k;
    gradyn_problem one = problem;
    one.params = &flows;
    run_local *ev = open(&one, &methods[0], "auto");
    const double rho = k;
    double psi;
    assert_int_equal(gradyn_evaluator_simulate(ev, &rho, &psi, NULL), GRADYN_NON_FINITE);
    assert_says(gradyn_evaluator_message(ev), "functional kick.reset is not finite (nan)");
    assert_says(gradyn_evaluator_message(ev), ": a reset has positions");
  }
}
