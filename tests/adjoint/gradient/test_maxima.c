/* Exact maxima over time and their derivatives against closed forms, by all methods, direct and adjoint.
 * The maxima are between steps, at both ends of a run, and on both sides of an event and of a moving knot. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

/* --- an oscillator
 * -------------------------------------------------------------------------------- */

enum { START, RATE, STIFFNESS, OSCILLATOR };
static const gradyn_param oscillator_params[] = {
    [START] = {"start", "m", .init = 0.1, .lower = -2, .upper = 2},
    [RATE] = {"rate", "m/s", .init = 1, .lower = -2, .upper = 2},
    [STIFFNESS] = {"stiffness", "N/m", .init = 4, .lower = 1, .upper = 20},
};

FORMULA(position, at->pos[2])

/* grows all along */
FORMULA(growing, 3 * at->t + at->data[0] * at->pos[2])

/* falls all along */
FORMULA(falling, at->data[0] * at->pos[2] * at->pos[2] - 5 * at->t)

/* x'' = -k x from (a, b). */
static gradyn_status build_oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  int p = gradyn_point(m, "p", rho[START], 0);
  int wall = gradyn_ground_point(m, "wall", -10, 0);
  const gradyn_datum tenth = {"c", "", 0.1};
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[RATE], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = rho[STIFFNESS], .free_length = 10});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "x",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"x", "m", .formula = position, .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  int v = gradyn_measure_point(m, "v", p, 1, GRADYN_X);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"v", v, .reduction = GRADYN_MAXIMUM, .scale = 0.5});
  gradyn_functional(m, &(gradyn_functional_spec){"|v|", v, .reduction = GRADYN_MAXIMUM,
                                                 .magnitude = true, .scale = 0.5});
  int a = gradyn_measure_point(m, "a", p, 2, GRADYN_X);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"-a", a, .reduction = GRADYN_MAXIMUM, .scale = -2});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "end",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"end", "", .formula = growing,
                                                                    .data = &tenth, .data_count = 1,
                                                                    .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "first",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"first", "", .formula = falling,
                                                                    .data = &tenth, .data_count = 1,
                                                                    .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

#define OSCILLATOR_END 2.4

/* x = a cos wt + b/w sin wt = A cos(wt - c). */
static void oscillator_tops(const double _Complex p[], double _Complex top[])
{
  const double _Complex a = p[START], b = p[RATE], w = csqrt(p[STIFFNESS]);
  const double _Complex A = csqrt(a * a + b * b / (w * w)), T = OSCILLATOR_END;
  top[0] = A;
  top[1] = b / 0.5;
  top[2] = w * A / 0.5;
  top[3] = w * w * A / 2;
  top[4] = 3 * T + 0.1 * (a * ccos(w * T) + b / w * csin(w * T));
  top[5] = 0.1 * a * a;
}

/* --- a ball
 * --------------------------------------------------------------------------------------- */

enum { HEIGHT, RESTITUTION, BALL };
static const gradyn_param ball_params[] = {
    [HEIGHT] = {"height", "m", .init = 1, .lower = 0.1, .upper = 10},
    [RESTITUTION] = {"restitution", "", .init = 0.8, .lower = 0.1, .upper = 1},
};

/* A ball falls and bounces: its speed is largest before the first bounce, its upward velocity after it. */
static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  int ball = gradyn_point(m, "ball", 0, rho[HEIGHT]);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_impact(m,
                &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = rho[RESTITUTION]});
  int v = gradyn_measure_point(m, "v", ball, 1, GRADYN_Y);
  gradyn_functional(m, &(gradyn_functional_spec){"fastest", v, .reduction = GRADYN_MAXIMUM,
                                                 .magnitude = true, .scale = 2});
  gradyn_functional(
      m, &(gradyn_functional_spec){"upwards", v, .reduction = GRADYN_MAXIMUM, .scale = 2});
  return gradyn_build_status(m);
}

static void ball_tops(const double _Complex p[], double _Complex top[])
{
  top[0] = csqrt(2 * 9.81 * p[HEIGHT]) / 2;
  top[1] = p[RESTITUTION] * top[0];
}

/* --- a carriage
 * ----------------------------------------------------------------------------------- */

enum { PUSH, BRAKE, END, CARRIAGE };
static const gradyn_param carriage_params[] = {
    [PUSH] = {"push", "N", .init = 1, .lower = 0.1, .upper = 5},
    [BRAKE] = {"brake", "N", .init = 1.5, .lower = 0.1, .upper = 5},
    [END] = {"end", "s", .init = 2, .lower = 0.5, .upper = 5},
};

FORMULA(power, at->data[0] * at->acc[2] * at->vel[2])

/* A carriage is pushed during the first half of the run and braked during the second. The force jumps at a
 * knot that moves with the end time. */
static gradyn_status build_carriage(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar forces[] = {rho[PUSH], -rho[BRAKE]};
  const gradyn_datum up = {"up", "", 1}, down = {"down", "", -1};
  gradyn_end_time(m, rho[END]);
  const int u = declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 2, forces);
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  declare_push(m, "u", p, 1, 0, u);
  gradyn_functional(m, &(gradyn_functional_spec){"v", gradyn_measure_point(m, "v", p, 1, GRADYN_X),
                                                 .reduction = GRADYN_MAXIMUM, .scale = 1});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "x", p, 0, GRADYN_X),
                                                 .reduction = GRADYN_MAXIMUM, .scale = 1});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "before",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"before", "", .formula = power,
                                                                    .data = &up, .data_count = 1,
                                                                    .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "behind",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"behind", "", .formula = power,
                                                                    .data = &down, .data_count = 1,
                                                                    .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

