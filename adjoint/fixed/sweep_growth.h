/* How derivatives grow over a sweep, which tells where steps are too long for them. */
#ifndef GRADYN_ADJOINT_SWEEP_GROWTH_H
#define GRADYN_ADJOINT_SWEEP_GROWTH_H

#include "dae/fixed/fixed.h"

struct gradyn_sweeps;

/* Steps within which growth is looked for, and how often sizes are noted within them at most. */
enum { GRADYN_GROWTH_WINDOW = 64, GRADYN_GROWTH_NOTES = 16 };

/* What a watch is of: the columns of a direct sweep, or the bars of an adjoint one. */
typedef enum gradyn_adjoint_growth_of {
  GRADYN_GROWTH_ALONG,
  GRADYN_GROWTH_AGAINST
} gradyn_adjoint_growth_of;

/* Sizes are squares, two of each lane: of positions, then of velocities or momenta, or of their bars. */
typedef struct gradyn_adjoint_growth {
  gradyn_adjoint_growth_of of;
  int lanes, capacity; /* directions or functionals; those that memory was taken for */
  int window, every;   /* steps; of which each `every`-th is noted */
  int wait, noted;     /* steps until the next note; notes so far */
  int first;           /* step at which the fastest growth begins; -1: none is seen */
  double worst;        /* the square of that growth */
  double *now;         /* [2][lanes] sizes where the sweep is */
  double *edge;        /* [2][lanes] and before the jump in hand */
  double *past;        /* [notes + 1][2][lanes] and at the last nodes noted */
  gradyn_arena arena;  /* of all arrays */
} gradyn_adjoint_growth;

/* Takes memory for at most so many lanes. */
gradyn_status gradyn_adjoint_growth_reserve(gradyn_adjoint_growth *growth, gradyn_model *model,
                                            int most);
void gradyn_adjoint_growth_clear(gradyn_adjoint_growth *growth);

/* Before a sweep of so many lanes over so many steps. */
void gradyn_adjoint_growth_begin(gradyn_adjoint_growth *growth, gradyn_adjoint_growth_of of,
                                 int lanes, int steps);

/* At every node, of number k: notes sizes at some of them. */
void gradyn_adjoint_growth_node(struct gradyn_sweeps *s, int k);

/* Around a jump, in the order of the sweep: what sizes gain there is no growth by steps. */
void gradyn_adjoint_growth_before_jump(struct gradyn_sweeps *s);
void gradyn_adjoint_growth_after_jump(struct gradyn_sweeps *s);

/* After the sweep: looks closer at what is suspicious, and fills the march's findings. active [nx]:
 * the data that an adjoint sweep is for; NULL: a direct one, of its columns. */
gradyn_status gradyn_adjoint_growth_end(struct gradyn_sweeps *s, const bool *active);

#endif
