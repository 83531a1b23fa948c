/* Optimisation of a problem's parameters with NLopt or Ipopt. */
#ifndef GRADYN_OPTIMISE_H
#define GRADYN_OPTIMISE_H

#include <stdio.h>

#include <gradyn/evaluate.h>
#include <gradyn/extremes.h>
#include <gradyn/sensitivities.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One trial point of the search; all arrays are lent for the call. */
typedef struct gradyn_iteration {
  long evaluation;      /* 1, 2, ... */
  gradyn_status status; /* of the evaluation; not GRADYN_OK: rejected */
  const char *message;  /* reason of a rejection, "" otherwise */
  const double *rho;    /* [parameters] */
  const double *psi;    /* [functionals]; undefined if rejected */
  double objective;     /* unscaled; NAN if rejected, likewise the next two */
  double violation;     /* largest constraint violation in units of its tolerance */
  double
      projected_gradient; /* KKT residual of the scaled problem; NAN also where constraints are violated
                              * that are more than 100 */
  long steps;             /* of the simulation */
  double seconds;         /* of this evaluation */
  bool best;              /* the best point so far */
} gradyn_iteration;

/* Watches a search; returns false to stop it. */
typedef bool (*gradyn_watch_fn)(const gradyn_iteration *iteration, void *user);

/* When journalled evaluations are forced to disk. A process that is killed loses none in any case;
 * this is about machines that lose their power. */
typedef enum gradyn_durability {
  GRADYN_DURABLE_SECOND, /* once a second */
  GRADYN_DURABLE_EACH,   /* each evaluation, before the search goes on */
  GRADYN_DURABLE_NEVER   /* when the system likes */
} gradyn_durability;

typedef struct gradyn_search {
  const char *algorithm;  /* see gradyn_algorithms(); "auto" (NULL): see gradyn_search_resolve() */
  const char *then;       /* continues from the best point where the first one ends short of an
                             * optimum; NULL: none */
  long max_evaluations;   /* of the algorithm; a few more probe where it has ended */
  double ftol;            /* relative change of the objective; 0: off, likewise xtol */
  double xtol;            /* change of each parameter in units of its scale */
  double optimality;      /* projected gradient (KKT residual), scaled, that counts as optimal */
  double max_seconds;     /* 0: no limit; ends the evaluation in hand, too */
  const bool *vary;       /* [parameters]; NULL: those that are not fixed */
  const char *objective;  /* name of a functional to minimise instead of the problem's; or NULL */
  bool no_scaling;        /* switches the scaling of variables and functionals off */
  double objective_scale; /* factor of the objective where the search begins, as an earlier result
                           * has it; 0: from the gradient there */
  long segments; /* cuts the motion into so many parts of equal length, whose states at the start
                           * are unknown as parameters are, and whose gaps become constraints; 0: none.
                           * By explicit or radau; take "ipopt" */
  /* Where the motion is cut instead, at rho0, and kept as shares of the end time: times in s, "0.2,0.5,0.9";
   * "knots": those of all signals; "events": in the middle between events of the guess that follow each
   * other. NULL: at equal distances. One that an event is on goes beside it. */
  const char *cuts;
  long jobs; /* segments that threads run at a time, to the same bits; 0, 1: one. Functions of the
              * problem, and `cancel` of the options, are called by several at a time then */
  bool
      hessian; /* of searches in segments by "ipopt": second derivatives, part by part, from the start,
                      * not only where an estimate by limited memory has cost as much; without events,
                      * limits and maxima */
  const char
      *guess; /* file of the states over time that a search in segments begins with, with columns as
                      * trajectories have them; times are scaled to the end time. NULL: a simulation, see
                      * gradyn_guess() */
  /* Where a search has ended, knots that pay are added to the signals that it has designed, and another
   * search goes on from there, so often at most; 0: never. Of signals whose knots each are a parameter as it
   * stands, or fixed. */
  long refine_controls;
  bool recheck;          /* simulate the best point again, more exactly; the default */
  gradyn_watch_fn watch; /* may be NULL */
  void *user;            /* for watch */
  const char *journal;   /* a file that every evaluation is written to before the search goes on,
                           * see gradyn_resume(); NULL: none */
  gradyn_durability durability; /* of the journal */
} gradyn_search;

