/* The unknowns at a cut: general equations' differential states; of a mechanism independent coordinates and
 * rates. The data of a start are z + L (w - w_0) with those unknowns w, near a state z that is known: what
 * lies beside the constraints of a mechanism the assembly brings back onto them, to the nearest place. */
#ifndef GRADYN_OPTIM_CUT_H
#define GRADYN_OPTIM_CUT_H

#include "adjoint/evaluator/evaluator.h"

typedef struct gradyn_cut {
  size_t size, nz; /* of w and z */
  int *slot;       /* [nz] where z stands in the states */
  int *at;         /* [size] where w stands in z */
  int *datum;      /* [nz] initial values among the data */
  double *z, *w;   /* [nz], [size] z and w_0 */
  double *L;       /* [nz][size] */
} gradyn_cut;

/* Unknowns of a model's cuts, at most, and the length of z. */
size_t gradyn_cut_room(const gradyn_model *model);

/* Chooses the unknowns at a state y of the whole's model at time t, whose differential part becomes z; arrays
 * from the arena. Failures have a message in the model. */
gradyn_status gradyn_cut_choose(gradyn_model *model, double t, const double *y, gradyn_arena *arena,
                                gradyn_cut *out);

#endif
