/* Choices of "auto": algorithms of searches and coordinates of mechanisms by rules over counts, and
 * methods. */
#include <tgmath.h>

#include "optim/study/choices.h"
#include "tests/declare.h"
#include "tests/folder.h"
#include "tests/runs.h"

#include <stdio.h>

#include <gradyn/inspect.h>
#include <gradyn/optimise.h>
#include <gradyn/study.h>

#include "problems/builtin.h"

static bool has_ipopt(void)
{
  return gradyn_algorithm_unavailable_reason("ipopt") == NULL;
}

/* Few or many varied parameters, with and without constraints, segments, or a given name. */
TEST(algorithms_follow_from_counts)
{
  enum { MOST = 30 };
  static const struct {
    const gradyn_problem *problem;
    size_t varied; /* number of parameters that vary; 0: all */
    long segments;
    const char *named, *algorithm, *then, *without, *why;
  } rows[] = {{&gradyn_problem_cart_pole, 0, 0, "auto", "ipopt", "slsqp", "slsqp",
               "21 controls, 5 constraints"},
              {&gradyn_problem_cart_pole, 10, 0, "auto", "ipopt", "slsqp", "slsqp",
               "10 controls, 5 constraints"},
              {&gradyn_problem_cart_pole, 9, 0, NULL, "slsqp", "ipopt", "slsqp",
               "9 controls, 5 constraints"},
              {&gradyn_problem_cart_pole, 1, 4, "auto", "ipopt", NULL, "slsqp",
               "1 control, 5 constraints, in segments"},
              {&gradyn_problem_five_bar, 0, 0, "auto", "lbfgs", "ipopt", "lbfgs",
               "2 parameters, no constraints"},
              {&gradyn_problem_catalyst_mixing, 0, 0, "auto", "lbfgs", "ipopt", "lbfgs",
               "50 controls, no constraints"},
              {&gradyn_problem_cart_pole, 0, 0, "slsqp", "slsqp", NULL, "slsqp", ""}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    run_local *ev = run_with(.problem = rows[k].problem);
    gradyn_search search = run_search(ev);
    bool vary[MOST] = {false};
    char why[400];
    for (size_t i = 0, left = rows[k].varied; i < gradyn_parameter_count(ev) && left > 0; i++) {
      vary[i] = !gradyn_parameter_at(ev, i).fixed;
      left -= vary[i];
    }
    assert_string_equal(search.algorithm, "auto");
    search.vary = rows[k].varied > 0 ? vary : NULL;
    search.segments = rows[k].segments;
    search.algorithm = rows[k].named;
    assert_int_equal(gradyn_search_resolve(ev, &search, why, sizeof why), GRADYN_OK);
    assert_string_equal(search.algorithm, has_ipopt() ? rows[k].algorithm : rows[k].without);
    assert_memory_equal(why, rows[k].why, strlen(rows[k].why));
    if (has_ipopt() && rows[k].then)
      assert_string_equal(search.then, rows[k].then);
    else
      assert_null(search.then);
  }
  assert_int_equal(gradyn_search_resolve(NULL, NULL, NULL, 0), GRADYN_INVALID);
  gradyn_evaluator *none;
  assert_int_equal(gradyn_search_evaluator(NULL, NULL, &none), GRADYN_INVALID);
  assert_null(none);
}

/* By the number of operations for methods with stages, natural for others, in the plane and for equations. */
TEST(coordinates_follow_from_methods)
{
  static const struct {
    const gradyn_problem *problem;
    const char *method, *asked, *chosen;
  } rows[] = {{&gradyn_problem_bicycle, NULL, "auto", "joint"},
              {&gradyn_problem_bicycle, "radau", "auto", "joint"},
              {&gradyn_problem_bicycle, "ali3p", "auto", "natural"},
              {&gradyn_problem_bicycle, "idas", "auto", "natural"},
              {&gradyn_problem_bicycle, "auto", "natural", "natural"},
              {&gradyn_problem_bicycle, "ali3p", "joint", "joint"},
              {&gradyn_problem_robot_arm, NULL, "auto", "joint"},
              {&gradyn_problem_slider_crank_codesign, NULL, "auto", "joint"},
              {&gradyn_problem_five_bar, NULL, "auto", "natural"},
              {&gradyn_problem_goddard, NULL, "auto", "natural"},
              {&gradyn_problem_arm_7, NULL, "auto", "joint"}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    gradyn_options options = run_options(rows[k].problem);
    assert_string_equal(options.coordinates,
                        rows[k].problem->coordinates ? rows[k].problem->coordinates : "auto");
    options.method = rows[k].method ? rows[k].method : options.method;
    options.coordinates = rows[k].asked;
    run_local *ev = NULL;
    assert_int_equal(gradyn_evaluator_create(rows[k].problem, &options, NULL, 0, &ev), GRADYN_OK);
    assert_string_equal(gradyn_evaluator_options(ev).coordinates, rows[k].chosen);
    assert_string_equal(gradyn_evaluator_model_info(ev).chosen, rows[k].chosen);
  }
}

