/* Memory: a failed allocation of gradyn or Jansson, while a study is written or shown, leaves no incomplete
 * file or page. */
#include "tests/allocations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/folder.h"
#include "tests/runs.h"
#include "report/page/data.h"
#include <gradyn/gradyn.h>

typedef struct discrete {
  char study[FOLDER_SIZE];
  gradyn_evaluator *evaluator;
  gradyn_trajectory *trajectory;
  double rho[8], psi[8];
} discrete;

/* Writes the study of a finished simulation. */
static gradyn_status write_study(const void *user, char *message)
{
  const discrete *s = user;
  gradyn_study_folder *folder;
  gradyn_status status = gradyn_study_folder_open(s->study, true, &folder);
  if (status == GRADYN_OK)
    status = gradyn_study_folder_write_simulation(folder, s->evaluator, s->rho, s->psi,
                                                  s->trajectory);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 status == GRADYN_OK ? "memory" : gradyn_study_folder_message(folder));
  gradyn_study_folder_close(folder);
  return status;
}

/* Writes the page of the study. Whenever it exists it is complete and the same. */
static gradyn_status show_study(const void *user, char *message)
{
  const discrete *s = user;
  const char *const shown[] = {s->study};
  char *text = NULL;
  size_t size = 0;
  gradyn_report *report;
  FILE *file = open_memstream(&text, &size);
  gradyn_status status = file ? gradyn_report_create(shown, 1, NULL, &report) : GRADYN_NO_MEMORY;
  if (!file) {
    (void)snprintf(message, ALLOCATIONS_MESSAGE, "memory");
    return status;
  }
  const bool starved = status == GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_report_print(report, file);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s",
                 status == GRADYN_NO_MEMORY && !starved
                     ? gradyn_status_describe((int)status).sentence
                 : status == GRADYN_OK ? "memory"
                                       : gradyn_report_message(report));
  gradyn_report_free(report);
  if (fclose(file) != 0 && status == GRADYN_OK)
    status = GRADYN_NO_MEMORY; /* of the stream into memory, which the page does not use */
  if (status == GRADYN_OK && (!text || !strstr(text, "</html>") || !strstr(text, "five-bar")))
    status = GRADYN_INTERNAL;
  free(text);
  return status;
}

TEST(want_of_memory_leaves_no_half)
{
  const gradyn_problem *problem;
  gradyn_registry *registry;
  discrete s = {.trajectory = gradyn_trajectory_create()};
  char command[FOLDER_SIZE + 16];
  assert_non_null(folder_create("allocations", s.study));
  assert_ok(gradyn_registry_create(NULL, &registry), NULL);
  assert_ok(gradyn_registry_find(registry, "five-bar", &problem), NULL);
  s.evaluator = run_with(problem, .t_end = 0.01);
  run_initial(s.evaluator, s.rho);
  assert_ok(gradyn_evaluator_simulate(s.evaluator, s.rho, s.psi, s.trajectory), NULL);
  allocations_include("libjansson");
  allocations_check(write_study, &s, "a study");
  allocations_check(show_study, &s, "a page");
  gradyn_trajectory_free(s.trajectory);
  gradyn_evaluator_free(s.evaluator);
  gradyn_registry_free(registry);
  (void)snprintf(command, sizeof command, "rm -r '%s'", s.study);
  assert_int_equal(system(command), 0);
}
