/* Optimisation of the parameters of a problem, with NLopt or Ipopt. */
#ifndef GRADYN_OPTIMISE_H
#define GRADYN_OPTIMISE_H

#include <stdio.h>

#include <gradyn/analysis.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trial point of a search. All pointers are valid during the callback only. */
typedef struct gradyn_iteration {
  /* number of the evaluation in the search, from 1; it counts the evaluations of all rounds, and those
   * around the end */
  long evaluation;
  gradyn_status status; /* status of the evaluation; not GRADYN_OK: the point is rejected */
  const char *message;  /* reason of a rejection; otherwise "" */
  /* [parameters], each in its unit; then inserted knots of refine_controls, or states at segment
   * boundaries */
  const double *rho;
  const double *psi; /* [functionals], each in its unit, then defects; undefined if rejected */
  double objective;  /* unscaled, with weights, in its unit; NAN if rejected */
  /* largest constraint violation over its tolerance; at most 1: feasible; NAN if rejected */
  double violation;
  /* KKT residual of the scaled problem, dimensionless; NAN if rejected, or if some of more than 20
   * constraints are violated. */
  double projected_gradient;
  long steps;     /* number of steps of the simulation */
  double seconds; /* wall time of this evaluation, s; if replayed: the time that it took before */
  bool best;      /* true: the best point so far */
} gradyn_iteration;

/* Receives each trial point of a search, and `user` of the search. Returns false to stop the search: it ends
 * with GRADYN_INTERRUPTED and the best point. Called by the thread of the search. */
typedef bool (*gradyn_iteration_fn)(const gradyn_iteration *iteration, void *user);

/* When evaluations of a journal are forced to disk. A killed process loses none of them in any case; a
 * power failure loses those that are not on disk. */
typedef enum gradyn_durability {
  GRADYN_DURABLE_SECOND, /* once per second */
  GRADYN_DURABLE_EACH,   /* after each evaluation, before the search continues */
  GRADYN_DURABLE_NEVER   /* when the operating system writes them */
} gradyn_durability;

/* Settings of a search. Fill with gradyn_search_default(), then change members. Texts and arrays belong to
 * the caller; searches need them during the call only. */
