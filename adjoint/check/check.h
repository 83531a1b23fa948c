/* The data of gradyn_evaluator_check(), shared by its parts. */
#ifndef GRADYN_ADJOINT_CHECK_H
#define GRADYN_ADJOINT_CHECK_H

#include <stdint.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/linear/differences.h"

/* A check in progress. The model contains the data at rho whenever a part begins. */
typedef struct gradyn_checking {
  gradyn_evaluator *evaluator;
  gradyn_model *model;
  const double *rho; /* [parameters], of the caller */
  int ny, nx;
  double t; /* s, near the middle of the run, not at a knot */
  /* [ny] states there and at the end, slightly disturbed; then workspace for measures */
  double *y, *y_end;
  double *calm[2];  /* [ny] the same states without disturbance */
  double *largest;  /* [ny] largest values of the states during the run */
  double *size;     /* [ny] typical size of every state */
  double *x_size;   /* [nx] typical size of every datum */
  double *x;        /* [nx] data at rho */
  double *x_moved;  /* [nx] workspace */
  double *x_bar;    /* [nx] workspace */
  double tolerance; /* tolerance of derivatives by differences */
  uint64_t seed;
  gradyn_check_limits limits;
  gradyn_arena arena;      /* owns all arrays */
  const char *part;        /* name of the present part, for the progress callback */
  double started;          /* s, of gradyn_seconds() */
  double share;            /* share of the allowed time by which the present part should end */
  gradyn_check_item *item; /* [count]; freed by gradyn_evaluator_check() */
  int count;
} gradyn_checking;

/* Largest error of many comparisons, which become one item. Initialise it by .tolerance, which may grow. */
typedef struct gradyn_worst {
  double error, tolerance; /* both of the worst comparison; at first the smallest tolerance */
  /* error divided by tolerance; the smallest tolerance after the first comparison */
  double ratio, least;
  double kink;  /* largest difference at a kink, relative to its scale, that the kink explains */
  bool present; /* a derivative was nonzero */
  int skipped;  /* number of omitted comparisons */
  const char *reason;          /* why the first comparison was omitted; NULL: lack of time */
  char where[32], kink_at[32]; /* entries with `error` and with `kink` */
} gradyn_worst;

/* Tolerance of two exact computations, such as a product and its transpose. */
#define GRADYN_CHECK_EXACT 1e-11

/* First step of differences relative to a typical size. */
#define GRADYN_CHECK_STEP 0.05

/* Ratio of the tolerance of a comparison to the error at which its differences suffice. */
#define GRADYN_CHECK_CONTENT 100

/* Largest increase of a tolerance by a known uncertainty. */
#define GRADYN_CHECK_WIDEST 1e-3

/* Compares `exact` with `other`; their difference counts relative to scale. If `other` is uncertain by
 * `uncertainty`, in its unit, the tolerance of this comparison grows, at most to GRADYN_CHECK_WIDEST. *worst
 * keeps the largest error relative to its tolerance, with the name `where`, which is copied. */
void gradyn_worst_compare(gradyn_worst *worst, double exact, double other, double scale,
                          double uncertainty, const char *where);

/* Returns the magnitude of the terms whose sum is value i, from 0, of the differences: |value|, or its noise
 * over 2 eps if that is larger. */
double gradyn_check_value(const gradyn_differences *d, int i);

/* A doubt: differences with the first steps contradict an exact derivative. Shorter steps confirm or remove
 * it. */
typedef struct gradyn_suspect {
  bool is;                          /* false: nothing to confirm */
  double slope, scale, uncertainty; /* results of the last differences, for their comparison */
} gradyn_suspect;

/* A derivative that is compared, with the arguments of gradyn_worst_compare(). */
typedef struct gradyn_compared {
  double exact, scale, uncertainty;
  const char *where;
} gradyn_compared;

/* Compares a derivative with component i of differences, whose steps decrease from call to call; *s is zero
 * before the first one. The derivative is wrong only if the differences converge to another number. Returns
 * true if a comparison needs shorter steps, which is possible only if `shorter`; otherwise the result is in
 * *worst. */
bool gradyn_worst_confirm(gradyn_worst *worst, const gradyn_differences *d, int i,
                          const gradyn_compared *number, bool shorter, gradyn_suspect *s);
/* Compares `exact` with the differences stored in *s, because shorter steps allow no conclusion; then sets
 * s->is to false. where: name of the comparison, copied. */
