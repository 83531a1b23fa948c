/* A run whose initial state is free, and what disturbances of it become: by the explicit method where the
 * motion is smooth, by the evaluator's own where there are events. */
#ifndef GRADYN_ADJOINT_DISTURBANCE_H
#define GRADYN_ADJOINT_DISTURBANCE_H

#include <gradyn/orbit.h>

#include "adjoint/evaluator/evaluator.h"
#include "dae/start/independent.h"

typedef struct gradyn_disturbance gradyn_disturbance;

/* What they are asked for: independent coordinates by their names, and where the run ends: with its time, or
 * just behind an event (section; NULL: none) when that happens for the which-th time. */
typedef struct gradyn_disturbance_wish {
  const char *const *wanted; /* [count] */
  size_t count;
  const char *section;
  int which;
} gradyn_disturbance_wish;

/* A way to run. */
typedef struct gradyn_disturbance_ops {
  gradyn_status (*open)(gradyn_disturbance *s); /* fills nz */
  /* Of general equations: shown, datum and z at the present data. */
  gradyn_status (*begin)(gradyn_disturbance *s);
  /* What run() needs, once it is known what w is. */
  gradyn_status (*prepare)(gradyn_disturbance *s, const gradyn_disturbance_wish *wish);
  /* Runs with the data x, and fills z, w, f, M, by_time or return_time and return_slope. */
  gradyn_status (*run)(gradyn_disturbance *s);
  /* dz [nz] of the initial state along dx [nx]. */
  gradyn_status (*start)(gradyn_disturbance *s, const double *dx, double *dz);
  /* What that and dx make of the time of return, and of w at the end: b [1 + size]. */
  gradyn_status (*by_data)(gradyn_disturbance *s, const double *dx, const double *dz, double *b);
  void (*free)(gradyn_disturbance *s);
} gradyn_disturbance_ops;

extern const gradyn_disturbance_ops gradyn_smooth_disturbance, gradyn_hybrid_disturbance;

/* The disturbed state w: independent coordinates and rates of them, or all differential states. */
struct gradyn_disturbance {
  const gradyn_disturbance_ops *ops;
  void *own;                      /* of the ops */
  gradyn_evaluator *ev;           /* borrowed */
  gradyn_model *model;            /* that runs */
  gradyn_independent independent; /* of mechanisms */
  int nz, size;
  int *place;           /* [size] of w in z */
  int *shown;           /* [nz] of z among the states */
  int *datum;           /* [nz] initial values among the data */
  double *x;            /* [nx] data */
  double *z;            /* [nz] initial state of the last run, on the constraints */
  double *base;         /* [2][nz] a start and the way that it is moved along */
  double *w;            /* [2][size] at the start and the end */
  double *f;            /* [size] rates at the start */
  double *M;            /* [size][size] end by start */
  double *by_time;      /* [size] end by the time of the end; not with a section */
  double return_time;   /* s, with a section */
  double *return_slope; /* [size] that by w */
  double *unit;         /* [2 nz] */
  gradyn_arena arena;   /* of all arrays */
};

/* At rho. *out is to be cleared in any case; failures have a message in its model. */
gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const gradyn_disturbance_wish *wish,
                                        gradyn_disturbance *out);
void gradyn_disturbance_clear(gradyn_disturbance *s);

gradyn_status gradyn_disturbance_run(gradyn_disturbance *s);

/* d w(end)/dx along dx [columns][nx] where w(start) is held: b as of the ops. */
gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b);

/* The way along which the start is moved, by dw [size] and on the tangent of the constraints; and the data by
 * which it is moved a share of it. */
void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw);
void gradyn_disturbance_move(gradyn_disturbance *s, double share);

/* Full column z [nz] of a disturbance w [size] at the start. */
void gradyn_disturbance_lift(gradyn_disturbance *s, const double *w, double *z);

#endif
