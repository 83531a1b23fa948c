/* Marching a fixed-step scheme: nodes, subdivision of steps that fail, functionals by the trapezoidal
 * rule or the scheme's own, and the nodes kept for a sweep back or forth. */
#ifndef GRADYN_DAE_FIXED_H
#define GRADYN_DAE_FIXED_H

#include "dae/monitors/monitors.h"
#include "dae/fixed/tops.h"
#include "dae/fixed/stepper.h"
#include "dae/trajectory.h"

typedef struct gradyn_fixed {
  gradyn_stepper *stepper;
  gradyn_model *model;
  gradyn_options options;
  int nf;
  double *fraction;    /* [count + 1] times of the nodes over the end time */
  double *length;      /* [count] lengths of the steps over the end time */
  int count, capacity; /* steps */
  int planned;         /* steps of the run without events and divisions */
  double t_end;        /* s */
  double t_first;      /* s, at the initial parameters */
  double *node;        /* nodes in memory: [kept][record] */
  size_t node_room;    /* numbers that node has room for */
  int segment;         /* steps between nodes that a march keeps; 1: all */
  double *replay;      /* [segment + 1][record] the segment in hand, if segment > 1 */
  size_t replay_room;
  int replayed;          /* first step of that segment; -1: none */
  double *inner;         /* [nf] */
  double *g;             /* [2][nf] integrands at the last two nodes */
  gradyn_view view;      /* what the last look has shown of schemes whose state is not y */
  int *node_of;          /* [nf] node where the terminal part is taken; -1: not come there yet */
  gradyn_fixed_top *top; /* [nf] of maxima over time */
  int waiting;           /* functionals of instants that the march has not come to yet */
  double h;              /* s, the length of steps with events */
  double limit;          /* over the end time: no step goes beyond */
  struct gradyn_fixed_events *events; /* and jumps of signals; NULL: the model has none */
  gradyn_monitors monitors;
  gradyn_run_report report;
  long subdivided; /* steps that had to be divided */
  long across;     /* steps that had to end elsewhere than near a singular position */
} gradyn_fixed;

gradyn_status gradyn_fixed_create(gradyn_model *model, gradyn_stepper *stepper,
                                  const gradyn_options *options, gradyn_fixed *out);
void gradyn_fixed_clear(gradyn_fixed *s);

/* Marches with the model's present data; keep: all nodes stay available through gradyn_fixed_nodes().
 * psi [nf] and trajectory may be NULL. */
gradyn_status gradyn_fixed_march(gradyn_fixed *s, bool keep, double *psi,
                                 gradyn_trajectory *trajectory);

/* Nodes k and k + 1 of a march that kept them: recomputed from the last kept one where memory did not
 * suffice for all. */
gradyn_status gradyn_fixed_nodes(gradyn_fixed *s, int k, const double **from, const double **to);

/* States y [ny] that functionals see at a node, and, for schemes that have a quadrature point, at that
 * of step k; borrowed until the next look. */
gradyn_status gradyn_fixed_look(gradyn_fixed *s, int k, const double *node, gradyn_depth depth,
                                const double **y);
gradyn_status gradyn_fixed_sample(gradyn_fixed *s, int k, const double *from, const double *to,
                                  const double **y);

/* Integrands of all functionals for states y, g [nf]. */
gradyn_status gradyn_fixed_integrands(gradyn_fixed *s, double t, const double *y, double *g);

/* What the terminal parts taken at node k read, and the integrands of all functionals; false: there
 * are none that read states. */
bool gradyn_fixed_terminal_depth(const gradyn_fixed *s, int k, gradyn_depth *depth);
bool gradyn_fixed_integrand_depth(const gradyn_fixed *s, gradyn_depth *depth);

/* Time of step k's quadrature point over the end time. */
double gradyn_fixed_sample_fraction(const gradyn_fixed *s, int k);

/* The sums of a march, in its order: refuses instants that `steps` steps would miss; at the first node;
 * after step k; at node k that may fall on an instant; at the last node, where psi [nf] (NULL: not
 * wanted) becomes known. */
gradyn_status gradyn_fixed_check_instants(gradyn_fixed *s, int steps);
gradyn_status gradyn_fixed_begin_integrals(gradyn_fixed *s, const double *node);
gradyn_status gradyn_fixed_add_step(gradyn_fixed *s, int k, const double *from, const double *to);
gradyn_status gradyn_fixed_add_instants(gradyn_fixed *s, int k, const double *node);
/* The same at a node before or behind an event. */
gradyn_status gradyn_fixed_add_events(gradyn_fixed *s, int k, const double *node);
gradyn_status gradyn_fixed_finish(gradyn_fixed *s, const double *node, double *psi);

/* Whether an event has ended the run, and the time when it has ended. */
bool gradyn_fixed_ended(const gradyn_fixed *s);
double gradyn_fixed_end(const gradyn_fixed *s);

/* Time of a node, length of the step that follows it, and the trapezoidal weight of a node. */
double gradyn_fixed_time(const gradyn_fixed *s, int k);
double gradyn_fixed_step(const gradyn_fixed *s, int k);
double gradyn_fixed_weight(const gradyn_fixed *s, int k);

#endif
