/* Checks of derivatives by independent routes, from the elements of a model to whole gradients. */
#ifndef GRADYN_CHECK_H
#define GRADYN_CHECK_H

#include <gradyn/describe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A derivative compared with an independent route. */
typedef struct gradyn_check_item {
  char name[96];    /* of the derivative; if it failed, also the entry with the largest error */
  char route[40];   /* the other route, for example "complex step" or "differences" */
  double error;     /* largest relative error, dimensionless */
  double tolerance; /* largest accepted error, dimensionless */
  bool passed;      /* the error is within the tolerance, and there is no kink */
  bool kink;   /* no comparison: the function jumps or has different derivatives on both sides */
  int skipped; /* number of comparisons omitted; 0: none */
  const char *reason; /* of the first omission, for example "no time"; static; NULL: none omitted */
} gradyn_check_item;

/* Limits of a check, and a callback that reports its progress. All zero: no limit and no callback. */
typedef struct gradyn_check_limits {
  /* s; shared out to the parts, which omit the remaining comparisons; 0: no limit */
  double max_seconds;
  /* Called during the check with the name of a part, valid during the call, and how many of its `all`
   * pieces are done. NULL: not called. */
  void (*progress)(const char *part, int done, int all, void *user);
  void *user; /* passed to progress; may be NULL */
} gradyn_check_limits;

/* Compares all derivatives at rho [parameters] by two routes, within limits (NULL: none). The parameters
 * are in their units; rho may be NULL if there are none. Writes at most `capacity` items to items
 * [capacity], the worst last, and their number to *count. If there are more items, the best ones are
 * omitted; items may be NULL if capacity is 0. The tolerance is `check_tolerance` of the problem.
 * Afterwards the evaluator has the data at rho. Errors: GRADYN_CHECK_FAILED: an item did not pass.
 * GRADYN_INVALID: an argument is NULL or a parameter is not finite. GRADYN_INTERRUPTED: `cancel` of the
 * options returned true. GRADYN_NO_MEMORY. A simulation that fails returns its own status. The message of
 * the evaluator has the reason. */
GRADYN_API gradyn_status gradyn_evaluator_check(gradyn_evaluator *evaluator, const double rho[],
                                                const gradyn_check_limits *limits,
                                                gradyn_check_item items[], size_t capacity,
                                                size_t *count);

#ifdef __cplusplus
}
#endif

#endif
