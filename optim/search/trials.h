/* Trial points of a search. Each is evaluated once, counted, compared, and reported to the callback. The
 * best one is kept. */
#ifndef GRADYN_OPTIM_TRIALS_H
#define GRADYN_OPTIM_TRIALS_H

#include "optim/program/point.h"
#include "optim/program/scaling.h"
#include "optim/search/warm_start.h"

/* Reason why no further point is evaluated. */
typedef enum gradyn_halt {
  GRADYN_HALT_NONE,
  GRADYN_HALT_OPTIMAL,     /* the best point satisfies the first-order conditions */
  GRADYN_HALT_EVALUATIONS, /* the limit of evaluations was reached */
  GRADYN_HALT_TIME,        /* the time limit was reached */
  GRADYN_HALT_WATCH,       /* on request of the callback, or of the user during an evaluation */
  GRADYN_HALT_BROKEN,      /* an evaluation failed such that no other is possible */
  GRADYN_HALT_RESCALE,     /* the scale of the objective has become known */
  GRADYN_HALT_IDLE,        /* the same points are requested repeatedly */
  /* the best point, which is an iterate, is far from the references of its unknowns */
  GRADYN_HALT_STRAINED,
  GRADYN_HALT_SUFFICES, /* the point suffices, because constraints change next */
  /* second derivatives would have taken less time by now, or have failed, or have found no optimum */
  GRADYN_HALT_CURVATURE
} gradyn_halt;

/* Source of curvatures in a search. */
typedef enum gradyn_curvature {
  GRADYN_CURVATURE_ESTIMATED, /* limited memory; second derivatives if it takes longer */
  GRADYN_CURVATURE_TAKEN,     /* second derivatives, if the objective has them */
  GRADYN_CURVATURE_LOST /* limited memory, because second derivatives have failed or led nowhere */
} gradyn_curvature;

/* The trial points of a search so far, and the state of the search. */
typedef struct gradyn_trials {
  const gradyn_program *program; /* borrowed */
  const gradyn_search *search;   /* borrowed */
  /* scaling of the present solver run, chosen at the first valid point; owned */
  gradyn_scaling *scaling;
  gradyn_warm_start *warm; /* multipliers of solver runs; borrowed; NULL: not requested */
  gradyn_optimality judge; /* the optimality test */
  /* slope of the objective per unit step, at the start or where its scale became known */
  double slope;
  gradyn_trial last, best; /* last: the newest point, or the point that it replaced as best */
  gradyn_halt halt;
  bool starved;           /* memory is out, outside of an evaluation */
  gradyn_status status;   /* status of the last evaluation that failed; GRADYN_OK: none */
  gradyn_message message; /* reason of that failure */
  long allowed;           /* largest number of evaluations, without probes */
  long barren;            /* largest number of evaluations without a better point; 0: unlimited */
  long best_at;           /* number, from 1, of the evaluation that gave the best point */
  long evaluations, rejected; /* all, probes and failures included; failed, not interrupted ones */
  long probes; /* evaluations that the optimiser did not request; no limit applies to them */
  long asked;  /* best_at at the last question whether the best point suffices; 0: none yet */
  long idle;   /* requests for known points since the last evaluation or start of a solver run */
  long runs;   /* solver runs that have ended */
  gradyn_curvature curvature;
  long changed;   /* evaluations before the source of curvatures changed; 0: not changed */
  double started; /* s of gradyn_seconds(), start of the search; earlier by the time of a journal */
  double seconds; /* time of the last evaluation, s */
} gradyn_trials;

/* Initialises *trials for a search on a program, allocates its arrays, and starts its time. Program and
 * search must outlive the trials. Returns false if memory is out; clear the trials in any case. */
bool gradyn_trials_allocate(gradyn_trials *trials, const gradyn_program *program,
                            const gradyn_search *search);
/* Releases the members of *trials, not program, search and warm. */
void gradyn_trials_clear(gradyn_trials *trials);

/* Returns the point at rho [parameters]: the last or the best one if it has exactly these parameters,
 * otherwise from a new evaluation. New evaluations count and are reported to the callback. NULL: the
 * evaluation fails (see status and message), or the search has halted before it (see halt). Valid until the
 * next call. An evaluation can set halt for the next call. */
const gradyn_trial *gradyn_trials_at(gradyn_trials *trials, const double rho[]);

/* Reports that the optimiser continues from rho [parameters], the last or the best point. If its unknowns are
 * far from their references, the search halts with GRADYN_HALT_STRAINED, and the point replaces the best one.
 * If the objective calls the best point sufficient, halts with GRADYN_HALT_SUFFICES. */
void gradyn_trials_arrive(gradyn_trials *trials, const double rho[]);

/* Evaluates rho [parameters] for a probe, also at a known point, and reports the point to the callback.
 * Returns the point, valid until the next call; NULL: its evaluation fails, or a request or the time limit
 * prevents it. The limit of evaluations does not apply. There must be a best point. *lower: the point is
 * feasible, and its objective, not scaled, is less than `below` and than that of the best point. The point
 * then replaces the best one. */
const gradyn_trial *gradyn_trials_probe(gradyn_trials *trials, const double rho[], double below,
                                        bool *lower);

/* Selects the scaling from the best point, which must exist, and tests the point again. The factor of the
 * optimality test changes only if it was provisional. If the test then calls the best point optimal, the
 * factor may become stricter. If the point stays optimal, the search halts with GRADYN_HALT_OPTIMAL. */
void gradyn_trials_rescale(gradyn_trials *trials);

/* Selects the scaling from the best point after a probe has found a lower point, so that the former end would
 * not be called optimal. slope: slope of the objective per unit step of the parameters. A positive slope
 * below trials->slope replaces trials->slope, and the test becomes stricter. */
void gradyn_trials_rebase(gradyn_trials *trials, double slope);

/* Returns the slope of the objective at the best point, which must exist, for unit steps of the parameters:
 * see gradyn_scaling_slope(). */
double gradyn_trials_slope(const gradyn_trials *trials);

/* Evaluates the best point, which must exist, again with all gradients, without count and callback. If its
 * functionals agree to 1e-9, the point gets the new numbers. If only an evaluation without all gradients
 * reproduces them, the point gets the new gradients and keeps its functionals. Errors, with trials->message:
 * GRADYN_STALLED, the functionals differ, and the point nevertheless has the new gradients; failures of an
 * evaluation. If the evaluation with all gradients fails, the best point stays. */
gradyn_status gradyn_trials_verify(gradyn_trials *trials);

/* Marks the search as broken because memory is out: halt becomes GRADYN_HALT_BROKEN, status
 * GRADYN_NO_MEMORY. */
void gradyn_trials_out_of_memory(gradyn_trials *trials);

/* Returns the time since the start of the search, s, including the time of replayed evaluations. */
double gradyn_trials_seconds(const gradyn_trials *trials);

/* Returns whether the time limit search->max_seconds has been reached; false without a limit (0). */
bool gradyn_trials_late(const gradyn_trials *trials);

/* Returns whether a request, the time limit or a failure has ended the search, so that its best point must
 * not be evaluated again. */
bool gradyn_trials_broken_off(const gradyn_trials *trials);

#endif
