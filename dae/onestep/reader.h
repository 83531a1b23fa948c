/* States inside the steps of the last run of a one-step method, by the continuous extension of its steps. */
#ifndef GRADYN_DAE_ONESTEP_READER_H
#define GRADYN_DAE_ONESTEP_READER_H

#include "dae/onestep/onestep.h"

/* The model must have the data of the run. `row` is [ny], states y; a stage begins with y. A share is the
 * fraction, 0 to 1, of the length of the step. */
typedef struct gradyn_onestep_reader {
  gradyn_onestep *run;
  int step;       /* -1: none */
  double t, h;    /* s, of this step */
  double *stages; /* stages of this step */
  bool extended;  /* the continuous extension of this step has been computed */
  double *stage;  /* [record] */
} gradyn_onestep_reader;

/* Creates a reader of `run`, which is kept, must have stored its last run and must not run again before
 * clear(). Clear *out also after an error. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_reader_create(gradyn_onestep *run, gradyn_onestep_reader *out);
/* Frees the members, once; signals are evaluated by time again. */
void gradyn_onestep_reader_clear(gradyn_onestep_reader *reader);

/* Selects step k, from 0, for the calls below, and enters its discrete state. No effect if step k is
 * selected. Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of stages that are computed
 * again. */
gradyn_status gradyn_onestep_reader_enter(gradyn_onestep_reader *reader, int k);
/* Returns the stage [record] at the start or, with `end`, at the end of the step, valid until enter(). */
const double *gradyn_onestep_reader_end(const gradyn_onestep_reader *reader, bool end);

/* Sets row [2 n] to positions and velocities of a mechanism at a share of the step. They are interpolated
 * between the ends of the step, without calls of the equations. With `all`, or for general equations: as
 * extend(). Errors: those of the equations. */
gradyn_status gradyn_onestep_reader_estimate(gradyn_onestep_reader *reader, double share, bool all,
                                             double *row);

/* Sets row [ny] to the state at a share of the step, by the continuous extension of the method. all:
 * accelerations and multipliers, or algebraic states, are computed, too; otherwise those at the start of
 * the step are copied. Errors: those of the equations. */
gradyn_status gradyn_onestep_reader_extend(gradyn_onestep_reader *reader, double share, bool all,
                                           double *row);
/* Sets *stage to the stage [record] at the end of a step shortened to this share, above 0, which has the
 * order of the method; valid until the next call. Errors: those of the equations. */
gradyn_status gradyn_onestep_reader_follow(gradyn_onestep_reader *reader, double share,
                                           const double **stage);

#endif
