/* Guards of events: gaps of contacts and users' formulas, their rates and derivatives. Of a mechanism all of
 * them are functions of time, data, positions and velocities: accelerations and multipliers that a formula
 * reads are those of the equations of motion there. Of general equations they are formulas of differential
 * states, with algebraic states as the equations have them there (guards_equations.h). */
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
  gradyn_arena arena;   /* all arrays */
  int n, first, rows;   /* coordinates; row of the first contact; all rows of constraints */
  double *phi;          /* [rows] */
  double *J;            /* [jac.nnz + 1] */
  double *mu;           /* [n + rows] */
  gradyn_lanes *work;   /* [3 n + rows] */
  double *y, *bar;      /* [3 n + m] a state, and derivatives by it */
  double *size;         /* [3 n + m] natural sizes of the states of the run */
  double *slope;        /* [2 n] derivatives of a guard */
  gradyn_initial force; /* the acceleration problem */
  /* Of general equations instead of all but y, bar and size, which are [ny] then: */
  gradyn_index1 *system;
  double *yp, *sy, *syp; /* [ny] rates, and a direction of y and y' */
  double *rest;          /* [nx] zeros */
} gradyn_guards;

gradyn_status gradyn_guards_create(gradyn_model *model, gradyn_guards *out);
void gradyn_guards_clear(gradyn_guards *s);

/* Whether a guard reads velocities. */
static inline bool gradyn_guard_reads_rates(const gradyn_event_entry *event)
{
  return event->guard && !event->guard->positions_only;
}

/* Guard of an event (order 0) or its rate (order 1) where positions and velocities begin y; of general
 * equations y is a state. */
gradyn_status gradyn_guard_value(gradyn_guards *s, int event, int order, double t, const double *y,
                                 double *r);

/* At the start of a run, from its first state: natural sizes of all states. */
gradyn_status gradyn_guards_begin(gradyn_guards *s, const double *y);

/* Natural sizes of a guard (scale[0]) and of its rate (scale[1]) there: what its derivatives make of the
 * sizes of positions, velocities and accelerations and of the length of the run. */
gradyn_status gradyn_guard_scale(gradyn_guards *s, int event, double t, const double *y,
                                 double scale[2]);

/* Whether the condition of an event is met there. */
gradyn_status gradyn_guard_armed(gradyn_guards *s, int event, double t, const double *y,
                                 bool *armed);

/* The root of a guard where its event is: r_s [ns], of as many states as the caller has, and r_x [nx] from
 * zero, which *root then has, and r_t; its rate is the caller's to tell. */
gradyn_status gradyn_guard_root(gradyn_guards *s, const gradyn_event_record *at, const double *y,
                                int ns, double *r_s, double *r_x, gradyn_root *root);

#endif
