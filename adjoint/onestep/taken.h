/* What sweeps keep beside derivatives of states. */
#ifndef GRADYN_ADJOINT_ONESTEP_TAKEN_H
#define GRADYN_ADJOINT_ONESTEP_TAKEN_H

#include <stdbool.h>

#include "core/linear/lanes.h"

/* Derivatives, or adjoints, of the time of the node where a step starts or ends, and of its length. */
typedef struct gradyn_onestep_node {
  gradyn_lanes *time, *length; /* [packs + 1] */
} gradyn_onestep_node;

/* Slopes of integrands that corners are judged by. */
typedef struct gradyn_onestep_steep {
  double *jump, *most;        /* [nf] the largest jump at a corner, the largest slope of a step */
  gradyn_lanes *error, *size; /* [packs of functionals][ny] of a step, to find them */
} gradyn_onestep_steep;

/* Kinks of rates: see kinks.c. Of each functional, or of all columns together, the largest e of a step with
 * one, and the largest derivative of the state, both beside tolerances. */
typedef struct gradyn_onestep_kinks {
  bool watched;        /* in the sweep in hand */
  double *jump, *most; /* [nf + 1] */
  double *tolerance;   /* [nz] of the step in hand */
  double *weight;      /* [nz] */
  gradyn_lanes *dz;    /* [nz] */
  gradyn_lanes *stage; /* [seen] entries of two lanes */
  gradyn_lanes *none;  /* data that do not change: [2][nx] side by side, and in rows */
  double *x;
} gradyn_onestep_kinks;

/* Direct: what functionals take from stages. */
typedef struct gradyn_onestep_taken {
  gradyn_lanes
      *y_bar; /* [nf][row] numbers, where gradients of functionals are written; zero otherwise */
  int row;    /* lanes of one functional */
  int *at;    /* entries of y_bar that have been written in this run, mostly few, by functionals */
  int *first; /* [nf + 1] the first of each functional; the last one: how many there are */
  gradyn_lanes *bar; /* what has been written there at the stage in hand, as numbers */
  gradyn_lanes *sum; /* [nf][packs] gradients so far */
} gradyn_onestep_taken;

/* Data side by side, four by four. */
typedef struct gradyn_onestep_side {
  gradyn_lanes *x;      /* [..][nx] direct: what they change by; adjoint: their bars in an arc */
  gradyn_lanes *kept;   /* [..][sums] adjoint: of these, what the rates are to carry on */
  int *active, actives; /* adjoint: those that matter */
} gradyn_onestep_side;

#endif
