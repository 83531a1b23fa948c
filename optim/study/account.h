/* Results of a study as JSON: members of settings.json, of result.json, and of the output of the command.
 * The functions return new objects, owned by the caller, or add members to *root. If memory is out, they
 * return NULL or set *root to NULL, as those of core/files/json.h. */
#ifndef GRADYN_OPTIM_ACCOUNT_H
#define GRADYN_OPTIM_ACCOUNT_H

#include <jansson.h>

#include "core/base/warnings.h"
#include <gradyn/optimise.h>

/* Returns an object with version, format, command, problem and status. command and problem may be NULL. */
json_t *gradyn_account_begin(const char *command, const char *problem, gradyn_status status);

/* Adds method, tolerances, end time t_end, s, settings and load cases. evaluation: options of the
 * evaluator, with the selected method in place of "auto". */
void gradyn_account_evaluation(json_t **root, const gradyn_evaluator *evaluator,
                               const gradyn_options *evaluation, double t_end);

/* Returns the load cases of an evaluator with their weights and values, as an array. */
json_t *gradyn_account_cases(const gradyn_evaluator *evaluator);

/* Returns the end time of a run at rho [parameters], s; the JSON value null if build() fails. */
json_t *gradyn_account_end_time(gradyn_evaluator *evaluator, const double *rho);

/* Returns all settings with their values, as an object. */
json_t *gradyn_account_settings(const gradyn_evaluator *evaluator);

/* Returns all parameters with the values rho [parameters], as an array. vary [parameters]: which are free;
 * NULL: as declared. */
json_t *gradyn_account_parameters(const gradyn_evaluator *evaluator, const double *rho,
                                  const bool *vary);

/* Returns all functionals with the values psi [functionals] and gradient [functionals][parameters], as an
 * array. psi and gradient may be NULL. */
json_t *gradyn_account_functionals(const gradyn_evaluator *evaluator, const double *psi,
                                   const double *gradient);

/* Returns event i, from 0, of the log. "impulse" and "energy_lost" are null for general equations.
 * "impulses" lists the constraints of a mechanism with a nonzero impulse. "mode" exists if the model has
 * modes. */
json_t *gradyn_account_event(const gradyn_evaluator *evaluator, size_t i);
/* Returns all events of the log as an array. */
json_t *gradyn_account_events(const gradyn_evaluator *evaluator);

/* Returns a warning; numbers that are not known are null. */
json_t *gradyn_account_warning(const gradyn_warning *w);
/* Returns a list of warnings as an array. */
json_t *gradyn_account_warnings(const gradyn_warnings *warnings);
/* Adds the warnings of such an array to *out, except those with unknown codes. array may be NULL. */
void gradyn_account_read_warnings(const json_t *array, gradyn_warnings *out);

/* Adds "statistics", "time", "warnings" and, if there were some, "events" of the last evaluation. */
void gradyn_account_statistics(json_t **root, const gradyn_evaluator *evaluator);

/* Returns why search->struct_size is wrong; NULL: it is right. Static text. */
const char *gradyn_search_fault(const gradyn_search *search);

/* Returns whether a search divides the motion into segments. */
bool gradyn_search_in_segments(const gradyn_search *search);

/* Returns whether the method with this name can run segments; "auto" can. */
bool gradyn_method_runs_segments(const char *method);

/* Adds the options of a search, with their values. */
void gradyn_account_search(json_t **root, const gradyn_search *search);

/* Returns the defect history of a search in segments. motion: any motion of its problem; it gives the names
 * of the states. */
json_t *gradyn_account_defects(const gradyn_defect_history *closing,
                               const gradyn_trajectory *motion);

/* A search that has ended. */
typedef struct gradyn_searched {
  gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const double *rho0;                 /* [parameters], its start */
  const double *psi0;                 /* [functionals] at the start; NULL: not known */
  const bool *vary;                   /* [parameters], free parameters; NULL: as declared */
  const gradyn_search_result *result; /* its arrays are NULL if no point was evaluated */
  gradyn_status status;
  bool recorded; /* the last evaluation is the motion of the best point */
} gradyn_searched;

/* Returns whether a result has a best point. Otherwise its arrays have no meaning. */
bool gradyn_searched_has_point(const gradyn_search_result *result);

/* Returns the name of the functional that changed most in the more accurate simulation of the best point,
 * or "objective". */
const char *gradyn_searched_moved_most(const gradyn_searched *searched);

/* Adds the result of a search with all its tests. */
void gradyn_account_result(json_t **root, const gradyn_searched *searched);

/* Returns the name of a role: "design", "control", "initial-state" or "time". Static text. */
const char *gradyn_role_name(gradyn_parameter_role role);

#endif
