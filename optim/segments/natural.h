/* Guesses in natural coordinates for motions in joint coordinates. Each state is assembled as at the start of
 * a motion in natural coordinates: the nearest positions, then the nearest velocities, that satisfy the
 * constraints. Joint coordinates are computed from these. */
#ifndef GRADYN_OPTIM_NATURAL_H
#define GRADYN_OPTIM_NATURAL_H

#include "core/model/model.h"

/* Natural positions and velocities over time. */
typedef struct gradyn_natural {
  void (*at)(const void *self, double share, double *y); /* y [2 N] at a share of the end time */
  const void *self;
  const bool *known; /* [2 N], true: the value is used even if others determine it */
} gradyn_natural;

/* Returns the number N of natural coordinates of a model in joint coordinates; 0: the model has natural
 * coordinates, or is no mechanism. */
static inline int gradyn_natural_count(const gradyn_model *model)
{
  const gradyn_mech *mech = model->mech;
  return mech != NULL && mech->begin.origin.mech != NULL ? mech->begin.origin.mech->n : 0;
}

/* Returns whether natural coordinate i < N, or velocity i - N for i >= N, follows from others, as angles of
 * joints do. Here and below, the model is in joint coordinates, of which it has n. */
bool gradyn_natural_follows(const gradyn_model *model, int i);

/* Converts joint coordinates and rates z [2 n], which need not satisfy constraints, to natural positions and
 * velocities y [2 N]. */
void gradyn_natural_from(const gradyn_model *model, const double *z, double *y);

/* Fills rows first, ..., count - 1 of z [count][columns] with the joint coordinates and rates. at [count]:
 * ascending shares of the end time. columns >= 2 n, first >= 1, and row first - 1 is given. Angles and
 * attitudes continue from row to row. The data and the mode of the model are restored. Errors, with the
 * model's message: GRADYN_NOT_ASSEMBLED, no state satisfies the constraints; GRADYN_NO_MEMORY. */
gradyn_status gradyn_natural_convert(const gradyn_natural *natural, gradyn_model *model,
                                     const double at[], size_t first, size_t count, size_t columns,
                                     double *z);

#endif
