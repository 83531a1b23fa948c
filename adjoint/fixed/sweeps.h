/* Direct and adjoint sweeps over the steps of any fixed-step scheme. */
#ifndef GRADYN_ADJOINT_SWEEPS_H
#define GRADYN_ADJOINT_SWEEPS_H

#include <string.h>

#include "adjoint/directions.h"
#include "adjoint/fixed/sweep_growth.h"
#include "dae/events/instant.h"
#include "dae/fixed/fixed.h"
#include "dae/tape/sweep.h"

/* Times of boundaries and events, and jumps: see sweep_events.h. */
typedef struct gradyn_sweep_times {
  double *point_t;         /* [nf] derivative of the functional by the time of a point */
  double *node_bar;        /* [nf] adjoints of the time of the present node */
  double *step_h, *step_t; /* [nf] adjoints of a step's length; of its end at a fixed length */
  double *g;               /* [2][nf] integrands at two nodes: both ends of a step */
  int g_of[2];             /* these nodes; -1: none */
  double *r_s, *r_x;       /* [ns], [nx] derivatives of a guard */
  gradyn_root root;        /* refers to them */
  double *S;               /* [ns] S_theta */
  double *boundary;        /* [boundaries][directions or nf] derivatives, or adjoints, of times */
  size_t boundary_room;
  double *change, *yp_bar; /* [ny], [2 n] */
  gradyn_lanes *lane;      /* [ns + nx] */
} gradyn_sweep_times;

/* The node that a sweep has reached, and results of a direct sweep. */
typedef struct gradyn_sweep_present {
  int k; /* of the node */
  const double *node;
  double *gradient;                 /* direct: [nf][directions not fixed] */
  struct gradyn_tangents *tangents; /* to which nodes are recorded; NULL: none */
} gradyn_sweep_present;

typedef struct gradyn_sweeps {
  gradyn_fixed *march;
  gradyn_sweep_present present;
  int columns;           /* functionals that depend on states and are not skipped */
  int *row;              /* [nf] rows of the functionals in the arrays below: those come first */
  gradyn_lanes *s_bar;   /* [batches of columns][ns] adjoints of the state of the scheme */
  double *column;        /* [ns + ny] one column of s_bar, ds or dy */
  double *h_bar, *t_bar; /* [nf] by rows: adjoints of length and time of the present step */
  double *slope;         /* [nf] d psi/d(inner) */
  double *end_bar;       /* [nf] derivative with respect to the end time */
  double *y_bar;         /* [columns][ny] */
  double *x_bar;         /* [nf][nx] */
  gradyn_lanes *given;   /* [batches][nx] adjoints of data by steps and nodes */
  int *reach;            /* [nf] number of the first entries of y that functionals may read */
  gradyn_lanes *ds;      /* [batches of directions][ns] */
  gradyn_lanes *dy;      /* [batches][ny], if the state of the scheme is not y */
  double *dx;            /* [directions][nx] */
  gradyn_lanes *fed;     /* [batches][nx] the same side by side */
  gradyn_lanes *sum;     /* [nf][batches] contributions of states to functionals */
  double *dh, *dt;       /* [directions] of the present step; zero unless timed */
  int count;             /* present directions, with the fixed ones */
  int held;     /* the last directions: one boundary moves alone; they fix times of functionals */
  int capacity; /* directions for which memory suffices */
  bool timed;   /* times of nodes vary: boundaries move, or there are events */
  gradyn_adjoint_growth growth;
  gradyn_sweep_times times;
  gradyn_arena of_model, of_directions; /* own all arrays but times.boundary */
} gradyn_sweeps;

/* Allocates sweeps over the steps of `march`, which is borrowed and must outlive *out. Error:
 * GRADYN_NO_MEMORY; *out is then empty. */
gradyn_status gradyn_sweeps_create(gradyn_fixed *march, gradyn_sweeps *out);

/* Frees the members, not the object nor the runs; may be repeated. */
void gradyn_sweeps_clear(gradyn_sweeps *s);

/* Returns the length of s_bar, in gradyn_lanes, for all functionals. */
static inline size_t gradyn_sweeps_lanes(const gradyn_fixed *march)
{
  return gradyn_lanes_groups(march->nf) * (size_t)march->stepper->ns;
}

/* Returns the address of the first adjoint of row 0, 1, ... of s_bar; the next adjoints of the row are
 * GRADYN_LANES numbers apart. */
static inline double *gradyn_sweeps_lane(const gradyn_sweeps *s, int row)
{
  return gradyn_lane(s->s_bar, s->march->stepper->ns, row);
}
/* Copies the adjoints [ns] of a row, from 0, of s_bar to s->column, and returns this array, valid until its
 * next use. */
double *gradyn_sweeps_column(const gradyn_sweeps *s, int row);

/* Before an adjoint sweep: sets columns and row for the functionals that are not skipped. */
void gradyn_sweeps_sort(gradyn_sweeps *s);

/* After a run: sets s->slope [nf] to the derivatives of the functionals by their inner values, and
 * s->end_bar [nf] to those of the outer functions by the end time. */
void gradyn_sweeps_begin(gradyn_sweeps *s);

/* Runs and propagates directions: the function direct of gradyn_method. psi [nf], gradient [nf][directions
 * not fixed]; undefined after an error. Errors: those of gradyn_fixed_run() and of the steps' derivatives. */
gradyn_status gradyn_sweep_direct(gradyn_sweeps *s, const gradyn_directions *directions,
                                  double *psi, double *gradient);

/* Runs and propagates adjoints backward: the function adjoint of gradyn_method. active [nx] marks requested
 * data; psi [nf]; x_bar [nf][nx]; undefined after an error. Errors: those of gradyn_fixed_run() and of the
 * steps' derivatives. */
gradyn_status gradyn_sweep_adjoint(gradyn_sweeps *s, const bool *active, double *psi,
                                   double *x_bar);

/* Computes dy of all directions from ds, at the node evaluated last. Errors: those of the scheme. */
static inline gradyn_status gradyn_sweep_view_along(gradyn_sweeps *s)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_view_moves moves = {s->count, s->fed, s->dh, s->dt};
  return stepper->ops->view_tangent(stepper, &s->march->view, &moves, s->ds, s->dy);
}

/* Sets the adjoints of length and time of the present step, or of the time of a point, to zero. */
static inline void gradyn_sweep_clear_times(gradyn_sweeps *s)
{
  memset(s->h_bar, 0, (size_t)s->march->nf * sizeof(double));
  memset(s->t_bar, 0, (size_t)s->march->nf * sizeof(double));
}

/* Transpose at the node evaluated last: adds the adjoints y_bar of all columns to s_bar, to `given` and, if
 * timed, to h_bar and t_bar. Overwrites y_bar. Errors: those of the scheme. */
static inline gradyn_status gradyn_sweep_view_against(gradyn_sweeps *s)
{
  gradyn_stepper *stepper = s->march->stepper;
  const gradyn_view_bars adjoints = {s->columns, s->s_bar, s->given, s->timed ? s->h_bar : NULL,
                                     s->timed ? s->t_bar : NULL};
  return stepper->ops->view_transposed(stepper, &s->march->view, s->y_bar, &adjoints);
}

#endif
