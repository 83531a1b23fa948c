/* Runs of a filter from one measurement to the next: from a state that measurements have corrected, with the
 * covariance of disturbances along them. */
#ifndef GRADYN_ADJOINT_FILTER_RUN_H
#define GRADYN_ADJOINT_FILTER_RUN_H

#include "adjoint/analyses/inputs.h"
#include "adjoint/analyses/riccati.h"
#include "core/problems/fit.h"
#include "dae/trajectory.h"

/* White noise: changes dx [count][nx] of data with names and kinds; G G^T is its intensity. */
typedef struct gradyn_filter_noise {
  int count, rank;
  const gradyn_input *input; /* [count], borrowed */
  const double *dxG; /* [rank][nx] changes for independent noises of intensity 1, borrowed */
} gradyn_filter_noise;

/* The problem whose runs have any start and end. State z at t has the covariance P of disturbances in the
 * chart of the last node. */
typedef struct gradyn_filter_run {
  gradyn_problem problem;   /* first member: build() finds the others */
  const gradyn_problem *of; /* the user's problem */
  gradyn_evaluator *ev;
  gradyn_model *model; /* of ev */
  gradyn_initial nearest;
  gradyn_trajectory *run;
  gradyn_nominal nominal;
  gradyn_riccati riccati;
  gradyn_filter_noise noise;
  double t;                     /* s */
  double *z;                    /* [nz] */
  double *P;                    /* [size][size] */
  double *x;                    /* [nx] data of the next run */
  double *half;                 /* [nz][nz] workspace */
  double *dx;                   /* [nx] workspace */
  double *dz, *before, *change; /* [nz] workspace */
  int *datum;                   /* [nz] indices of initial states in x */
  gradyn_arena arena;           /* owns all arrays */
} gradyn_filter_run;

/* Returns the index of the first residual, from 0, of the fit to which a residual belongs. */
static inline int gradyn_filter_first(const gradyn_model *model, const gradyn_fitted *residual)
{
  return model->functional[residual->of].reduced.fit->first;
}

/* Creates the problem at rho [parameters], with the state out->z [nz] at its start, and P = 0. `requested`
 * [count]: coordinates that are independent where constraints permit it, borrowed for the call. ev must
 * outlive *out. Failures set the message of out->ev, or of ev if there is none. Clear *out in any case.
 * Errors: GRADYN_INVALID, `requested` has an unknown or dependent coordinate; GRADYN_UNSUPPORTED, general
 * equations have events, a constraint is latched, an event ends the run, or the method cannot begin later;
 * GRADYN_NO_MEMORY; those of build() and of assembly. */
gradyn_status gradyn_filter_run_create(gradyn_evaluator *ev, const double *rho,
                                       const char *const *requested, size_t count,
                                       gradyn_filter_run *out);

/* Frees the members with out->ev, not the object nor the user's evaluator; call it once. */
void gradyn_filter_run_clear(gradyn_filter_run *s);

/* Returns the number of components of disturbances at the present time. */
int gradyn_filter_run_size(const gradyn_filter_run *s);

/* Returns the number of the chart, from 0, at the present time. */
int gradyn_filter_run_chart(const gradyn_filter_run *s);

/* Integrates the motion from the present time to t, s, and the covariance P with it. Errors: those of runs,
 * gradyn_input_check() and gradyn_riccati_forward(). */
gradyn_status gradyn_filter_run_until(gradyn_filter_run *s, double t);

/* Changes the state by the disturbance dw [size], along the constraints, and P by the derivative of the new
 * state by dw. Errors: those of assembly. */
gradyn_status gradyn_filter_run_move(gradyn_filter_run *s, const double *dw);

/* Adds to P the covariances of independent disturbances of the state, directions [rank][nz] of which the part
 * along the constraints counts; rank at most nz. Errors: those of assembly. */
gradyn_status gradyn_filter_run_disturb(gradyn_filter_run *s, int rank, const double *directions);

/* --- parts of both ------------------------------------------------------------------------------ */

/* Makes z at t the start of the next run, in a mode, from 0. Errors: those of gradyn_nominal_begin() and
 * gradyn_nominal_lift(); failures of the equations. */
gradyn_status gradyn_filter_run_begin(gradyn_filter_run *s, int mode);

/* Takes P from the first node of the run to the last, and z there. Errors: those of gradyn_input_check()
 * and gradyn_riccati_forward(); GRADYN_NO_MEMORY. */
gradyn_status gradyn_filter_run_pass(gradyn_filter_run *s);

/* After a correction from the state `before` [nz] to z: if it has passed the guard of an event, the event
 * happens at once, before t. Errors: GRADYN_EVENT, the event does not follow from a motion near z; those of
 * guards and until(). */
gradyn_status gradyn_filter_run_cross(gradyn_filter_run *s, const double *before);

#endif
