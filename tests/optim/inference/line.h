/* A straight line through data: all results of inference have closed forms. */
#ifndef GRADYN_TESTS_LINE_H
#define GRADYN_TESTS_LINE_H

#include "tests/runs.h"

/* Parameters: value at time 0 is a1 + a2, slope b, and ln of sigma. */
enum { LINE_A1, LINE_A2, LINE_B, LINE_SIGMA, LINE_P, LINE_DATA = 9 };

/* What is known of the deviation of the data. */
enum { LINE_UNWEIGHTED, LINE_GIVEN, LINE_LIKELIHOOD };

/* Settings of the model. */
typedef struct line_kind {
  int deviation, loss;
  bool split;  /* a2 is free: the data determine the sum a1 + a2 only */
  bool narrow; /* the upper bound of b is below its best value */
  bool
      bent; /* with split: a2 also adds 1e-5 a2 t to the slope, which hardly distinguishes it from a1 */
  bool balanced; /* constraint: a1 = b/2 */
} line_kind;

extern const double line_times[LINE_DATA], line_values[LINE_DATA];
extern const double line_sigma; /* if it is given */

/* Declares y' = b + bend t with y = a at time 0, in build(); returns the measure y. */
gradyn_measure_id line_declare(gradyn_model *model, gradyn_scalar a, gradyn_scalar b,
                               gradyn_scalar bend);

gradyn_evaluator *line_open(line_kind kind);

/* The same with an option that cancels. */
gradyn_evaluator *line_cancelled(line_kind kind, bool (*cancel)(void *user), void *user);
/* A search of the free parameters to round-off. */
gradyn_search line_search(gradyn_evaluator *ev, line_kind kind);
/* Fits, and infers at the best point, rho [LINE_P]. Clear *out. */
void line_infer(gradyn_evaluator *ev, line_kind kind, double rho[], gradyn_inference *out);

#endif
