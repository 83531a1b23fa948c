/* Second derivatives of a weighted sum of functionals of general equations, from the stages of one run. The
 * Lagrangian of the discrete run is
 *     L = sum psi - sum eta_i^T F(t_i, y_i, y_i', u(t_i, x), x) + terms that are linear in all but h z',
 * with the adjoints eta_i of one adjoint sweep. Its stationarity makes the Hessian L'' between the tangents
 * D of all stages, D^T L'' D: a sum over stages. Nothing is linearised again, and no adjoint passes through
 * displaced stages. */
#ifndef GRADYN_ADJOINT_ONESTEP_STAGEWISE_H
#define GRADYN_ADJOINT_ONESTEP_STAGEWISE_H

#include "adjoint/method.h"
#include "core/equations/curvature.h"

typedef struct gradyn_onestep_sweeps gradyn_onestep_sweeps;

/* Adjoints of a run that a sweep records. */
typedef struct gradyn_stagewise {
  bool recording;
  double *eta,
      *rates;      /* [steps][slots][ny], [steps][slots][nz]: see gradyn_onestep_stage_adjoints */
  double *sampled; /* [records of the tape][ny] eta at samples */
  gradyn_curvature pairs; /* of the equations */
  /* [2][columns] whether gradients of terminal parts, of integrands, have changed in a bit along a column */
  bool *varies;
  int columns;             /* of these; 0: nothing is known yet */
  double shrink;           /* factor of all distances */
  gradyn_arena run, model; /* own what depends on the run, and on the model alone */
} gradyn_stagewise;

/* The function `contracted` of gradyn_method: second derivatives along all directions of the last
 * gradyn_onestep_tangents(), from the stages, in *task. sweeps: a gradyn_onestep_sweeps. *done: false if
 * the run has parts without them, or the error is too large. Errors: those of the equations and
 * functionals. */
gradyn_status gradyn_onestep_contracted(void *sweeps, const gradyn_contraction *task, bool *done);

#endif
