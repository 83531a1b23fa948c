/* The interface between a search and the libraries that minimise: a nonlinear program of numbers only,
 * and the table of a library. */
#ifndef GRADYN_OPTIM_DRIVER_H
#define GRADYN_OPTIM_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/base.h>

/* Multipliers of a scaled program. The arrays belong to the caller of the driver. */
typedef struct gradyn_multipliers {
  double *row;           /* [m], multipliers of constraints; those of inequalities are at least 0 */
  double *lower, *upper; /* [n], multipliers of bounds, at least 0 */
  double barrier;        /* barrier parameter; 0: not known */
} gradyn_multipliers;

/* Minimise f(x) subject to bounds, to c(x) = 0 for the first `equalities` constraints, and to c(x) <= 0
 * for the others. All values are scaled. The arrays are borrowed. */
typedef struct gradyn_nlp {
  size_t n, m, equalities;
  double *x;                   /* [n], the start; undefined after the run */
  const double *lower, *upper; /* [n], may be infinite */
  const double *tolerance;     /* [m], permitted violations */
  /* a run ends if f changes by less than ftol, relative, or all x by less than xtol, absolute; 0: off */
  double ftol, xtol;
  double optimality; /* required residual of the first-order conditions */
  double residual;   /* residual at the start; NAN: not known */
  bool again;        /* the start is the end of an earlier run */
  /* Multipliers at the start if `warm`. A driver that knows those at the end replaces them; others leave
   * barrier 0. */
  gradyn_multipliers *multipliers;
  bool warm;
  /* some constraints are sampled path constraints: see gradyn_objective */
  bool limited;
  /* Computes the value, and the gradient [n] unless it is NULL, at x [n]. Returns false, and fills nothing,
   * if x is rejected. */
  bool (*objective)(void *self, const double x[], double *f, double gradient[]);
  /* Entries of the gradients of constraints that may be nonzero, row by row: column[start[i]], ... All
   * other entries are zero. If one of them becomes nonzero, the run is halted. */
  const size_t *start, *column; /* [m + 1], [start[m]] */
  /* Computes `count` constraints from index `first`, and their gradients unless NULL: [count][n], or for a
   * sparse driver the listed entries [start[first + count] - start[first]]. Returns false if x is
   * rejected. */
  bool (*rows)(void *self, const double x[], size_t first, size_t count, double c[],
               double gradients[]);
  /* Called if the point evaluated last becomes an iterate of the optimiser. Drivers that do not know
   * iterates never call it. */
  void (*arrived)(void *self);
  /* Entries of second derivatives, in the lower triangle. */
  const size_t *hessian_row, *hessian_column; /* [hessian_count] */
  size_t hessian_count;
  /* Computes their values, of factor f + sum of lam_i c_i, at x; lam: [m]. Returns false on failure.
   * NULL: second derivatives are not known. */
  bool (*hessian)(void *self, const double x[], double factor, const double lam[], double values[]);
  /* the values are those of a sum of squares, without second derivatives of its terms */
  bool squares;
  /* Whether the run must end now. */
  bool (*halted)(void *self);
  void *self;
} gradyn_nlp;

/* Reason that an optimiser gives for the end of a run. The search verifies it. */
typedef enum gradyn_solver_run_end {
  GRADYN_PASS_CONVERGED, /* a criterion of the optimiser is satisfied */
  GRADYN_PASS_FTOL,      /* the objective changed by less than the tolerance */
  GRADYN_PASS_XTOL,      /* the parameters changed by less than the tolerance */
  GRADYN_PASS_ROUNDOFF,
  GRADYN_PASS_FAILURE,
  GRADYN_PASS_HALTED, /* the caller has ended the run */
  GRADYN_PASS_INVALID,
  GRADYN_PASS_NO_MEMORY
} gradyn_solver_run_end;

struct gradyn_algorithm;

/* A library that a driver uses: its name in results, and one of its functions. */
typedef struct gradyn_driver_library {
  const char *name, *function;
} gradyn_driver_library;

/* A library that minimises. */
typedef struct gradyn_driver {
  const char *name;
  /* NULL: the library is not available, or every result names its version in any case */
  const char *version;
  /* [library_count], libraries that only this driver uses */
  const gradyn_driver_library *library;
  size_t library_count;
  bool warm;   /* begins with given multipliers, and reports those at the end */
  bool sparse; /* relies on the list of entries of the gradients of constraints */
  /* Runs an algorithm, which must accept the constraints of the program. */
  gradyn_solver_run_end (*run)(const struct gradyn_algorithm *algorithm, const gradyn_nlp *nlp);
  /* Returns the reason why an algorithm is not available here, and the remedy. NULL: it is available, or
   * memory is out for the test. Loads the library if necessary. */
  const char *(*lacks)(const struct gradyn_algorithm *algorithm);
} gradyn_driver;

extern const gradyn_driver gradyn_nlopt_driver, gradyn_ipopt_driver;

#endif
