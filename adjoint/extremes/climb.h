/* The search for the largest values of functions of time in the last run. The maximum of each function in
 * every piece is estimated first. A climb then locates a maximum near a piece. */
#ifndef GRADYN_ADJOINT_CLIMB_H
#define GRADYN_ADJOINT_CLIMB_H

#include "adjoint/extremes/extremes.h"
#include "adjoint/extremes/pieces.h"

/* Estimates of one function. */
typedef struct gradyn_heights {
  const gradyn_functional_entry *f;
  bool all; /* the function may use more than the differential states */
  /* this function is the lower bound and the previous one the upper bound of the same m */
  bool second;
  double from, to;      /* s, window in which it is searched */
  double *most, *slack; /* [pieces] the estimated maximum of each piece, and its possible error */
  double value[3];      /* at the start, the middle and the end of the present piece */
} gradyn_heights;

typedef struct gradyn_climb {
  gradyn_evaluator *ev;
  gradyn_pieces pieces;
  gradyn_heights *heights; /* [count] */
  size_t count;
  gradyn_status status; /* first failure that is more than a value that does not exist */
  double *adjoint;      /* [ny] adjoint of a state */
  gradyn_arena arena;
} gradyn_climb;

/* Prepares a search, which borrows the evaluator, for functional [count], indices of functionals of the
 * model, and estimates the maximum of each in all pieces. trajectory: that of the last run, borrowed; NULL:
 * a one-step method that has stored its steps. Clear *out in any case. Errors: GRADYN_NO_MEMORY,
 * cancellation, failures of the model or of users' functions. */
gradyn_status gradyn_climb_begin(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                 const int functional[], size_t count, gradyn_climb *out);
/* Frees the memory of gradyn_climb_begin(); to be called once. The evaluator is not freed. */
void gradyn_climb_clear(gradyn_climb *climb);

/* Returns the located maximum of a function, `h` of climb->heights, near piece 0, 1, ..., by the continuous
 * extension: in the piece, its neighbours in the same step, and the step that begins or ends at the
 * maximum. value is -HUGE_VAL where the function has no values. climb->status has the first failure. */
gradyn_summit gradyn_climb_from(gradyn_climb *climb, const gradyn_heights *h, size_t piece);
/* Improves time and value of a maximum inside a step to the accuracy of the run; for one at a start or end,
 * computes its rate. climb->status has the first failure. */
void gradyn_climb_refine(gradyn_climb *climb, const gradyn_heights *h, gradyn_summit *summit);
/* Returns the value of a function at the start of the run; -HUGE_VAL: it has none. */
double gradyn_climb_first(gradyn_climb *climb, const gradyn_heights *h);

#endif
