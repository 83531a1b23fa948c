/* Every public function that takes an evaluator, called with NULL or with an evaluator that could not be
 * created: nothing crashes, and the reason of the failure remains. */
#include "tests/runs.h"

#include <gradyn/gradyn.h>

#include "tests/core/model/asking.h"

static void ask_everything(gradyn_evaluator *ev)
{
  double x[3] = {0};
  char why[1024] = "", message[1024];
  bool mark;
  size_t n;
  gradyn_search search = {.struct_size = sizeof search, .algorithm = "auto"};
  gradyn_costates costates;
  gradyn_dof freedom;
  gradyn_covariance covariance;
  gradyn_inference said;
  gradyn_invariants condition;
  gradyn_extreme extreme;
  gradyn_filter filter;
  gradyn_signal_range range;
  gradyn_linearisation linear;
  gradyn_multistart_result starts;
  LOCAL(gradyn_search_result) result = {.rho = NULL};
  gradyn_experiment trial;
  gradyn_orbit orbit;
  gradyn_pareto_result front;
  gradyn_profile_result profiles;
  gradyn_regulator regulator;
  gradyn_saltations saltations;
  gradyn_defect_history closing;
  gradyn_mpc *mpc;
  gradyn_sweep_result points;
  gradyn_transition transition;
  gradyn_uncertainty uncertain;
  gradyn_trajectory *path = gradyn_trajectory_create();
  snprintf(message, sizeof message, "%s", gradyn_evaluator_message(ev));
#define REFUSES(function, ...)                                                                     \
  if (function(__VA_ARGS__) != GRADYN_INVALID ||                                                   \
      strcmp(gradyn_evaluator_message(ev), message) != 0)                                          \
    fail_msg("%s: \"%s\" is now \"%s\"", #function, message, gradyn_evaluator_message(ev));
#define ANSWERS(function, ...) (void)function(__VA_ARGS__);
  ANSWERING(ANSWERS)
  search.journal = "/nonexistent/journal.jsonl";
  REFUSING(REFUSES)
  assert_string_equal(result.reason, ev ? message : "the evaluator is NULL");
  assert_string_equal(points.message, result.reason);
  assert_string_equal(starts.message, result.reason);
  assert_string_equal(front.message, result.reason);
  assert_string_equal(uncertain.message, result.reason);
  gradyn_uncertainty_clear(&uncertain);
  gradyn_trajectory_free(path);
}

static gradyn_status fail_at_once(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_signal(model, &(gradyn_signal_spec){"u", .count = 2, .knots = (gradyn_scalar[2]){0, 1}});
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), -1);
  return gradyn_build_status(model);
}

static gradyn_status fail_silently(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)model, (void)rho;
  return GRADYN_CALLBACK;
}

/* For every cause of a failure. Information declared before the failure remains available. */
TEST(evaluators_that_failed_are_refused_everywhere)
{
  static const gradyn_param wrong[] = {{"x", "m", .init = NAN, GRADYN_UNBOUNDED}},
                            right[] = {{"x", "m", .init = 1}};
  static const gradyn_problem nameless = {GRADYN_PROBLEM_SIZES, .t_end = 1},
                              loud = {GRADYN_PROBLEM_SIZES, .name = "\a"},
                              listless = {GRADYN_PROBLEM_SIZES, .name = "listless",
                                          .param_count = 3},
                              unbuilt = {GRADYN_PROBLEM_SIZES, .name = "unbuilt"},
                              bounded = PROBLEM("bounded", fail_silently, wrong, .t_end = 1),
                              massless = PROBLEM("massless", fail_at_once, right, .t_end = 1),
                              silent = PROBLEM("silent", fail_silently, right, .t_end = 1);
  const struct {
    const gradyn_problem *problem;
    const char *says;
  } failing[] = {{NULL, "no problem is given"},
                 {&nameless, "has no name"},
                 {&listless, "listless: 3 parameters and 0 settings; their arrays"},
                 {&loud, "\"\\x07\" has a control character"},
                 {&unbuilt, "has no build function"},
                 {&bounded, "the initial value of parameter x is nan"},
                 {&massless, "m.mass is -1"},
                 {&silent, ""}};
  ask_everything(NULL);
  for (size_t i = 0; i < GRADYN_COUNT(failing); i++) {
    run_local *ev;
    assert_int_not_equal(gradyn_evaluator_create(failing[i].problem, NULL, NULL, 0, &ev),
                         GRADYN_OK);
    assert_says(gradyn_evaluator_message(ev), failing[i].says);
    ask_everything(ev);
  }
  for (int i = 0; i < 2; i++) {
    run_local *ev;
    gradyn_options options = run_options(&massless);
    options.method = "none";
    const gradyn_setting_choice unknown = {"none", 1};
    assert_int_equal(gradyn_evaluator_create(&massless, i ? NULL : &options, i ? &unknown : NULL,
                                             (size_t)i, &ev),
                     GRADYN_INVALID);
    ask_everything(ev);
  }
}

static gradyn_status fall(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", 1, 0, GRADYN_Y),
                                           .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(model);
}

/* Without parameters, their array may be NULL. With parameters, NULL is refused with the reason. */
TEST(problems_without_parameters_need_no_array)
{
  static const gradyn_param one[] = {{"x", "m", .init = 1, GRADYN_UNBOUNDED}};
  static const gradyn_problem none = {GRADYN_PROBLEM_SIZES, .name = "none", .build = fall,
                                      .t_end = 1},
                              some = PROBLEM("some", fall, one, .t_end = 1);
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(.problem = k ? &some : &none);
    const gradyn_status expected = k ? GRADYN_INVALID : GRADYN_OK;
    double t_end, psi;
    gradyn_extreme extreme;
    gradyn_signal_range range;
    LOCAL(gradyn_search_result) result;
    LOCAL(gradyn_sweep_result) points;
    const gradyn_search search = run_search(ev);
#define ASK(call)                                                                                  \
  assert_status(call, expected, gradyn_evaluator_message(ev));                                     \
  assert_string_equal(gradyn_evaluator_message(ev), k ? "rho is NULL" : "")
    ASK(gradyn_evaluator_simulate(ev, NULL, &psi, NULL));
    ASK(gradyn_evaluator_extremes(ev, NULL, &extreme));
    ASK(gradyn_evaluator_preview(ev, NULL, NULL, NULL, &range));
    ASK(gradyn_evaluator_preview(ev, NULL, &t_end, NULL, NULL));
    ASK(gradyn_evaluator_preview(ev, NULL, NULL, &(bool){false}, NULL));
    /* a search and a sweep need at least one parameter */
    assert_status(gradyn_optimise(ev, &search, NULL, &result), GRADYN_INVALID, result.reason);
    assert_status(gradyn_sweep(ev, &(gradyn_sweep_spec){.points = 1}, NULL, &points),
                  GRADYN_INVALID, points.message);
    if (k)
      assert_string_equal(result.reason, "the start is NULL");
    else if (strstr(result.reason, "NULL") || strstr(points.message, "NULL"))
      fail_msg("%s; %s", result.reason, points.message);
  }
}