static const char *declared;
static gradyn_status build_bicycle(gradyn_model *m, const gradyn_scalar rho[])
{
  declared = gradyn_coordinates_declared(m);
  return gradyn_problem_bicycle.build(m, rho);
}

TEST(build_can_ask_for_its_coordinates)
{
  static const char *const names[] = {"natural", "joint"};
  gradyn_problem problem = gradyn_problem_bicycle;
  problem.build = build_bicycle;
  for (size_t k = 0; k < GRADYN_COUNT(names); k++) {
    problem.coordinates = names[k];
    run_local *ev = run_with(.problem = &problem);
    assert_string_equal(declared, names[k]);
  }
}

/* --- y' = -k (y - cos 3t): stiff if k is large ------------------------------------------------------ */

FORMULA(decay, at->yp[0] + at->data[0] * (at->y[0] - cos(3 * at->t)))

static gradyn_status build_decay(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "y", "", 0.9);
  declare_equations(m, decay, &(gradyn_datum){"k", "1/s", rho[0]}, 1);
  return gradyn_build_status(m);
}

/* The text about the method also names the method of the last run. */
TEST(the_choice_of_a_method_names_the_last_run)
{
  static const gradyn_param params[] = {{"k", "1/s", .init = 2, GRADYN_UNBOUNDED}};
  static const gradyn_problem problem = PROBLEM("decay", build_decay, params, .t_end = 1);
  static const struct {
    double k;
    const char *text;
  } rows[] = {{3, "explicit (the start is not stiff)"},
              {1e5, "explicit (the start is not stiff), radau in the last run, which is stiff"},
              {2, "explicit (the start is not stiff)"}};
  run_local *ev = run_with(&problem, .method = "auto");
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    assert_run(gradyn_evaluator_simulate(ev, &rows[k].k, NULL, NULL), ev);
    json_auto_t *choices = gradyn_choices(ev, NULL);
    assert_string_equal(json_string_value(json_object_get(choices, "method")), rows[k].text);
  }
}

/* Gradients are accurate to the tolerance of the run, so that an optimality tolerance of ten times that is
 * reached. */
TEST(an_optimum_is_as_exact_as_the_run)
{
  static const struct {
    double rtol, optimality;
  } rows[] = {{1e-10, 1e-6}, {1e-8, 1e-6}, {1e-5, 1e-4}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    run_local *ev = run_with(.problem = &gradyn_problem_cart_pole, .rtol = rows[k].rtol);
    assert_close(run_search(ev).optimality, rows[k].optimality, 1e-12, 0);
  }
}

/* Only the method of a problem may be replaced, and only in segments. */
TEST(segments_replace_methods_of_problems_only)
{
  static const struct {
    const gradyn_problem *problem;
    const char *named, *taken; /* NULL: the evaluator itself */
    long segments;
    const char *cuts;
  } rows[] = {{.problem = &gradyn_problem_rigid_spring_beam, .taken = "auto", .segments = 2},
              {.problem = &gradyn_problem_rigid_spring_beam, .taken = "auto", .cuts = "0.1"},
              {.problem = &gradyn_problem_rigid_spring_beam},
              {.problem = &gradyn_problem_rigid_spring_beam, .named = "variational", .segments = 2},
              {.problem = &gradyn_problem_rigid_spring_beam, .named = "auto", .segments = 2},
              {.problem = &gradyn_problem_four_bar_chain, .taken = "auto", .segments = 2},
              {.problem = &gradyn_problem_five_bar, .named = "ali3p", .segments = 2},
              {.problem = &gradyn_problem_five_bar, .segments = 2}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    gradyn_options options = run_options(rows[k].problem);
    options.method = rows[k].named ? rows[k].named : options.method;
    run_local *ev = NULL, *other = NULL;
    assert_int_equal(gradyn_evaluator_create(rows[k].problem, &options, NULL, 0, &ev), GRADYN_OK);
    gradyn_search search = run_search(ev);
    search.segments = rows[k].segments;
    search.segment_times = rows[k].cuts;
    assert_int_equal(gradyn_search_evaluator(ev, &search, &other), GRADYN_OK);
    assert_int_equal(other != NULL, rows[k].taken != NULL);
    if (other != NULL) {
      assert_string_equal(gradyn_evaluator_options(other).method, rows[k].taken);
      assert_close(gradyn_evaluator_options(other).step, 0, 0, 0);
    }
    assert_int_equal(gradyn_search_evaluator(ev, &search, NULL), GRADYN_INVALID);
  }
}

