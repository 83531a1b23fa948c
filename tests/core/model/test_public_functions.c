/* The public functions that declare nothing, called with NULL for every pointer and with indices beyond the
 * last: nothing crashes, and each returns the value that its header states. Together with declaring.h, this
 * must cover all functions of the headers. */
#include "core/problems/retired.h"
#include "tests/runs.h"

#include <dirent.h>
#include "tests/core/model/asking.h"
#include "tests/core/model/declaring.h"

static const char *const declaring[] = {
#define NAME(context, numbers, function, ...) #function,
    DECLARING(NAME)};

/* Functions that are called below, and those that take numbers only. */
static const char *const others[] = {"gradyn_build_status",
                                     "gradyn_format_name",
                                     "gradyn_build_error",
                                     "gradyn_callback_error",
                                     "gradyn_user",
                                     "gradyn_options_default",
                                     "gradyn_method_names",
                                     "gradyn_evaluator_create",
                                     "gradyn_evaluator_clone",
                                     "gradyn_evaluator_free",
                                     "gradyn_evaluator_message",
                                     "gradyn_evaluator_warnings",
                                     "gradyn_evaluator_warning_at",
                                     "gradyn_warning_describe",
                                     "gradyn_evaluator_sensitivity",
                                     "gradyn_parameter_count",
                                     "gradyn_parameter_at",
                                     "gradyn_functional_count",
                                     "gradyn_functional_at",
                                     "gradyn_datum_at",
                                     "gradyn_evaluator_model_info",
                                     "gradyn_link_at",
                                     "gradyn_evaluator_preview",
                                     "gradyn_evaluator_singular_data",
                                     "gradyn_evaluator_extremes",
                                     "gradyn_evaluator_simulate",
                                     "gradyn_evaluator_gradient",
                                     "gradyn_evaluator_gradient_selected",
                                     "gradyn_evaluator_hessian_product",
                                     "gradyn_evaluator_data_gradient",
                                     "gradyn_evaluator_simulate_data",
                                     "gradyn_evaluator_problem",
                                     "gradyn_evaluator_options",
                                     "gradyn_evaluator_statistics",
                                     "gradyn_trajectory_create",
                                     "gradyn_trajectory_free",
                                     "gradyn_trajectory_request",
                                     "gradyn_trajectory_read",
                                     "gradyn_trajectory_column",
                                     "gradyn_trajectory_step",
                                     "gradyn_trajectory_sample",
                                     "gradyn_trajectory_evaluate",
                                     "gradyn_evaluator_check",
                                     SEARCHING,
                                     "gradyn_search_resolve",
                                     "gradyn_search_evaluator",
                                     "gradyn_warm_start_point",
                                     "gradyn_study_read_settings",
                                     "gradyn_coordinates_declared",
                                     "gradyn_journal_best",
                                     "gradyn_journal_busy",
                                     "gradyn_study_check",
                                     "gradyn_journal_remove",
                                     "gradyn_algorithm_names",
                                     "gradyn_algorithm_unavailable_reason",
                                     "gradyn_termination_name",
                                     "gradyn_registry_create",
                                     "gradyn_registry_free",
                                     "gradyn_registry_find",
                                     "gradyn_registry_at",
                                     "gradyn_problem_display_name",
                                     "gradyn_registry_message",
                                     "gradyn_plugin_problem",
                                     "gradyn_plugin_abi",
                                     "gradyn_section_tube",
                                     "gradyn_section_rectangle",
                                     "gradyn_status_describe",
                                     "gradyn_version",
                                     "gradyn_in_mode",
                                     "gradyn_in_modes",
                                     STUDYING,
                                     RESTING,
                                     DISTURBING,
                                     GUARDING,
                                     SEEING,
                                     CASES,
                                     LOOKING};

/* Functions that accept an evaluator whose creation failed, to free it or to clone it. */
static const char *const asked[] = {
#define ONLY_NAME(function, ...) #function,
    REFUSING(ONLY_NAME) ANSWERING(ONLY_NAME) "gradyn_evaluator_free", "gradyn_evaluator_clone",
    "gradyn_search_evaluator"};

/* --- every function of the headers is in a table ------------------------------------------------- */

static bool is_in(const char *const *names, size_t count, const char *name, size_t length)
{
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
      return true;
  return false;
}

static bool is_listed(const char *name, size_t length)
{
  return is_in(declaring, GRADYN_COUNT(declaring), name, length) ||
         is_in(others, GRADYN_COUNT(others), name, length);
}