typedef struct gradyn_search {
  size_t struct_size; /* sizeof (gradyn_search), bytes; set by gradyn_search_default() */
  /* A name of gradyn_algorithm_names(); "auto" (NULL): see gradyn_search_resolve() */
  const char *algorithm;
  /* Algorithm that continues from the best point if the first one ends before an optimum. It also
   * continues after 500 evaluations, or after 160 evaluations without a better point. NULL: none. If the
   * first one is "auto", a search chooses both */
  const char *then;
  /* Largest number of evaluations, failed ones included, at least 1; default 1000. Evaluations around the
   * end, see gradyn_termination, are not counted */
  long max_evaluations;
  /* The search stops if the relative change of the objective is smaller; 0: off; default: the larger of
   * 1e-10 and rtol */
  double ftol;
  /* The search stops if the change of each parameter, over its scale, is smaller; 0: off; default 1e-10 */
  double xtol;
  /* Scaled projected gradient (KKT residual) of an optimum; default: the larger of 1e-6 and 10 rtol */
  double optimality;
  /* largest wall time of the search, s, which also ends a running evaluation; 0: no limit */
  double max_seconds;
  /* [parameters] true: the search changes it; NULL: those that are not fixed. Equal bounds fix a parameter
   * in any case. */
  const bool *vary;
  /* Name of a functional to minimise instead of the objective, with weight 1. NULL: the objective of the
   * problem */
  const char *objective;
  bool no_scaling; /* true: variables and functionals are not scaled; default false */
  /* Initial factor of the objective, for example from an earlier result; 0: from the gradient at the
   * start */
  double objective_scale;
  /* Number of segments of equal length, 2 to 10000, for direct multiple shooting (Bock & Plitt 1984), with
   * explicit or radau; use "ipopt". The states at segment boundaries are unknowns, their continuity
   * defects constraints. 0: none, or as in segment_times. */
  long segments;
  /* Segment boundaries at rho0, which stay at the same share of the end time. "0.2,0.5,0.9": times, s.
   * "knots": those of all signals. "events": halfway between successive events of the guess. With these,
   * `segments` must be 0. NULL: equal distances. A boundary at an event is moved to the middle of a
   * neighbouring interval. If build() sets the end time, boundaries at times of functionals move, too. */
  const char *segment_times;
  /* Threads for segments, with the same results to the last bit; 0, 1: one thread. Functions of the problem
   * and `cancel` of the options are then called by several threads */
  long jobs;
  /* true: second derivatives from the start, only for searches in segments with "ipopt". false: such a
   * search uses them after a limited-memory estimate has cost an equal time. Not available with events or
   * maxima. Path constraints require explicit or radau. */
  bool hessian;
  /* CSV file of initial states over time for segments, with columns of trajectories, at least two times.
   * Times are scaled to the end time. NULL: the warm start, or gradyn_guess(), or a simulation */
  const char *guess;
  /* Warm start: `warm.text` of an earlier result, also of another problem or other segments. The search
   * begins with its multipliers, points of path constraints and states at segment boundaries, by name. The
   * reason of the result lists the data that do not fit. rho0 is not replaced, see
   * gradyn_warm_start_point(). Only "ipopt" begins with multipliers. NULL: none */
  const char *warm_start;
  /* Number of rounds that insert knots into the optimised signals where this reduces the objective, and
   * search again; 0: none. Each knot of such a signal must be a parameter itself, or fixed. */
  long refine_controls;
  /* Largest number of rounds with path constraints. Each round adds points at violations and searches again.
   * 0: rounds continue while the largest violation halves in three rounds */
  long path_rounds;
  /* true (the default): simulate the best point again with a smaller error */
  bool verify_discretisation;
  gradyn_iteration_fn on_iteration; /* callback for each evaluation; NULL: none */
  void *user;                       /* passed to the callback; may be NULL */
  /* File that receives each evaluation before the search continues; created if it is missing. NULL: none.
   * Rounds of refine_controls have files of their own: name-knots-1, ... before the file type */
  const char *journal;
  gradyn_durability durability; /* durability of the journal; default GRADYN_DURABLE_SECOND */
  /* true: resume the search of the journal after a stop or a crash. The call repeats the last evaluation
   * as a check, then the search to the last bit, without simulations. From the first evaluation that is not
   * in the journal the call simulates. Limits and tolerances may differ. If the journal is missing, the
   * search begins a new one. */
  bool resume;
} gradyn_search;

/* Reason of the termination of a search. Before a search reports an optimum, it evaluates points around the
 * end. */
typedef enum gradyn_termination {
  GRADYN_TERMINATION_OPTIMAL,     /* a KKT point: the projected gradient is below `optimality` */
  GRADYN_TERMINATION_CHANGE,      /* nearly optimal: objective or parameters no longer change */
  GRADYN_TERMINATION_ROUNDOFF,    /* nearly optimal: the line search makes no further progress */
  GRADYN_TERMINATION_EVALUATIONS, /* max_evaluations is reached, perhaps nearly optimal */
  GRADYN_TERMINATION_TIME,        /* max_seconds is reached, perhaps nearly optimal */
  GRADYN_TERMINATION_STOPPED,     /* a callback requested it */
  GRADYN_TERMINATION_INFEASIBLE,  /* no feasible point was found, or the run violates constraints */
  GRADYN_TERMINATION_FAILED,      /* the start failed, or the search stopped far from an optimum */
  GRADYN_TERMINATION_UNBOUNDED    /* the objective seems to have no minimum within the bounds */
} gradyn_termination;

/* A second simulation of the best point with half the step or a tenth of the tolerance, which estimates the
 * discretisation error. Changes are in tolerances. The tolerance of a constraint is its own. That of the
 * objective is the larger of 1e-5 of its value and 1e-6 of its scale. */
