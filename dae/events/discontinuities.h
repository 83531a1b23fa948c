/* Detection of undeclared jumps of the equations.
 *
 * If forces jump as a function of the state, the time at which a motion reaches the jump depends on the data.
 * Gradients lack this dependence, and their error estimates do not show it. Steps become short at such jumps,
 * but also at kinks, in tables and at jumps in time, where gradients are correct. The equations on both
 * sides, evaluated at one time, distinguish them: a jump keeps its size as the two states approach each
 * other, and a continuous change shrinks.
 *
 * Integrators pass their accepted steps. The equations are examined where steps are short, or where the
 * integrator requests it. The state of the run is not changed. */
#ifndef GRADYN_DAE_DISCONTINUITIES_H
#define GRADYN_DAE_DISCONTINUITIES_H

#include "core/linear/arena.h"
#include "core/base/findings.h"
#include "core/model/model.h"
#include <gradyn/evaluate.h>

enum { GRADYN_SIDES_NODES = 7 };

typedef struct gradyn_discontinuities {
  gradyn_model *model;
  gradyn_arena arena;
  int ny, rows;   /* length of a state; number of equations that are compared */
  double *y, *yp; /* [ny] a state between two states; fixed rates of general equations */
  /* [rows] residuals at both ends of an interval, in its middle and at its quarters */
  double *r[2], *mid, *quarter[2];
  double *size; /* [rows] natural sizes of the equations' terms */
  /* [ny] state at the end of the previous step, for integrators that do not keep it; end of the step
   * examined */
  double *last, *end;
  double t;           /* time of last, s; NAN: none in this arc */
  double longest;     /* longest recent step, s; it decays */
  bool on, requested; /* detection is on in this run; the owner requests it for the next run */
  bool told;          /* the present group of short steps has been counted already */
  int arc, before;    /* index of the present arc; number of jumps found before it */
  double *node[GRADYN_SIDES_NODES]; /* [ny] latest nodes of equal steps, the oldest first */
  /* number of nodes; nodes since the last difference; steps not examined yet */
  int nodes, since, unseen;
  double h, mean, before_it; /* spacing of nodes, s; last difference, -1: none (mean: not used) */
  int found;                 /* number of jumps found */
  double at[GRADYN_JUMP_TIMES]; /* times of the first jumps, s */
} gradyn_discontinuities;

/* Allocates the arrays for states [ny]: (q, v, a, lam) of a mechanism, or those of general equations.
 * Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_discontinuities_create(gradyn_model *model, int ny,
                                            gradyn_discontinuities *out);
void gradyn_discontinuities_clear(gradyn_discontinuities *s);

/* begin() starts a run, with detection on or off. enter() starts arc k; jumps found in an earlier run of the
 * same arc are discarded. */
void gradyn_discontinuities_begin(gradyn_discontinuities *s, bool on);
void gradyn_discontinuities_enter(gradyn_discontinuities *s, int k);

/* Reports an accepted step of length h, s, from state y at t to state `end`. Errors: only failures of class
 * FATAL of the equations. */
gradyn_status gradyn_discontinuities_step(gradyn_discontinuities *s, double t, double h,
                                          const double *y, const double *end);
/* Reports the end of an accepted step, y at t, s. The state is kept as the start of the next step. Errors as
 * of step(). */
gradyn_status gradyn_discontinuities_reach(gradyn_discontinuities *s, double t, const double *y);

/* Reports a node of a run with equal steps. y: positions [n] of a mechanism, or the state [ny] of general
 * equations. Use step(), reach() or node() in a run, not several. Errors as of step(). */
gradyn_status gradyn_discontinuities_node(gradyn_discontinuities *s, double t, const double *y);

/* Searches for a jump between the states y at t, s, and `end` at t + h, along the straight line between them.
 * *jumps: the result. Errors as of step(). */
gradyn_status gradyn_discontinuities_check(gradyn_discontinuities *s, double t, double h,
                                           const double *y, const double *end, bool *jumps);
/* Counts a jump at time t, s. */
void gradyn_discontinuities_note(gradyn_discontinuities *s, double t);

/* Writes the number of jumps and the times of the first GRADYN_JUMP_TIMES into the findings of a run. */
void gradyn_discontinuities_report(const gradyn_discontinuities *s, gradyn_findings *findings);

#endif