/* If the user gives a step, segments must not replace the method to which it belongs. */
TEST(segments_do_not_drop_a_step)
{
  gradyn_options options = run_options(&gradyn_problem_rigid_spring_beam);
  options.step = 0.01;
  run_local *ev = NULL, *other = NULL;
  assert_int_equal(
      gradyn_evaluator_create(&gradyn_problem_rigid_spring_beam, &options, NULL, 0, &ev),
      GRADYN_OK);
  gradyn_search search = run_search(ev);
  search.segments = 2;
  assert_int_equal(gradyn_search_evaluator(ev, &search, &other), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(other), "step is 0.01: method 'auto'");
}

/* Each function that takes a search names the struct that was not filled, or that has another size. */
TEST(searches_of_another_size_are_refused)
{
  run_local *ev = run_with(.problem = &gradyn_problem_cart_pole);
  const gradyn_search right = run_search(ev);
  double rho[200] = {0}, to[200];
  assert_in_range(gradyn_parameter_count(ev), 1, GRADYN_COUNT(rho));
  const size_t wrong[] = {0, right.struct_size - 8, right.struct_size + 8};
  const gradyn_multistart_spec starts = {.starts = 2};
  const gradyn_pareto_spec front = {.points = 3};
  for (size_t k = 0; k < GRADYN_COUNT(wrong); k++) {
    gradyn_search search = right, before;
    LOCAL(gradyn_search_result) result = {.rho = NULL};
    LOCAL(gradyn_search_result) found = {.rho = to, .iterates.count = 1};
    LOCAL(gradyn_multistart_result) many;
    LOCAL(gradyn_pareto_result) points;
    gradyn_costates costates;
    gradyn_defect_history defects;
    gradyn_evaluator *other = NULL;
    char why[1024] = "";
    search.struct_size = wrong[k];
    search.journal = "/nowhere/journal.jsonl";
    before = search;
    const struct {
      gradyn_status status;
      const char *message;
    } rows[] = {
        {gradyn_optimise(ev, &search, rho, &result), result.reason},
        {gradyn_multistart(ev, &search, &starts, rho, &many), many.message},
        {gradyn_pareto(ev, &search, &front, rho, &points), points.message},
        {gradyn_search_costates(ev, &search, &found, &costates), gradyn_evaluator_message(ev)},
        {gradyn_search_defect_history(ev, &search, &found, &defects), gradyn_evaluator_message(ev)},
        {gradyn_study_read_settings("/nowhere", NULL, &search, why, sizeof why), why},
        {gradyn_journal_best(ev, &search, to, why, sizeof why), why},
        {gradyn_search_evaluator(ev, &search, &other), NULL},
        {gradyn_search_resolve(ev, &search, NULL, 0), NULL}};
    for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
      assert_status(rows[i].status, GRADYN_INVALID, rows[i].message ? rows[i].message : "");
      if (rows[i].message)
        assert_says(rows[i].message, "gradyn_search: ");
      if (rows[i].message)
        assert_says(rows[i].message, wrong[k] > 0 ? "Compile" : "gradyn_search_default()");
    }
    (gradyn_search_default)(ev, &search);
    assert_memory_equal(&search, &before, sizeof search);
    found = (gradyn_search_result){.rho = NULL};
  }
}

TEST(settings_that_cannot_be_recalled)
{
  static const struct {
    const char *settings, *says;
    gradyn_status status;
  } rows[] = {{"{\"method\": \"auto\", \"algorithm\": null}", "", GRADYN_OK},
              {"{\"method\": \"euler\"}", "does not have", GRADYN_INVALID},
              {"{\"algorithm\": \"nobody\"}", "does not have", GRADYN_INVALID},
              {"{\"algorithm\": \"mma\", \"then\": \"nobody\"}", "does not have", GRADYN_INVALID},
              {"{", "cannot be read", GRADYN_INVALID},
              {NULL, "cannot be read", GRADYN_NOT_FOUND}};
  char folder[FOLDER_SIZE], file[FOLDER_SIZE + 16], why[256];
  assert_non_null(folder_create("recall", folder));
  (void)snprintf(file, sizeof file, "%s/settings.json", folder);
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    gradyn_options options = run_options(NULL);
    gradyn_search search = run_search(NULL);
    (void)remove(file);
    *why = '\0';
    if (rows[k].settings) {
      FILE *stream = fopen(file, "w");
      assert_true(stream && fputs(rows[k].settings, stream) >= 0 && fclose(stream) == 0);
    }
    assert_int_equal(gradyn_study_read_settings(folder, &options, &search, why, sizeof why),
                     rows[k].status);
    assert_non_null(strstr(why, rows[k].says));
  }
  assert_int_equal(gradyn_study_read_settings(NULL, NULL, NULL, why, sizeof why), GRADYN_INVALID);
  (void)remove(file);
  (void)remove(folder);
}
