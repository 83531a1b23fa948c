/* What stands between a search and the libraries that minimise: a programme in numbers alone, and the
 * table of those who run it. */
#ifndef GRADYN_OPTIM_DRIVER_H
#define GRADYN_OPTIM_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/status.h>

/* Minimise f(x) subject to c(x) = 0 in the rows that come first, c(x) <= 0 in the others, and bounds.
 * Everything is scaled; arrays are borrowed. */
typedef struct gradyn_nlp {
  size_t n, m, equalities;
  double *x;                   /* [n], the start; a driver may write over it */
  const double *lower, *upper; /* [n], may be infinite */
  const double *tolerance;     /* [m], what a row may be off */
  double ftol, xtol;           /* changes of f, relative, and of x that end a run; 0: off */
  double optimality;           /* residual of the first-order conditions that is wanted */
  double residual;             /* of these conditions at the start; NAN: not known */
  bool again;                  /* the start is where an earlier run has ended */
  bool limited;                /* some rows are limits at instants: see gradyn_objective */
  /* Value and gradient [n], unless that is NULL, at x; false: x is rejected, nothing is filled in. */
  bool (*objective)(void *self, const double x[], double *f, double gradient[]);
  /* Entries of the rows' gradients that may be other than zero, row by row: column[start[i]] and so on. Who
   * asks for others finds zeros there, or the run has halted since one is not. */
  const size_t *start, *column; /* [m + 1], [start[m]] */
  /* Likewise `count` rows from `first` on with gradients [count][n]. */
  bool (*rows)(void *self, const double x[], size_t first, size_t count, double c[],
               double gradients[]);
  /* Tells that a run goes on from the point that was asked for last; drivers that do not know do not tell. */
  void (*arrived)(void *self);
  /* Entries of second derivatives, of the lower triangle. */
  const size_t *hessian_row, *hessian_column; /* [hessian_count] */
  size_t hessian_count;
  /* Their values, of factor f + sum of lam [m] c at x; false: they fail. NULL: they are not known. */
  bool (*hessian)(void *self, const double x[], double factor, const double lam[], double values[]);
  /* Whether the run is to end now. */
  bool (*halted)(void *self);
  void *self;
} gradyn_nlp;

/* How an optimiser says a run ended. Whether that is true is judged elsewhere. */
typedef enum gradyn_solver_run_end {
  GRADYN_PASS_CONVERGED, /* by a criterion of its own */
  GRADYN_PASS_FTOL,      /* the objective changed by less than asked for */
  GRADYN_PASS_XTOL,      /* the parameters did */
  GRADYN_PASS_ROUNDOFF,
  GRADYN_PASS_FAILURE,
  GRADYN_PASS_HALTED, /* by who asked for the run */
  GRADYN_PASS_INVALID,
  GRADYN_PASS_NO_MEMORY
} gradyn_solver_run_end;

struct gradyn_algorithm;

/* A library that a driver computes with: the name by which results tell of it, a function of its own. */
typedef struct gradyn_driver_library {
  const char *name, *function;
} gradyn_driver_library;

/* A library that minimises. */
typedef struct gradyn_driver {
  const char *name;
  const char *version; /* NULL: it is not there, or all searches tell */
  /* [library_count] its own, beside those that everything is computed with */
  const gradyn_driver_library *library;
  size_t library_count;
  bool sparse; /* counts on the entries of the rows' gradients that are told to be zero */
  /* Runs an algorithm, whose kinds of rows the programme has. */
  gradyn_solver_run_end (*run)(const struct gradyn_algorithm *algorithm, const gradyn_nlp *nlp);
  /* Why an algorithm cannot be had here and what to do about it; NULL: it can, or there is no memory
   * for the question. Loads what is needed for it. */
  const char *(*lacks)(const struct gradyn_algorithm *algorithm);
} gradyn_driver;

extern const gradyn_driver gradyn_nlopt_driver, gradyn_ipopt_driver;

#endif
