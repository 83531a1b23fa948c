/* A run with a free initial state, and its disturbances at the end: by the explicit method for smooth
 * motions, by the evaluator's method for motions with events. */
#ifndef GRADYN_ADJOINT_DISTURBANCE_H
#define GRADYN_ADJOINT_DISTURBANCE_H

#include <gradyn/analysis.h>

#include "adjoint/evaluator/evaluator.h"
#include "dae/start/independent.h"

typedef struct gradyn_disturbance gradyn_disturbance;

/* A request: names of preferred independent coordinates, and the end of the run. Without a section, it is
 * the end time. With the name of an event as section, it is the time just after occurrence `which` of this
 * event; 0 means 1. */
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
  /* Computes dz [nz], the change of the consistent initial state along dx [nx]. */
  gradyn_status (*start)(gradyn_disturbance *s, const double *dx, double *dz);
  /* Computes b [1 + size]: the derivatives of the return time and of w at the end along dx [nx], with z at
   * the start changed by dz [nz]. */
  gradyn_status (*by_data)(gradyn_disturbance *s, const double *dx, const double *dz, double *b);
  void (*free)(gradyn_disturbance *s);
} gradyn_disturbance_ops;

extern const gradyn_disturbance_ops gradyn_smooth_disturbance, gradyn_hybrid_disturbance;

/* The disturbed state w: independent coordinates and their rates, or all differential states. */
struct gradyn_disturbance {
  const gradyn_disturbance_ops *ops;
  void *own;                      /* data of the ops */
  gradyn_evaluator *ev;           /* borrowed */
  gradyn_model *model;            /* the model that runs */
  gradyn_independent independent; /* for mechanisms only */
  int nz, size;
  int *position;        /* [size] indices of w in z */
  int *shown;           /* [nz] indices among the states, for names */
  int *datum;           /* [nz] indices of the initial values among the data */
  double *given;        /* [nx] data at rho, which the evaluator has again after clear() */
  double *x;            /* [nx] data of the next run */
  double *z;            /* [nz] consistent initial state of the last run */
  double *base;         /* [2][nz] a start and the direction of its changes */
  double *w;            /* [2][size] at the start and the end */
  double *f;            /* [size] rates at the start */
  double *M;            /* [size][size] derivative of the end by the start */
  double *by_time;      /* [size] derivative of the end by the end time; not with a section */
  double return_time;   /* s, with a section */
  double *return_slope; /* [size] derivative of the return time by w */
  double *unit;         /* [2 nz] workspace */
  gradyn_arena arena;   /* owns all arrays */
};

/* Prepares disturbances at rho [parameters], and assembles the initial state. ev must outlive *out; *wish is
 * borrowed for the call. Clear *out in any case, once: clear() frees members only. Errors: GRADYN_INVALID, a
 * coordinate or event is unknown, requested coordinates depend on each other, or there is no degree of
 * freedom; GRADYN_UNSUPPORTED, a velocity-level constraint, events in general equations, or a latched
 * constraint at the start; GRADYN_NO_MEMORY; those of build() and of the initial state. out->model has the
 * message, which may be missing for GRADYN_NO_MEMORY. */
gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const gradyn_disturbance_wish *wish,
                                        gradyn_disturbance *out);
/* Also loads the data at rho into the evaluator's model. */
void gradyn_disturbance_clear(gradyn_disturbance *s);

/* Runs with the data s->x, and fills z, w, f, M, by_time or return_time and return_slope. Failures set the
 * message of s->model. Errors: GRADYN_INVALID, the run ends in another mode; those of runs. */
gradyn_status gradyn_disturbance_run(gradyn_disturbance *s);

/* Computes derivatives along dx [columns][nx] with w at the start fixed, after run(). Each row of b
 * [columns][1 + size] has those of the return time and of w at the end. Errors: GRADYN_NO_MEMORY, without a
 * message; those of the ops. */
gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b);

/* Stores z of the last run and a direction: dw [size], lifted to all differential states. */
void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw);
/* Sets the initial values in s->x to the stored z plus `share` times the stored direction. */
void gradyn_disturbance_move(gradyn_disturbance *s, double share);

/* Computes z [nz], the change of all differential states at the start, in the order of s->z, for the change w
 * [size] of the independent ones. */
void gradyn_disturbance_lift(gradyn_disturbance *s, const double *w, double *z);

#endif
