/* States inside the steps of the last run of a one-step method, by the continuous extension of its steps. */
#ifndef GRADYN_DAE_ONESTEP_READER_H
#define GRADYN_DAE_ONESTEP_READER_H

#include "dae/onestep/onestep.h"

/* The model must have the data of the run. Rows are states y [ny]; a stage begins with them. */
typedef struct gradyn_onestep_reader {
  gradyn_onestep *run;
  int step;       /* -1: none */
  double t, h;    /* s, of this step */
  double *stages; /* of this step */
  bool extended;  /* its continuous extension has been computed */
  double *stage;  /* [record] */
} gradyn_onestep_reader;

/* Clear in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_reader_create(gradyn_onestep *run, gradyn_onestep_reader *out);
/* Frees the object; signals are evaluated by time again. */
void gradyn_onestep_reader_clear(gradyn_onestep_reader *reader);

/* Enters step k with its signals and its discrete state. Errors: cancellation; failures of stages that are
 * computed again. */
gradyn_status gradyn_onestep_reader_enter(gradyn_onestep_reader *reader, int k);
/* The stage at the start or the end of the step, valid until the next step. */
const double *gradyn_onestep_reader_end(const gradyn_onestep_reader *reader, bool end);

/* Rows at a share of the step. estimate() is the cheapest: a mechanism's motion follows from the ends of the
 * step. extend() evaluates the continuous extension. all: also what follows from the differential states:
 * accelerations and multipliers, or algebraic states. Otherwise these are those of the start. Errors are
 * those of the equations. */
gradyn_status gradyn_onestep_reader_estimate(gradyn_onestep_reader *reader, double share, bool all,
                                             double *row);
gradyn_status gradyn_onestep_reader_extend(gradyn_onestep_reader *reader, double share, bool all,
                                           double *row);
/* The stage at the end of a shorter step, as exact as the run; valid until the next call. */
gradyn_status gradyn_onestep_reader_follow(gradyn_onestep_reader *reader, double share,
                                           const double **stage);

#endif