/* Finds the name before the next bracket after each GRADYN_API. */
static int check_header(const char *text)
{
  int count = 0;
  for (const char *at = strstr(text, "GRADYN_API "); at; at = strstr(at + 1, "GRADYN_API ")) {
    const char *end = strchr(at, '('), *name = end;
    while (name && !strchr(" *\n", name[-1]))
      name--;
    if (!end || strncmp(name, "gradyn_", 7) != 0)
      continue;
    if (!is_listed(name, (size_t)(end - name)))
      fail_msg("no test calls %.*s", (int)(end - name), name);
    const char *takes = strstr(end, "gradyn_evaluator *");
    if (takes && takes < strchr(end, ';') && takes[18] != '*' &&
        !is_in(asked, GRADYN_COUNT(asked), name, (size_t)(end - name)))
      fail_msg("no test gives %.*s an evaluator that failed", (int)(end - name), name);
    count++;
  }
  return count;
}

TEST(all_functions_are_called)
{
  int count = 0;
  DIR *folder = opendir(GRADYN_SOURCE_DIR "/include/gradyn");
  assert_non_null(folder);
  for (const struct dirent *file; (file = readdir(folder));) {
    static char text[1 << 16];
    char path[1024];
    snprintf(path, sizeof path, GRADYN_SOURCE_DIR "/include/gradyn/%.100s", file->d_name);
    FILE *header = file->d_name[0] == '.' ? NULL : fopen(path, "r");
    if (!header)
      continue;
    size_t length = fread(text, 1, sizeof text - 1, header);
    assert_true(length < sizeof text - 1);
    text[length] = '\0';
    fclose(header);
    count += check_header(text);
  }
  closedir(folder);
  assert_true(count > 100);
}

/* --- calls with nothing -------------------------------------------------------------------------- */

