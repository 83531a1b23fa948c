/* Marching with a one-step method: arcs between boundaries, each divided into steps whose
 * lengths follow from the error, or are given. The gradient is that of the discrete run with the
 * shares of its steps in their arcs held fixed. */
#ifndef GRADYN_DAE_ONESTEP_H
#define GRADYN_DAE_ONESTEP_H

#include "dae/events/arcs.h"
#include "dae/onestep/list.h"
#include "dae/onestep/scheme.h"
#include "dae/systems/rates.h"
#include "dae/monitors/monitors.h"
#include "dae/onestep/tableau.h"
#include "dae/trajectory.h"

/* An integral of a functional, whose error is measured by that of |g - g(0)|: what is constant has none. It
 * is foreseen on the way; if a step did worse, a second pass knows it. */
typedef struct gradyn_onestep_sum {
  double first;                    /* g(0) */
  double added, error, low;        /* what the step in hand adds; estimates of its error */
  double rise, spread_rise;        /* what it adds to the following */
  double mass, spread;             /* integrals of |g| and of |g - g(0)| so far */
  double worst;                    /* largest error of a step taken */
  double whole_mass, whole_spread; /* the two at the end of the pass before */
} gradyn_onestep_sum;

/* What the choice of a step's length needs to remember. */
typedef struct gradyn_onestep_control {
  double h;      /* s, proposed for the next step; 0: not known yet */
  double error;  /* of the last accepted step, over the tolerance */
  double noise;  /* 1/s, error by the round-off of rates, over the tolerance and a step's length */
  bool rejected; /* the last trial was rejected */
  int stiff, clear;          /* steps in a row at, and below, the edge of stability */
  long factorisations;       /* of the scheme's own matrices */
  double rest, faint, exact; /* s, of steps that nothing chose: see look_for_rest() */
} gradyn_onestep_control;

/* Stages of the steps of a march, for the sweeps that come behind it. */
typedef struct gradyn_onestep_kept {
  int slots;       /* stages that a step keeps: its own and that of its arrival */
  size_t slot;     /* numbers of one of them */
  double *stages;  /* [kept steps]: [slots][slot], and behind them what arrive() notes */
  size_t capacity; /* numbers for which there is room */
  bool asked, all; /* also without sweeps, for a reader; all steps, not one after the other */
  int repeated;    /* step whose stages have been computed again, unless all are kept; -1: none */
} gradyn_onestep_kept;

typedef struct gradyn_onestep_tolerances {
  double asked[2], part; /* rtol and atol as asked for; part of them that the run in hand has */
  double rtol, share;    /* that of the run in hand, 0: steps are given; a step's over the run's */
  double *size;          /* [ny] natural sizes of the states: see gradyn_state_sizes() */
  double *atol;          /* [ny] absolute tolerance of a step in every state */
} gradyn_onestep_tolerances;

struct gradyn_onestep {
  gradyn_rates *rates;
  const gradyn_onestep_scheme *scheme;
  void *own; /* of the scheme */
  gradyn_model *model;
  const gradyn_tableau *tableau;
  gradyn_options options;  /* rtol and atol those of a step; atol 0: by sizes */
  gradyn_arcs arcs, first; /* of the run, and of the initial data */
  int nf, nq;              /* functionals; those with an integral */
  int *integral;           /* [nq] their numbers */

  gradyn_onestep_step *step; /* [room] */
  double *z;                 /* [room + 1][nz] states where steps start */
  int count, capacity;
  gradyn_onestep_limits limits;
  gradyn_onestep_kept kept;

  double *y, *trial; /* [nz] */
  gradyn_onestep_tolerances tolerances;
  double *spare;           /* a step's stages, z [nz] and numbers [ny] of a look inside it */
  double *dense;           /* see onestep/dense.c */
  double *inner;           /* [nf] integrals and terminal parts */
  gradyn_onestep_sum *sum; /* [nq] */
  bool sized;              /* the sizes of the integrals are known from a first pass */
  int *taken_at;           /* [nf] boundary where the terminal part is taken; -1: at none so far */
  gradyn_onestep_control control;
  struct gradyn_onestep_events *events; /* see onestep/events.h; NULL: the model has none */
  gradyn_monitors monitors;
  gradyn_run_report report;
};

gradyn_status gradyn_onestep_create(gradyn_model *model, const gradyn_options *options,
                                    const gradyn_onestep_scheme *scheme, gradyn_onestep **out);
void gradyn_onestep_free(gradyn_onestep *s);

/* The next runs have part of the tolerances asked for. */
void gradyn_onestep_tighten(gradyn_onestep *s, double part);
/* Marches with the model's present data; keep: the steps' stages stay available. psi [nf] and
 * trajectory may be NULL. */
gradyn_status gradyn_onestep_march(gradyn_onestep *s, bool keep, double *psi,
                                   gradyn_trajectory *trajectory);
/* Whether the last march was at rest for a part of the run, or nearly: its steps are not for derivatives. */
bool gradyn_onestep_rests(const gradyn_onestep *s, bool nearly);

/* --- steps of a march that kept them ------------------------------------------------------------ */

/* Has signals and modes be those of an arc. */
void gradyn_onestep_enter(const gradyn_onestep *s, int arc);

/* The stages of step k [slots], the last one that of its arrival; computed again where memory did not
 * suffice for all. The model is in the step's arc afterwards. */
gradyn_status gradyn_onestep_stages(gradyn_onestep *s, int k, double **stages);
/* Stage i of them, and what the arrival noted. */
static inline double *gradyn_onestep_stage(const gradyn_onestep *s, double *stages, int i)
{
  return stages + (size_t)i * s->kept.slot;
}
static inline double *gradyn_onestep_moved(const gradyn_onestep *s, double *stages)
{
  return gradyn_onestep_stage(s, stages, s->kept.slots);
}
/* Numbers that a step's stages take, with what its arrival noted. */
static inline size_t gradyn_onestep_block(const gradyn_onestep *s)
{
  return (size_t)s->kept.slots * s->kept.slot + (size_t)s->rates->moved;
}
/* Time at which step k starts, and its length. */
static inline double gradyn_onestep_time(const gradyn_onestep *s, int k)
{
  return s->step[k].t;
}
static inline double gradyn_onestep_length(const gradyn_onestep *s, int k)
{
  return s->step[k].h;
}
/* Whether step k is the last of its arc. */
static inline bool gradyn_onestep_ends_arc(const gradyn_onestep *s, int k)
{
  return k + 1 == s->count || s->step[k + 1].arc != s->step[k].arc;
}

/* Whether step k of those given is the last of its arc. */
static inline bool gradyn_onestep_ends_given(const gradyn_onestep *s, int k)
{
  return k + 1 == s->limits.given || s->step[k + 1].arc != s->step[k].arc;
}
/* Time of boundary k. */
static inline double gradyn_onestep_boundary(const gradyn_onestep *s, int k)
{
  return s->arcs.boundary[k].t;
}

/* Whether the terminal part of a functional, or any, is taken at a boundary, or behind the event there. */
bool gradyn_onestep_takes(const gradyn_onestep *s, int f, int boundary, bool behind);
bool gradyn_onestep_any_behind(const gradyn_onestep *s, int boundary);

#endif
