/* Thirty problems whose optimum is known, each searched from random starts: is a result that a search calls
 * optimal an optimum, and is each optimum called so? */
#ifndef GRADYN_TESTS_OPTIM_KNOWN_OPTIMA_H
#define GRADYN_TESTS_OPTIM_KNOWN_OPTIMA_H

#include "tests/optim/known_mechanisms.h"
#include "tests/optim/synthetic.h"

typedef struct known_optimum {
  const char *name;
  double x[SYNTHETIC_MAX]; /* where it is */
  double f;                /* its objective */
  double from, to;         /* box of the starts, all parameters alike */
  size_t n, m;             /* parameters, functionals */
  double lower, upper;     /* bounds */
  synthetic_fn fill;       /* NULL: a problem to be simulated */
  double shape;            /* for fill */
  struct {
    gradyn_functional_use use;
    double bound;
  } constraint[3];               /* of functionals 1 to 3; monitored: none */
  const gradyn_problem *problem; /* to be simulated; bounds, sizes and starts are its own */
  double start_radius; /* > 0: starts are this far from the optimum at most, of the bounds' width */
} known_optimum;

/* What a search said and what is true. */
typedef struct known_verdict {
  bool said, is; /* optimal */
  long evaluations;
  double objective, distance; /* found; from the optimum, largest, in units of the parameters */
  char reason[512];
} known_verdict;

extern const known_optimum known_optima[];
extern const size_t known_optima_count;

/* Searches with default settings from the start that a seed stands for. Where the search ended is an
 * optimum if it satisfies the constraints and either the objective is within 1e-4 of the least or
 * every parameter is within 1e-3 of a unit step of where it belongs. */
known_verdict known_optimum_search(const known_optimum *known, uint64_t seed);

#endif
