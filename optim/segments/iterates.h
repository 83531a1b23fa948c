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

/* Reports the next iterate rho [width]. It is kept if its number, from 0, is a multiple of the stride,
 * which grows during the search. */
void gradyn_iterates_arrive(gradyn_iterates_kept *kept, size_t width, const double rho[]);
/* Moves the kept iterates to *out, which the caller clears. Adds start [width] if there are no iterates,
 * and the last point, last [width]. If memory is out, points are missing. */
void gradyn_iterates_end(gradyn_iterates_kept *kept, size_t width, const double start[],
                         const double last[], gradyn_iterates *out);
void gradyn_iterates_clear(gradyn_iterates_kept *kept);

#endif
