/* How derivatives grow over a sweep, which tells where steps are too long for them. */
#ifndef GRADYN_ADJOINT_SWEEP_GROWTH_H
#define GRADYN_ADJOINT_SWEEP_GROWTH_H

#include "dae/fixed.h"

/* Steps within which growth is looked for, and how often sizes are noted within them at most. */
enum { GRADYN_GROWTH_WINDOW = 64, GRADYN_GROWTH_NOTES = 16 };

typedef struct gradyn_growth {
  gradyn_fixed *march; /* borrowed */
  int lanes, room;     /* directions or functionals; those that memory was taken for */
  int window, every;   /* steps; of which each `every`-th is noted */
  int wait, noted;     /* steps until the next note; notes so far */
  int first;           /* step at which the fastest growth begins; -1: none is seen */
  double worst;        /* the square of that growth */
  double *
      now; /* [lanes] squares of sizes at the present node, to be filled before gradyn_growth_note() */
  double *past;     /* [notes + 1][lanes] and at the last ones noted */
  gradyn_lanes *ds; /* [ns] one direction */
} gradyn_growth;

/* Takes memory for at most so many lanes. */
gradyn_status gradyn_growth_reserve(gradyn_growth *growth, gradyn_fixed *march, int most);
void gradyn_growth_clear(gradyn_growth *growth);

/* Before a sweep of so many lanes, after its march. */
void gradyn_growth_begin(gradyn_growth *growth, int lanes);

/* At every node: whether it is to be noted. */
static inline bool gradyn_growth_due(gradyn_growth *growth)
{
  if (--growth->wait > 0)
    return false;
  growth->wait = growth->every;
  return true;
}

/* At those nodes; step: the first of those in which sizes may have grown, of the last `window`. */
void gradyn_growth_note(gradyn_growth *growth, int step);

/* After the sweep: looks closer at what is suspicious, and fills the march's statistics. */
gradyn_status gradyn_growth_end(gradyn_growth *growth);

#endif
