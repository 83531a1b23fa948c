/* What a study tells of a computation, as JSON: the members of settings.json, result.json and of what the
 * command prints. Want of memory shows as in core/files/json.h. */
#ifndef GRADYN_OPTIM_ACCOUNT_H
#define GRADYN_OPTIM_ACCOUNT_H

#include <jansson.h>

#include <gradyn/optimise.h>

/* The members that every object begins with; command and problem may be NULL. */
json_t *gradyn_account_begin(const char *command, const char *problem, gradyn_status status);

/* Adds method, tolerances, the end time t_end [s] and settings. march: the evaluator's options, with what
 * "auto" stands for. */
void gradyn_account_march(json_t **root, const gradyn_evaluator *evaluator,
                          const gradyn_options *march, double t_end);

/* When a run at rho ends; null where build() fails, which is told by whatever runs it next. */
json_t *gradyn_account_end_time(gradyn_evaluator *evaluator, const double *rho);

/* All settings with their values. */
json_t *gradyn_account_settings(const gradyn_evaluator *evaluator);

/* All parameters with the values rho [parameters]; vary [parameters], or NULL: as declared. */
json_t *gradyn_account_parameters(const gradyn_evaluator *evaluator, const double *rho,
                                  const bool *vary);

/* All functionals with the values psi [functionals], or NULL; gradient [functionals][parameters] may be
 * NULL. */
json_t *gradyn_account_functionals(const gradyn_evaluator *evaluator, const double *psi,
                                   const double *gradient);

/* An event of the log. */
json_t *gradyn_account_event(const gradyn_event_record *event);

/* Adds "statistics", "time", "events" and "warnings" of the last evaluation. */
void gradyn_account_statistics(json_t **root, const gradyn_evaluator *evaluator);

/* Whether a search cuts the motion into parts. */
bool gradyn_search_in_segments(const gradyn_search *search);

/* Whether segments are run by a method, or by what "auto" takes. */
bool gradyn_method_runs_segments(const char *method);

/* Adds the options of a search. */
void gradyn_account_search(json_t **root, const gradyn_search *search);

/* How a search in segments has come to its end; motion: one of its problem, which names states. */
json_t *gradyn_account_closing(const gradyn_closing *closing, const gradyn_trajectory *motion);

/* A search that has come to its end. */
typedef struct gradyn_searched {
  gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const double *rho0;                 /* [parameters], where it began */
  const double *psi0;                 /* [functionals] there; NULL: unknown */
  const bool *vary;                   /* [parameters]; NULL: as declared */
  const gradyn_search_result *result; /* arrays NULL if it never had a point */
  gradyn_status status;
  bool recorded; /* the last evaluation is the motion of the best point */
} gradyn_searched;

/* Whether it has a best point; without one the arrays of the result mean nothing. */
bool gradyn_searched_has_point(const gradyn_search_result *result);

/* Whose movement was the largest when the best point was simulated more exactly. */
const char *gradyn_searched_moved_most(const gradyn_searched *searched);

/* Adds what it came to, with all judgements. */
void gradyn_account_result(json_t **root, const gradyn_searched *searched);

/* "design", "control", ... */
const char *gradyn_role_name(gradyn_role role);

#endif
