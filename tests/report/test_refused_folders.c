/* Study folders and reports with invalid arguments. */

#include <stdio.h>
#include <unistd.h>

#include "tests/folder.h"
#include "tests/runs.h"
#include "report/page/data.h"
#include <gradyn/gradyn.h>

/* A search that gradyn_search_default() did not fill is refused. */
static void refuse_unfilled(gradyn_study_folder *folder, gradyn_evaluator *evaluator,
                            gradyn_search search, const gradyn_search_result *result,
                            const gradyn_trajectory *trajectory)
{
  const double rho[8] = {0};
  search.struct_size = 0;
  const gradyn_status unfilled[] = {
      gradyn_study_folder_write_motion(folder, evaluator, &search, rho, trajectory,
                                       GRADYN_STUDY_FINAL),
      gradyn_study_folder_begin(folder, evaluator, &search, rho),
      gradyn_study_folder_end(folder, evaluator, &search, rho, result, GRADYN_OK)};
  for (size_t k = 0; k < GRADYN_COUNT(unfilled); k++)
    assert_status(unfilled[k], GRADYN_INVALID, NULL);
  assert_says(gradyn_study_folder_message(folder), "gradyn_search: struct_size is 0");
}

/* NULL for every pointer, and an evaluator that could not be created: refused, with a reason if there is an
 * object for it. */
TEST(missing_arguments_are_refused)
{
  char place[FOLDER_SIZE];
  double rho[8] = {0}, psi[8] = {0};
  const gradyn_problem *problem;
  gradyn_registry *registry;
  gradyn_study_folder *folder;
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  gradyn_evaluator *failed, *evaluator;
  gradyn_search_result result = {.rho = NULL};
  gradyn_iteration iteration = {.rho = NULL};
  assert_non_null(folder_create("refused", place));
  assert_ok(gradyn_registry_create(NULL, &registry), NULL);
  assert_ok(gradyn_registry_find(registry, "five-bar", &problem), NULL);
  assert_ok(gradyn_evaluator_create(problem, NULL, NULL, 0, &evaluator), NULL);
  gradyn_search search = run_search(evaluator);
  assert_status(gradyn_evaluator_create(NULL, NULL, NULL, 0, &failed), GRADYN_INVALID, NULL);
  assert_status(gradyn_study_folder_open(place, false, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_study_folder_open(NULL, false, &folder), GRADYN_INVALID, NULL);
  assert_string_equal(gradyn_study_folder_message(folder), "the path is NULL");
  assert_status(gradyn_study_folder_write_iteration(folder, evaluator, &iteration), GRADYN_INVALID,
                NULL);
  assert_string_equal(gradyn_study_folder_message(folder), "the folder is not open");
  gradyn_study_folder_close(folder);
  assert_ok(gradyn_study_folder_open(place, false, &folder), NULL);
  for (int k = 0; k < 3; k++) {
    gradyn_study_folder *f = k == 0 ? NULL : folder;
    gradyn_evaluator *ev = k == 1 ? failed : evaluator;
    const double *at = k == 2 ? NULL : rho;
    gradyn_trajectory *t = trajectory;
    assert_status(gradyn_study_folder_write_simulation(f, ev, at, psi, t), GRADYN_INVALID, NULL);
    assert_status(gradyn_study_folder_write_motion(f, ev, &search, at, t, GRADYN_STUDY_FINAL),
                  GRADYN_INVALID, NULL);
    assert_status(gradyn_study_folder_begin(f, ev, &search, at), GRADYN_INVALID, NULL);
    assert_status(gradyn_study_folder_write_iteration(f, ev, k == 2 ? NULL : &iteration),
                  GRADYN_INVALID, NULL);
    assert_status(gradyn_study_folder_end(f, ev, &search, at, &result, GRADYN_OK), GRADYN_INVALID,
                  NULL);
  }
  refuse_unfilled(folder, evaluator, search, &result, trajectory);
  assert_string_not_equal(gradyn_study_folder_message(NULL), "");
  gradyn_study_folder_close(NULL);
  gradyn_evaluator_free(failed);
  gradyn_evaluator_free(evaluator);
  gradyn_registry_free(registry);
  gradyn_trajectory_free(trajectory);
  gradyn_study_folder_close(folder);
  assert_int_equal(rmdir(place), 0); /* nothing was written */
}

TEST(a_report_of_nothing_is_refused)
{
  gradyn_report *report;
  assert_status(gradyn_report_create(NULL, 0, NULL, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_report_create((const char *const[]){NULL}, 1, NULL, &report), GRADYN_INVALID,
                NULL);
  assert_string_equal(gradyn_report_message(report), "no folder is given");
  assert_status(gradyn_report_print(report, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_report_print(NULL, stdout), GRADYN_INVALID, NULL);
  assert_status(gradyn_report_write(report, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_report_write(NULL, "page.html"), GRADYN_INVALID, NULL);
  assert_string_not_equal(gradyn_report_message(NULL), "");
  gradyn_report_free(report);
  gradyn_report_free(NULL);
  char message[64];
  assert_status(gradyn_study_report(NULL, 0, NULL, NULL, NULL, 0), GRADYN_INVALID, NULL);
  assert_status(gradyn_study_report((const char *const[]){NULL}, 1, NULL, "page.html", message,
                                    sizeof message),
                GRADYN_INVALID, NULL);
  assert_string_equal(message, "no folder is given");
}
