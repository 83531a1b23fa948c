/* Results of a study as JSON: members of settings.json, of result.json, and of the output of the command.
 * A lack of memory shows as in core/files/json.h. */
#ifndef GRADYN_OPTIM_ACCOUNT_H
#define GRADYN_OPTIM_ACCOUNT_H

#include <jansson.h>

#include "core/base/warnings.h"
#include <gradyn/optimise.h>

/* Returns an object with the first members; command and problem may be NULL. */
json_t *gradyn_account_begin(const char *command, const char *problem, gradyn_status status);

/* Adds method, tolerances, end time t_end [s] and settings. evaluation: options of the evaluator, with a
 * selected method in place of "auto". */
void gradyn_account_evaluation(json_t **root, const gradyn_evaluator *evaluator,
                               const gradyn_options *evaluation, double t_end);

/* The load cases of an evaluator, with their values. */
json_t *gradyn_account_cases(const gradyn_evaluator *evaluator);

/* Returns the end time of a run at rho, s; null if build() fails, which the next run reports. */
json_t *gradyn_account_end_time(gradyn_evaluator *evaluator, const double *rho);

/* Returns all settings with their values. */
json_t *gradyn_account_settings(const gradyn_evaluator *evaluator);

/* Returns all parameters with the values rho [parameters]. vary [parameters]: free parameters; NULL: as
 * declared. */
json_t *gradyn_account_parameters(const gradyn_evaluator *evaluator, const double *rho,
                                  const bool *vary);

/* Returns all functionals with the values psi [functionals] and gradient [functionals][parameters]; both
 * may be NULL. */
json_t *gradyn_account_functionals(const gradyn_evaluator *evaluator, const double *psi,
                                   const double *gradient);

/* Returns event i of the log. General equations have no impulse and no energy: null. "impulses" lists the
 * constraints with an impulse of their multiplier. "mode" is there if the model has modes. */
json_t *gradyn_account_event(const gradyn_evaluator *evaluator, size_t i);
/* Returns all events of the log as an array. */
json_t *gradyn_account_events(const gradyn_evaluator *evaluator);

/* Returns a warning as an object; numbers that are not known are null. */
json_t *gradyn_account_warning(const gradyn_warning *w);
/* Returns an array of warnings. */
json_t *gradyn_account_warnings(const gradyn_warnings *warnings);
/* Adds the warnings of such an array, except those with unknown codes; NULL: none. */
void gradyn_account_read_warnings(const json_t *array, gradyn_warnings *out);

/* Adds "statistics", "time", "warnings" and, if there were some, "events" of the last evaluation. */
void gradyn_account_statistics(json_t **root, const gradyn_evaluator *evaluator);

/* Returns why a search cannot be used because of its size; NULL: its size is right. Static text. */
const char *gradyn_search_fault(const gradyn_search *search);

/* Whether a search divides the motion into segments. */
bool gradyn_search_in_segments(const gradyn_search *search);

/* Whether a method can run segments; "auto" can. */
bool gradyn_method_runs_segments(const char *method);

/* Adds the options of a search. */
void gradyn_account_search(json_t **root, const gradyn_search *search);

/* Returns the defect history of a search in segments. motion: a motion of its problem, which names the
 * states. */
json_t *gradyn_account_closing(const gradyn_defect_history *closing,
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

/* Whether it has a best point. Without one the arrays of the result have no meaning. */
bool gradyn_searched_has_point(const gradyn_search_result *result);

/* Returns the functional that changed most in the more accurate simulation of the best point, or
 * "objective". */
const char *gradyn_searched_moved_most(const gradyn_searched *searched);

/* Adds the result, with all its tests. */
void gradyn_account_result(json_t **root, const gradyn_searched *searched);

/* Returns "design", "control", ... */
const char *gradyn_role_name(gradyn_parameter_role role);

#endif
