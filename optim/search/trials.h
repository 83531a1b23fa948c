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
  GRADYN_HALT_CURVATURE /* second derivatives would have taken less time by now, or have failed */
} gradyn_halt;

/* Source of curvatures in a search. */
typedef enum gradyn_curvature {
  GRADYN_CURVATURE_ESTIMATED, /* limited memory; second derivatives if it takes longer */
  GRADYN_CURVATURE_TAKEN,     /* second derivatives, if the objective has them */
  GRADYN_CURVATURE_LOST       /* limited memory, because second derivatives have failed */
} gradyn_curvature;

/* The trial points of a search so far, and the state of the search. */
typedef struct gradyn_trials {
  const gradyn_program *program; /* borrowed */
  const gradyn_search *search;   /* borrowed */
  gradyn_scaling *scaling;       /* of the present solver run; owned */
  gradyn_warm_start *warm;       /* multipliers of solver runs; borrowed; NULL: not requested */
  gradyn_optimality judge;
  double slope; /* of the objective at the start, or where its scale became known */
  gradyn_trial last, best;
  gradyn_halt halt;
  bool starved;           /* memory is out, outside of an evaluation */
  gradyn_status status;   /* of the last evaluation that failed */
  gradyn_message message; /* its reason */
  long allowed;           /* largest number of evaluations, without probes */
  long barren;            /* largest number of evaluations without a better point; 0: unlimited */
  long best_at;           /* number of the evaluation that gave the best point */
  long evaluations, rejected;
  long probes; /* evaluations that the optimiser did not request; no limit applies to them */
  long idle;   /* requests since the last new point */
  long runs;   /* solver runs that have ended */
  gradyn_curvature curvature;
  double started; /* s, start of the search; earlier by the time of a journal */
  double seconds; /* time of the last evaluation, s */
} gradyn_trials;

/* Allocates the trials of a search on a program. Returns false if memory is out; clear the trials in any
 * case. */
bool gradyn_trials_allocate(gradyn_trials *trials, const gradyn_program *program,
                            const gradyn_search *search);
void gradyn_trials_clear(gradyn_trials *trials);

/* Returns the point at rho [parameters], from memory or by an evaluation. NULL: it is rejected, or the
 * search has halted. The point is valid until the next call. */
const gradyn_trial *gradyn_trials_at(gradyn_trials *trials, const double rho[]);

/* The optimiser continues from rho [parameters], the point evaluated last. If it is far from the
 * references, the search must continue from there with others. It then halts, and the point replaces the
 * best one. */
void gradyn_trials_arrive(gradyn_trials *trials, const double rho[]);

/* Evaluates rho [parameters] outside the optimiser. The point becomes the best one, and *lower is set, if
 * three conditions hold: it is feasible, its objective is less than `below`, and it is less than the
 * objective of the best point. NULL: it is rejected, or a request or the time limit prevents it. The limit
 * of evaluations does not apply; the callback receives the point. */
const gradyn_trial *gradyn_trials_probe(gradyn_trials *trials, const double rho[], double below,
                                        bool *lower);

/* Selects the scaling from the best point. The factor of the optimality test is not changed unless it was
 * provisional. It becomes stricter if the present one calls a point optimal. */
void gradyn_trials_rescale(gradyn_trials *trials);

/* Changes the scale after a probe has shown that the end was no optimum. The new scale would not have
 * called it one. slope: slope of the objective per unit of the parameters; it becomes the scale if it is
 * less than the present one. */
void gradyn_trials_rebase(gradyn_trials *trials, double slope);

/* Returns the slope of the objective at the best point, per unit of the parameters. */
double gradyn_trials_slope(const gradyn_trials *trials);

/* Evaluates the best point again with all gradients, without count and callback, and compares the
 * functionals. The best point gets the new numbers. Its functionals stay if only the evaluation without all
 * gradients reproduces them. If the evaluation fails, the best point stays, and its status is returned.
 * GRADYN_STALLED: the functionals differ. The message states the reason of a failure. */
gradyn_status gradyn_trials_verify(gradyn_trials *trials);

/* Marks the search as broken because memory is out. */
void gradyn_trials_starve(gradyn_trials *trials);

/* Returns the time since the start of the search, s. */
double gradyn_trials_seconds(const gradyn_trials *trials);

/* Whether the time limit, max_seconds, has been reached. */
bool gradyn_trials_late(const gradyn_trials *trials);

/* Whether the search was ended from outside or cannot continue. Its best point is not evaluated again. */
bool gradyn_trials_broken_off(const gradyn_trials *trials);

#endif
