/* Searches over segments: a known optimum from a poor guess, and the same bits after resuming. */
#include "tests/optim/segments/searched.h"
#include "tests/optim/segments/pole.h"
#include "tests/declare.h"

#include "optim/segments/segments.h"

enum { KNOTS = 21 };

/* 58.0317574: direct collocation with the same knots. */
TEST(the_pole_is_swung_up_from_zeros)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem);
  const gradyn_search search = in_segments(ev, 20);
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, 58.0317574, 1e-8, 0);
  assert_true(result.evaluations - result.probes <= 60);
  assert_says(result.reason, "20 segments; a run without segments");
  /* the result is that of the undivided motion */
  double psi[5], gradient[5 * KNOTS];
  assert_int_equal(gradyn_evaluator_gradient(ev, result.rho, psi, gradient), GRADYN_OK);
  assert_close_array(result.psi, psi, 5, 1e-7, 1e-8);
  assert_close_array(result.gradient, gradient, 5 * KNOTS, 1e-6, 1e-6);
  assert_close(psi[1], 3.14159265358979323846, 0, 1e-8);
}

/* Segment boundaries need not be at knots. */
TEST(another_number_of_segments_finds_the_same)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem);
  const gradyn_search search = in_segments(ev, 13);
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_close(result.objective, 58.0317574, 1e-8, 0);
}

/* A cart is pushed from almost zero velocity, at which the guess stays, to 1 m/s in a second. A constant
 * push has the effort 1. */
FORMULAS(push_rates, at->yp[0] - at->y[1], at->yp[1] - at->u[1])

FORMULA(speed, at->y[1])

static gradyn_status push(gradyn_model *model, const gradyn_scalar rho[])
{
  const int u = declare_signal(model, "u", "m/s^2", GRADYN_PIECEWISE_CONSTANT, 3, rho);
  gradyn_state(model, "x", "m", 1e-12);
  gradyn_state(model, "v", "m/s", 1e-12);
  declare_equations(model, push_rates, NULL, 0);
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", u),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_constrain(model, declare_end(model, "v", "m/s", speed), 1, 1, 1e-8);
  return gradyn_build_status(model);
}

TEST(tiny_states_are_measured_by_their_rates)
{
  static const gradyn_param pushes[] = {
      {"u", "m/s^2", .count = 3, .lower = -4, .upper = 4, .scale = 1}};
  static const bool used[] = {true, true};
  const gradyn_problem cart = PROBLEM("cart", push, pushes, .t_end = 1);
  const double rho0[3] = {0};
  gradyn_segments s;
  run_local *ev = run_with(.problem = &cart, .method = "explicit");
  /* knots that are 1 each, for a third of a second */
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 3}, used, rho0, &s),
            s.message.text);
  assert_close(s.objective.parameters[3].scale, 1. / 18, 1e-9, 0);
  assert_close(s.objective.parameters[4].scale, 1. / 3, 1e-9, 0);
  gradyn_segments_clear(&s);
  const gradyn_search search = in_segments(ev, 3);
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, 1, 1e-8, 0);
}

/* A callback that counts infeasible points for which the residual of optimality is known. */
static bool count_residuals(const gradyn_iteration *iteration, void *user)
{
  *(int *)user += iteration->violation > 1 && !isnan(iteration->projected_gradient);
  return true;
}

/* For points with large defects, the multipliers of many constraints would cost time and have no meaning;
 * they are not computed. */
TEST(points_with_many_open_gaps_are_not_judged_further)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem);
  for (long count = 5; count <= 6; count++) { /* 20 and 24 rows */
    int judged = 0;
    gradyn_search search = in_segments(ev, count);
    LOCAL(gradyn_search_result) result;
    search.max_evaluations = 4;
    search.on_iteration = count_residuals;
    search.user = &judged;
    (void)gradyn_optimise(ev, &search, rho0, &result);
    assert_int_equal(judged, count == 5 ? 4 : 0);
  }
}

extern const gradyn_problem gradyn_problem_five_bar;

/* Springs for which a point stays at rest: the objective zero is the minimum. */
TEST(a_closed_loop_is_designed_in_segments)
{
  run_local *ev = run_with(.problem = &gradyn_problem_five_bar, .method = "explicit");
  double rho0[16];
  assert_true(gradyn_parameter_count(ev) <= 16);
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++)
    rho0[j] = gradyn_parameter_at(ev, j).init;
  for (long count = 4; count <= 8; count += 4) {
    gradyn_search search = in_segments(ev, count);
    LOCAL(gradyn_search_result) result;
    search.hessian = count == 4;
    search.jobs = 2;
    assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_close(result.objective, 0, 0, 1e-10);
    assert_null(strstr(result.reason, "branch"));
  }
}

TEST(a_resumed_search_has_the_same_bits)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem);
  gradyn_search search = in_segments(ev, 4);
  LOCAL(gradyn_search_result) whole;
  search.max_evaluations = 12;
  assert_goes_on(ev, &search, rho0, 4, &whole);
  assert_true(whole.evaluations >= 12);
}
