/* Runs of a one-step method: arcs between boundaries, each divided into steps whose lengths follow from the
 * error, or are given. The gradient is that of the discrete run with fixed shares of steps in arcs. */
#ifndef GRADYN_DAE_ONESTEP_H
#define GRADYN_DAE_ONESTEP_H

#include "dae/events/arcs.h"
#include "dae/onestep/list.h"
#include "dae/onestep/scheme.h"
#include "dae/systems/rates.h"
#include "dae/monitors/monitors.h"
#include "dae/onestep/tableau.h"
#include "dae/trajectory.h"

/* An integral of a functional. Its error is relative to the integral of |g - g(0)|. During the first pass
 * this size is predicted. If a step turns out to exceed its tolerance, a second pass uses the size of the
 * first. */
typedef struct gradyn_onestep_sum {
  double first;                    /* g(0) */
  double added, error, low;        /* contribution of the present step; estimates of its error */
  double rise, spread_rise;        /* contributions of the present step to `mass` and `spread` */
  double mass, spread;             /* integrals of |g| and of |g - g(0)| so far */
  double worst;                    /* largest error of a step taken */
  double whole_mass, whole_spread; /* mass and spread at the end of the previous pass */
} gradyn_onestep_sum;

/* Control of the step length. */
typedef struct gradyn_onestep_control {
  double h;      /* proposed length of the next step, s; 0: not known yet */
  double error;  /* error of the last accepted step, over the tolerance */
  double noise;  /* 1/s, error of a step by round-off of rates, over its tolerance and its length */
  bool rejected; /* the last trial was rejected */
  int stiff, clear;          /* consecutive steps at the limit of stability, and below it */
  long factorisations;       /* of matrices of the scheme, such as those of radau */
  double rest, faint, exact; /* s, time at rest, nearly at rest, with errors of round-off only */
} gradyn_onestep_control;

/* Stages of the steps of a run, for the sweeps after it. */
typedef struct gradyn_onestep_kept {
  int slots;      /* stored stages of a step: its own, and the one at its end */
  size_t slot;    /* numbers of one stage */
  double *stages; /* [steps + 1]: [slots][slot], then the numbers of arrive(); the last is shared */
  size_t capacity; /* capacity of `stages`, in steps */
  int steps;       /* the first steps have places of their own, as many as memory allows */
  int shared;      /* step in the shared place; -1: none */
  bool asked;      /* also store without sweeps */
} gradyn_onestep_kept;

typedef struct gradyn_onestep_tolerances {
  double asked[2], part; /* requested rtol and atol; factor of both in this run */
  double rtol, share;    /* rtol of this run, 0: fixed steps; rtol of a step over rtol of the run */
  double *size;          /* [ny] natural sizes of the states: see gradyn_state_sizes() */
  double *atol;          /* [ny] absolute tolerance of a step in every state */
} gradyn_onestep_tolerances;

struct gradyn_onestep {
  gradyn_rates *rates;
  const gradyn_onestep_scheme *scheme;
  void *own; /* data of the scheme */
  gradyn_model *model;
  const gradyn_tableau *tableau;
  gradyn_options options;  /* rtol and atol are those of a step; atol 0: by natural sizes */
  gradyn_arcs arcs, first; /* those of the last run, and those of the data at creation */
  int nf, nq;              /* number of functionals; of those with an integral */
  int *integral;           /* [nq] indices of functionals with an integral */

  gradyn_tape tape;
  gradyn_onestep_step *step; /* [capacity] */
  double *z;                 /* [capacity + 1][nz] states at the start of steps; last: the end */
  int count, capacity;       /* steps of the run; steps with memory */
  gradyn_onestep_limits limits;
  gradyn_onestep_kept kept;