typedef struct gradyn_discretisation_check {
  bool done; /* false: not done, and the other members are zero */
  /* status of that simulation; not GRADYN_OK: psi and later members are undefined */
  gradyn_status status;
  double step; /* step of that simulation, s; 0: the method has none */
  double rtol; /* relative tolerance of that simulation, dimensionless; 0: the method has none */
  double *psi; /* [functionals], each in its unit */
  double objective; /* objective in that simulation, unscaled, in its unit */
  /* largest change of the objective, or of a constraint towards violation, in tolerances */
  double change;
  /* index of the functional with that change, from 0; their number: the objective */
  size_t functional;
  /* Step with which the change is below one tolerance, s; that of the search if it suffices */
  double step_to_use;
  /* Relative tolerance with which the change is below one tolerance, dimensionless; that of the search if it
   * suffices */
  double rtol_to_use;
} gradyn_discretisation_check;

/* A point at which a search has enforced a path constraint. */
typedef struct gradyn_path_point {
  /* index from 0 of the side of the constraint: functional name.over or name.under */
  size_t functional;
  double t;          /* time at the result, s; at an event: its time when this point was added */
  double value;      /* value of the side at that time, in its unit; at most 0: satisfied */
  double multiplier; /* as in gradyn_search_result, after the last round; 0: not active */
  int round;         /* number of the round that added the point, from 1 */
  gradyn_event_id event; /* event at which the point is; 0: at no event */
  int occurrence;        /* occurrence of that event, from 1; 0: at no event */
  bool after; /* true: after the event, or after a jump of a control at a segment boundary */
  int knot;   /* number of the knot of the limited signal, from 1; 0: at no knot */
  /* Window of the run, s, in which the point moves with the largest value; t is then the time at which it
   * was found. Both 0: the point does not move */
  double from, to;
} gradyn_path_point;

/* Iterates of a search in segments; of many, an evenly spaced selection of at most 49. Without segments all
 * members are zero. */
typedef struct gradyn_iterates {
  size_t count;    /* number of iterates */
  size_t width;    /* number of unknowns */
  long *iteration; /* [count] numbers of iterations of the algorithm, ascending; 0: the start */
  /* [count][width] parameters, then the unknown states at segment boundaries, in their units */
  double *rho;
} gradyn_iterates;

/* Structure of a sparse matrix, by rows. */
typedef struct gradyn_sparsity {
  size_t rows;    /* number of rows; 0: no matrix */
  size_t columns; /* number of columns */
  size_t *start;  /* [rows + 1] index of the first entry of each row in `column`, from 0 */
  /* [start[rows]] columns, from 0, of the nonzero entries, ascending within a row */
  size_t *column;
} gradyn_sparsity;

/* Continuity defects of the iterates of a search in segments, their motions, and the sparsity of its
 * derivatives. */
typedef struct gradyn_defect_history {
  size_t points;   /* number of iterates in the result */
  size_t segments; /* number of segments */
  size_t samples;  /* states per segment in y, both ends included, 2 to 12 */
  size_t states;   /* states in y, at most 4: those with the largest jumps at segment boundaries */
  long *iteration; /* [points] numbers of the iterates */
  double *defect;  /* [points] largest defect over its tolerance, dimensionless */
  double *t_end;   /* [points] end times, s */
  double *share;   /* [segments + 1] segment boundaries as shares of the end time, 0 to 1 */
  size_t *state;   /* [states] columns of a trajectory */
  /* [points][segments][samples][states] at equal distances in a segment, in units of the states */
  double *y;
  size_t parameters;        /* columns that are free parameters; states at boundaries follow */
  size_t constraints;       /* constraints, the first rows of `jacobian`; defects follow */
  gradyn_sparsity jacobian; /* pattern of the derivatives of constraints and defects */
  /* Of second derivatives of the Lagrangian; no rows: not used by the search */
  gradyn_sparsity curvature;
} gradyn_defect_history;

/* The journal of a search, and its use by a resumed search. */
typedef struct gradyn_resumed {
  gradyn_status status; /* not GRADYN_OK: the journal lacks evaluations, see reason */
  long journalled;      /* evaluations in the journal */
  long replayed;        /* of these, evaluations that the search reused without a simulation */
  char note[1024];      /* differences from the journal, one per line; "" if there are none */
} gradyn_resumed;

