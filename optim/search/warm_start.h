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

/* Sets the sizes; multipliers that exist remain, new ones are 0. Returns false if memory is out. Clear it
 * in any case. */
bool gradyn_warm_start_resize(gradyn_warm_start *warm, size_t functionals, size_t parameters);
void gradyn_warm_start_clear(gradyn_warm_start *warm);

/* The multipliers of a scaled program with the constraints row [m], indices of its rows, and back. Not for
 * programs with pieces of a maximum. *out and *from have arrays [m] and [n]. */
void gradyn_warm_start_scale(const gradyn_warm_start *warm, const gradyn_program *program,
                             const gradyn_scaling *scaling, const size_t row[], size_t m,
                             gradyn_multipliers *out);
void gradyn_warm_start_take(gradyn_warm_start *warm, const gradyn_program *program,
                            const gradyn_scaling *scaling, const size_t row[], size_t m,
                            const gradyn_multipliers *from);

/* --- As text, in warm_text.c ------------------------------------------------------------------- */

/* Reads the text of gradyn_search.warm_start. Errors, with a message: GRADYN_INVALID, GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_read(const char *text, json_t **out, gradyn_message *message);

/* The same for a problem: points of path constraints at events and knots that it does not have are left
 * out. Fills the scale of the search if the objective is the same. */
gradyn_status gradyn_warm_prepare(const char *text, const gradyn_evaluator *evaluator,
                                  gradyn_search *search, json_t **out, gradyn_message *message);

/* Adds to the findings that memory is short for the warm start that a result leaves. Returns
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_starve(gradyn_search_result *result);

/* Adds the names of problem and objective to the warm start of a result. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_sign(const gradyn_evaluator *evaluator, const gradyn_search *search,
                               gradyn_search_result *result);

/* Returns such a text, to be released with free(). NULL: out of memory. */
char *gradyn_warm_print(const json_t *root);

/* Returns the warm start that a search leaves, without points of path constraints and states at segment
 * boundaries. *warm: multipliers of its algorithm; barrier 0: those of the result. NULL: out of memory. */
json_t *gradyn_warm_describe(const gradyn_objective *objective, const gradyn_warm_start *warm,
                             const gradyn_search_result *result);

/* Fills the multipliers of an objective, by name. Others are zero, also those of bounds of arrays with
 * another number of elements. GRADYN_NO_MEMORY. */
gradyn_status gradyn_warm_fill(const json_t *root, const gradyn_objective *objective,
                               gradyn_warm_start *warm);

/* Returns a number of a warm start; `otherwise` if there is none. */
double gradyn_warm_number(const json_t *object, const char *key, double otherwise);

/* Adds findings to the result of a search: which parts of a warm start do not fit, one line for each kind.
 * multipliers: the algorithm begins with multipliers. */
gradyn_status gradyn_warm_report(const json_t *root, const gradyn_evaluator *evaluator,
                                 bool in_segments, bool multipliers, gradyn_search_result *result);

#endif
