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
  int events;      /* of the model */
  double t;        /* s, where it was when the motion was cut */
  double step;     /* of the guess behind it, a share of the end time; 0: not known */
  int mode;        /* of the motion there */
  int *passed;     /* [events] how often each has happened before, in the guess */
  double *scratch; /* [2 nz] */
} gradyn_cut;

/* A cut at time t of the motion that the model has run, whose arrays come from the arena, with no unknowns
 * yet. */
gradyn_status gradyn_cut_create(gradyn_model *model, double t, gradyn_arena *arena,
                                gradyn_cut *out);

/* How often an event, or any, has happened before a cut in the guess; before the start (NULL) never. */
int gradyn_cut_passed(const gradyn_cut *cut, int event);

/* Chooses the unknowns at a state y of the whole's model, whose differential part becomes z. Failures have a
 * message in the model. */
gradyn_status gradyn_cut_choose(gradyn_model *model, const double *y, gradyn_cut *cut);

/* What a step along an unknown coordinate of a mechanism is worth at z [nz], the least of all, at most 1, as
 * at the reference. 0: unknowns and states are no functions of each other there, as at a quarter of a turn.
 * mech: with the data of that place. */
double gradyn_cut_worth(const gradyn_cut *cut, gradyn_mech *mech, const double *z);

#endif