/* Multipliers of bounds at the end of a search, and its warm start. */
typedef struct gradyn_warm_data {
  /* [parameters] of lower and of upper bounds: decrease of the objective per unit by which the bound is
   * relaxed. Unit of the objective over that of the parameter. 0: not active; NAN: not known */
  double *lower_multiplier, *upper_multiplier;
  /* Barrier parameter at the end, in the unit of the objective; 0: the algorithm has none */
  double barrier;
  /* For gradyn_search.warm_start: values, multipliers, points of path constraints and states at segment
   * boundaries. JSON with all digits; NULL: no point */
  char *text;
} gradyn_warm_data;

/* The best point with rounded values of integer signals, see gradyn_signal_spec, and a simulation of it. The
 * method is sum-up rounding (Sager, Bock & Diehl 2012). All members are zero if the model has no integer
 * signals, or if the search was stopped or has no point. */
typedef struct gradyn_rounded {
  gradyn_status status; /* of rounding and simulation; not GRADYN_OK: the reason has a message */
  double *rho;          /* [parameters] rounded point, in their units; NULL: rounding has failed */
  double *psi;          /* [functionals], each in its unit; NULL: the simulation has failed */
  double objective;     /* unscaled, with weights, in its unit */
  double violation;     /* largest violation over its tolerance */
  /* Largest |integral of relaxed minus rounded values| of a signal, in its unit times s, from the start to
   * any time. It is that of the signal or set with the largest ratio to its bound */
  double deviation;
  double bound;  /* its bound: half the longest interval; for a set of n signals, n - 1 intervals */
  size_t signal; /* index of that signal, or of the first one of its set, from 0 */
} gradyn_rounded;

/* Result of a search. All arrays and objects belong to it; release it with gradyn_search_result_clear(). */
typedef struct gradyn_search_result {
  gradyn_termination termination; /* reason of the termination */
  char reason[1024]; /* one finding per line; each line but the first is " subject: finding" */
  /* Evaluator of the result if it is not that of the search: of gradyn_search_evaluator(), or one with the
   * knots that refine_controls has inserted. Parameters of the result are its own: those of the search,
   * then the values of inserted knots. Their names are signal@position; 3.5: halfway between knots 3 and 4.
   * NULL: the evaluator of the search. */
  gradyn_evaluator *refined;
  /* [parameters] the best point, in units of the parameters. A separate evaluation has confirmed it, unless
   * the search was stopped or reached its time limit. NULL, like the arrays below: the search did not
   * begin. */
  double *rho;
  double *psi; /* [functionals] at that point, in their units; NAN: not known */
  /* [functionals][parameters] at that point, unit of the functional over the unit of the parameter; NAN:
   * not known */
  double *gradient;
  /* [functionals] of inequalities: decrease of the objective per unit by which the bound is relaxed. Of
   * equalities: minus the derivative of the objective by the bound. Unit of the objective over that of the
   * functional. 0: no constraint; NAN: not known. */
  double *multiplier;
  gradyn_warm_data warm; /* multipliers of bounds, and the start of a further search */
  const char *algorithm; /* the one that ended the search, first or `then`; static; NULL: none */
  double objective; /* at the best point, unscaled, with weights, in its unit; NAN: there is none */
  double initial_objective; /* at the start, unscaled, in its unit; NAN: the start failed */
  /* largest constraint violation over its tolerance; at most 1: feasible; NAN: no point */
  double violation;
  double projected_gradient; /* scaled KKT residual, dimensionless; NAN: infeasible or no point */
  double objective_scale;    /* factor of the objective at the best point, one over its unit */
  /* [parameters] size of a unit step, in units of the parameters; 0: not changed */
  double *parameter_scale;
  long evaluations; /* number of evaluations, without the confirmation */
  long rejected;    /* of these, evaluations that failed */
  /* of these, evaluations around the end, see gradyn_termination; not counted by max_evaluations */
  long probes;
  double seconds; /* wall time of the search, s */
  /* [functionals] exact maxima that smooth ones approximate; NULL: none, or not computed */
  gradyn_extreme *extreme;
  /* motion in segments, one after the other; NULL: none, or it failed */
  gradyn_trajectory *segment_motion;
  /* Iterates of a search in segments with "ipopt"; with other algorithms the start and the end */
  gradyn_iterates iterates;
  /* [path_point_count] points at which path constraints were enforced */
  gradyn_path_point *path_points;
  size_t path_point_count; /* number of these points */
  int rounds; /* number of searches, each with more such points; 0: no path constraints */
  /* [warning_count] about the best point and about the search, in the order of codes */
  gradyn_warning *warnings;
  size_t warning_count; /* number of these warnings */
  /* not done after a search that failed or was stopped */
  gradyn_discretisation_check discretisation;
  gradyn_rounded rounded; /* with integer signals only */
  gradyn_resumed resumed; /* other members than its status: zero unless the search was resumed */
} gradyn_search_result;

