/* Checking derivatives against independent routes. */
#ifndef GRADYN_CHECK_H
#define GRADYN_CHECK_H

#include <gradyn/describe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One comparison of a derivative with an independent route. */
typedef struct gradyn_check_item {
  char name[96];
  char route[40]; /* "complex step", "differences" */
  double error;   /* worst relative error */
  double tolerance;
  bool passed;
  bool kink;   /* nothing to compare with: what is differentiated jumps there or has a kink, with
                derivatives that differ from side to side */
  int skipped; /* comparisons left out */
  const char *reason; /* why, or why the first of them: "no time", ...; NULL: none was */
} gradyn_check_item;

/* How long a check may take, and who watches it. */
typedef struct gradyn_check_limits {
  double
      max_seconds; /* shared out to its parts, which leave out what they have no time for; 0: none */
  void (*progress)(const char *part, int done, int all, void *user); /* may be NULL */
  void *user;                                                        /* for progress */
} gradyn_check_limits;

/* Compares every derivative at rho, from the model's elements to whole gradients. Writes at most
 * capacity items, worst last, and their number to *count. GRADYN_CHECK_FAILED if one does not
 * pass. */
GRADYN_API gradyn_status gradyn_check(gradyn_evaluator *evaluator, const double rho[],
                                      gradyn_check_item items[], size_t capacity, size_t *count);

/* The same within limits (NULL: none). */
GRADYN_API gradyn_status gradyn_check_within(gradyn_evaluator *evaluator, const double rho[],
                                             const gradyn_check_limits *limits,
                                             gradyn_check_item items[], size_t capacity,
                                             size_t *count);

#ifdef __cplusplus
}
#endif

#endif
