/* Study folders of programs that use the library. */
#include <stdio.h>
#include <stdlib.h>

#include "adjoint/evaluator/retired.h"
#include "core/base/message.h"
#include "core/files/json.h"
#include "core/problems/retired.h"
#include "adjoint/evaluator/evaluator.h"
#include "optim/study/account.h"
#include "optim/study/motion.h"
#include <gradyn/study.h>

struct gradyn_study_folder {
  gradyn_folder folder;
  bool begun; /* history.csv has rows of a search already */
};

/* Refuses a call with invalid arguments. */
static gradyn_status refuse(gradyn_study_folder *study, const char *why)
{
  (void)snprintf(study->folder.message, sizeof study->folder.message, "%s", why);
  return GRADYN_INVALID;
}

/* Checks that the folder is open, the evaluator is valid, and the other arguments are given. */
static gradyn_status inspect(gradyn_study_folder *study, const gradyn_evaluator *evaluator,
                             bool given)
{
  if (study == NULL)
    return GRADYN_INVALID;
  if (study->folder.path == NULL)
    return refuse(study, "the folder is not open");
  if (!gradyn_evaluator_created(evaluator))
    return refuse(study, "the evaluator is NULL or could not be made");
  return given ? GRADYN_OK : refuse(study, "an argument is NULL");
}

/* Checks the size of the struct of a search. */
static gradyn_status inspect_search(gradyn_study_folder *study, const gradyn_search *search)
{
  const char *fault = gradyn_search_fault(search);
  return fault != NULL ? refuse(study, fault) : GRADYN_OK;
}

gradyn_status gradyn_study_folder_open(const char *path, bool replace, gradyn_study_folder **out)
{
  if (out == NULL)
    return GRADYN_INVALID;
  gradyn_study_folder *study = *out = calloc(1, sizeof *study);
  if (study == NULL)
    return GRADYN_NO_MEMORY;
  if (path == NULL)
    return refuse(study, "the path is NULL");
  GRADYN_TRY(gradyn_folder_open(&study->folder, path, replace, NULL));
  return gradyn_folder_discard(&study->folder, false);
}

void gradyn_study_folder_close(gradyn_study_folder *study)
{
  if (study != NULL)
    gradyn_folder_close(&study->folder);
  free(study);
}

const char *gradyn_study_folder_message(const gradyn_study_folder *study)
{
  return study != NULL ? study->folder.message : gradyn_status_describe(GRADYN_NO_MEMORY).sentence;
}

/* Returns the members with which every file begins. Their t_end is the end time of a run at rho. */
static json_t *begin(gradyn_evaluator *evaluator, const char *command, gradyn_status status,
                     const double *rho, const gradyn_search *search)
{
  char name[128];
  size_t used = 0;
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++)
    used += gradyn_functional_at(evaluator, i).use != GRADYN_MONITORED;
  gradyn_options evaluation = gradyn_evaluator_options(evaluator);
  evaluation.sensitivity = gradyn_evaluator_sensitivity(
      evaluator, search != NULL && used > 0 ? used : gradyn_functional_count(evaluator));
  gradyn_problem_display_name(gradyn_evaluator_problem(evaluator), name, sizeof name);
  json_t *root = gradyn_account_begin(command, name, status);
  gradyn_account_evaluation(&root, evaluator, &evaluation,
                            gradyn_evaluator_model_info(evaluator).t_end);
  /* without a search, build() is not called again, because the motion is still needed */
  if (search != NULL)
    gradyn_json_put(&root, "t_end", gradyn_account_end_time(evaluator, rho));
  return root;
}

gradyn_status gradyn_study_folder_write_simulation(gradyn_study_folder *study,
                                                   gradyn_evaluator *evaluator, const double rho[],
                                                   const double psi[],
                                                   const gradyn_trajectory *trajectory)
{
  GRADYN_TRY(inspect(study, evaluator, rho && psi && trajectory));
  const gradyn_motion motion = {
      .evaluator = evaluator, .trajectory = trajectory, .rho = rho, .suffix = ""};
  json_t *root = begin(evaluator, "simulate", GRADYN_OK, rho, NULL);
  gradyn_json_put(&root, "parameters", gradyn_account_parameters(evaluator, rho, NULL));
  gradyn_json_put(&root, "functionals", gradyn_account_functionals(evaluator, psi, NULL));
  gradyn_account_statistics(&root, evaluator);
  gradyn_status status = gradyn_motion_keep(&study->folder, &motion);
  const gradyn_status written = gradyn_folder_json(&study->folder, "result.json", root);
  GRADYN_TRY(status == GRADYN_OK ? written : status);
  return gradyn_motion_describe(&study->folder, &motion, NULL);
}