/* Fills *search with the defaults for the problem of an evaluator; the algorithm is that of the problem, or
 * "auto". If the evaluator is NULL, the algorithm is "auto" and all other settings are 0. The evaluator
 * must have been created successfully. Callers in C need not set struct_size; the macro below does. Other
 * languages set it before the call. A search of another size stays as it is; NULL is ignored. */
GRADYN_API void gradyn_search_default(const gradyn_evaluator *evaluator, gradyn_search *search);

/* Stores the size of *search in it, unless it is NULL, and returns the pointer. */
static inline gradyn_search *gradyn_search_sized(gradyn_search *search)
{
  if (search)
    search->struct_size = sizeof *search;
  return search;
}
#define gradyn_search_default(evaluator, search)                                                   \
  gradyn_search_default(evaluator, gradyn_search_sized(search))

/* Replaces the algorithm "auto" (NULL) of a search by the chosen one, and sets `then`, the algorithm that
 * continues. In segments: "ipopt" alone. With constraints or a minimax objective of several functionals:
 * "slsqp", then "ipopt"; with ten free parameters or more "ipopt", then "slsqp". Otherwise: "lbfgs", then
 * "ipopt". If this build of gradyn lacks `then`, it is NULL. If the build lacks the chosen algorithm,
 * "slsqp" is used. Searches call this function themselves. Writes the reason of the choice to why [size],
 * for example "21 controls, 3 constraints"; "" if the search names an algorithm. why NULL: not requested.
 *
 * Errors: GRADYN_INVALID: the evaluator or the search is NULL, the evaluator was not created, or struct_size
 * is wrong. */
GRADYN_API gradyn_status gradyn_search_resolve(const gradyn_evaluator *evaluator,
                                               gradyn_search *search, char why[], size_t size);

/* Creates the evaluator that a search uses instead of the given one. A search in segments uses one with the
 * method "auto", if the method of the problem cannot run segments. *out is NULL if the search uses the given
 * evaluator, for example because the options of that evaluator name a method. Searches create the other one
 * themselves, and return it as `refined` of gradyn_search_result. Use this function to record settings
 * before a search. On failure *out is NULL or an evaluator that has the message only. Release *out with
 * gradyn_evaluator_free() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, struct_size of the search is wrong, or the options of the
 * evaluator have a step. The others are those of gradyn_evaluator_create(). */
GRADYN_API gradyn_status gradyn_search_evaluator(const gradyn_evaluator *evaluator,
                                                 const gradyn_search *search,
                                                 gradyn_evaluator **out);

