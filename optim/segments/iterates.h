/* Iterates of a search, for later evaluation. */
#ifndef GRADYN_OPTIM_ITERATES_H
#define GRADYN_OPTIM_ITERATES_H

#include <gradyn/optimise.h>

/* Iterates that have been kept so far. */
typedef struct gradyn_iterates_kept {
  gradyn_iterates course; /* owned until a result gets it */
  long arrivals;          /* number of iterates so far */
  long stride;            /* every stride-th iterate is kept; 0: none yet */
} gradyn_iterates_kept;

/* Keeps the next iterate [width] if its number is a multiple of the stride; the first has number 0. */
void gradyn_iterates_arrive(gradyn_iterates_kept *kept, size_t width, const double rho[]);
/* Moves the iterate history to *out. It adds the start if there are no iterates, and the last point.
 * Without memory, points are missing. */
void gradyn_iterates_end(gradyn_iterates_kept *kept, size_t width, const double start[],
                         const double last[], gradyn_iterates *out);
void gradyn_iterates_clear(gradyn_iterates_kept *kept);

#endif
