/* Second derivatives of a one-step method, forward over reverse: the adjoint sweep of one weighted sum of
 * functionals at displaced stages.
 *
 * An adjoint sweep is a function A(Z, x, t) of the stages Z of all steps, the data and the times. With the
 * tangents dZ, dt of a direct sweep along dx, the derivative of the gradient is
 *     dA = (A(Z + e dZ, x + e dx, t + e dt) - A(Z - e dZ, x - e dx, t - e dt)) / 2e + O(e^2).
 * Stages are displaced along their tangents, one by one. No step is solved again. */
#ifndef GRADYN_ADJOINT_ONESTEP_DISPLACED_H
#define GRADYN_ADJOINT_ONESTEP_DISPLACED_H

#include "adjoint/directions.h"
#include "core/linear/lanes.h"
#include "dae/events/arcs.h"

typedef struct gradyn_onestep_sweeps gradyn_onestep_sweeps;

/* Tangents of a run along `columns` directions, and its displaced stages. An array [steps] has the batches of
 * a step one after the other, each with entries of `lanes` groups. */
typedef struct gradyn_displaced {
  bool storing;                 /* the present direct sweep stores its tangents */
  int columns, packs, lanes;    /* of the direct sweep */
  gradyn_lanes *stage;          /* [steps][packs][slots][seen] of the stages */
  gradyn_lanes *end;            /* [steps][packs][nz] of the state before the projection */
  gradyn_lanes *sample;         /* [records of the tape][packs][seen] of the states at samples */
  gradyn_lanes *time_of_sample; /* [records of the tape][packs] */
  gradyn_lanes *time, *length, *boundary; /* [steps][packs], [steps][packs], [boundaries][packs] */
  double *inner;  /* [nf][columns] of functionals, before the outer function */
  double *stages; /* [steps] blocks of displaced stages */
  double *t, *h, *b,
      *sum;         /* [steps], [steps], [boundaries], [nf]: times and `inner` of the run itself */
  gradyn_arcs arcs; /* of displaced data */
  gradyn_arena arena; /* owns the arrays */
} gradyn_displaced;

/* Runs with the model's data, and stores the tangents of all stages along the directions. *stored: false if
 * the memory for the steps of the run is too small; displaced() is then not possible. psi [nf], gradient
 * [nf][directions]. sweeps: a gradyn_onestep_sweeps. Errors: GRADYN_NO_MEMORY; those of the function direct
 * of gradyn_method. */
gradyn_status gradyn_onestep_tangents(void *sweeps, const gradyn_directions *directions,
                                      bool *stored, double *psi, double *gradient);

/* Adds to x_bar [nx] the derivative by data of the sum of weight [nf] times functionals, at least by those
 * that active [nx] marks, for the stages of the last gradyn_onestep_tangents() displaced by `step` along
 * direction `column`, from 0. The model must have the data of that run, displaced as well. Errors:
 * GRADYN_UNSUPPORTED, the arcs differ from those of the run; failures of rates and functionals. */
gradyn_status gradyn_onestep_displaced(void *sweeps, const double *weight, int column, double step,
                                       const bool *active, double *x_bar);

/* Direct sweep, after its run: allocates room for the tangents along `columns` directions. No effect unless
 * `storing`. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_displaced_begin(gradyn_onestep_sweeps *s, int columns);

/* Direct sweep: stores the tangents of the stages of step k, from 0. No effect unless `storing`. */
void gradyn_displaced_store_stages(gradyn_onestep_sweeps *s, int k);

/* Direct sweep: stores the tangents, of batch `pack`, from 0, of the state at the end of step k, from 0,
 * before the projection. No effect unless `storing`. */
void gradyn_displaced_store_end(gradyn_onestep_sweeps *s, int k, int pack);

/* Direct sweep: stores the tangents, of batch `pack`, from 0, of the state at the sample in record k, from
 * 0, of the tape. No effect unless `storing`. */
void gradyn_displaced_store_sample(gradyn_onestep_sweeps *s, int k, int pack);

/* Returns the address of entry 0 of a column, from 0, in stored tangents with `count` entries per batch;
 * its next entries follow at *stride doubles. Valid as long as the array. */
const double *gradyn_displaced_column(const gradyn_displaced *d, const gradyn_lanes *array,
                                      int count, int column, int *stride);

/* Returns the address of entry 0 of a column, from 0, in the tangents of stage i of step k, both from 0;
 * its next entries follow at *stride doubles. Valid until the next direct sweep. */
const double *gradyn_displaced_stage(const gradyn_onestep_sweeps *s, int k, int i, int column,
                                     int *stride);

/* Returns the number of items for which memory is taken if `count` are needed: a few more, so that the next
 * runs find room. */
static inline size_t gradyn_displaced_room(int count)
{
  size_t room = 8;
  while (room <= (size_t)count)
    room *= 2;
  return room;
}

/* Returns the number of lanes in `count` entries of all batches of a step. */
static inline size_t gradyn_displaced_width(const gradyn_displaced *d, int count)
{
  return (size_t)(d->packs * d->lanes) * (size_t)count;
}

#endif
