/* gradyn_evaluator_check() of runs with events: functionals are smooth only between runs with the same
 * sequence of events. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/checked.h"

enum { SPEED, RESTITUTION, GRAVITY, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    [SPEED] = {"speed", "m/s", .init = 20, GRADYN_UNBOUNDED},
    [RESTITUTION] = {"restitution", "", .init = 0.99, GRADYN_UNBOUNDED},
    [GRAVITY] = {"gravity", "m/s^2", .init = 9.81, GRADYN_UNBOUNDED},
};

/* A ball between a floor and a ceiling, 0.1 m apart. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double gap = 0.1;
  int ball = gradyn_point(model, "ball", 0, gap / 2);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_initial_velocity(model, ball, 0, rho[SPEED]);
  gradyn_gravity(model, 0, -rho[GRAVITY]);
  gradyn_impact(model,
                &(gradyn_impact_spec){"floor", ball, GRADYN_Y, .restitution = rho[RESTITUTION]});
  gradyn_impact(model, &(gradyn_impact_spec){"ceiling", ball, GRADYN_Y, .level = {.value = gap},
                                             .below = true, .restitution = rho[RESTITUTION]});
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){
                            "height", gradyn_measure_point(model, "", ball, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, gap / 2}}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", ball, 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem rattle = PROBLEM("rattle", build, params, .t_end = 1, .step = 1e-3);

/* More than a hundred bounces: differences with ordinary steps change their number. */
TEST(events_that_leave_the_run_are_no_errors)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    if (!support_takes((int)k + 1, 2))
      continue;
    run_local *ev = ali3p_open(&(run_setup){
        .problem = &rattle, .method = run_methods[k], .rtol = k < RUN_ADAPTIVE ? 1e-8 : 0});
    double rho[PARAMETERS];
    checked out;
    size_t whole = 0;
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    assert_true(gradyn_evaluator_statistics(ev).events > 100);
    checked_run(ev, false, &out);
    /* all derivatives have been compared, with small errors */
    assert_int_equal(out.left, 0);
    for (size_t i = 0; i < out.count; i++) {
      assert_true(out.item[i].error < 1e-6);
      whole += strncmp(out.item[i].name, "dpsi/drho of", 12) == 0 &&
               strcmp(out.item[i].route, "differences") == 0;
    }
    assert_int_equal(whole, 4);
  }
}

/* A ball that reaches the floor at the end of the run: a small change of parameters removes the bounce or
 * keeps it. */
static gradyn_status build_last(gradyn_model *model, const gradyn_scalar rho[])
{
  int ball = gradyn_point(model, "ball", 0, rho[0]);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_impact(model, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, .restitution = 0.5});
  gradyn_functional(
      model, &(gradyn_functional_spec){"speed", gradyn_measure_point(model, "", ball, 1, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(runs_without_neighbours_are_not_judged)
{
  static const gradyn_param height[] = {{"height", "m", .init = 1, GRADYN_UNBOUNDED}};
  const gradyn_problem last = PROBLEM("last", build_last, height,
                                      .t_end = sqrt(2 / 9.81) * (1 + 1e-11), .step = 1e-2);
  run_local *ev = ali3p_open(&(run_setup){.problem = &last});
  checked out;
  checked_run(ev, false, &out);
  for (size_t i = 0; i < out.count; i++)
    if (out.item[i].skipped > 0)
      assert_string_equal(out.item[i].reason, "nearby runs have other events");
    else
      assert_null(out.item[i].reason);
  assert_int_equal(out.left, 2);
}
