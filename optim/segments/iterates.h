/* Points that a search goes on from, for who looks at them later. */
#ifndef GRADYN_OPTIM_ITERATES_H
#define GRADYN_OPTIM_ITERATES_H

#include <gradyn/optimise.h>

typedef struct gradyn_iterates_kept {
  gradyn_course course; /* owned until a result has it */
  long arrivals;        /* points so far */
  long stride;          /* of these, every so many are kept; 0: one */
} gradyn_iterates_kept;

/* Keeps a point [width], the next one, if it is one of those that are; the first has number 0. */
void gradyn_iterates_arrive(gradyn_iterates_kept *kept, size_t width, const double rho[]);
/* Hands the course over, with a start, if there is none, and the last point. */
void gradyn_iterates_end(gradyn_iterates_kept *kept, size_t width, const double start[],
                         const double last[], gradyn_course *out);
void gradyn_iterates_clear(gradyn_iterates_kept *kept);

#endif
