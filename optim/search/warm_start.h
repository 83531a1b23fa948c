/* Multipliers at the end of a search, from which another search can start. */
#ifndef GRADYN_OPTIM_WARM_START_H
#define GRADYN_OPTIM_WARM_START_H

#include <jansson.h>

#include "core/base/message.h"
#include "optim/drivers/driver.h"
#include "optim/program/program.h"
#include "optim/program/scaling.h"

/* Multipliers without scaling: gradient of the objective + sum of functional_i sign_i gradient_i - lower +
 * upper = 0, with sign_i of gradyn_constraint. The barrier parameter is in the unit of the objective. {0} is
 * an empty struct. */
typedef struct gradyn_warm_start {
  size_t functionals, parameters; /* sizes of the arrays, which are owned */
  /* [functionals], multipliers of constraints; 0: not active, or no constraint */
  double *functional;
  double *lower, *upper; /* [parameters], >= 0, of bounds; 0: not active, or fixed */
  double barrier;        /* 0: multipliers are not known */
  /* objective at the point of these multipliers if a search has called it optimal; NAN: none */
  double optimum;
  /* in the earlier searches of the series: all evaluations, and those that were probes */
  long evaluations, probes;
} gradyn_warm_start;

/* Sets the numbers of functionals and parameters. Multipliers that exist stay, new ones are 0; barrier and
 * optimum stay. Returns false if memory is out; then only clear the struct. */
bool gradyn_warm_start_resize(gradyn_warm_start *warm, size_t functionals, size_t parameters);
/* Removes functional `functional`, from 0; multipliers after it move down by one. No effect if its index is
 * not less than warm->functionals. */
void gradyn_warm_start_remove(gradyn_warm_start *warm, size_t functional);
/* Frees the arrays and makes *warm {0}; may be repeated. */
void gradyn_warm_start_clear(gradyn_warm_start *warm);

/* Fills *out with the multipliers of the scaled program; row [m]: for each constraint of *out its index, from
 * 0, among program->rows. The caller provides the arrays out->row [m], out->lower and out->upper
 * [program->n]. *warm has the sizes of the objective. Not for programs with pieces of a maximum. */
void gradyn_warm_start_scale(const gradyn_warm_start *warm, const gradyn_program *program,
                             const gradyn_scaling *scaling, const size_t row[], size_t m,
                             gradyn_multipliers *out);

/* Fills *warm from *from, the multipliers of the scaled program; row [m]: for each constraint of *from its
 * index, from 0, among program->rows. Functionals that are not in row get 0; multipliers of fixed
 * parameters and `optimum` stay. */
void gradyn_warm_start_take(gradyn_warm_start *warm, const gradyn_program *program,
                            const gradyn_scaling *scaling, const size_t row[], size_t m,
                            const gradyn_multipliers *from);

/* --- As text, in warm_text.c ------------------------------------------------------------------- */

/* Reads the text of gradyn_search.warm_start, not NULL, into *out, a new object for json_decref(). Errors,
 * with a message, and *out stays: GRADYN_INVALID, the text is no warm start; GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_read(const char *text, json_t **out, gradyn_message *message);

/* Reads the text of gradyn_search.warm_start, not NULL, into *out, a new object for json_decref(), for a
 * problem. Samples of path constraints at events and knots that the problem does not have are removed. If
 * the warm start has the same problem and minimised functional, also sets search->objective_scale, if that
 * is 0. Otherwise *out is no longer marked as optimal, and has no samples at events. Errors:
 * GRADYN_INVALID, with a message, the text is no warm start; GRADYN_NO_MEMORY. After the latter, *out may
 * be new: set it to NULL before, and release it in any case. */
gradyn_status gradyn_warm_prepare(const char *text, const gradyn_evaluator *evaluator,
                                  gradyn_search *search, json_t **out, gradyn_message *message);

/* Adds a finding to the reason of the result: memory is out for its warm start. Returns GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_out_of_memory(gradyn_search_result *result);

/* Returns the index, from 0, of the path constraint with this name in info [count]; count: there is none, or
 * name is NULL. */
size_t gradyn_warm_side(const gradyn_functional_info info[], size_t count, const char *name);

/* Returns the text of a warm start, to be released by free(). NULL: out of memory, or root is NULL. */
char *gradyn_warm_print(const json_t *root);

/* Returns the warm start of a result as a new object, without samples of path constraints and states at
 * segment boundaries. The multipliers are those of *warm, or those of the result if warm->barrier is 0. The
 * result has a point and arrays of the sizes of the objective. NULL: out of memory. */
json_t *gradyn_warm_describe(const gradyn_objective *objective, const gradyn_warm_start *warm,
                             const gradyn_search_result *result);

/* Fills *warm with the multipliers of a warm start, from gradyn_warm_read(), by the names of an objective.
 * Also sets sizes, barrier (> 0) and optimum. Other multipliers are 0, also those of bounds of arrays with
 * another number of elements. Error, then only clear *warm: GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_fill(const json_t *root, const gradyn_objective *objective,
                               gradyn_warm_start *warm);

/* Returns the number `key` of an object; `otherwise` if there is none, or object is NULL. */
double gradyn_warm_number(const json_t *object, const char *key, double otherwise);

/* Adds findings to the reason of the result: parts of the warm start `root` that do not fit the problem of
 * the evaluator. There is one line for each kind. in_segments: the search divides the motion. multipliers:
 * its algorithm begins with multipliers. Error, and findings may be missing: GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_report(const json_t *root, const gradyn_evaluator *evaluator,
                                 bool in_segments, bool multipliers, gradyn_search_result *result);

#endif