void gradyn_worst_accept(gradyn_worst *worst, double exact, const char *where, gradyn_suspect *s);
/* Reason for a missing comparison: the function does not exist near the point. */
extern const char *const gradyn_check_nowhere;
/* Counts an omitted comparison. The first reason, a static text, is reported; NULL: lack of
 * time. */
void gradyn_worst_leave_out(gradyn_worst *w, const char *reason);
/* Compares `exact` with component i of differences; scale: size of the derivative; uncertainty: of the
 * differences, in their unit; where: name, copied. The comparison is omitted if the differences are too
 * uncertain. If the exact derivative is between the one-sided derivatives at a kink, the difference is
 * recorded as `kink`, not as an error. */
void gradyn_worst_differences(gradyn_worst *worst, const gradyn_differences *d, int i, double exact,
                              double scale, double uncertainty, const char *where);
/* Adds an item with the largest error of the comparisons, unless all compared zeros and none was omitted.
 * route: source of the other values, such as "differences"; format: the name of the item, as for printf; both
 * are copied. A failed comparison is an item, no error. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_check_add(gradyn_checking *c, const gradyn_worst *worst, const char *route,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Call before comparison `done` (0, 1, ...) of `all` comparisons. Reports progress. Returns whether the
 * comparison may be made: time is left, and *status is GRADYN_OK. Otherwise leave it out. *status:
 * GRADYN_INTERRUPTED, a request to cancel; GRADYN_STEP_LIMIT, the deadline; GRADYN_OK also without time. */
bool gradyn_check_proceed(gradyn_checking *c, int done, int all, gradyn_status *status);
/* Returns whether the time until the end of the present part is used up; false without a limit. */
bool gradyn_check_late(const gradyn_checking *c);
/* Returns a pseudo-random number with a magnitude between 0.5 and 1, of either sign; the sequence is the
 * same in each check. */
double gradyn_check_random(gradyn_checking *c);
/* Copies the data x [nx] into the model, and enters the pieces of signals at t, s. x NULL: the data at rho.
 * Errors are those of gradyn_model_load(). */
gradyn_status gradyn_check_load(gradyn_checking *c, const double *x, double t);
/* Loads the data at rho with s added to datum k, from 0, in the unit of the datum, and enters the pieces of
 * signals at t, s. Overwrites c->x_moved. Errors are those of gradyn_model_load(). */
gradyn_status gradyn_check_move(gradyn_checking *c, int k, double s, double t);
/* Parts of the check add their items to c->item, at the states c->y and c->y_end and the data at rho. Wrong
 * derivatives are items, not errors. */

/* Checks the matrices of a mechanism, and its products with derivatives; adds items. Errors:
 * GRADYN_NO_MEMORY; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the model. */
gradyn_status gradyn_check_mech(gradyn_checking *c);
/* Checks the derivatives of general equations; adds items. Errors: GRADYN_NO_MEMORY, GRADYN_INTERRUPTED,
 * GRADYN_STEP_LIMIT (deadline); failures of the model. */
gradyn_status gradyn_check_equations(gradyn_checking *c);
/* Checks the derivatives of functionals by states and data; adds items. Errors: GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED, GRADYN_STEP_LIMIT (deadline); failures of the model. */
gradyn_status gradyn_check_functionals(gradyn_checking *c);
/* Compares complex-step derivatives of users' functions, except conditions of events, with evaluations at
 * real numbers; adds items. Errors: GRADYN_NO_MEMORY, GRADYN_INTERRUPTED, GRADYN_STEP_LIMIT (deadline);
 * failures of the model. */
gradyn_status gradyn_check_functions(gradyn_checking *c);
/* Checks the derivatives of the initial state by the data; adds items. Errors: GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED, GRADYN_STEP_LIMIT (deadline); failures of the model. */
gradyn_status gradyn_check_start(gradyn_checking *c);
/* Checks the derivatives dx/drho of build(); adds items. Errors: GRADYN_NO_MEMORY, GRADYN_INTERRUPTED,
 * GRADYN_STEP_LIMIT (deadline); failures of the model. */
gradyn_status gradyn_check_build(gradyn_checking *c);
/* Checks the gradients of whole runs; adds items. Errors: GRADYN_NO_MEMORY, GRADYN_INTERRUPTED,
 * GRADYN_STEP_LIMIT (deadline); failures of the model. */
gradyn_status gradyn_check_gradients(gradyn_checking *c);

#endif
