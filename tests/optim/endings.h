/* Functions whose least value is attained, or is an infimum at infinity, or is attained where constraint
 * qualifications fail: which terminations of a search are true? */
#ifndef GRADYN_TESTS_OPTIM_ENDINGS_H
#define GRADYN_TESTS_OPTIM_ENDINGS_H

#include "tests/optim/synthetic.h"

#include <complex.h>

enum { ENDING_CONSTRAINTS = 4, ENDING_PARAMETERS = 5 };

/* Real for real x; its gradient comes by complex steps. */
typedef double complex (*ending_formula)(const double complex x[]);

typedef enum ending_kind {
  ENDING_MINIMUM,    /* `least` is attained */
  ENDING_INFIMUM,    /* it is approached without end */
  ENDING_UNQUALIFIED /* it is attained where there are no multipliers */
} ending_kind;

typedef struct ending_case {
  const char *name;
  ending_kind kind;
  size_t n;
  ending_formula f;
  double least;
  double from, to;                               /* of the starts; both 0: 1 */
  double lower, upper;                           /* bounds of all parameters; both 0: none */
  ending_formula constraint[ENDING_CONSTRAINTS]; /* <= 0 */
  size_t equalities;                             /* of those, the first ones = 0 */
  double next_to_zero; /* by what starts of every second parameter are multiplied; 0: 1 */
  bool scaled;         /* starts are the scales of parameters, as in problems that give none */
} ending_case;

/* How a case is searched. */
typedef struct ending_search {
  const char *algorithm; /* NULL: the default */
  double factor;         /* of the objective */
  uint64_t seed;         /* of the start; 0: the middle of the starts */
} ending_search;

/* What a search made of it. */
typedef struct ending_verdict {
  bool said_optimal, said_infimum;
  bool succeeded; /* by its status, and not at a limit: nearly optimal counts, too */
  bool is;        /* feasible, and at the least value to 1e-4 of all that was to be gained */
  bool truthful;  /* what was said is so */
  bool whole;     /* no less was said than is so */
  long evaluations;
  double objective; /* without the factor */
  char reason[1024];
} ending_verdict;

extern const ending_case ending_cases[];
extern const size_t ending_case_count;

enum { ENDING_ALGORITHMS = 6 };
extern const char *const ending_algorithms[ENDING_ALGORITHMS];

ending_verdict ending_judge(const ending_case *c, ending_search how);

#endif
