/* The unknowns at a segment boundary.
 *
 * For general equations they are the differential states; for a mechanism, independent coordinates and
 * rates. The initial data of a segment are z + L (w - w_0) with the unknowns w, near a known state z.
 * This state may violate the constraints of a mechanism. The assembly then finds the nearest state that
 * satisfies them. */
#ifndef GRADYN_OPTIM_CUT_H
#define GRADYN_OPTIM_CUT_H

#include "adjoint/evaluator/evaluator.h"

/* A segment boundary. The arrays belong to the arena of gradyn_cut_create(). */
typedef struct gradyn_cut {
  size_t size, nz; /* numbers of entries of w and z */
  int *slot;       /* [nz], indices of the entries of z in the states, from 0 */
  int *at;         /* [size], indices of the entries of w in z, from 0 */
  double *z, *w;   /* z [nz] and w_0 [size] */
  double *L;       /* [nz][size], derivatives of z by w */
  int events;      /* number of events of the model */
  double t;        /* time of the boundary when the motion was divided, s */
  /* step of the guess after the boundary, as a share of the end time; 0: not known */
  double step;
  int mode; /* mode of the motion at the boundary, from 0 */
  /* [events], number of occurrences of each event before the boundary, in the guess */
  int *passed;
  double *scratch; /* [2 nz], scratch memory */
} gradyn_cut;

/* Creates a boundary at time t, s, of the motion that the model has just run, without unknowns: size and nz
 * are 0. Its arrays come from the arena; the model is not kept. Error: GRADYN_NO_MEMORY, with the model's
 * message. */
gradyn_status gradyn_cut_create(gradyn_model *model, double t, gradyn_arena *arena,
                                gradyn_cut *out);

/* Returns the number of occurrences of an event before a boundary, or at its time, in the guess. event: index
 * in the model, from 0; GRADYN_ANY_EVENT: all events together. cut NULL: the start of the run, 0. */
int gradyn_cut_passed(const gradyn_cut *cut, int event);

/* Selects the unknowns at the state y [states] of the model of the whole motion. Sets z, w, L, at, slot, nz
 * and size; can be called again. The mode of the model is that of the boundary during the call only. Errors,
 * with the model's message: GRADYN_UNSUPPORTED, a nonholonomic constraint; failures of the constraints. */
gradyn_status gradyn_cut_choose(gradyn_model *model, const double *y, gradyn_cut *cut);

/* Returns the index of the datum that is the initial value of entry i < nz of z, in a model of the whole
 * motion or of a segment. */
int gradyn_cut_datum(const gradyn_model *model, const gradyn_cut *cut, size_t i);

/* Returns how well the unknown coordinates of a mechanism suit the state z [nz], at most 1: the smallest
 * effect of a step along an unknown coordinate there, relative to that at the boundary's own state. 0:
 * unknowns and states are not functions of each other, as after a quarter of a turn. The data of mech are
 * those at z. */
double gradyn_cut_worth(const gradyn_cut *cut, gradyn_mech *mech, const double *z);

#endif
