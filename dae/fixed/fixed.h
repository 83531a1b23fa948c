/* Runs of a fixed-step scheme: nodes, subdivision of steps that fail, functionals by the trapezoidal rule
 * or the quadrature of the scheme, and the nodes stored for sweeps. Step k leads from node k to node k +
 * 1. */
#ifndef GRADYN_DAE_FIXED_H
#define GRADYN_DAE_FIXED_H

#include "dae/monitors/monitors.h"
#include "dae/fixed/tops.h"
#include "dae/fixed/stepper.h"
#include "dae/start/initial.h"
#include "dae/tape/tape.h"
#include "dae/trajectory.h"

/* A step, or a jump, which has length zero. */
typedef struct gradyn_fixed_step {
  double fraction, length; /* start and length over the end time */
  double share;            /* GRADYN_LENGTH_SHARE: length over that of the arc; otherwise 0 */
  int arc;                 /* of the step; of a jump, the arc after it */
  gradyn_length_law law;
  bool jump;    /* at the start of its arc an event takes place or a signal jumps */
  bool lenient; /* the step ends near a singular position */
} gradyn_fixed_step;

/* Nodes in memory. */
typedef struct gradyn_fixed_kept {
  double *node;     /* [stored nodes][record] */
  size_t node_room; /* capacity of `node`, in doubles */
  int segment;      /* number of steps between stored nodes; 1: all are stored */
  double *replay;   /* [segment + 1][record] nodes computed again, if segment > 1 */
  size_t replay_room;
  int replayed; /* first step of the segment in `replay`; -1: none */
  int allowed;  /* number of events for which memory suffices */
  bool again;   /* nodes must be stored elsewhere: the run must begin again */
} gradyn_fixed_kept;

/* Steps of a run before it is known how many it takes. */
typedef struct gradyn_fixed_plan {
  int steps;      /* their number without events, divisions and ends of arcs between */
  double h;       /* length of steps with events, s */
  double spacing; /* requested length of steps, s */
  bool even;      /* steps are those of a run without boundaries */
} gradyn_fixed_plan;

/* Functionals of a run. */
typedef struct gradyn_fixed_lists {
  int *of; /* those with an integral, then those with a maximum over time */
  int integrals, maxima;
} gradyn_fixed_lists;

typedef struct gradyn_fixed {
  gradyn_stepper *stepper;
  gradyn_model *model;
  gradyn_options options;  /* as given */
  int nf;                  /* number of functionals */
  gradyn_fixed_step *step; /* [count + 1], of the last one only its fraction: the last node */
  int count, capacity;     /* steps */
  double t_end;            /* s */
  double t_first;          /* end time at the initial parameters, s */
  gradyn_fixed_kept kept;
  double *inner;    /* [nf] integral plus terminal part, before the outer function */
  double *g;        /* [2][nf] integrands at the last two nodes */
  gradyn_view view; /* output state evaluated last, of schemes with complete() or sample() */
  gradyn_tape tape; /* of steps, jumps and samples */
  gradyn_fixed_lists lists;
  gradyn_fixed_top *top;   /* [nf] of maxima over time */
  gradyn_arcs arcs, first; /* those of the run, and those of the data at creation */
  gradyn_event_sequence events;
  gradyn_fixed_plan plan;
  double limit;         /* end of the present arc over the end time: no step ends later */
  gradyn_initial force; /* accelerations after a jump */
  double *y[2];         /* [ny] output states before and after the present jump */
  double *trial;        /* [record] node at the end of a step of another length */
  double tried;         /* length of this step, s; NAN: none */
  gradyn_monitors monitors;
  gradyn_run_report report;
  long subdivided;    /* steps that were divided */
  long across;        /* steps whose ends were moved away from a singular position */
  gradyn_arena arena; /* owns the arrays whose lengths depend on the model alone */
} gradyn_fixed;

