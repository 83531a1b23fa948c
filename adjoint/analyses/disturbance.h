/* A run with a free initial state, and its disturbances at the end: by the explicit method for smooth
 * motions, by the evaluator's method for motions with events. */
#ifndef GRADYN_ADJOINT_DISTURBANCE_H
#define GRADYN_ADJOINT_DISTURBANCE_H

#include <gradyn/analysis.h>

#include "adjoint/evaluator/evaluator.h"
#include "dae/start/independent.h"

typedef struct gradyn_disturbance gradyn_disturbance;

/* A request: names of preferred independent coordinates, and the end of the run: its end time, or immediately
 * after the which-th occurrence of an event (section; NULL: none). which 0: the first. */
typedef struct gradyn_disturbance_wish {
  const char *const *wanted; /* [count] */
  size_t count;
  const char *section;
  int which;
} gradyn_disturbance_wish;

/* Operations of smooth or hybrid runs. */
typedef struct gradyn_disturbance_ops {
  gradyn_status (*open)(gradyn_disturbance *s); /* fills nz */
  /* General equations only: sets shown, datum and z at the present data. */
  gradyn_status (*begin)(gradyn_disturbance *s);
  /* Prepares run() after w has been chosen. */
  gradyn_status (*prepare)(gradyn_disturbance *s, const gradyn_disturbance_wish *wish);
  /* Runs with the data x, and fills z, w, f, M, by_time or return_time and return_slope. */
  gradyn_status (*run)(gradyn_disturbance *s);
  /* dz [nz] of the initial state along dx [nx]. */
  gradyn_status (*start)(gradyn_disturbance *s, const double *dx, double *dz);
  /* b [1 + size]: derivatives along dx of the return time and of w at the end, start changed by dz. */
  gradyn_status (*by_data)(gradyn_disturbance *s, const double *dx, const double *dz, double *b);
  void (*free)(gradyn_disturbance *s);
} gradyn_disturbance_ops;

extern const gradyn_disturbance_ops gradyn_smooth_disturbance, gradyn_hybrid_disturbance;

/* The disturbed state w: independent coordinates and their rates, or all differential states. */
struct gradyn_disturbance {
  const gradyn_disturbance_ops *ops;
  void *own;                      /* of the ops */
  gradyn_evaluator *ev;           /* borrowed */
  gradyn_model *model;            /* the model that runs */
  gradyn_independent independent; /* of mechanisms */
  int nz, size;
  int *position;        /* [size] of w in z */
  int *shown;           /* [nz] indices among the states, for names */
  int *datum;           /* [nz] indices of the initial values among the data */
  double *x;            /* [nx] data */
  double *z;            /* [nz] consistent initial state of the last run */
  double *base;         /* [2][nz] a start and the direction of its changes */
  double *w;            /* [2][size] at the start and the end */
  double *f;            /* [size] rates at the start */
  double *M;            /* [size][size] derivative of the end by the start */
  double *by_time;      /* [size] derivative of the end by the end time; not with a section */
  double return_time;   /* s, with a section */
  double *return_slope; /* [size] its derivative by w */
  double *unit;         /* [2 nz] workspace */
  gradyn_arena arena;   /* owns all arrays */
};

/* Prepares disturbances at rho [parameters], with the initial state assembled. Clear *out in any case.
 * Failures set the message of out->model, except GRADYN_NO_MEMORY at times. Errors: GRADYN_INVALID, a
 * coordinate or event is unknown, requested coordinates depend on each other, or there is no degree of
 * freedom; GRADYN_UNSUPPORTED, a velocity-level constraint, events in general equations, or a latched
 * constraint at the start; those of build() and of the initial state. */
gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const gradyn_disturbance_wish *wish,
                                        gradyn_disturbance *out);
void gradyn_disturbance_clear(gradyn_disturbance *s);

/* The operation run(): a run with the data s->x. Failures set the message of s->model; GRADYN_INVALID, it
 * ends in another mode. */
gradyn_status gradyn_disturbance_run(gradyn_disturbance *s);

/* Derivatives of w(end) along dx [columns][nx] with w(start) fixed; b [columns][1 + size] as in the ops,
 * after run(). Errors: GRADYN_NO_MEMORY, without a message; those of the ops. */
gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b);

/* aim() stores z of the last run, and the direction dw [size] of its changes, lifted to all states. move()
 * sets the initial values in s->x to this z plus `share` times the direction. */
void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw);
void gradyn_disturbance_move(gradyn_disturbance *s, double share);

/* Sets z [nz], the disturbance of all states for w [size] at the start. */
void gradyn_disturbance_lift(gradyn_disturbance *s, const double *w, double *z);

#endif
