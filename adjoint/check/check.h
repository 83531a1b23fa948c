/* Inside of gradyn_check(): what its parts share. */
#ifndef GRADYN_ADJOINT_CHECK_H
#define GRADYN_ADJOINT_CHECK_H

#include <stdint.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/linear/differences.h"

/* A check under way. The model holds the data at rho whenever a part begins. */
typedef struct gradyn_checking {
  gradyn_evaluator *evaluator;
  gradyn_model *model;
  const double *rho;
  int ny, nx;
  double t;          /* s, somewhere in the middle of the run, not at a knot */
  double *y, *y_end; /* [ny] states there and at the end, slightly disturbed; then room for
                         measures */
  double *calm[2];   /* [ny] and as they were */
  double *largest;   /* [ny] values of the states during the run */
  double *size;      /* [ny] typical size of every state */
  double *x_size;    /* [nx] and of every datum */
  double *x;         /* [nx] data at rho */
  double *x_moved;   /* [nx] scratch */
  double *x_bar;     /* [nx] scratch */
  double tolerance;  /* of derivatives by differences */
  uint64_t seed;
  gradyn_check_limits limits;
  gradyn_arena arena;      /* of all arrays */
  const char *part;        /* what is being checked, for those who watch */
  double started;          /* s, of gradyn_seconds() */
  double share;            /* of the time allowed by which the present part should end */
  gradyn_check_item *item; /* [count] */
  int count;
} gradyn_checking;

/* The worst of many comparisons, which become one item. */
typedef struct gradyn_worst {
  double error, tolerance; /* of the worst comparison; to begin with, the least tolerance */
  double ratio, least;     /* the two divided; the least tolerance once comparing has begun */
  double kink;        /* largest difference at a kink, over its scale, that the kink explains */
  bool present;       /* a derivative was not zero */
  int skipped;        /* comparisons left out */
  const char *reason; /* why; NULL: lack of time */
  char where[32], kink_at[32];
} gradyn_worst;

/* Tolerance of two exact routes, such as a product and its transpose. */
#define GRADYN_CHECK_EXACT 1e-11

/* First step of differences, as a part of a typical size. */
#define GRADYN_CHECK_STEP 0.05

/* Tolerance of a comparison over the error that is small enough for its differences. */
#define GRADYN_CHECK_CONTENT 100

/* How much a known uncertainty may widen a tolerance. */
#define GRADYN_CHECK_WIDEST 1e-3

/* One number against another, relative to scale. An uncertainty of the other number that is known
 * widens the tolerance of this comparison. */
void gradyn_worst_compare(gradyn_worst *worst, double exact, double other, double scale,
                          double uncertainty, const char *where);

/* Size of the terms that a value is the sum of, from its round-off. */
double gradyn_check_value(const gradyn_differences *d, int i);

/* What the first differences say against a number, until shorter steps have confirmed it. */
typedef struct gradyn_suspect {
  bool is; /* otherwise there is nothing to confirm */
  double slope, scale, uncertainty;
} gradyn_suspect;

/* A number that is compared, as above. */
typedef struct gradyn_compared {
  double exact, scale, uncertainty;
  const char *where;
} gradyn_compared;

/* The same by differences of ever shorter steps, the first ones while *s suspects nothing: a number is wrong
 * only if they converge, to another one. Returns whether shorter ones are needed, which `shorter` allows. */
bool gradyn_worst_confirm(gradyn_worst *worst, const gradyn_differences *d, int i,
                          const gradyn_compared *number, bool shorter, gradyn_suspect *s);
/* Where shorter ones tell nothing: as the first ones have it. */
void gradyn_worst_believe(gradyn_worst *worst, double exact, const char *where, gradyn_suspect *s);

/* Why there is nothing to compare with: what is looked at does not exist beside. */
extern const char *const gradyn_check_nowhere;

/* One comparison that is not made, and why; the first reason is told. */
void gradyn_worst_leave_out(gradyn_worst *w, const char *reason);

/* Component i of differences with their uncertainty; left out where they are too uncertain to tell.
 * Where a kink explains the error, the number lying between the derivatives of both sides, it is noted as
 * such. */
void gradyn_worst_differences(gradyn_worst *worst, const gradyn_differences *d, int i, double exact,
                              double scale, double uncertainty, const char *where);

/* Turns it into an item, unless nothing was there to compare; printf format for the name. */
gradyn_status gradyn_check_add(gradyn_checking *c, const gradyn_worst *worst, const char *route,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Before a comparison, number `done` of `all` of its kind: tells who watches, and answers whether there is
 * time for it. A caller's request to end is *status. */
bool gradyn_check_proceed(gradyn_checking *c, int done, int all, gradyn_status *status);

/* Whether the present part has used up its time. */
bool gradyn_check_late(const gradyn_checking *c);

/* A number of either sign with a magnitude between 0.5 and 1. */
double gradyn_check_random(gradyn_checking *c);

/* Takes data x [nx] into use (NULL: those at rho), with the smooth pieces of signals around t. */
gradyn_status gradyn_check_load(gradyn_checking *c, const double *x, double t);
/* The same for the data at rho with a step s in datum k. */
gradyn_status gradyn_check_move(gradyn_checking *c, int k, double s, double t);

/* The parts. */
gradyn_status gradyn_check_mech(gradyn_checking *c);
gradyn_status gradyn_check_equations(gradyn_checking *c);
gradyn_status gradyn_check_functionals(gradyn_checking *c);
gradyn_status gradyn_check_functions(gradyn_checking *c);
gradyn_status gradyn_check_start(gradyn_checking *c);
gradyn_status gradyn_check_build(gradyn_checking *c);
gradyn_status gradyn_check_gradients(gradyn_checking *c);

#endif
