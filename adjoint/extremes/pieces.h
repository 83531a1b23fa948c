/* States of the last run in pieces. For a one-step method, pieces are equal parts of its steps, whose
 * continuous extension gives the states. Otherwise, they are the intervals between the rows of a
 * trajectory. */
#ifndef GRADYN_ADJOINT_PIECES_H
#define GRADYN_ADJOINT_PIECES_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/extremes/between.h"
#include "dae/onestep/reader.h"

typedef struct gradyn_pieces {
  gradyn_model *model;
  gradyn_onestep_reader reader; /* reads the steps; reader.run NULL: a trajectory is used */
  gradyn_between between;       /* reads a trajectory */
  size_t count;                 /* number of pieces */
  size_t piece;                 /* the present one */
  double from, to;              /* s, ends of the present piece; equal: nothing is between */
  double start, end;            /* s, ends of its step */
  bool nodes;          /* rows of a trajectory have accelerations of both sides of a jump */
  size_t width;        /* numbers of a row; states y [ny] come first */
  double *row, *rates; /* [width] the state of the last call; see gradyn_pieces_rates() */
  const double *stage; /* one-step methods: the stage of that state */
} gradyn_pieces;

/* Prepares the smooth pieces of the last run, its steps between events and knots, in which maxima are
 * sought. The run is one of the evaluator's method. trajectory: that of the run, borrowed; NULL: a one-step
 * method that has stored its steps. The evaluator must not run again before clear(). Clear *out in any case.
 * Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_pieces_create(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   gradyn_pieces *out);
/* Frees the memory of the pieces; to be called once. */
void gradyn_pieces_clear(gradyn_pieces *pieces);

/* Makes piece 0, 1, ... the present one, and loads its signals and its discrete state into the model.
 * Errors: failures of the equations. */
gradyn_status gradyn_pieces_enter(gradyn_pieces *pieces, size_t piece);
/* Returns the number of pieces in a step; each step has as many. */
size_t gradyn_pieces_of_step(const gradyn_pieces *pieces);
/* Returns the end time of the run, s; 0: the trajectory has no rows. */
double gradyn_pieces_last(gradyn_pieces *pieces);

/* Computes pieces->row at the start (end false) or at the end of the present step, which has several pieces
 * for one-step methods. Without `all`, only differential states need be right. Errors: those of the
 * equations. */
gradyn_status gradyn_pieces_end(gradyn_pieces *pieces, bool end, bool all);

/* Estimates pieces->row at t, s, in the present step, in the least time. Without `all`, only differential
 * states need be right. Errors: those of the equations. */
gradyn_status gradyn_pieces_estimate(gradyn_pieces *pieces, double t, bool all);

/* Computes pieces->row at t, s, in the present step, by the continuous extension of the method, or by
 * interpolation. Without `all`, only differential states need be right. Errors: those of the equations. */
gradyn_status gradyn_pieces_extend(gradyn_pieces *pieces, double t, bool all);
/* Computes pieces->row at t, s, in the present step, with the accuracy of the run. Errors: those of the
 * equations. */
gradyn_status gradyn_pieces_follow(gradyn_pieces *pieces, double t);

/* Computes pieces->rates, the derivatives of pieces->row by time, after gradyn_pieces_end() or
 * gradyn_pieces_follow() at t, s. Entries that are not known are NAN, such as those of algebraic states.
 * Errors: those of the equations. */
gradyn_status gradyn_pieces_rates(gradyn_pieces *pieces, double t);

#endif
