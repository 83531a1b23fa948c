/* A nominal run for sweeps that need its linearisation: nodes with differential states, smooth intervals
 * between them, and events. Disturbances are independent coordinates and their rates, or all differential
 * states of general equations. Another chart, possibly of another size, takes over where the choice of
 * coordinates becomes poor, or where the mode changes the constraints. */
#ifndef GRADYN_ADJOINT_NOMINAL_H
#define GRADYN_ADJOINT_NOMINAL_H

#include "adjoint/analyses/chart.h"
#include "dae/events/crossing.h"
#include "adjoint/evaluator/evaluator.h"
#include "dae/systems/rates.h"
#include "dae/explicit/explicit.h"

typedef struct gradyn_nominal_node {
  double t;                       /* s */
  int chart;                      /* chart of the interval that begins here */
  gradyn_discrete_state discrete; /* discrete state in that interval */
  int event;     /* index in the log of the event to the next node; -1: a smooth interval */
  bool reported; /* sweeps report a result at this node */
} gradyn_nominal_node;

typedef struct gradyn_nominal {
  gradyn_model *model;
  gradyn_rates *rates;
  const gradyn_tableau *tableau;
  int nz, size;              /* differential states; largest size of a disturbance */
  gradyn_nominal_node *node; /* [count] */
  double *z;                 /* [count][nz] */
  int count, capacity;
  gradyn_chart *chart; /* [charts]; none for general equations */
  int charts;
  gradyn_charting charting; /* for mechanisms only */
  int *raw;                 /* [coordinates] zeros: ranks without preferences */
  double *extra;            /* [extras] s, times that become nodes, ascending */
  int extras;
  gradyn_crossing crossing;  /* for models with events only */
  double *y;                 /* [columns of trajectories]; NULL: before the first run */
  double *stage, *k;         /* [record], [stages][nz] */
  double *at, *between;      /* [nz] states at a stage, and at a node between steps of the run */
  gradyn_lanes *dz, *dstage; /* [nz], [seen] */
  double *L;                 /* [size][nz] disturbances lifted to all states */
  double *none;              /* [GRADYN_LANES][nx] zeros */
  gradyn_arena arena;        /* owns all arrays but node, z, chart and extra */
} gradyn_nominal;

/* Simulates with the evaluator's method at rho [parameters], and makes the nodes. wanted [count]: names of
 * preferred coordinates, not kept. samples: number of equally spaced times whose nodes are reported; 0: all
 * nodes. *out borrows the evaluator's model. Clear *out in any case. Failures set the message of the model
 * or of the evaluator. Errors: GRADYN_INVALID, a name is unknown or requested coordinates depend on each
 * other; GRADYN_UNSUPPORTED, general equations with events or a singular matrix of rates; GRADYN_NO_MEMORY;
 * GRADYN_INTERRUPTED; those of the run. */
gradyn_status gradyn_nominal_create(gradyn_evaluator *ev, const double *rho,
                                    const char *const *wanted, size_t count, size_t samples,
                                    gradyn_nominal *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_nominal_clear(gradyn_nominal *s);

/* Does the first part of gradyn_nominal_create(), for runs by the caller: no run and no nodes. *out borrows
 * the model; clear *out in any case. wanted [count]: names of preferred coordinates, not kept. Errors:
 * those of gradyn_nominal_create() but of its run. */
gradyn_status gradyn_nominal_open(gradyn_model *model, const char *const *wanted, size_t count,
                                  gradyn_nominal *out);

/* Removes all nodes and adds one at t, s, and z [nz], in the discrete state in which runs of the model
 * begin. Errors: GRADYN_NO_MEMORY; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the
 * constraints. */
gradyn_status gradyn_nominal_begin(gradyn_nominal *s, double t, const double *z);

/* Adds the nodes of the model's last run, which begins at the last node if there is one; run: its
 * trajectory. samples: number of equally spaced times whose nodes are reported; 0: all nodes. Errors: those
 * of gradyn_nominal_create(). */
gradyn_status gradyn_nominal_follow(gradyn_nominal *s, const gradyn_trajectory *run,
                                    size_t samples);

/* Returns the number of components of a disturbance in a chart, by its index: positions, then rates.
 * General equations have one chart, 0, in which all states count as positions. */
int gradyn_nominal_size(const gradyn_nominal *s, int chart);

/* Returns the number of positions among the components of a disturbance in a chart. */
int gradyn_nominal_positions(const gradyn_nominal *s, int chart);

/* Returns the index in z [nz], from 0, of component i, from 0, of a disturbance in a chart. */
int gradyn_nominal_index(const gradyn_nominal *s, int chart, int i);

/* Takes one step of h, s, of either sign, from the last node by the explicit method of order 8, and adds
 * the node at its end. Errors: GRADYN_SINGULAR; GRADYN_NO_MEMORY; failures of the equations of motion. */
gradyn_status gradyn_nominal_step(gradyn_nominal *s, double h);

/* Loads mode, latched data and signal pieces of the interval after node k, from 0, into the model; for the
 * last node, those of the interval before it. */
void gradyn_nominal_enter(gradyn_nominal *s, int k);

/* Fills s->L [size][nz]: row i is the change of z for a unit of component i of a disturbance in a chart, at
 * t, s, and z [nz]. Error: GRADYN_SINGULAR, the coordinates of the chart do not determine the others
 * there. */
gradyn_status gradyn_nominal_lift(gradyn_nominal *s, int chart, double t, const double *z);

/* Computes E [size after][size before], by which a disturbance changes in the event between nodes k and k +
 * 1, or in the change of charts at node k + 1. Call it with the mode before the event loaded; after an
 * event, the mode after it is loaded. Overwrites s->L. Errors: GRADYN_SINGULAR; those of the event. */
gradyn_status gradyn_nominal_jump(gradyn_nominal *s, int k, double *E);

/* Matrices of a linearisation: inputs dx [inputs][nx], A [size][size], B [size][inputs], size of the
 * chart. */
typedef struct gradyn_nominal_matrices {
  int inputs;
  const double *dx;
  double *A, *B;
} gradyn_nominal_matrices;

/* Computes the rates k [nz] at t, s, and z [nz]. Unless matrices is NULL, also computes A and B of w' = A w
 * + B u in a chart, and sets s->L. Errors: GRADYN_SINGULAR; failures of the equations of motion. */
gradyn_status gradyn_nominal_rates(gradyn_nominal *s, int chart, double t, const double *z,
                                   const gradyn_nominal_matrices *matrices, double *k);

/* Evaluates all states, the first [ny] of s->stage, at t, s, and z [nz], and their derivatives dy
 * [size][ny] by the components of disturbances in a chart; sets s->L. Errors: GRADYN_SINGULAR; failures of
 * the equations of motion. */
gradyn_status gradyn_nominal_states(gradyn_nominal *s, int chart, double t, const double *z,
                                    double *dy);

#endif
