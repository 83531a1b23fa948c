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
  double tolerance; /* of derivatives by differences */
  uint64_t seed;
  gradyn_check_limits limits;
  gradyn_arena arena;      /* owns all arrays */
  const char *part;        /* name of the present part, for the progress callback */
  double started;          /* s, of gradyn_seconds() */
  double share;            /* share of the allowed time by which the present part should end */
  gradyn_check_item *item; /* [count] */
  int count;
} gradyn_checking;

/* Largest error of many comparisons, which become one item. */
typedef struct gradyn_worst {
  double error, tolerance; /* of the worst comparison; initially the smallest tolerance */
  /* error divided by tolerance; the smallest tolerance after the first comparison */
  double ratio, least;
  double kink;  /* largest difference at a kink, relative to its scale, that the kink explains */
  bool present; /* a derivative was nonzero */
  int skipped;  /* number of comparisons left out */
  const char *reason;          /* why the first one was left out; NULL: lack of time */
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

/* Compares a number with another one, relative to scale. A known uncertainty of the other number increases
 * the tolerance of this comparison. */
void gradyn_worst_compare(gradyn_worst *worst, double exact, double other, double scale,
                          double uncertainty, const char *where);

/* Returns the magnitude of the terms whose sum is value i, from its round-off. */
double gradyn_check_value(const gradyn_differences *d, int i);

/* A difference found with the first steps, until shorter steps confirm it. */
typedef struct gradyn_suspect {
  bool is; /* false: nothing to confirm */
  double slope, scale, uncertainty;
} gradyn_suspect;

/* A number that is compared, as above. */
typedef struct gradyn_compared {
  double exact, scale, uncertainty;
  const char *where;
} gradyn_compared;

/* Compares by differences with decreasing steps; *s is empty for the first ones. A number is wrong only if
 * the differences converge to another one. Returns whether shorter steps are needed; `shorter` allows
 * them. */
bool gradyn_worst_confirm(gradyn_worst *worst, const gradyn_differences *d, int i,
                          const gradyn_compared *number, bool shorter, gradyn_suspect *s);
/* Accepts the first differences if shorter steps allow no conclusion. */
void gradyn_worst_believe(gradyn_worst *worst, double exact, const char *where, gradyn_suspect *s);

/* Reason for a missing comparison: the function does not exist near the point. */
extern const char *const gradyn_check_nowhere;

/* Leaves out one comparison; the first reason is reported. */
void gradyn_worst_leave_out(gradyn_worst *w, const char *reason);

/* Compares component i of differences with their uncertainty, and leaves it out if they are too uncertain. If
 * a kink explains the error, because the number is between the derivatives of both sides, it is recorded as
 * such. */
void gradyn_worst_differences(gradyn_worst *worst, const gradyn_differences *d, int i, double exact,
                              double scale, double uncertainty, const char *where);

/* Makes an item of the comparisons, unless there were none; printf format for its name. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_check_add(gradyn_checking *c, const gradyn_worst *worst, const char *route,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Call before comparison number `done` of `all` of its kind. Reports progress, and returns whether time is
 * left and *status is OK. *status: of gradyn_model_cancelled(), a request to cancel or the deadline. */
bool gradyn_check_proceed(gradyn_checking *c, int done, int all, gradyn_status *status);

/* Returns whether the present part has used up its time. */
bool gradyn_check_late(const gradyn_checking *c);

/* Returns a pseudo-random number of either sign with a magnitude between 0.5 and 1. */
double gradyn_check_random(gradyn_checking *c);

/* Loads data x [nx] (NULL: those at rho) into the model, with the pieces of signals at t, s. Errors are those
 * of the model. */
gradyn_status gradyn_check_load(gradyn_checking *c, const double *x, double t);
/* The same for the data at rho with a step s, in the unit of the datum, in datum k. */
gradyn_status gradyn_check_move(gradyn_checking *c, int k, double s, double t);

/* The parts of the check; each adds its items. functions: users' functions except conditions, by complex
 * step against real numbers; the others are described in check.c. Errors: GRADYN_NO_MEMORY, cancellation;
 * failures of the model. */
gradyn_status gradyn_check_mech(gradyn_checking *c);
gradyn_status gradyn_check_equations(gradyn_checking *c);
gradyn_status gradyn_check_functionals(gradyn_checking *c);
gradyn_status gradyn_check_functions(gradyn_checking *c);
gradyn_status gradyn_check_start(gradyn_checking *c);
gradyn_status gradyn_check_build(gradyn_checking *c);
gradyn_status gradyn_check_gradients(gradyn_checking *c);

#endif
