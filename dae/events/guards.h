/* Guards of events: gaps of contacts and users' formulas, with rates and derivatives.
 *
 * For mechanisms, all guards are functions of time, data, positions and velocities; accelerations and
 * multipliers in a formula are those of the equations of motion at these arguments. For general equations,
 * guards are formulas of differential states, and algebraic states follow from the equations
 * (guards_equations.h). */
#ifndef GRADYN_DAE_GUARDS_H
#define GRADYN_DAE_GUARDS_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include "dae/events/instant.h"
#include "dae/systems/index1.h"
#include "dae/start/initial.h"

typedef struct gradyn_guards {
  gradyn_model *model;
  gradyn_mech *mech;
  gradyn_arena arena; /* owns all arrays */
  /* number of coordinates; row of the first contact; number of all constraint rows */
  int n, first, rows;
  double *phi;          /* [rows] constraint values */
  double *J;            /* [jac.nnz + 1] constraint Jacobian */
  double *mu;           /* [n + rows] right-hand sides, multipliers of rows */
  gradyn_lanes *work;   /* [3 n + rows] */
  double *y, *bar;      /* [3 n + m] a state, and derivatives by it */
  double *size;         /* [3 n + m] natural sizes of the states in this run */
  double *slope;        /* [2 n] derivatives of a guard by positions and velocities */
  gradyn_initial force; /* problem for accelerations and multipliers */
  /* For general equations the following members are used instead of all but y, bar and size, which are [ny]
   * then. */
  gradyn_index1 *system;
  double *yp, *sy, *syp; /* [ny] rates; a direction of y and of y' */
  double *rest;          /* [nx] zeros */
} gradyn_guards;

/* Allocates the arrays and the equations of motion; the model must outlive *out. Clear *out in any case.
 * Error: GRADYN_NO_MEMORY, with a message. */
gradyn_status gradyn_guards_create(gradyn_model *model, gradyn_guards *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_guards_clear(gradyn_guards *s);

/* Returns whether a guard depends on velocities. */
static inline bool gradyn_guard_reads_rates(const gradyn_event_entry *event)
{
  return event->guard && !event->guard->positions_only;
}

/* Sets *r to the guard of an event, its index in the model (order 0), or its rate (order 1) at time t, s. y
 * [2 n or more] begins with positions and velocities; for general equations it is a state [ny]. The sign is
 * such that the guard falls through zero at the event. Errors: those of the formula and of the
 * equations. */
gradyn_status gradyn_guard_value(gradyn_guards *s, int event, int order, double t, const double *y,
                                 double *r);

/* Starts a run with its first state y, positions and velocities first, or y [ny] of general equations:
 * computes the natural sizes of all states, s->size. Errors: those of the equations at the start. */
gradyn_status gradyn_guards_begin(gradyn_guards *s, const double *y);

/* After begin(): sets scale[0] to the natural size of a guard and scale[1] to that of its rate. They are
 * derivatives of the guard times the sizes of positions, velocities and accelerations, and times the end
 * time. event: index in the model. t in s; y: positions and velocities first, or y [ny] of general
 * equations. Errors: of formulas and equations. */
gradyn_status gradyn_guard_scale(gradyn_guards *s, int event, double t, const double *y,
                                 double scale[2]);

/* Evaluates the condition of an event: *armed is true if it is positive, or if there is none. event: index
 * in the model. t in s; y: positions and velocities first, or y [ny] of general equations. Errors: of
 * formulas and equations. */
gradyn_status gradyn_guard_condition(gradyn_guards *s, int event, double t, const double *y,
                                     bool *armed);

/* Fills *root with the derivatives of the guard at the event `at`, with the sign of gradyn_guard_value():
 * r_s [ns] by positions and velocities (general equations: by differential states), other entries 0; r_x
 * [nx] by data; and root->t by time. *root keeps pointers to both arrays. The caller sets root->rate. y:
 * positions and velocities first, or y [ny] of general equations. Errors: of formulas and equations. */
gradyn_status gradyn_guard_root(gradyn_guards *s, const gradyn_event_record *at, const double *y,
                                int ns, double *r_s, double *r_x, gradyn_root *root);

#endif
