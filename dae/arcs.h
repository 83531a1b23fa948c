/* Smooth pieces of a run: between the knots at which a signal, or its derivative, jumps. */
#ifndef GRADYN_DAE_ARCS_H
#define GRADYN_DAE_ARCS_H

#include "core/model.h"

/* A boundary between arcs: time = (1 - fraction) x[start] + fraction x[end]; -1: not a datum (0). Or an event
 * that the march has found: then its time is t, and moves as the guard has it. */
typedef struct gradyn_boundary {
  double t; /* s */
  double fraction;
  int start, end; /* indices in x */
  int transition; /* 1 + number of the event in the run; 0: none */
} gradyn_boundary;

/* arc k goes from boundary[k] to boundary[k + 1]. */
typedef struct gradyn_arcs {
  gradyn_boundary *boundary; /* [count + 1] */
  int count, capacity;
} gradyn_arcs;

/* Finds the arcs for the model's present data; memory is kept for the next call. every_knot: also at the
 * knots of splines, where third derivatives jump, for methods whose order would suffer. */
gradyn_status gradyn_arcs_find(gradyn_model *model, bool every_knot, gradyn_arcs *arcs);
void gradyn_arcs_clear(gradyn_arcs *arcs);

/* Adds a boundary at the instant of a functional, a time that does not move, unless there is one; for
 * methods whose steps then end there. GRADYN_INVALID: it is after the end. */
gradyn_status gradyn_arcs_add_instant(gradyn_model *model, gradyn_arcs *arcs,
                                      const gradyn_functional *f);

/* Puts a boundary in as number k, or takes it out. */
gradyn_status gradyn_arcs_insert(gradyn_model *model, gradyn_arcs *arcs, int k,
                                 const gradyn_boundary *boundary);
void gradyn_arcs_remove(gradyn_arcs *arcs, int k);

/* Makes arc k the one in which signals are evaluated. */
void gradyn_arcs_enter(gradyn_model *model, const gradyn_arcs *arcs, int k);

/* dt/dx of a boundary times dx; and x_bar += t_bar dt/dx. */
double gradyn_boundary_tangent(const gradyn_boundary *b, const double *dx);
void gradyn_boundary_transposed(const gradyn_boundary *b, double t_bar, double *x_bar);

#endif