/* Creates runs of a scheme. Takes ownership of the stepper, also after an error; the model must outlive
 * *out, options are copied. Clear *out also after an error. Errors: GRADYN_NO_MEMORY; those of the monitors
 * and events. */
gradyn_status gradyn_fixed_create(gradyn_model *model, gradyn_stepper *stepper,
                                  const gradyn_options *options, gradyn_fixed *out);
/* Frees the stepper and all arrays, not the object itself; may be repeated. */
void gradyn_fixed_clear(gradyn_fixed *s);

/* Runs with the model's present data; keep: all nodes stay available through gradyn_fixed_nodes(). psi [nf]
 * and trajectory may be NULL. After an error psi is undefined. Errors: GRADYN_INVALID, less than 1 or more
 * than 1e9 steps, or a given time after the end; GRADYN_STEP_LIMIT, more steps than allowed, too many
 * divided, or the deadline; GRADYN_INTERRUPTED; GRADYN_NO_MEMORY; failures of steps, events and
 * functionals. */
gradyn_status gradyn_fixed_run(gradyn_fixed *s, bool keep, double *psi,
                               gradyn_trajectory *trajectory);

/* Sets *from and *to to nodes k and k + 1 [record], k = 0 to count - 1, of a successful run with `keep`,
 * valid until the next call. Nodes that are not stored are computed again from the last stored one before
 * them. Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of repeated steps. */
gradyn_status gradyn_fixed_nodes(gradyn_fixed *s, int k, const double **from, const double **to);

/* Sets *y to the output state [ny] at node k [record], to the requested depth; without complete(), *y is
 * `node`. *y is borrowed until the next call of this function or the next. Errors: failures of the
 * scheme. */
gradyn_status gradyn_fixed_output_state(gradyn_fixed *s, int k, const double *node,
                                        gradyn_depth depth, const double **y);

/* Sets *y to the output state [ny] at the quadrature point of step k between nodes from and to [record].
 * Only for schemes with sample(), to the depth of the integrands; undefined if no integrand depends on
 * states. *y is borrowed until the next call. Errors: failures of the scheme. */
gradyn_status gradyn_fixed_sample(gradyn_fixed *s, int k, const double *from, const double *to,
                                  const double **y);

/* Sets g [nf] to the integrands of all functionals at an output state y [ny] and t, s; 0 for functionals
 * without an integral. Errors: failures of the functionals. */
gradyn_status gradyn_fixed_integrands(gradyn_fixed *s, double t, const double *y, double *g);
/* Sets *depth to the part of the state on which the functionals of a list [count] of indices depend.
 * Returns false, with *depth unchanged, if none depends on states. */
bool gradyn_fixed_depth(const gradyn_fixed *s, const int *list, int count, gradyn_depth *depth);
/* Returns the time of the quadrature point of step k, divided by the end time. */
double gradyn_fixed_sample_fraction(const gradyn_fixed *s, int k);
/* Returns whether an event has terminated the last run. */
static inline bool gradyn_fixed_ended(const gradyn_fixed *s)
{
  return gradyn_log_ends(s->model);
}
/* Returns the end time of the last run, s. */
static inline double gradyn_fixed_end(const gradyn_fixed *s)
{
  return s->arcs.boundary[s->arcs.count].t;
}
/* Returns the time of node k, 0 to count, s. */
static inline double gradyn_fixed_time(const gradyn_fixed *s, int k)
{
  return s->step[k].fraction * s->t_end;
}
/* Returns the length of step k, from 0, s. */
static inline double gradyn_fixed_length(const gradyn_fixed *s, int k)
{
  return s->step[k].length * s->t_end;
}
/* Returns the trapezoidal weight of node k, 0 to count, s. */
static inline double gradyn_fixed_weight(const gradyn_fixed *s, int k)
{
  const double before = k > 0 ? s->step[k - 1].length : 0;
  const double after = k < s->count ? s->step[k].length : 0;
  return s->t_end * (before + after) / 2; /* half of both neighbours */
}

#endif
