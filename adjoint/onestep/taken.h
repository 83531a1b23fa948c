/* Data of one-step sweeps besides derivatives of states. */
#ifndef GRADYN_ADJOINT_ONESTEP_TAKEN_H
#define GRADYN_ADJOINT_ONESTEP_TAKEN_H

#include <stdbool.h>

#include "core/linear/lanes.h"

/* Slopes of integrands, for the detection of their kinks. */
typedef struct gradyn_onestep_steep {
  double *jump, *most;        /* [nf] largest jump at a kink; largest slope of a step */
  gradyn_lanes *error, *size; /* [batches of functionals][ny] of the present step, for both */
} gradyn_onestep_steep;

/* Kinks of the rates, see kinks.c. jump and most: of each functional, or of all columns together (entry 0),
 * the largest e of a step with a kink and the largest derivative of the state, relative to tolerances. */
typedef struct gradyn_onestep_kinks {
  bool watched;        /* detection is on in the present sweep */
  double *jump, *most; /* [nf + 1] */
  double *tolerance;   /* [nz] of the present step */
  double *weight;      /* [nz] */
  gradyn_lanes *dz;    /* [nz] */
  gradyn_lanes *stage; /* [seen] entries of two lanes */
  gradyn_lanes *none;  /* [2][nx] zeros: changes of data, side by side; x has them in rows */
  double *x;
} gradyn_onestep_kinks;

/* Direct sweep: contributions of stages to functionals. */
typedef struct gradyn_onestep_taken {
  gradyn_lanes *y_bar; /* [nf][row] gradients by the state of a stage; otherwise zero */
  int row;             /* lanes of one functional */
  int *at;           /* [nf][ny] indices of the entries of y_bar written in this run, mostly few */
  int *used;         /* [nf] their number of each functional */
  gradyn_lanes *bar; /* [nf][ny] these entries at the present stage, as numbers */
  gradyn_lanes *sum; /* [nf][packs] gradients so far */
} gradyn_onestep_taken;

#endif
