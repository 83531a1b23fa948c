/* Growth of derivatives during a sweep, which shows where steps are too long for them. */
#ifndef GRADYN_ADJOINT_SWEEP_GROWTH_H
#define GRADYN_ADJOINT_SWEEP_GROWTH_H

#include "dae/fixed/fixed.h"

struct gradyn_sweeps;

/* Number of steps in a window in which growth is measured; largest number of stored sizes in it. */
enum { GRADYN_GROWTH_WINDOW = 64, GRADYN_GROWTH_NOTES = 16 };

/* Measured derivatives: the columns of a direct sweep, or the adjoints of an adjoint one. */
typedef enum gradyn_adjoint_growth_of {
  GRADYN_GROWTH_ALONG,
  GRADYN_GROWTH_AGAINST
} gradyn_adjoint_growth_of;

/* Sizes are squares, two of each lane: of positions, then of velocities or momenta, or of their adjoints. */
typedef struct gradyn_adjoint_growth {
  gradyn_adjoint_growth_of of;
  int lanes, capacity; /* directions or functionals; number for which memory suffices */
  int window, every;   /* steps in a window; every this number of them sizes are stored */
  int wait, noted;     /* steps until sizes are stored again; number of stored sizes */
  int first;           /* step at which the fastest growth begins; -1: none is large */
  double worst;        /* the square of that growth */
  double *now;         /* [2][lanes] present sizes */
  double *edge;        /* [2][lanes] sizes before the present jump */
  double *past;        /* [2 notes + 1][2][lanes] latest stored sizes */
  gradyn_arena arena;  /* owns all arrays */
} gradyn_adjoint_growth;

/* Reserves memory for `most` lanes, directions or functionals, in *growth, all zero or reserved before.
 * Error: GRADYN_NO_MEMORY; *growth is then empty. */
gradyn_status gradyn_adjoint_growth_reserve(gradyn_adjoint_growth *growth, gradyn_model *model,
                                            int most);

/* Frees the members, not the object; may be repeated. */
void gradyn_adjoint_growth_clear(gradyn_adjoint_growth *growth);

/* Begins to measure growth in a sweep of this number of lanes, at most that reserved, over this number of
 * steps. of: tangents or adjoints. */
void gradyn_adjoint_growth_begin(gradyn_adjoint_growth *growth, gradyn_adjoint_growth_of of,
                                 int lanes, int steps);

/* Call at every node k, from 0, in the order of the sweep: stores sizes at some nodes, and finds the fastest
 * growth. */
void gradyn_adjoint_growth_node(struct gradyn_sweeps *s, int k);

/* Call before a jump, in the order of the sweep: growth at a jump is no growth by steps. */
void gradyn_adjoint_growth_before_jump(struct gradyn_sweeps *s);

/* Call after the jump of before_jump(), in the order of the sweep: sizes stored before it are scaled to
 * those after it. */
void gradyn_adjoint_growth_after_jump(struct gradyn_sweeps *s);

/* In a sweep along of one direction: measures the growth since the node of the call with `begins`, without
 * growth at jumps. Returns the smaller one of positions and velocities. */
double gradyn_adjoint_growth_since(struct gradyn_sweeps *s, bool begins);

/* Returns the length of steps, s, that resolves this growth within `time`, s; 0: too small to be reported. */
double gradyn_adjoint_growth_step(double growth, double time);

/* After the sweep, in sweep_probe.c: examines a fast growth by separate tangents, and writes the findings to
 * the report of the run. active [nx]: data of an adjoint sweep; NULL: a direct sweep. Errors:
 * GRADYN_NO_MEMORY; those of the steps. */
gradyn_status gradyn_adjoint_growth_end(struct gradyn_sweeps *s, const bool *active);

#endif
