/* Trial points of a search: one evaluation each, counted, judged, watched; the best one is kept. */
#ifndef GRADYN_OPTIM_TRIALS_H
#define GRADYN_OPTIM_TRIALS_H

#include "optim/program/point.h"
#include "optim/program/scaling.h"

/* Why no further point is evaluated. */
typedef enum gradyn_halt {
  GRADYN_HALT_NONE,
  GRADYN_HALT_OPTIMAL,     /* the best point satisfies the first-order conditions */
  GRADYN_HALT_EVALUATIONS, /* as many as allowed */
  GRADYN_HALT_TIME,
  GRADYN_HALT_WATCH,   /* on request of the watching function */
  GRADYN_HALT_BROKEN,  /* an evaluation failed in a way that forbids another */
  GRADYN_HALT_RESCALE, /* the size of the objective's gradient is known only now */
  GRADYN_HALT_IDLE,    /* the same points are asked for again and again */
  GRADYN_HALT_STRAINED, /* the best point, not by its numbers, is far from the references of its unknowns */
  GRADYN_HALT_CURVATURE /* second derivatives would have cost no more by now, or have failed */
} gradyn_halt;

/* What a search knows of curvatures. */
typedef enum gradyn_curvature {
  GRADYN_CURVATURE_ESTIMATED, /* limited memory; second derivatives where it costs more */
  GRADYN_CURVATURE_TAKEN,     /* second derivatives, where the objective has some */
  GRADYN_CURVATURE_LOST       /* limited memory: second derivatives have failed */
} gradyn_curvature;

typedef struct gradyn_trials {
  const gradyn_program *program; /* borrowed */
  const gradyn_search *search;   /* borrowed */
  gradyn_scaling *scaling;       /* of the pass in progress; owned */
  gradyn_optimality judge;
  double slope; /* of the objective where the search began, or where its size was first known */
  gradyn_trial last, best;
  gradyn_halt halt;
  bool starved;           /* memory has run out beside an evaluation */
  gradyn_status status;   /* of the last evaluation that failed */
  gradyn_message message; /* its reason */
  long allowed;           /* evaluations, but for probes */
  long barren;            /* evaluations without a better point that are allowed; 0: any number */
  long best_at;           /* evaluation of the best point */
  long evaluations, rejected;
  long probes; /* evaluations that were not asked for by the optimiser: no limit counts them */
  long idle;   /* requests since the last new point */
  gradyn_curvature curvature;
  double started; /* s */
  double seconds; /* that the last evaluation took */
} gradyn_trials;

bool gradyn_trials_allocate(gradyn_trials *trials, const gradyn_program *program,
                            const gradyn_search *search);
void gradyn_trials_clear(gradyn_trials *trials);

/* The point at rho [parameters], from memory or by an evaluation; NULL if that is rejected or the
 * search has halted. Lent until the next call. */
const gradyn_trial *gradyn_trials_at(gradyn_trials *trials, const double rho[]);

/* The optimiser goes on from rho [parameters], evaluated last. Where that is far from references, the search
 * is to go on from there with others: halts, and the point takes the place of the best one. */
void gradyn_trials_arrive(gradyn_trials *trials, const double rho[]);

/* Evaluates rho [parameters] to see what is beside the best point, which it replaces, with *lower
 * set, if it is feasible and its objective less than `below`. NULL: rejected, or a request or the
 * time forbids it. */
const gradyn_trial *gradyn_trials_probe(gradyn_trials *trials, const double rho[], double below,
                                        bool *lower);

/* Chooses the scaling from the best point. The factor by which points are judged stays as it is
 * unless it was provisional; it follows the search where that calls a point optimal. */
void gradyn_trials_rescale(gradyn_trials *trials);

/* Where the end of a search has proved to be no optimum: a scale by which it would not have been
 * called one, `slope` of the objective per unit of the parameters if that is less than the scale
 * in use. */
void gradyn_trials_rebase(gradyn_trials *trials, double slope);

/* Slope of the objective at the best point, per unit of the parameters. */
double gradyn_trials_slope(const gradyn_trials *trials);

/* Evaluates the best point once more, uncounted and unwatched, and compares. Its numbers are those
 * of the new evaluation. A failure leaves its reason in the message. */
gradyn_status gradyn_trials_verify(gradyn_trials *trials);

/* Memory has run out: the search is broken. */
void gradyn_trials_starve(gradyn_trials *trials);

/* Seconds since the search began. */
double gradyn_trials_seconds(const gradyn_trials *trials);

/* Whether the search has used up its time, max_seconds. */
bool gradyn_trials_late(const gradyn_trials *trials);

/* Whether the search was ended from outside, or failed for good: its best point is not evaluated again. */
bool gradyn_trials_broken_off(const gradyn_trials *trials);

#endif
