/* A run with a free initial state, and its disturbances at the end: by the explicit method of order 8, or by
 * radau if the motion is stiff. */
#ifndef GRADYN_ADJOINT_DISTURBANCE_H
#define GRADYN_ADJOINT_DISTURBANCE_H

#include <gradyn/analysis.h>

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/onestep/sweeps.h"
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

/* The disturbed state w: independent coordinates and their rates, or all differential states. */
struct gradyn_disturbance {
  gradyn_evaluator *ev; /* borrowed */
  gradyn_model *model;  /* of the evaluator */
  gradyn_onestep *march;
  gradyn_onestep_sweeps sweeps;
  int event, which; /* of the section: index in the model, occurrence; which 0: none */
  int end;          /* boundary of the section in the last run; 0: the end of the run */
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
  double *before, *Z;   /* [size][size] M of the run before; [columns][nz] */
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

/* Frees the members, and loads the data at rho into the evaluator's model again. Call it once. */
void gradyn_disturbance_clear(gradyn_disturbance *s);

/* Creates the integrator of all later runs, instead of the present one: radau if stiff, otherwise the
 * explicit method. For run(), and for create(). Errors: those of gradyn_onestep_create(). */
gradyn_status gradyn_disturbance_method(gradyn_disturbance *s, bool stiff);

/* Runs with the data s->x, by radau from the first stiff motion on, and fills z, w, f, M, by_time or
 * return_time and return_slope. Failures set the message of s->model. Errors: GRADYN_INVALID, the run ends
 * in another mode; those of runs. */
gradyn_status gradyn_disturbance_run(gradyn_disturbance *s);

/* Computes derivatives along dx [columns][nx] with w at the start fixed, after run(). Each row of b
 * [columns][1 + size] has those of the return time and of w at the end. Errors: GRADYN_NO_MEMORY, without a
 * message; failures of the sweeps. */
gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b);

/* Stores z of the last run and a direction: dw [size], lifted to all differential states. */
void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw);
/* Sets the initial values in s->x to the stored z plus `share` times the stored direction. */
void gradyn_disturbance_move(gradyn_disturbance *s, double share);

#endif