  double *y, *trial; /* [nz] state at the end of the present step; work memory */
  gradyn_onestep_tolerances tolerances;
  double *spare;           /* stages, z [nz] and output state [ny] for points inside a step */
  double *dense;           /* see onestep/dense.c */
  double *inner;           /* [nf] integral plus terminal part, before the outer function */
  gradyn_onestep_sum *sum; /* [nq] */
  bool sized;              /* the sizes of the integrals are known from a first pass */
  gradyn_onestep_control control;
  struct gradyn_onestep_events *events; /* see onestep/events.h; NULL: the model has none */
  gradyn_monitors monitors;
  gradyn_run_report report;
};

/* Creates runs of a scheme. The model must outlive *out; options are copied. Free *out, unless NULL, also
 * after an error. Errors: GRADYN_INVALID, the scheme has no method of options->order; GRADYN_NO_MEMORY;
 * those of rates and scheme. */
gradyn_status gradyn_onestep_create(gradyn_model *model, const gradyn_options *options,
                                    const gradyn_onestep_scheme *scheme, gradyn_onestep **out);

/* Frees the object and all it owns; NULL is allowed. */
void gradyn_onestep_free(gradyn_onestep *s);

/* Sets the tolerances of the next runs to those of the options times `part`; not cumulative. */
void gradyn_onestep_tighten(gradyn_onestep *s, double part);
/* Runs with the model's present data; keep: stages stay available by gradyn_onestep_stages(). psi [nf] and
 * trajectory may be NULL. After an error psi is undefined. Errors: GRADYN_STEP_LIMIT, more steps than
 * allowed, or the deadline; GRADYN_INTERRUPTED; GRADYN_NOT_CONVERGED; failures of the rates, events and
 * functionals. */
gradyn_status gradyn_onestep_run(gradyn_onestep *s, bool keep, double *psi,
                                 gradyn_trajectory *trajectory);
/* Returns whether the last run was at rest for over 1% of its time: steps there are too long for
 * derivatives. nearly: also counts states that hardly move, and runs with errors of round-off only. */
bool gradyn_onestep_rests(const gradyn_onestep *s, bool nearly);

/* --- steps of a run that has stored them --------------------------------------------------------- */

/* Enters the discrete state of arc 0, 1, ... of the last run: pieces of signals, modes, latched data. */
void gradyn_onestep_enter(const gradyn_onestep *s, int arc);

/* Sets *stages to the stages [slots][slot] of step k, from 0, the last one at its end, until the next call;
 * computed again for steps beyond the memory allowed. Afterwards the model is in the arc of the step. Errors:
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the rates. */
gradyn_status gradyn_onestep_stages(gradyn_onestep *s, int k, double **stages);

/* Returns the address of stage i, from 0, within `stages` of a step. */
static inline double *gradyn_onestep_stage(const gradyn_onestep *s, double *stages, int i)
{
  return stages + (size_t)i * s->kept.slot;
}
/* Returns the address, within `stages` of a step, of the numbers [moved] that arrive() has stored after its
 * last stage. */
static inline double *gradyn_onestep_arrival_numbers(const gradyn_onestep *s, double *stages)
{
  return gradyn_onestep_stage(s, stages, s->kept.slots);
}
/* Returns the size of all stages of a step with these numbers, in doubles. */
static inline size_t gradyn_onestep_block(const gradyn_onestep *s)
{
  return (size_t)s->kept.slots * s->kept.slot + (size_t)s->rates->moved;
}
/* Returns whether step k, from 0, is the last of its arc. */
static inline bool gradyn_onestep_ends_arc(const gradyn_onestep *s, int k)
{
  return k + 1 == s->count || s->step[k + 1].arc != s->step[k].arc;
}

/* Returns whether step k, from 0, of the given steps of the next run is the last of its arc. */
static inline bool gradyn_onestep_ends_given(const gradyn_onestep *s, int k)
{
  return k + 1 == s->limits.given || s->step[k + 1].arc != s->step[k].arc;
}
/* Returns the time, s, of boundary k, 0 to arcs.count. */
static inline double gradyn_onestep_boundary(const gradyn_onestep *s, int k)
{
  return s->arcs.boundary[k].t;
}

#endif
