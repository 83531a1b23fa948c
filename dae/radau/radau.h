/* Radau IIA with three stages, of order 5: collocation at c = (4 -+ sqrt 6)/10 and 1. With h the length of a
 * step and a_ij the method's matrix, its stages solve
 *     r(t + c_i h, Z_i, w_i, x) = 0,   Z_i = z + h sum_j a_ij Z_j',   Z_j' as Z_j and w_j say,
 * and it ends where the last one is. In the tableau stage 0 is the state where the step starts. */
#ifndef GRADYN_DAE_RADAU_H
#define GRADYN_DAE_RADAU_H

#include "core/linear/arena.h"
#include "dae/onestep/onestep.h"
#include "dae/radau/blocks.h"

enum { GRADYN_RADAU_STAGES = 3 };

typedef struct gradyn_radau {
  gradyn_implicit *system;
  gradyn_blocks real, pair;                           /* of the simplified system */
  gradyn_blocks whole;                                /* of a step's derivatives */
  gradyn_implicit_slopes start;                       /* where the step in hand starts */
  gradyn_implicit_slopes slopes[GRADYN_RADAU_STAGES]; /* at its stages */
  double *w, *Z, *r;                                  /* [3][nw], [3][nz], [3][nw] */
  double *change, *moved;                             /* [3][nw], [3][nz] of an iteration */
  double *column;                                     /* [3 nw] */
  double *before;                                     /* [3][nw] of the last step that was found, */
  double from, length; /* which started at a time and had a length; 0: none */
  bool patterned;      /* there are blocks and slopes, for the pattern of the system */
  double made; /* length of the step that the simplified factors are for; 0: there are none */
  gradyn_arena arena, of_pattern; /* of vectors; of slopes */
} gradyn_radau;

extern const gradyn_onestep_scheme gradyn_radau_scheme;

/* The method's matrix [3][3], row by row; rates of the tableau's stages 1 to 3. */
extern const double gradyn_radau_a[GRADYN_RADAU_STAGES * GRADYN_RADAU_STAGES];

static inline gradyn_radau *gradyn_radau_of(const gradyn_onestep *s)
{
  return s->own;
}

/* Slopes at the stages of a step, and the factors of its derivatives. */
gradyn_status gradyn_radau_linearise(gradyn_onestep *s, double t, double h, double *stages);

#endif