/* Optimises the parameters, from rho0 [parameters], each in its unit. A start outside the bounds is moved to
 * the nearest bound. The call overwrites *result, also on failure, without releasing earlier contents.
 * Release *result with gradyn_search_result_clear() in any case. Afterwards the evaluator can be used again;
 * simulate at result->rho for the motion. Returns GRADYN_OK at an optimum, or nearly so, also at a limit;
 * see the termination in the result.
 *
 * Errors with the best point in the result: GRADYN_INFEASIBLE: it violates a constraint. GRADYN_STALLED: it
 * is no optimum, for example at a limit of evaluations or of time. GRADYN_INTERRUPTED: a callback stopped
 * the search. If the start fails, or a later evaluation fails for lack of memory, the call returns the
 * status of that evaluation. A start that failed is the point in the result, with the objective NAN. Errors
 * without a point: GRADYN_INVALID: an argument is NULL, a setting is invalid, or no parameter is free. Also:
 * the journal is damaged or in use, or has evaluations without `resume`. For a resumed search also: its
 * repeated evaluation differs, or the journal is not given or belongs to another problem.
 * GRADYN_UNSUPPORTED: the segments or second derivatives do not suit the problem, or load cases are combined
 * with segments, refine_controls or path constraints. GRADYN_NOT_FOUND: there is no file `guess`. GRADYN_IO:
 * the journal or `guess` cannot be opened or read. A failed simulation for the guess returns its own status.
 * GRADYN_NO_MEMORY. The member `reason` has the details. */
GRADYN_API gradyn_status gradyn_optimise(gradyn_evaluator *evaluator, const gradyn_search *search,
                                         const double rho0[], gradyn_search_result *result);

/* Copies the parameters of a warm start, by name. Arrays with another number of elements are interpolated.
 * Other parameters keep their values. warm_start: `warm.text` of a gradyn_search_result. rho [parameters]:
 * values in the units of the parameters, overwritten. Writes a line for each kind of data that does not fit
 * to note [size]; "": all data fit. note NULL: not requested. After an error rho stays as it was.
 *
 * Errors, with the reason in the note: GRADYN_INVALID: an argument is NULL, the evaluator was not created,
 * or the text is no warm start. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_warm_start_point(const gradyn_evaluator *evaluator,
                                                 const char *warm_start, double rho[], char note[],
                                                 size_t size);

/* Releases the arrays and objects of a result and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_search_result_clear(gradyn_search_result *result);

/* Computes the costates of the Lagrangian at the end of a search, by gradyn_costates_compute(). Its weights
 * are the multipliers of constraints, and of path constraints at their enforced points. The evaluator is
 * that of the search, or `refined` of the result. Release *out with gradyn_costates_clear() in any case.
 *
 * Errors: GRADYN_UNSUPPORTED: the multipliers are not known, the objective is the largest of several
 * functionals, or the method has no costates. GRADYN_INVALID: an argument is NULL, the evaluator was not
 * created, struct_size is wrong, or the result has no point. GRADYN_NO_MEMORY. A failed run returns its own
 * status. The evaluator has the message. */
GRADYN_API gradyn_status gradyn_search_costates(gradyn_evaluator *evaluator,
                                                const gradyn_search *search,
                                                const gradyn_search_result *result,
                                                gradyn_costates *out);

/* Computes the continuity defects of a search in segments. The call simulates the segments at all iterates
 * in the result, and differentiates at the last one. The evaluator is that of the search, or `refined` of
 * the result. The file search.guess, if set, must still exist. Release *out with
 * gradyn_defect_history_clear() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, the evaluator was not created, or struct_size is wrong.
 * GRADYN_INVALID also: the search is not in segments, or the result belongs to another search.
 * GRADYN_NO_MEMORY. A failed run returns its own status. The evaluator has the message. */
GRADYN_API gradyn_status gradyn_search_defect_history(gradyn_evaluator *evaluator,
                                                      const gradyn_search *search,
                                                      const gradyn_search_result *result,
                                                      gradyn_defect_history *out);

/* Releases the arrays of continuity defects and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_defect_history_clear(gradyn_defect_history *closing);

/* --- Receding horizon ----------------------------------------------------------------------------- */

/* A controller that plans again at each step from a measured state (model predictive control, receding
 * horizon). A plan consists of the parameters and of the states at the starts of segments. The controller
 * keeps multipliers and second derivatives of its plan from step to step. Opaque. */
typedef struct gradyn_mpc gradyn_mpc;

/* The plan of a controller, and the report of its last step. Pointers belong to the controller and are valid
 * until its next step. */
