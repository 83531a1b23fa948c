/* A nominal run for sweeps that need its linearisation: nodes with their differential states,
 * smooth intervals between them, and events. Disturbances are those of independent coordinates and
 * their rates, or all differential states of general equations; where one choice of coordinates becomes
 * poor, or another mode has other constraints, another chart takes over, which may have fewer numbers. */
#ifndef GRADYN_ADJOINT_NOMINAL_H
#define GRADYN_ADJOINT_NOMINAL_H

#include "adjoint/analyses/chart.h"
#include "dae/events/crossing.h"
#include "adjoint/evaluator/evaluator.h"
#include "dae/systems/rates.h"
#include "dae/explicit/explicit.h"

typedef struct gradyn_nominal_node {
  double t;                       /* s */
  int chart;                      /* that holds from here on */
  gradyn_discrete_state discrete; /* from here on */
  int event;     /* number in the log of what leads to the next node; -1: a smooth interval */
  bool reported; /* a sweep is to tell what it finds here */
} gradyn_nominal_node;

typedef struct gradyn_nominal {
  gradyn_model *model;
  gradyn_rates *rates;
  const gradyn_tableau *tableau;
  int nz, size;              /* differential states; most numbers of a disturbance */
  gradyn_nominal_node *node; /* [count] */
  double *z;                 /* [count][nz] */
  int count, capacity;
  gradyn_chart *chart; /* [charts]; none for general equations */
  int charts;
  gradyn_charting charting; /* of mechanisms */
  int *raw;                 /* [coordinates] zeros: ranks where nothing is wanted */
  double *extra;            /* [extras] s, times that become nodes, ascending */
  int extras;
  gradyn_crossing crossing;  /* of models with events */
  double *y;                 /* [columns of trajectories] */
  double *stage, *k;         /* [record], [stages][nz] */
  double *at, *between;      /* [nz] states at a stage, and at a node between steps of the run */
  gradyn_lanes *dz, *dstage; /* [nz], [seen] */
  double *L;                 /* [size][nz] disturbances lifted to all states */
  double *none;              /* [GRADYN_LANES][nx] zeros */
  gradyn_arena arena;        /* of arrays that do not grow */
} gradyn_nominal;

/* Simulates with the evaluator's method at rho; wanted [count]: names of coordinates. samples: as in
 * gradyn_regulator_spec. To be cleared in any case; failures have a message in the model or the
 * evaluator. */
gradyn_status gradyn_nominal_create(gradyn_evaluator *ev, const double *rho,
                                    const char *const *wanted, size_t count, size_t samples,
                                    gradyn_nominal *out);
void gradyn_nominal_clear(gradyn_nominal *s);

/* Numbers of a disturbance in a chart, those of them that are positions, and the place in z of number i. */
int gradyn_nominal_size(const gradyn_nominal *s, int chart);
int gradyn_nominal_positions(const gradyn_nominal *s, int chart);
int gradyn_nominal_place(const gradyn_nominal *s, int chart, int i);

/* Puts in force the mode and captured data that hold behind node k, and the signals behind it, of the last
 * node before it. */
void gradyn_nominal_enter(gradyn_nominal *s, int k);

/* Lifts the unit disturbances of a chart at (t, z) to s->L. */
gradyn_status gradyn_nominal_lift(gradyn_nominal *s, int chart, double t, const double *z);

/* E [size behind][size before]: what the event between nodes k and k + 1, or at node k + 1 the change of
 * charts since node k, makes of disturbances. The mode before it is in force, that behind it afterwards. */
gradyn_status gradyn_nominal_jump(gradyn_nominal *s, int k, double *E);

/* Inputs dx [inputs][nx] of a linearisation; A [size][size], B [size][inputs] of the chart's size. */
typedef struct gradyn_nominal_matrices {
  int inputs;
  const double *dx;
  double *A, *B;
} gradyn_nominal_matrices;

/* Rates k [nz] at (t, z), and with matrices (NULL: not wanted) w' = A w + B u in a chart; s->L is lifted
 * there. */
gradyn_status gradyn_nominal_rates(gradyn_nominal *s, int chart, double t, const double *z,
                                   const gradyn_nominal_matrices *matrices, double *k);

#endif
