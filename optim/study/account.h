/* Results of a study as JSON: members of settings.json, of result.json, and of the output of the command.
 * Functions of type json_t * return a new object or array, owned by the caller (json_decref()); NULL: out of
 * memory. Functions with json_t **root add members to the object *root; if memory is out, *root is released
 * and becomes NULL. *root may be NULL from an earlier failure, and stays NULL. Numbers that are not finite
 * become null. */
#ifndef GRADYN_OPTIM_ACCOUNT_H
#define GRADYN_OPTIM_ACCOUNT_H

#include <jansson.h>

#include "core/base/warnings.h"
#include <gradyn/optimise.h>

/* Returns a new object with version, format, command, problem and the name of the status. command NULL:
 * null; problem NULL: no such member. NULL: out of memory. */
json_t *gradyn_account_begin(const char *command, const char *problem, gradyn_status status);

/* Adds method, tolerances, end time t_end, s (NAN: null), settings and, if there are some, load cases to the
 * object *root. If memory is out, *root is released and becomes NULL; NULL at entry has no effect.
 * evaluation: options of the evaluator, with the selected method in place of "auto". */
void gradyn_account_evaluation(json_t **root, const gradyn_evaluator *evaluator,
                               const gradyn_options *evaluation, double t_end);

/* Returns the load cases of an evaluator as a new array: name, weight, and the values by column, without
 * those that the file leaves out. [] if there are none; NULL: out of memory. */
json_t *gradyn_account_cases(const gradyn_evaluator *evaluator);

/* Returns the end time of a run at rho [parameters], s, as a new number; the JSON value null if build()
 * fails. Calls build(), so that the evaluator no longer has its last motion. NULL: out of memory. */
json_t *gradyn_account_end_time(gradyn_evaluator *evaluator, const double *rho);

/* Returns all settings of the problem by name, with their values in the evaluator, as a new object. NULL:
 * out of memory. */
json_t *gradyn_account_settings(const gradyn_evaluator *evaluator);

/* Returns all parameters with the values rho [parameters], in their units, as a new array with names,
 * bounds and roles. vary [parameters]: true: free; NULL: as declared. Result NULL: out of memory. */
json_t *gradyn_account_parameters(const gradyn_evaluator *evaluator, const double *rho,
                                  const bool *vary);

/* Returns all functionals with the values psi [functionals] and gradient [functionals][parameters], as a
 * new array. psi or gradient NULL: items without "value" or "gradient". Result NULL: out of memory. */
json_t *gradyn_account_functionals(const gradyn_evaluator *evaluator, const double *psi,
                                   const double *gradient);

/* Returns event i of the log, counted from 0, less than the number of events, as a new object; its numbers
 * are those of gradyn_event_record. "impulse" and "energy_lost" are null for general equations. "impulses"
 * lists the constraints of a mechanism with a nonzero impulse. "mode" exists if the model has modes. NULL:
 * out of memory. */
json_t *gradyn_account_event(const gradyn_evaluator *evaluator, size_t i);

/* Returns all events of the log, of the last run, in the order of time, as a new array; [] if there are
 * none. NULL: out of memory. */
json_t *gradyn_account_events(const gradyn_evaluator *evaluator);

/* Returns a warning as a new object; numbers that are NAN (not known) are null. NULL: out of memory. */
json_t *gradyn_account_warning(const gradyn_warning *w);

/* Returns a list of warnings as a new array of gradyn_account_warning(). NULL: out of memory. */
json_t *gradyn_account_warnings(const gradyn_warnings *warnings);
/* Adds the warnings of an array of gradyn_account_warnings() to *out, with copies of its texts, except
 * warnings with unknown codes. array NULL: none. */
void gradyn_account_read_warnings(const json_t *array, gradyn_warnings *out);

/* Adds "statistics", "time", "warnings" and, if there were some, "events" of the last evaluation to the
 * object *root, which becomes NULL if memory is out. "time" has the seconds of run and gradient; all other
 * members are reproducible. */
void gradyn_account_statistics(json_t **root, const gradyn_evaluator *evaluator);

/* Returns the reason why search->struct_size is not that of this library; NULL: it is right. Static text. */
const char *gradyn_search_fault(const gradyn_search *search);

/* Returns whether all terms of the objective of a search are fits to data. */
bool gradyn_search_fits(const gradyn_evaluator *evaluator, const gradyn_search *search);

/* Returns whether a search divides the motion into segments: `segments` is not 0 or `segment_times` is
 * given. */
bool gradyn_search_in_segments(const gradyn_search *search);

/* Returns whether the method with this name can run segments: true for "auto", "explicit" and "radau"
 * only. */
bool gradyn_method_runs_segments(const char *method);

/* Adds the options of a search, with their values, to the object *root, which becomes NULL if memory is
 * out. Options that are not set are left out, or have the value of *search; the warm start is represented
 * by its checksum. */
void gradyn_account_search(json_t **root, const gradyn_search *search);

/* Returns the defect history of a search in segments as a new object, with sparsity patterns if it has
 * some. motion: any motion of its problem, from which the names and units of the states are taken. Neither
 * is kept. NULL: out of memory. */
json_t *gradyn_account_defects(const gradyn_defect_history *closing,
                               const gradyn_trajectory *motion);

/* A search that has ended. All pointers are borrowed. */
typedef struct gradyn_searched {
  gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const double *rho0; /* [parameters], start of the search */
  const double *psi0; /* [functionals], values at rho0; NULL: not known */
  const bool *vary;   /* [parameters], true: free; NULL: as declared */
  /* result of the search; its arrays are NULL if no point was evaluated */
  const gradyn_search_result *result;
  gradyn_status status; /* status of the search */
  bool recorded;        /* the last evaluation of the evaluator is the motion of the best point */
} gradyn_searched;

/* Returns whether a result has a best point: rho, psi and a finite objective. Otherwise its arrays may be
 * NULL or have no meaning. */
bool gradyn_searched_has_point(const gradyn_search_result *result);

/* Returns the name of the functional that changed most in the more accurate simulation of the best point, or
 * "objective". Meaningful if result->discretisation.done. Lives as long as the evaluator. */
const char *gradyn_searched_moved_most(const gradyn_searched *searched);

/* Adds the result *searched of a search with all its tests and warnings, and the statistics of the last
 * evaluation, to *root, which becomes NULL if memory is out. If there is no best point, parameters have
 * their start values and functionals no values. Calls build() unless `recorded`. */
void gradyn_account_result(json_t **root, const gradyn_searched *searched);

/* Returns the name of a role: "design", "control", "initial-state" or "time"; otherwise "unknown". Static
 * text. */
const char *gradyn_role_name(gradyn_parameter_role role);

#endif