typedef struct gradyn_mpc_info {
  size_t segments;          /* number of segments of the horizon */
  size_t state_count;       /* number of measured states */
  const char *const *state; /* [state_count] their names */
  const double *rho;        /* [parameters] the plan, each in its unit */
  /* [segments][state_count] planned states at the starts of segments; first the measured state as used */
  const double *states;
  /* Objective of the last evaluation in the step, unscaled. If the step has converged, this is the objective
   * of the plan. NAN: no evaluation */
  double objective;
  /* Largest violation over its tolerance at that evaluation, or NAN. Above 1 in a plan that has converged: a
   * path constraint is violated, see `message` */
  double violation;
  double residual; /* scaled KKT residual at that evaluation, or NAN */
  /* Largest distance by which a measured state was moved into its bounds, in its unit; 0: none */
  double moved;
  size_t moved_state;  /* index of that state, from 0 */
  bool converged;      /* the plan satisfies the conditions of an optimum */
  long iterations;     /* number of Newton iterations of the step */
  long evaluations;    /* number of gradients of the whole horizon in the step */
  long hessians;       /* number of second derivatives of the whole horizon in the step */
  const char *message; /* reason of a failure, a moved state or a violation; "": none */
} gradyn_mpc_info;

/* Creates a controller of the problem of an evaluator, for a horizon from the present time to the end time.
 * Of *search it uses `segments`, at least 2 of equal length, `vary`, `objective`, `optimality`, `jobs`,
 * `guess` and `warm_start`. rho0 [parameters]: the first plan. A plan has converged if its KKT residual is
 * at most `optimality`, and its defects too, relative to the size of a state. Parameters that change only
 * initial states are not varied. Their bounds are those of measured states. Path constraints are enforced at
 * points of each segment. If no plan satisfies them, their violations are minimised with the objective. The
 * evaluator must outlive the controller. On failure *out is NULL, and the evaluator has the message.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, or a setting is invalid. GRADYN_UNSUPPORTED: a mechanism,
 * events, maxima, a free end time, or the largest of several functionals. GRADYN_NO_MEMORY. A failed run
 * returns its own status. */
GRADYN_API gradyn_status gradyn_mpc_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                           const double rho0[], gradyn_mpc **out);

/* Moves the plan by `shift` segments, 0 to their number, and improves it by Newton iterations for a measured
 * state.
 *
 * state [state_count]: measured state, each in its unit, in the order of gradyn_mpc_info.state.
 * given [parameters]: new values of the parameters that are not varied; NULL: they stay.
 * iterations: largest number of Newton iterations. 0: until the plan converges. 1: the real-time form, which
 *   does not evaluate the plan after its only iteration.
 *
 * Values of signals with knots at equal distances move with the plan. After an error the plan is the moved
 * one. With one job, a step after the first requests memory only if a run needs more steps than before, or if
 * KLU chooses other pivots.
 *
 * Errors, with the message of gradyn_mpc_read(): GRADYN_INVALID: an argument is NULL or out of range, or a
 * number is not finite. GRADYN_STALLED: no convergence. GRADYN_SINGULAR. GRADYN_NO_MEMORY. A failed run
 * returns its own status. */
GRADYN_API gradyn_status gradyn_mpc_step(gradyn_mpc *mpc, const double state[],
                                         const double given[], long shift, long iterations);

/* Returns the plan of a controller and the report of its last step. NULL: all members are 0. */
GRADYN_API gradyn_mpc_info gradyn_mpc_read(const gradyn_mpc *mpc);

/* Releases a controller, with the pointers that gradyn_mpc_read() has returned for it; NULL is ignored. */
GRADYN_API void gradyn_mpc_free(gradyn_mpc *mpc);

/* Returns the names of the algorithms of this build, without "auto"; NULL ends the array. The array and its
 * texts are static. May be called from several threads. */
GRADYN_API const char *const *gradyn_algorithm_names(void);

/* Returns why this build lacks an algorithm, and the package or algorithm to use instead. NULL if the build
 * has it, or the name is NULL or unknown. The text is static. */
GRADYN_API const char *gradyn_algorithm_unavailable_reason(const char *name);

/* Returns a termination in words, for example "optimal" or "round-off limited"; "unknown" for any other
 * number. The text is static and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_termination_name(gradyn_termination ending);

#ifdef __cplusplus
}
#endif

#endif