gradyn_status gradyn_study_folder_write_motion(gradyn_study_folder *study,
                                               gradyn_evaluator *evaluator,
                                               const gradyn_search *search, const double rho[],
                                               const gradyn_trajectory *trajectory,
                                               gradyn_study_motion which)
{
  GRADYN_TRY(inspect(study, evaluator, search && rho && trajectory));
  GRADYN_TRY(inspect_search(study, search));
  const bool last = which == GRADYN_STUDY_FINAL;
  const gradyn_motion motion = {.evaluator = evaluator,
                                .trajectory = trajectory,
                                .rho = rho,
                                .suffix = last ? "_final" : "_initial"};
  const gradyn_model_effects effects = {
      search->objective,
      gradyn_evaluator_sensitivity(evaluator, gradyn_functional_count(evaluator))};
  GRADYN_TRY(gradyn_motion_keep(&study->folder, &motion));
  return gradyn_motion_describe(&study->folder, &motion, last ? &effects : NULL);
}

gradyn_status gradyn_study_folder_begin(gradyn_study_folder *study, gradyn_evaluator *evaluator,
                                        const gradyn_search *search, const double rho0[])
{
  GRADYN_TRY(inspect(study, evaluator, search && rho0));
  GRADYN_TRY(inspect_search(study, search));
  if (study->begun) /* the history of that search would be lost */
    return refuse(study, "the folder has a search already: open another folder for this one");
  json_t *root = begin(evaluator, "run", GRADYN_OK, rho0, search);
  (void)json_object_del(root, "status"); /* no point has been computed yet */
  gradyn_search resolved = *search;
  (void)gradyn_search_resolve(evaluator, &resolved, NULL, 0);
  gradyn_account_search(&root, &resolved);
  gradyn_json_put(&root, "parameters", gradyn_account_parameters(evaluator, rho0, search->vary));
  gradyn_json_put(&root, "functionals", gradyn_account_functionals(evaluator, NULL, NULL));
  GRADYN_TRY(gradyn_folder_json(&study->folder, "settings.json", root));
  GRADYN_TRY(gradyn_folder_begin_history(&study->folder, evaluator));
  study->begun = true;
  return GRADYN_OK;
}

gradyn_status gradyn_study_folder_write_iteration(gradyn_study_folder *study,
                                                  const gradyn_evaluator *evaluator,
                                                  const gradyn_iteration *iteration)
{
  GRADYN_TRY(inspect(study, evaluator, iteration));
  return gradyn_folder_add_history(&study->folder, evaluator, iteration);
}

gradyn_status gradyn_study_folder_end(gradyn_study_folder *study, gradyn_evaluator *evaluator,
                                      const gradyn_search *search, const double rho0[],
                                      const gradyn_search_result *result, gradyn_status status)
{
  GRADYN_TRY(inspect(study, evaluator, search && rho0 && result));
  GRADYN_TRY(inspect_search(study, search));
  gradyn_evaluator *finer = result->refined != NULL ? result->refined : evaluator;
  const size_t p = gradyn_parameter_count(finer), before = gradyn_parameter_count(evaluator);
  double *start = calloc(p + 1, sizeof *start);
  bool *vary = calloc(p + 1, sizeof *vary);
  if (start == NULL || vary == NULL) {
    free(start);
    free(vary);
    return GRADYN_NO_MEMORY;
  }
  for (size_t i = 0; i < p; i++) {
    const gradyn_parameter_info info = gradyn_parameter_at(finer, i);
    start[i] = i < before ? rho0[i] : info.init;
    vary[i] = i < before && search->vary != NULL ? search->vary[i] : !info.fixed;
  }
  gradyn_search resolved = *search;
  (void)gradyn_search_resolve(evaluator, &resolved, NULL, 0);
  const gradyn_searched searched = {.evaluator = finer,
                                    .search = &resolved,
                                    .rho0 = start,
                                    .vary = vary,
                                    .result = result,
                                    .status = status};
  const gradyn_status ended = gradyn_folder_end_history(&study->folder);
  json_t *root = begin(finer, "run", status, start, search);
  gradyn_account_result(&root, &searched);
  free(start);
  free(vary);
  if (ended != GRADYN_OK) {
    json_decref(root);
    return ended;
  }
  gradyn_json_put(&root, "folder", gradyn_json_text(study->folder.path));
  return gradyn_folder_json(&study->folder, "result.json", root);
}
