/* Derivatives at the boundaries of a run of idas, for direct and adjoint sweeps. Those of states are dy at
 * the boundary, whose time may move by dt. Inside an arc they are s, at fixed times: s = dy - y' dt at its
 * start, dy = s + y' dt at its end; an integral changes by -g dt and g dt there. */
#ifndef GRADYN_ADJOINT_IDAS_SWEEP_H
#define GRADYN_ADJOINT_IDAS_SWEEP_H

#include "adjoint/jump.h"
#include "dae/events/instant.h"
#include "dae/idas/run.h"

typedef struct gradyn_idas_sweep {
  gradyn_idas *idas;  /* borrowed */
  double *r_y, *r_x;  /* [np], [nx] derivatives of a guard */
  double *w_y;        /* [ny] of a functional */
  gradyn_arena arena; /* owns all arrays */
} gradyn_idas_sweep;

/* Allocates the arrays. idas: borrowed, must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_sweep_create(gradyn_idas *idas, gradyn_idas_sweep *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_idas_sweep_clear(gradyn_idas_sweep *s);

/* Returns the product of y' [np], the rates of the differential states at a node, with p [np]. */
double gradyn_idas_node_rate(const gradyn_idas *idas, const gradyn_idas_node *node,
                             const double *p);

/* Returns the value of the integrand of functional f, from 0, at a node; 0: f has no integral. */
double gradyn_idas_node_integrand(const gradyn_idas *idas, const gradyn_idas_node *node, int f);

/* Sets *root to the guard of the event at a boundary, for changes of the differential states at a fixed time.
 * *root refers to arrays of s. Enters the discrete state before the event. Errors: those of the guard. */
gradyn_status gradyn_idas_sweep_root(gradyn_idas_sweep *s, int boundary, gradyn_root *root);

/* Applies the event at a boundary, from 1, of the last run again and fills *jump, which is valid until the
 * next run. Errors: GRADYN_EVENT, GRADYN_SINGULAR, GRADYN_INVALID, of the impact; failures of users'
 * functions. */
gradyn_status gradyn_idas_sweep_jump(gradyn_idas_sweep *s, int boundary, gradyn_jump *jump);

/* Before the derivatives at record k, a sample: linearises the equations there, in the discrete state there.
 * Errors: failures of the equations. */
gradyn_status gradyn_idas_sweep_sample(gradyn_idas_sweep *s, int k);

/* Adds `slope` times the derivatives of the terminal part of functional f at record k, a sample, to p [np],
 * x_bar [nx] and *t_bar: by differential states, by data, and by the time of the boundary. Algebraic states
 * are functions of these. p must be zero before. Errors: failures of the functional and of the
 * equations. */
gradyn_status gradyn_idas_sweep_terminal(gradyn_idas_sweep *s, int k, int f, double slope,
                                         double *p, double *x_bar, double *t_bar);

#endif
