/* Table that mechanisms provide for drawings and for checks of energies. */
#ifndef GRADYN_CORE_DRAWING_H
#define GRADYN_CORE_DRAWING_H

#include "core/model/functional.h"
#include <gradyn/inspect.h>

typedef struct gradyn_drawing_ops {
  int (*axes)(const gradyn_model *model); /* number of axes: 2 or 3 */
  /* Number of points; point i, from 0. */
  int (*points)(const gradyn_model *model);
  gradyn_drawn_point (*point)(const gradyn_model *model, int i);
  /* Calls visit(drawable, user) for each drawable, which is valid during the call only. */
  void (*draw)(const gradyn_model *model, gradyn_drawable_fn visit, void *user);
  /* Kinetic and potential energy at a sample, J. Errors of this and of conserves: failures of callbacks. */
  gradyn_status (*energy)(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);
  /* Whether energy is conserved at a sample: all forces have potentials, no element depends on time, and no
   * constraint is a user's. */
  gradyn_status (*conserves)(gradyn_model *model, const gradyn_sample *at, bool *conserved);
} gradyn_drawing_ops;

#endif
