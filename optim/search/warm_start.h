/* Multipliers at the end of a search, from which another search can start. */
#ifndef GRADYN_OPTIM_WARM_START_H
#define GRADYN_OPTIM_WARM_START_H

#include <jansson.h>

#include "core/base/message.h"
#include "optim/drivers/driver.h"
#include "optim/program/program.h"
#include "optim/program/scaling.h"

/* Multipliers without scaling: gradient of the objective + sum of functional_i sign_i gradient_i - lower +
 * upper = 0. The barrier parameter is in the unit of the objective. */
typedef struct gradyn_warm_start {
  size_t functionals, parameters;
  double *functional;    /* [functionals], of constraints; 0: not active, or no constraint */
  double *lower, *upper; /* [parameters], of bounds */
  double barrier;        /* 0: multipliers are not known */
  /* objective of the optimum at which they are multipliers, with all tests of a search; NAN: none */
  double optimum;
} gradyn_warm_start;

/* Sets the sizes. Multipliers that exist stay, new ones are 0. Returns false if memory is out. Clear the
 * struct in any case. */
bool gradyn_warm_start_resize(gradyn_warm_start *warm, size_t functionals, size_t parameters);
/* Removes a functional; those after it move down. No effect if it has no multiplier yet. */
void gradyn_warm_start_remove(gradyn_warm_start *warm, size_t functional);
void gradyn_warm_start_clear(gradyn_warm_start *warm);

/* Fills *out with the multipliers of the scaled program; row [m]: indices of its constraints among the rows
 * of the program. The arrays out->row [m], out->lower and out->upper [n] belong to the caller. Not for
 * programs with pieces of a maximum. */
void gradyn_warm_start_scale(const gradyn_warm_start *warm, const gradyn_program *program,
                             const gradyn_scaling *scaling, const size_t row[], size_t m,
                             gradyn_multipliers *out);
/* Fills *warm from *from, the multipliers of the scaled program. row [m]: indices of its constraints among
 * the rows of the program. Not for programs with pieces of a maximum. */
void gradyn_warm_start_take(gradyn_warm_start *warm, const gradyn_program *program,
                            const gradyn_scaling *scaling, const size_t row[], size_t m,
                            const gradyn_multipliers *from);

/* --- As text, in warm_text.c ------------------------------------------------------------------- */

/* Reads the text of gradyn_search.warm_start into *out, a new object. Errors, with a message:
 * GRADYN_INVALID, it is no warm start; GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_read(const char *text, json_t **out, gradyn_message *message);

/* As gradyn_warm_read(), for a problem: samples of path constraints at events and knots that the problem
 * does not have are removed from *out. Also sets search->objective_scale if it is 0 and the warm start has
 * the same problem and objective. */
gradyn_status gradyn_warm_prepare(const char *text, const gradyn_evaluator *evaluator,
                                  gradyn_search *search, json_t **out, gradyn_message *message);

/* Adds a finding to the result: memory is out for its warm start. Returns GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_out_of_memory(gradyn_search_result *result);

/* Returns the path constraint with this name among functionals; count: there is none. */
size_t gradyn_warm_side(const gradyn_functional_info info[], size_t count, const char *name);

/* Returns the text of a warm start, to be released by free(). NULL: out of memory. */
char *gradyn_warm_print(const json_t *root);

/* Returns the warm start of a result as a new object, without samples of path constraints and states at
 * segment boundaries. The multipliers are those of *warm, or those of the result if warm->barrier is 0.
 * NULL: out of memory. */
json_t *gradyn_warm_describe(const gradyn_objective *objective, const gradyn_warm_start *warm,
                             const gradyn_search_result *result);

/* Fills *warm with the multipliers of a warm start by the names of an objective. Others are 0, also those
 * of bounds of arrays with another number of elements. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_fill(const json_t *root, const gradyn_objective *objective,
                               gradyn_warm_start *warm);

/* Returns the number `key` of an object; `otherwise` if there is none. */
double gradyn_warm_number(const json_t *object, const char *key, double otherwise);

/* Adds findings to the result: which parts of the warm start `root` do not fit, one line for each kind.
 * in_segments: the search divides the motion. multipliers: its algorithm begins with multipliers. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_report(const json_t *root, const gradyn_evaluator *evaluator,
                                 bool in_segments, bool multipliers, gradyn_search_result *result);

#endif