/* The speed at the knot is v = u T/2; the distance is that before the knot plus v^2/(2 b). The power has
 * maxima on both sides of the knot. */
static void carriage_tops(const double _Complex p[], double _Complex top[])
{
  const double _Complex v = p[PUSH] * p[END] / 2;
  top[0] = v;
  top[1] = v * p[END] / 4 + v * v / (2 * p[BRAKE]);
  top[2] = p[PUSH] * v;
  top[3] = p[BRAKE] * v;
}

/* --- all methods
 * ---------------------------------------------------------------------------------- */

static const gradyn_problem oscillator = PROBLEM("oscillator", build_oscillator, oscillator_params,
                                                 .summary = "", .t_end = OSCILLATOR_END);
static const gradyn_problem ball = PROBLEM("ball", build_ball, ball_params, .summary = "",
                                           .t_end = 1.3);

static const gradyn_problem carriage = PROBLEM("carriage", build_carriage, carriage_params,
                                               .summary = "", .t_end = 2);

static const struct {
  const char *name, *sensitivity;
  double step;
  double tolerance; /* of values and derivatives; fixed steps have errors of second order */
} method[] = {{"explicit", "adjoint", 0, 1e-8},       {"explicit", "direct", 0, 1e-8},
              {"idas", "adjoint", 0, 2e-6},           {"idas", "direct", 0, 2e-6},
              {"ali3p", "adjoint", 1e-3, 1e-5},       {"ali3p", "direct", 1e-3, 1e-5},
              {"variational", "adjoint", 1e-3, 1e-5}, {"variational", "direct", 1e-3, 1e-5}};

static gradyn_evaluator *open(const gradyn_problem *problem, size_t k)
{
  return run_with(problem, .method = method[k].name, .sensitivity = method[k].sensitivity,
                  .step = method[k].step > 0 ? method[k].step : -1,
                  .rtol = method[k].step > 0 ? -1 : 1e-10);
}

/* Compares values and gradients of a problem by all methods with closed forms. */
static void hold(const gradyn_problem *problem, support_formula formula, const double rho[],
                 int functionals)
{
  enum { MOST = 6 };
  double value[MOST], slope[MOST * OSCILLATOR], psi[MOST], gradient[MOST * OSCILLATOR];
  const int parameters = (int)problem->param_count;
  support_complex_step(formula, rho, parameters, functionals, value, slope);
  for (size_t k = 0; k < sizeof method / sizeof method[0]; k++) {
    run_local *evaluator = open(problem, k);
    print_message("%s, %s\n", method[k].name, method[k].sensitivity);
    assert_run(gradyn_evaluator_simulate(evaluator, rho, psi, NULL), evaluator);
    assert_close_array(psi, value, functionals, method[k].tolerance, 0);
    assert_run(gradyn_evaluator_gradient(evaluator, rho, psi, gradient), evaluator);
    assert_close_array(psi, value, functionals, method[k].tolerance, 0);
    assert_close_array(gradient, slope, functionals * parameters, method[k].tolerance,
                       method[k].tolerance);
  }
}

TEST(between_steps_and_at_both_ends)
{
  const double rho[] = {0.1, 1, 4}, other[] = {0.3, 0.7, 3.1};
  hold(&oscillator, oscillator_tops, rho, 6);
  hold(&oscillator, oscillator_tops, other, 6);
}

TEST(at_both_sides_of_an_event)
{
  const double rho[] = {1, 0.8};
  hold(&ball, ball_tops, rho, 2);
}

TEST(at_both_sides_of_a_knot_that_moves)
{
  const double rho[] = {1, 1.5, 2}, other[] = {0.8, 1.1, 2.3};
  hold(&carriage, carriage_tops, rho, 4);
  hold(&carriage, carriage_tops, other, 4);
  /* maxima at the knot are computed from the side before it; the result is the same if differences simulate
   * in between */
  for (size_t k = 0; k < 4; k += 2) {
    double psi[4], again[4], gradient[4 * CARRIAGE];
    gradyn_options options;
    run_local *evaluator, *differences;
    evaluator = open(&carriage, k);
    options = gradyn_evaluator_options(evaluator);
    options.sensitivity = "differences";
    assert_run(gradyn_evaluator_clone(evaluator, &options, &differences), differences);
    assert_run(gradyn_evaluator_simulate(evaluator, rho, psi, NULL), evaluator);
    assert_run(gradyn_evaluator_gradient(differences, rho, again, gradient), differences);
    assert_memory_equal(psi, again, sizeof psi);
  }
}

/* With fixed steps, the gradient is the derivative of the computed maximum, that is of the vertex of a
 * parabola. */
TEST(the_vertex_is_differentiated)
{
  const double rho[] = {0.1, 1, 4};
  for (size_t k = 4; k < sizeof method / sizeof method[0]; k++) {
    double psi[6], gradient[18], near[2][6];
    run_local *evaluator = open(&oscillator, k);
    assert_run(gradyn_evaluator_gradient(evaluator, rho, psi, gradient), evaluator);
    for (int j = 0; j < OSCILLATOR; j++) {
      for (int side = 0; side < 2; side++) {
        double moved[] = {rho[0], rho[1], rho[2]};
        moved[j] += side ? 1e-5 : -1e-5;
        assert_run(gradyn_evaluator_simulate(evaluator, moved, near[side], NULL), evaluator);
      }
      for (int f = 0; f < 6; f++)
        assert_close(gradient[f * OSCILLATOR + j], (near[1][f] - near[0][f]) / 2e-5, 3e-8, 3e-8);
    }
  }
}