/* Why a search ended; before it is called optimal, or nearly so, the end has been probed. */
typedef enum gradyn_ending {
  GRADYN_ENDED_OPTIMAL,     /* the projected gradient is below `optimality`: a KKT point */
  GRADYN_ENDED_CHANGE,      /* objective or parameters no longer change, nearly optimal */
  GRADYN_ENDED_ROUNDOFF,    /* the line search can go no further: limited by round-off */
  GRADYN_ENDED_EVALUATIONS, /* max_evaluations */
  GRADYN_ENDED_TIME,        /* max_seconds */
  GRADYN_ENDED_STOPPED,     /* on request */
  GRADYN_ENDED_INFEASIBLE,  /* no point satisfies the constraints */
  GRADYN_ENDED_FAILED,      /* the start failed, or the search broke down far from an optimum */
  GRADYN_ENDED_UNBOUNDED    /* the objective seems to have no minimum within the bounds */
} gradyn_ending;

/* The best point simulated again with half the step, or a tenth of the tolerance: how far its
 * numbers are those of the mechanism and not of the step. A movement is given in tolerances: those of
 * the constraints, 1e-5 of the objective (or 1e-6 of its scale, if that is more). */
typedef struct gradyn_recheck {
  bool done;            /* the rest holds; otherwise it is zero */
  gradyn_status status; /* of that simulation; not GRADYN_OK: what follows is undefined */
  double step, rtol;    /* it was done with; s; 0: the method has none */
  double *psi;          /* [functionals] */
  double objective;
  double moved;      /* the largest movement of the objective or into violation, in tolerances */
  size_t functional; /* whose it is; the number of functionals: the objective's */
  /* that would bring the movement below one tolerance; those of the search if it is */
  double step_to_use, rtol_to_use;
} gradyn_recheck;

/* Where a search has held a limit along the way. */
typedef struct gradyn_limit_row {
  size_t functional; /* its side, name.over or name.under */
  double t;          /* s, at the result; at an event: where that was when the row joined */
  double value;      /* of the side there, in the unit of the limit; at most 0: kept */
  double multiplier; /* of that round's search: see gradyn_search_result; 0: it does not press */
  int round;         /* in which it joined: 1, 2, ... */
  gradyn_event_id event;
  int which;   /* > 0: at that occurrence of the event, whenever it is */
  bool behind; /* behind the event, or behind a jump of a control between segments; else before */
  int knot;    /* > 0: at knot `knot - 1` of the signal that is limited, whenever that is */
} gradyn_limit_row;

/* Points of a search in segments that it has gone on from, thinned evenly where there are many. */
typedef struct gradyn_course {
  size_t count, width;
  long *iteration; /* [count], ascending; 0: where it has begun */
  double *rho;     /* [count][width] parameters, and what is unknown at the cuts */
} gradyn_course;

/* Which of its columns each row of a matrix depends on. */
typedef struct gradyn_sparsity {
  size_t rows, columns;
  size_t *start, *column; /* [rows + 1]; [start[rows]] of row i from start[i] on, ascending */
} gradyn_sparsity;

/* How the gaps of a search in segments have closed, and what its rows depend on. */
typedef struct gradyn_closing {
  size_t points, segments, samples, states;
  long *iteration;    /* [points], as in gradyn_course */
  double *gap;        /* [points] the largest, in its tolerances */
  double *t_end;      /* [points] s */
  double *share;      /* [segments + 1] where cuts are, of the end time */
  size_t *state;      /* [states] columns of a trajectory: those that have jumped most at cuts */
  double *y;          /* [points][segments][samples][states], at equal distances in a segment */
  size_t parameters;  /* columns of both patterns: varied parameters, then states at the cuts */
  size_t constraints; /* rows of the first: constraints, then gaps */
  /* Of constraints and gaps; of the Lagrangian twice, without rows if the search has not used that. */
  gradyn_sparsity jacobian, curvature;
} gradyn_closing;

/* Outcome of a search. Arrays belong to the result; free with gradyn_search_result_clear(). */
typedef struct gradyn_search_result {
  gradyn_ending ending;
  char reason[1024]; /* in words, with numbers, one line */
  /* The evaluator of the result, if it is another one: that of gradyn_search_evaluator(), or one with the
   * knots that refine_controls has added to signals. Parameters of the result are then its own: behind those
   * of the search, values of the added knots, called signal@place (3.5: in the middle of knots 3 and 4). */
  gradyn_evaluator *refined;
  double *rho;      /* [parameters], the best point, verified by an evaluation of its own */
  double *psi;      /* [functionals] there */
  double *gradient; /* [functionals][parameters] there */
  double *
      multiplier; /* [functionals] of constraints, in units of the objective: what it falls by where the
                       * bound of an inequality is loosened by one, its negative slope by that of an
                       * equality; 0 of others; NAN: not known */
  const char *algorithm; /* which has ended the search: the first one, or `then`; NULL: none */
  double objective, initial_objective;
  double violation;           /* in units of the tolerances; <= 1: feasible */
  double projected_gradient;  /* KKT residual, scaled; NAN if infeasible */
  double objective_scale;     /* factor of the objective there, as found at the best point */
  double *parameter_scale;    /* [parameters], size of a unit step; 0: not varied */
  long evaluations, rejected; /* without the one that verifies */
  long probes;                /* of these, around the end: max_evaluations does not count them */
  double seconds;
  gradyn_extreme
      *extreme; /* [functionals] true maxima there, where smooth ones stand for them; NULL:
                            * there are none, or as for recheck */
  gradyn_trajectory *parts; /* the motion in segments, part by part; NULL: there are none */
  gradyn_course course; /* of a search in segments by "ipopt", which tells where it goes on from; of
                         * others the start and the end */
  gradyn_limit_row *rows; /* [row_count] */
  size_t row_count;
  int rounds;             /* of searches, each with more rows than the one before; 0: no limits */
  gradyn_recheck recheck; /* not done after searches that failed or were stopped */
  gradyn_status journal;  /* not GRADYN_OK: evaluations are missing there, see reason */
} gradyn_search_result;

