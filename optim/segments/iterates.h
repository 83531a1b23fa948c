/* Iterates of a search, for later evaluation. */
#ifndef GRADYN_OPTIM_ITERATES_H
#define GRADYN_OPTIM_ITERATES_H

#include <gradyn/optimise.h>

/* Iterates that have been kept so far, at most 48 and the last one. {0}: none. */
typedef struct gradyn_iterates_kept {
  gradyn_iterates course; /* owned until a result gets it */
  long arrivals;          /* number of iterates so far */
  long stride;            /* every stride-th iterate is kept; 0: none yet */
} gradyn_iterates_kept;

/* Reports the next iterate rho [width], with the same width in all calls. It is kept, as a copy, if its
 * number, from 0, is a multiple of the stride, which doubles when the memory is full. Without memory, it is
 * left out. */
void gradyn_iterates_arrive(gradyn_iterates_kept *kept, size_t width, const double rho[]);
/* Moves the kept iterates to *out, overwritten, whose arrays the caller releases. Adds start [width] if there
 * are no iterates, and the last point, last [width], if it differs. If memory is out, points are missing. */
void gradyn_iterates_end(gradyn_iterates_kept *kept, size_t width, const double start[],
                         const double last[], gradyn_iterates *out);
/* Frees the iterates that were not moved, and makes *kept {0}; may be repeated. */
void gradyn_iterates_clear(gradyn_iterates_kept *kept);

#endif
