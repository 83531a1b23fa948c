/* Searches whose end is easily misjudged: objectives without a minimum, starts at maxima and
 * saddles, optima far away, values that drown in a constant. */
#ifndef GRADYN_TESTS_OPTIM_PATHOLOGICAL_H
#define GRADYN_TESTS_OPTIM_PATHOLOGICAL_H

#include "tests/optim/synthetic.h"

/* What is true. */
typedef enum pathology {
  PATHOLOGY_UNBOUNDED, /* no minimum: to be named so */
  PATHOLOGY_MINIMUM,   /* there is one, `least`: to be found */
  PATHOLOGY_HIDDEN, /* its minimum cannot be distinguished from round-off: anything but a false optimum */
  PATHOLOGY_CUSP /* an optimum without multipliers, which no test of first order can see */
} pathology;

typedef struct pathological {
  const char *name;
  pathology kind;
  size_t n;
  synthetic_fn fill;
  const char *algorithm; /* NULL: the default */
  double start[4];
  double lower, upper; /* of all parameters */
  double scale;        /* of their changes; 0: from the bounds */
  double least;        /* the minimum of the objective, without `constant` */
  double constant;     /* added to the objective */
  struct {
    gradyn_functional_use use;
    double bound;
  } constraint; /* of the second functional; monitored: none */
} pathological;

/* What a search made of it. */
typedef struct pathological_verdict {
  bool truthful;     /* what it said is so */
  bool said_optimal; /* in any words: its status is that of success */
  bool is;           /* at the minimum, to 1e-4 of the decrease or of itself */
  long evaluations;
  double objective;
  char reason[1024];
} pathological_verdict;

extern const pathological pathological_problems[];
extern const size_t pathological_count;

pathological_verdict pathological_search(const pathological *problem);

#endif