/* Fills search with the defaults for the problem of the evaluator: its algorithm is the problem's, or
 * "auto". */
GRADYN_API void gradyn_search_default(const gradyn_evaluator *evaluator, gradyn_search *search);

/* Replaces the algorithm "auto" by the one that a search takes, and sets `then`. With constraints (or
 * several pieces of a maximum) and at least ten varied parameters, and in segments: "ipopt". With
 * constraints and fewer parameters: "slsqp". Without: "lbfgs". Searches call it themselves. why [size],
 * or NULL: what the choice depends on, "21 controls, 3 constraints"; "" if the algorithm was named.
 * GRADYN_INVALID: an argument is NULL. */
GRADYN_API gradyn_status gradyn_search_resolve(const gradyn_evaluator *evaluator,
                                               gradyn_search *search, char why[], size_t size);

/* The evaluator by "auto" that a search in segments takes where the problem's own method does not run in
 * them; free it. NULL in *out: the search takes `evaluator`, whose options may name a method.
 * gradyn_optimise() calls this itself, and returns the evaluator as `refined`. It serves to record settings
 * before a search. */
GRADYN_API gradyn_status gradyn_search_evaluator(const gradyn_evaluator *evaluator,
                                                 const gradyn_search *search,
                                                 gradyn_evaluator **out);

/* Optimises from rho0 [parameters]. GRADYN_OK: ended at an optimum (or nearly so, see ending);
 * GRADYN_INFEASIBLE, GRADYN_STALLED, GRADYN_INTERRUPTED and the status of a start that fails: the
 * best point is still in the result. GRADYN_INVALID: the search cannot be set up, see reason; so it
 * is if the journal already holds evaluations. */
GRADYN_API gradyn_status gradyn_optimise(gradyn_evaluator *evaluator, const gradyn_search *search,
                                         const double rho0[], gradyn_search_result *result);
GRADYN_API void gradyn_search_result_clear(gradyn_search_result *result);

/* Costates of the Lagrangian at the end of a search, with the multipliers of its constraints, and of limits
 * at the instants where they have been held: gradyn_costates_find(). The evaluator is that of the search, or
 * the result's `refined`. GRADYN_UNSUPPORTED: multipliers are not known, or the method has no costates; the
 * message is the evaluator's. Clear the result in any case. */
GRADYN_API gradyn_status gradyn_search_costates(gradyn_evaluator *evaluator,
                                                const gradyn_search *search,
                                                const gradyn_search_result *result,
                                                gradyn_costates *out);

/* How a search in segments has come to its end: the parts are run again at the points of its course, and
 * differentiated at the last one. The evaluator is that of the search, or the result's `refined`; a file of a
 * guess has to be there. GRADYN_INVALID: it was no search in segments; others: a run fails, the message is
 * the evaluator's. Clear the result in any case. */
GRADYN_API gradyn_status gradyn_search_closing(gradyn_evaluator *evaluator,
                                               const gradyn_search *search,
                                               const gradyn_search_result *result,
                                               gradyn_closing *out);
GRADYN_API void gradyn_closing_clear(gradyn_closing *closing);

/* Names of the algorithms that this build offers, ended by NULL; "ipopt" only if it was found then. */
GRADYN_API const char *const *gradyn_algorithms(void);
/* Why this build does not offer an algorithm that others do, and what to install or to take instead; NULL: it
 * does, or there is none of this name. */
GRADYN_API const char *gradyn_algorithm_lacks(const char *name);
/* "optimal", "round-off limited", ... */
GRADYN_API const char *gradyn_ending_name(gradyn_ending ending);

#ifdef __cplusplus
}
#endif

#endif
