/* A run of the explicit method whose initial state is free, and what disturbances of it become. */
#ifndef GRADYN_ADJOINT_DISTURBANCE_H
#define GRADYN_ADJOINT_DISTURBANCE_H

#include <gradyn/orbit.h>

#include "adjoint/evaluator.h"
#include "adjoint/explicit_sweeps.h"
#include "dae/independent.h"

/* The disturbed state w: independent coordinates and their rates, or all differential states. */
typedef struct gradyn_disturbance {
  gradyn_evaluator *ev; /* borrowed */
  gradyn_model *model;
  gradyn_explicit *march;
  gradyn_explicit_sweeps sweeps;
  gradyn_independent independent; /* of mechanisms */
  int nz, size;
  int *place;   /* [size] of w in z */
  int *datum;   /* [nz] initial values among the data */
  double *x;    /* [nx] data */
  double *z;    /* [nz] initial state of the last run, on the constraints */
  double *Z;    /* [columns][nz] */
  double *w;    /* [2][size] at its start and end */
  double *dw;   /* [2][size] rates there */
  double *M;    /* [size][size] end by start */
  double *unit; /* [size] */
} gradyn_disturbance;

/* At rho; wanted: names of independent coordinates. *out is to be cleared in any case; failures have
 * a message in the model or the evaluator. */
gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const char *const *wanted, size_t count,
                                        gradyn_disturbance *out);
void gradyn_disturbance_clear(gradyn_disturbance *s);

/* Runs with the data x, and fills z, w, dw, M. */
gradyn_status gradyn_disturbance_run(gradyn_disturbance *s);

/* d w(end)/dx along dx [columns][nx] where w(start) is held, in Z as far as places go: b
 * [columns][size]. */
gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b);

/* Moves the initial state by dw [size], on the tangent of the constraints. */
void gradyn_disturbance_move(gradyn_disturbance *s, const double *dw);

#endif