TEST(a_missing_evaluator)
{
  double x = 0;
  assert_int_equal(gradyn_evaluator_simulate(NULL, &x, &x, NULL), GRADYN_INVALID);
  assert_true(gradyn_evaluator_gradient(NULL, &x, &x, &x) == GRADYN_INVALID &&
              gradyn_evaluator_gradient_selected(NULL, NULL, &x, &x, &x) == GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_preview(NULL, &x, NULL, &(bool){false}, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_singular_data(NULL, &x, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_data_gradient(NULL, &x, &x, &x), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_simulate_data(NULL, &x, &x), GRADYN_INVALID);
  gradyn_evaluator *ev;
  assert_int_equal(gradyn_evaluator_clone(NULL, NULL, &ev), GRADYN_INVALID);
  assert_null(ev);
  assert_string_equal(gradyn_format_name(NULL, "%d", 3), "");
  assert_null(gradyn_user(NULL));
  assert_int_equal(gradyn_callback_error(NULL, "%d", 3), GRADYN_CALLBACK);
  assert_int_equal(gradyn_parameter_count(NULL), 0);
  assert_string_equal(gradyn_parameter_at(NULL, 0).name, "");
  assert_int_equal(gradyn_functional_count(NULL), 0);
  assert_string_equal(gradyn_functional_at(NULL, 0).name, "");
  assert_string_equal(gradyn_datum_at(NULL, 0).name, "");
  assert_int_equal(gradyn_evaluator_model_info(NULL).states, 0);
  assert_int_equal(gradyn_evaluator_model_info(NULL).data, 0);
  assert_false(gradyn_link_at(NULL, 0, NULL));
  assert_null(gradyn_evaluator_problem(NULL));
  assert_null(gradyn_evaluator_options(NULL).method);
  assert_int_equal(gradyn_evaluator_statistics(NULL).steps, 0);
  assert_string_not_equal(gradyn_evaluator_message(NULL), "");
  assert_string_equal(gradyn_evaluator_warnings(NULL), "");
  assert_int_equal(gradyn_evaluator_statistics(NULL).warnings, 0);
  assert_string_equal(gradyn_evaluator_warning_at(NULL, 0).text, "");
  assert_string_equal(gradyn_evaluator_sensitivity(NULL, 1), "");
  assert_int_equal(gradyn_evaluator_check(NULL, &x, NULL, NULL, 0, &(size_t){0}), GRADYN_INVALID);
  gradyn_evaluator_free(NULL);
}

static gradyn_status point(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_mass(model, "m", gradyn_point(model, "P", rho[0], 0), 1);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", 1, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_build_error(NULL, "%d", 3);
  return gradyn_build_status(NULL) == GRADYN_INVALID ? gradyn_build_status(model) : GRADYN_OK;
}

static const gradyn_param params[] = {{"x", "m", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem healthy = PROBLEM("point", point, params, .t_end = 1);

TEST(arguments_that_are_missing)
{
  double x = 1, psi, gradient;
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(.problem = &healthy);
  assert_int_equal(gradyn_evaluator_simulate(ev, NULL, &psi, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_evaluator_message(ev), "rho is NULL");
  assert_int_equal(gradyn_evaluator_gradient(ev, &x, NULL, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_evaluator_message(ev), "the array of the gradient is NULL");
  assert_int_equal(gradyn_evaluator_data_gradient(ev, NULL, &psi, &gradient), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_simulate_data(ev, NULL, &psi), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_check(ev, NULL, NULL, NULL, 0, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_parameter_at(ev, 1).name, "");
  assert_string_equal(gradyn_functional_at(ev, 1).name, "");
  assert_string_equal(gradyn_datum_at(ev, 1 << 20).name, "");
  assert_false(gradyn_link_at(ev, 0, NULL));
  assert_run(gradyn_evaluator_gradient(ev, &x, NULL, &gradient), ev);
  assert_close(gradient, 1, 1e-6, 0);
  gradyn_search_default(ev, NULL);
  assert_int_equal(gradyn_search_resolve(ev, NULL, NULL, 0), GRADYN_INVALID);
  gradyn_search search = run_search(NULL);
  assert_int_equal(gradyn_optimise(ev, &search, &x, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_optimise(NULL, &search, &x, &result), GRADYN_INVALID);
  assert_string_equal(result.reason, "the evaluator is NULL");
  assert_int_equal(gradyn_optimise(ev, NULL, &x, &result), GRADYN_INVALID);
  assert_int_equal(gradyn_optimise(ev, &search, NULL, &result), GRADYN_INVALID);
  assert_int_equal(gradyn_warm_start_point(NULL, "{}", &x, NULL, 0), GRADYN_INVALID);
  assert_int_equal(gradyn_warm_start_point(ev, NULL, &x, NULL, 0), GRADYN_INVALID);
  assert_int_equal(gradyn_warm_start_point(ev, "{}", NULL, NULL, 0), GRADYN_INVALID);
  gradyn_costates costates;
  assert_int_equal(gradyn_search_costates(NULL, NULL, &result, &costates), GRADYN_INVALID);
  assert_int_equal(gradyn_search_costates(NULL, NULL, &result, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_costates_compute(NULL, NULL, NULL, &costates), GRADYN_INVALID);
  gradyn_costates_clear(&costates);
  LOCAL(gradyn_defect_history) closing;
  assert_int_equal(gradyn_search_defect_history(NULL, NULL, &result, &closing), GRADYN_INVALID);
  assert_int_equal(gradyn_search_defect_history(ev, &search, &result, NULL), GRADYN_INVALID);
  gradyn_defect_history_clear(NULL);
  gradyn_mpc *mpc;
  assert_int_equal(gradyn_mpc_create(NULL, &search, &x, &mpc), GRADYN_INVALID);
  assert_int_equal(gradyn_mpc_create(ev, &search, &x, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_mpc_create(ev, &search, NULL, &mpc), GRADYN_INVALID);
  assert_int_equal(gradyn_mpc_step(NULL, &x, NULL, 0, 0), GRADYN_INVALID);
  assert_null(gradyn_mpc_read(NULL).rho);
  gradyn_mpc_free(NULL);
  gradyn_search_result_clear(NULL);
}

TEST(trajectories_and_registries)
{
  double x = 0;
  const gradyn_problem *problem;
  gradyn_registry *registry;
  gradyn_trajectory *empty = gradyn_trajectory_create();
  for (int k = 0; k < 2; k++) {
    gradyn_trajectory *trajectory = k ? empty : NULL;
    gradyn_trajectory_request(trajectory, 3);
    assert_int_equal(gradyn_trajectory_read(trajectory).steps, 0);
    assert_int_equal(gradyn_trajectory_read(trajectory).columns, 0);
    assert_string_equal(gradyn_trajectory_column(trajectory, 3).name, "");
    assert_string_equal(gradyn_trajectory_column(trajectory, 3).unit, "");
    assert_true(isnan(gradyn_trajectory_step(trajectory, 0, &x)));
    gradyn_trajectory_sample(trajectory, 0, &x);
    gradyn_trajectory_sample(trajectory, 0, NULL);
    assert_int_equal(gradyn_trajectory_evaluate(NULL, trajectory, 1, &x, &x), GRADYN_INVALID);
  }
  gradyn_trajectory_free(empty);
  gradyn_trajectory_free(NULL);
  assert_int_equal(gradyn_registry_create(NULL, NULL), GRADYN_INVALID);
  assert_ok(gradyn_registry_create(NULL, &registry), NULL);
  assert_int_equal(gradyn_registry_find(registry, NULL, &problem), GRADYN_INVALID);
  assert_int_equal(gradyn_registry_find(registry, "chain", NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_registry_find(NULL, "chain", &problem), GRADYN_INVALID);
  assert_null(problem);
  assert_true(!gradyn_registry_at(registry, 1000) && !gradyn_registry_at(NULL, 0));
  assert_string_equal(gradyn_registry_message(NULL), "");
  gradyn_registry_free(registry), gradyn_registry_free(NULL);
  char name[4] = "?";
  assert_string_equal(gradyn_problem_display_name(NULL, name, sizeof name), "");
  assert_null(gradyn_problem_display_name(NULL, NULL, 7));
  for (int code = -1; code < 100; code += 50)
    assert_true(gradyn_status_describe(code).name && gradyn_status_describe(code).sentence &&
                gradyn_termination_name((gradyn_termination)code));
}
