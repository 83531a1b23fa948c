/* States of the last run, piece by piece: parts of the steps of a one-step method, by their continuous
 * extension, or the intervals between the rows of a trajectory. */
#ifndef GRADYN_ADJOINT_PIECES_H
#define GRADYN_ADJOINT_PIECES_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/extremes/between.h"
#include "dae/onestep/reader.h"

typedef struct gradyn_pieces {
  gradyn_model *model;
  gradyn_onestep_reader reader; /* of steps; reader.run NULL: a trajectory is used */
  gradyn_between between;       /* of a trajectory */
  size_t count;                 /* number of pieces */
  size_t piece;                 /* the present one */
  double from, to;              /* s, ends of the present piece; equal: nothing is between */
  double start, end;            /* s, ends of its step */
  bool nodes;          /* rows of a trajectory have accelerations of both sides of a jump */
  size_t width;        /* numbers of a row; states y [ny] come first */
  double *row, *rates; /* [width] the state of the last call; see gradyn_pieces_rates() */
  const double *stage; /* of a one-step method: the stage of that state */
} gradyn_pieces;

/* Of the last run of the present method. trajectory: that of the run; NULL: the method stores its steps.
 * Clear in any case. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_pieces_create(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   gradyn_pieces *out);
void gradyn_pieces_clear(gradyn_pieces *pieces);

/* Enters a piece with its signals and its discrete state. */
gradyn_status gradyn_pieces_enter(gradyn_pieces *pieces, size_t piece);
/* Number of pieces of the step of the present one. */
size_t gradyn_pieces_of_step(const gradyn_pieces *pieces);
/* End time of the run, s. */
double gradyn_pieces_last(gradyn_pieces *pieces);

/* The following functions compute pieces->row at a time within the present step. `all` as in
 * dae/onestep/reader.h. The row at an end of the step: */
gradyn_status gradyn_pieces_end(gradyn_pieces *pieces, bool end, bool all);
/* cheap; by the continuous extension, or interpolated; with the accuracy of the run: */
gradyn_status gradyn_pieces_estimate(gradyn_pieces *pieces, double t, bool all);
gradyn_status gradyn_pieces_extend(gradyn_pieces *pieces, double t, bool all);
gradyn_status gradyn_pieces_follow(gradyn_pieces *pieces, double t);

/* Computes pieces->rates, the derivatives of pieces->row by time after gradyn_pieces_end() or
 * gradyn_pieces_follow() at t, s; NAN: not known, as those of accelerations and algebraic states. */
gradyn_status gradyn_pieces_rates(gradyn_pieces *pieces, double t);

#endif
