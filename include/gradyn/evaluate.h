/* Evaluators: simulations, functionals and exact gradients of a problem, with trajectories, warnings and
 * checks. */
#ifndef GRADYN_EVALUATE_H
#define GRADYN_EVALUATE_H

#include <gradyn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An evaluator simulates and differentiates one problem with one set of options. Two threads must not use one
 * evaluator at the same time; several evaluators may run in parallel. Each result depends on its arguments
 * only, never on earlier calls. If the creation failed, all functions that compute with the evaluator return
 * GRADYN_INVALID, and its message stays. Opaque. */
typedef struct gradyn_evaluator gradyn_evaluator;

/* Trajectories: the states of a simulation over time, at every accepted step. */

/* States over time, one row for each accepted step, filled by gradyn_evaluator_simulate() and other analyses.
 * At an event there are two rows with the same time: the states before and after it. A trajectory may be read
 * after its evaluator is released. Opaque. Several threads may read a trajectory while no call fills it. */
typedef struct gradyn_trajectory gradyn_trajectory;

/* Creates an empty trajectory, without rows or columns. Returns NULL if memory is exhausted. The caller
 * owns the result and releases it with gradyn_trajectory_free(). */
GRADYN_API gradyn_trajectory *gradyn_trajectory_create(void);

/* Releases a trajectory, and all arrays and names that functions have returned for it; NULL is ignored. */
GRADYN_API void gradyn_trajectory_free(gradyn_trajectory *trajectory);

/* All rows of a trajectory. The arrays are those of the trajectory, not copies. They are valid until another
 * run fills the trajectory, or it is released. */
typedef struct gradyn_trajectory_view {
  size_t steps;        /* number of rows: the start of the run and the accepted steps */
  size_t columns;      /* number of columns without time */
  const double *times; /* [steps] times of the rows, s; NULL: no rows */
  const double *rows;  /* [steps][columns] each value in the unit of its column; NULL: no rows */
} gradyn_trajectory_view;

/* Returns the rows of a trajectory; all zero for NULL. Without rows both arrays are NULL. The states come
 * first, then the measures and other outputs of the model. The states of a mechanism are coordinates, their
 * rates and accelerations, and multipliers. Their units, for example m, m/s, m/s^2 and N, are those of
 * gradyn_trajectory_column(). gradyn_trajectory_evaluate() computes rows at other times. */
GRADYN_API gradyn_trajectory_view gradyn_trajectory_read(const gradyn_trajectory *trajectory);

/* A column of a trajectory. Texts belong to the trajectory and live until another run fills it or it is
 * released. */
typedef struct gradyn_column_info {
  const char *name; /* for example "2.x" */
  const char *unit; /* for example "m" */
  /* true: the column is an auxiliary coordinate of a constraint that some modes omit, its rate or its
   * acceleration; it is always zero. Files of a study omit it */
  bool internal;
} gradyn_column_info;

/* Returns column i of a trajectory, counted from 0 without time; empty texts if there is no such column or
 * the trajectory is NULL. */
GRADYN_API gradyn_column_info gradyn_trajectory_column(const gradyn_trajectory *trajectory,
                                                       size_t i);

/* Evaluators: simulations, functionals and exact gradients of a problem at given parameters. */

/* The method of simulation and differentiation. Fill with gradyn_options_default(), then change members. An
 * evaluator copies its options, with the names in them. Numbers must be finite and not negative, unless
 * stated otherwise. Wrong members are errors of gradyn_evaluator_create(). */
typedef struct gradyn_options {
  size_t struct_size; /* sizeof (gradyn_options), bytes; set by gradyn_options_default() */
  /* A name of gradyn_method_names(); "auto" (NULL): chosen for the problem. The default is the method of
   * the problem, which searches in segments may replace; see gradyn_search_evaluator(). */
  const char *method;
  /* "auto" (NULL): "adjoint" or "direct", by an estimate of the work. For comparison there are
   * "continuous-adjoint" (method ali3p) and "differences". */
  const char *sensitivity;
  double rtol; /* relative tolerance of the run, at most 0.1; 0: 1e-8. Ignored with fixed steps */
  double atol; /* absolute tolerance of the states, in their units; 0: from their sizes */
  double rtol_sens; /* relative error of gradients, see gradient_error; 0: rtol */
  /* Length of fixed steps, s; not used with the method "auto". 0: t_end/1000 or, with error control, steps by
   * the tolerance. NAN (the default if the problem has a step): the step of the problem, but 0 if the caller
   * names a method with error control. If build() sets the end time of a model without events, all runs have
   * the number of steps of the initial parameters. */
  double step;
  const char *integrator; /* ali3p: "trapezoidal" (NULL), "newmark", "hht", "generalised-alpha" */
  /* newmark: gamma, 0.5 to 1; hht: alpha, -1/3 to 0; generalised-alpha: the spectral radius at infinity, 0
   * to 1; all dimensionless. NAN: 0.5, -0.1, 0.8 */
  double integrator_parameter;
  double penalty; /* ali3p: penalty of the position problem, N/m; 0: no penalty */
  /* ali3p: penalty of projections, kg, each by one solve; 0: exact projections */
  double projection_penalty;
  /* variational: the point of a step at which forces are evaluated, as a share of the step, 0 to 1. Default
   * 0.5, the only value of second order. */
  double quadrature;
  int order; /* explicit: 8 (0) or 5; radau: 5 (0) */
  /* "natural" (NULL), "joint" or "auto" (the default). "natural": points, and base vectors of bodies.
   * "joint": coordinates of joints, in the plane of rods too. "auto": in the plane "natural", in space the
   * one with fewer operations per stage. */
  const char *coordinates;
  /* memory for the states that a gradient stores, bytes; 0: 1 GB. Methods with fixed steps, explicit and
   * radau compute states that do not fit a second time */
  double memory;
  double t_end;           /* end time, s; 0: the problem's. Refused if build() sets the end time */
  double baumgarte_alpha; /* idas: Phi'' + 2 alpha Phi' + beta^2 Phi = 0, in 1/s; 0: off */
  double baumgarte_beta;  /* idas: beta of the same equation, 1/s; 0: off */
  bool staggered;         /* idas, direct: staggered corrector; false: simultaneous */
  /* differences: relative step of forward differences, below 1; backward ones at an upper bound. 0: central
   * differences of runs with the same events, with extrapolation. At a bound these differences are
   * one-sided */
  double perturbation;
  /* largest number of steps of a run; 0: 100000, idas 200000, fixed steps no limit. A longer run fails with
   * GRADYN_STEP_LIMIT */
  long max_steps;
  /* Called at each step of forward and adjoint runs, and in longer iterations; true ends the call with
   * GRADYN_INTERRUPTED. NULL: not called */
  bool (*cancel)(void *user);
  void *cancel_user; /* passed to cancel, valid as long as the evaluator; may be NULL */
  /* largest duration of a simulation or gradient, s; longer ones end with GRADYN_STEP_LIMIT; 0: no limit */
  double evaluation_seconds;
  /* Of a problem with load cases: name of the only one to evaluate; NULL: all, see gradyn_case_at(). A
   * name that is no case is an error */
  const char *only_case;
  /* Objective over all load cases, from the objective f of each. "sum" (NULL): of weight times f. "mean":
   * this sum over the sum of weights. "largest": the largest f of cases with a positive weight.
   * "cvar:SHARE": the mean of f over the worst SHARE of the weights (conditional value at risk), 0 < SHARE
   * <= 1. "deviation:K": the mean plus K >= 0 standard deviations, each sqrt(variance + (1e-6 mean)^2) */
  const char *over_cases;
  long jobs; /* threads for load cases, with the same results to the last bit; 0, 1: one thread */
} gradyn_options;

/* A value for a setting of a problem. */
typedef struct gradyn_setting_choice {
  const char *name; /* name of the setting, see gradyn_setting; copied */
  int value;        /* within the bounds of the setting */
} gradyn_setting_choice;

/* Cost of the last run of an evaluator, its constraint violation, and the estimated error of a gradient.
 * Members that do not apply to the method or to the analysis are 0. With load cases numbers and times are
 * sums over the cases; drifts and errors are the largest ones. */
typedef struct gradyn_statistics {
  const char *method;        /* the method that ran; with "auto" the chosen one; static text */
  long steps;                /* steps of the forward run */
  long steps_backward;       /* steps of the adjoint run */
  long newton_iterations;    /* Newton iterations of all steps */
  long residual_calls;       /* evaluations of the equations */
  long factorisations;       /* factorisations of matrices of the steps */
  long arcs;                 /* smooth parts of the run, between knots of signals and events */
  double drift_position;     /* max |Phi| at the ends of steps, unit of the constraint, often m */
  double drift_velocity;     /* max |Phi'|, unit of the constraint over s */
  double drift_acceleration; /* max |Phi''|, unit of the constraint over s^2; fixed-step methods */
  /* runs of a gradient by differences, whose counts are summed; 0: no differences */
  long simulations;
  /* Of methods with error control: estimated error of the gradient, relative to the largest derivative or
   * the size of each functional; 0: not known */
  double gradient_error;
  double time_simulate; /* time of the last simulation or forward run, s */
  double time_gradient; /* time of the last whole gradient, s */
  /* events of the last run, each occurrence counted, for gradyn_event_log_at(). If the run failed, the events
   * before the failure count. With load cases those of the first case */
  size_t events;
  size_t warnings; /* about the last result, for gradyn_evaluator_warning_at() */
} gradyn_statistics;

/* Fills *options with the defaults of the library, replaced by those of the problem if it names any. The
 * problem may be NULL. Names in *options live as long as the problem. May be called from several threads.
 * Callers in C need not set struct_size; the macro below does. Other languages set struct_size before the
 * call. Options of another size stay unchanged, and gradyn_evaluator_create() refuses such options. Options
 * NULL: no effect. */
GRADYN_API void gradyn_options_default(const gradyn_problem *problem, gradyn_options *options);

/* Stores the size of *options in it, unless it is NULL, and returns the pointer. */
static inline gradyn_options *gradyn_options_sized(gradyn_options *options)
{
  if (options)
    options->struct_size = sizeof *options;
  return options;
}
#define gradyn_options_default(problem, options)                                                   \
  gradyn_options_default(problem, gradyn_options_sized(options))

/* Returns the names of all methods; NULL ends the array. The array and its texts are static. May be called
 * from several threads. */
GRADYN_API const char *const *gradyn_method_names(void);

/* Creates an evaluator: checks options, calls build() at the initial parameters, once or several times, and
 * allocates memory.
 *
 * The problem must outlive the evaluator. `options` NULL: gradyn_options_default(). The settings
 * [setting_count] are copied; the array may be NULL if setting_count is 0. Settings without an entry have
 * their initial values. On failure *out is still an evaluator that has the message; *out is NULL only if
 * memory is exhausted. Release *out with gradyn_evaluator_free() in any case.
 *
 * Errors: GRADYN_INVALID: the problem, an option or a setting is invalid, or `out` is NULL.
 * GRADYN_UNSUPPORTED: the method does not run this model, or lacks the sensitivity. GRADYN_NO_MEMORY. A
 * failure of build() returns its own status. */
GRADYN_API gradyn_status gradyn_evaluator_create(const gradyn_problem *problem,
                                                 const gradyn_options *options,
                                                 const gradyn_setting_choice *settings,
                                                 size_t setting_count, gradyn_evaluator **out);

/* Creates an evaluator for the problem and the settings of another one, with other options (NULL: those of
 * gradyn_options_default() for the problem). The new evaluator does not depend on the other one, which the
 * call only reads. The problem must outlive both. Release *out with gradyn_evaluator_free() in any case.
 * Errors: GRADYN_INVALID with *out = NULL if `other` is NULL; the rest as for gradyn_evaluator_create(). */
GRADYN_API gradyn_status gradyn_evaluator_clone(const gradyn_evaluator *other,
                                                const gradyn_options *options,
                                                gradyn_evaluator **out);

/* Releases an evaluator, all texts that functions have returned for it, and the evaluators of its load cases;
 * NULL is ignored. */
GRADYN_API void gradyn_evaluator_free(gradyn_evaluator *evaluator);

/* Returns the name of the sensitivity method, for example "adjoint": that of the options, or the choice of
 * "auto". functionals: number of functionals of the gradient, on which this choice depends. Returns "" if the
 * evaluator is NULL or could not be created. The text is static and never NULL. */
GRADYN_API const char *gradyn_evaluator_sensitivity(const gradyn_evaluator *evaluator,
                                                    size_t functionals);

/* Returns the message of the last call if the call failed, with the object, the time and the values; "" after
 * a success. Functions that only return a property of the evaluator leave the message unchanged. For an
 * evaluator NULL the text is the sentence of GRADYN_NO_MEMORY. Never NULL. The text lives until the next call
 * that computes with the evaluator. */
GRADYN_API const char *gradyn_evaluator_message(const gradyn_evaluator *evaluator);

/* Simulates at rho [parameters], each in its unit; NULL if there are none. Fills psi [functionals], each in
 * its unit, and replaces the rows of the trajectory; both may be NULL. After a failure the contents of both
 * are undefined; the evaluator may be used again. With load cases, psi has the functionals of all cases, and
 * the trajectory is that of the first case.
 *
 * Errors: GRADYN_INVALID: the evaluator is NULL or was not created, rho is NULL, or a parameter is not
 * finite. GRADYN_INTERRUPTED: `cancel` returned true. GRADYN_NO_MEMORY. If the run fails, its status is
 * returned, for example GRADYN_NOT_ASSEMBLED, GRADYN_STEP_LIMIT or GRADYN_EVENT. */
GRADYN_API gradyn_status gradyn_evaluator_simulate(gradyn_evaluator *evaluator, const double rho[],
                                                   double psi[], gradyn_trajectory *trajectory);

/* Computes functionals and their gradients by the parameters, with the sensitivity of the options. The
 * arguments are rho [parameters], psi [functionals] (may be NULL) and gradient [functionals][parameters].
 * Without parameters, rho may be NULL. An entry of the gradient has the unit of the functional over that of
 * the parameter. After a failure psi and gradient are undefined. A method with error control repeats runs
 * with shorter steps until the error of the gradient is below `rtol_sens`. If the error remains above three
 * times `rtol_sens`, or above 1e-3 with fixed steps, a warning states the error.
 *
 * Errors: GRADYN_INVALID: another argument is NULL, a parameter is not finite, or build() or a callback is
 * not complex-differentiable; the message names the derivative. GRADYN_NON_FINITE: a derivative is not
 * finite. GRADYN_EVENT: derivatives depend on the order of two events at one time. The others are those of
 * gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_gradient(gradyn_evaluator *evaluator, const double rho[],
                                                   double psi[], double gradient[]);

/* Computes the gradient for an optimiser: the exact derivative of the run of gradyn_evaluator_simulate(),
 * without a repetition for a smaller error. The arguments are rho [parameters], psi [functionals] (may be
 * NULL) and gradient [functionals][parameters], in the units of gradyn_evaluator_gradient(). Without
 * parameters, rho may be NULL. wanted [functionals]: true: the functional is differentiated; false: its row
 * of the gradient is undefined. NULL: all are differentiated. After a failure psi and gradient are undefined.
 *
 * Errors: GRADYN_INVALID and the others as for gradyn_evaluator_gradient(). */
GRADYN_API gradyn_status gradyn_evaluator_gradient_selected(gradyn_evaluator *evaluator,
                                                            const bool wanted[], const double rho[],
                                                            double psi[], double gradient[]);

/* Computes products of a Hessian with directions. The Hessian is that of the sum of weight [functionals]
 * times psi at rho [parameters]. A weight has any unit over that of its functional. Without parameters, rho
 * may be NULL. Takes direction [count][parameters], in the units of the parameters, and fills product
 * [count][parameters], in the unit of the sum over that of the parameter. Weights, directions and products
 * must be given, also if count is 0. "explicit" and "radau" differentiate the adjoint sweep at their own
 * stages, with a relative error of about 1e-10. Other methods take a difference of two exact gradients with
 * the same steps, with an error of about 1e-9. All runs have the steps of the run at rho. build() is called
 * at points near rho, which may be beyond a bound. Afterwards the evaluator has the data at rho; after an
 * error the products are undefined.
 *
 * Errors: GRADYN_UNSUPPORTED: the model has events, exact maxima over time or path constraints, the method is
 * idas, or the sensitivity is "differences" or "continuous-adjoint". GRADYN_UNSUPPORTED also if the evaluator
 * has load cases. GRADYN_NON_FINITE: a product is not finite. GRADYN_INVALID and the others are those of
 * gradyn_evaluator_gradient(). */
GRADYN_API gradyn_status gradyn_evaluator_hessian_product(gradyn_evaluator *evaluator,
                                                          const double weight[], const double rho[],
                                                          size_t count, const double direction[],
                                                          double product[]);

/* Computes functionals and their gradients by all data, at rho [parameters]. Fills psi [functionals] (may be
 * NULL) and gradient [functionals][data], in the unit of the functional over that of the datum. Without
 * parameters, rho may be NULL. Data have the order of gradyn_datum_at(). After a failure psi and gradient are
 * undefined.
 *
 * Errors: GRADYN_UNSUPPORTED: the sensitivity is "differences", or the evaluator has load cases.
 * GRADYN_INVALID and the others are those of gradyn_evaluator_gradient(). */
GRADYN_API gradyn_status gradyn_evaluator_data_gradient(gradyn_evaluator *evaluator,
                                                        const double rho[], double psi[],
                                                        double gradient[]);

/* Marks the data and the parameters for which a run at rho [parameters] has no derivatives. These data and
 * parameters move redundant constraints relative to each other, throughout the run or in a singular position
 * of the motion. Without parameters, rho may be NULL. Fills data [data] and parameters [parameters], true:
 * marked; NULL: not requested. After an error both are undefined. The call simulates once if the method has
 * fixed steps; other methods stop at singular positions. Results of earlier calls stay valid, except the
 * message. General equations get no marks. With load cases the data are those of the first case.
 *
 * Errors: GRADYN_INVALID: the evaluator is NULL or was not created, rho is NULL, or a parameter is not
 * finite. GRADYN_NO_MEMORY. If the run fails, its status is returned. */
GRADYN_API gradyn_status gradyn_evaluator_singular_data(gradyn_evaluator *evaluator,
                                                        const double rho[], bool data[],
                                                        bool parameters[]);

/* Returns the options of an evaluator. `step`, `rtol`, `integrator_parameter` and `coordinates` have the
 * values that are used, instead of 0, NAN or "auto". With fixed steps `rtol` and `rtol_sens` are 0. Other
 * members that are 0 stay 0, their default. If the `method` or the `sensitivity` was "auto", the result has
 * "auto" too; see gradyn_statistics.method. All members are zero if the evaluator is NULL. Names in the
 * result live as long as the evaluator. */
GRADYN_API gradyn_options gradyn_evaluator_options(const gradyn_evaluator *evaluator);

/* Returns the statistics of the last run or gradient. Before the first run only `method` is set, to the
 * method that would run first. If the last evaluation failed before its first run, for example in build(),
 * `events` still counts the events of the run before. The `method` is "" if the evaluator is NULL. */
GRADYN_API gradyn_statistics gradyn_evaluator_statistics(const gradyn_evaluator *evaluator);

/* --- Events of the last run (see <gradyn/events.h>) -------------------------------------------- */

/* An occurrence of an event in a run. */
typedef struct gradyn_event_record {
  const char *name;      /* name of the event; lives as long as the evaluator */
  gradyn_event_id event; /* its number, from 1; its index for gradyn_event_at() is one less */
  int occurrence;        /* number of this occurrence, from 1 */
  double t;              /* time, s */
  double approach;       /* rate of the guard just before, in its unit over s; of a gap m/s */
  double rebound;        /* contacts: minus restitution times approach, m/s; otherwise 0 */
  double impulse;        /* N s, see gradyn_event_impulse(); 0: no impact */
  double energy_lost;    /* kinetic energy lost, J; negative: gained; 0 for general equations */
  gradyn_mode_id mode;   /* mode after the event, from 1 as of gradyn_mode(); without modes 1 */
} gradyn_event_record;

/* Returns event i of the last run, counted from 0 in the order of time; a record with the name "" if there
 * is none. The number of events is a member of gradyn_statistics. */
GRADYN_API gradyn_event_record gradyn_event_log_at(const gradyn_evaluator *evaluator, size_t i);

/* Warnings: why a result may be unreliable although its status is ok. */

/* Kinds of warnings. Their numbers do not change; docs/warnings.md has causes and remedies. */
typedef enum gradyn_warning_code {
  GRADYN_WARNING_STEPS_SUBDIVIDED = 1,         /* fixed steps without a solution were subdivided */
  GRADYN_WARNING_ADJOINT_GROWTH = 2,           /* fixed steps are too long for derivatives */
  GRADYN_WARNING_SLIP_JUMP = 3,                /* a slip changes too much within a step */
  GRADYN_WARNING_SLIP_EXIT = 4,                /* a slip leaves its transition velocity too fast */
  GRADYN_WARNING_UNDECLARED_DISCONTINUITY = 5, /* the equations jump without an event */
  GRADYN_WARNING_ILL_DETERMINED = 6,           /* errors of the steps change a functional */
  GRADYN_WARNING_GRADIENT_ACCURACY = 7,        /* a derivative is less accurate than requested */
  GRADYN_WARNING_MOMENTUM_BALANCE = 8,         /* jump of momentum and impulses differ */
  GRADYN_WARNING_IMPACT_ENERGY = 9,            /* an impact gains energy without a drive */
  GRADYN_WARNING_ADHESIVE_IMPACT = 10,         /* the impulse of a contact pulls */
  GRADYN_WARNING_UNRESOLVED_BOUNCE = 11,       /* a short bounce was omitted */
  GRADYN_WARNING_KINK = 12,                    /* an integrand has a kink */
  GRADYN_WARNING_EVENT_HAS_NO_EFFECT = 13,     /* an event has no effect */
  GRADYN_WARNING_DISCRETISATION = 14,          /* an optimum depends on the steps */
  GRADYN_WARNING_DIRECT_ADJOINT_MISMATCH = 15, /* both sensitivities differ */
  GRADYN_WARNING_SMOOTH_MAXIMUM = 16,          /* an exact maximum exceeds its bound */
  GRADYN_WARNING_CONTROL_OVERSHOOT = 17,       /* a signal exceeds the bounds of its knots */
  GRADYN_WARNING_PATH_UNCHECKED = 18,      /* a path constraint was checked at some times only */
  GRADYN_WARNING_VALUE_ACCURACY = 19,      /* a functional is less accurate than requested */
  GRADYN_WARNING_ACCURACY_UNKNOWN = 20,    /* the error could not be estimated */
  GRADYN_WARNING_ENERGY_DRIFT = 21,        /* a constant energy drifts */
  GRADYN_WARNING_SIMULTANEOUS_EVENTS = 22, /* derivatives depend on the order of events */
  GRADYN_WARNING_OTHER_EVENTS = 23,        /* differences compare runs with other events */
  GRADYN_WARNING_DIFFERENCE_NOISE = 24,    /* differences are uncertain */
  GRADYN_WARNING_UNSTABLE_AT_REST = 25,    /* steps are unstable for states at rest */
  GRADYN_WARNING_EARLIER_VERSION = 26,     /* a text from a journal of an earlier version */
  GRADYN_WARNING_TOO_FEW_DATA = 27,        /* fits have fewer data than free parameters */
  GRADYN_WARNING_PARAMETER_UNSEEN = 28,    /* no datum depends on a free parameter */
  GRADYN_WARNING_EVENT_AT_START = 29       /* an event at the start did not happen */
} gradyn_warning_code;

/* A warning. NAN: the number is not known or does not apply. Texts live until the next call with the
 * evaluator, or as long as the result that has the warning. */
typedef struct gradyn_warning {
  gradyn_warning_code code; /* kind of the warning */
  double t;                 /* time of the first occurrence, s */
  double value;             /* observed value, in `unit` */
  double limit;             /* accepted value, in `unit`; of code 1 the number of steps */
  double suggestion;        /* step, s, or relative tolerance that would suffice */
  long count;               /* number of occurrences, at least 1 */
  const char *subject; /* name of the object, or message of a failed run; "": the whole model */
  const char *unit;    /* unit of value and limit; "": dimensionless */
  const char *text;    /* one line formed from the members above */
} gradyn_warning;

/* Texts about a warning code. All are static and never NULL. */
typedef struct gradyn_warning_info {
  const char *name;   /* short name, for example "gradient-accuracy"; "unknown": no such code */
  const char *cause;  /* a sentence; "": no such code */
  const char *remedy; /* a sentence; "": no such code */
} gradyn_warning_info;

/* Returns name, cause and remedy of a warning code. May be called from several threads. */
GRADYN_API gradyn_warning_info gradyn_warning_describe(gradyn_warning_code code);

/* Returns warning i about the last result, counted from 0, in the order of codes. If there is none, its
 * code is 0, its texts are "" and its numbers NAN. The number of warnings is a member of gradyn_statistics. A
 * call with warnings still returns GRADYN_OK. A run that failed has none. Texts live until the next call with
 * the evaluator. */
GRADYN_API gradyn_warning gradyn_evaluator_warning_at(const gradyn_evaluator *evaluator, size_t i);

/* Checks of derivatives by independent routes, from the elements of a model to whole gradients. */

/* A derivative compared with an independent route. */
typedef struct gradyn_check_item {
  char name[96];    /* name of the derivative and, if it failed, of the worst entry or the kink */
  char route[40];   /* the other route, for example "complex step" or "differences" */
  double error;     /* largest relative error, or relative difference at a kink; dimensionless */
  double tolerance; /* largest accepted error, dimensionless */
  bool passed;      /* the error is within the tolerance, and there is no kink */
  bool kink;   /* no comparison: the function jumps or has different derivatives on both sides */
  int skipped; /* number of comparisons omitted; 0: none */
  /* reason of the first omission, for example "no time"; static; NULL: none omitted */
  const char *reason;
} gradyn_check_item;

/* Limits of a check, and a callback that reports its progress. All zero: no limit and no callback. */
typedef struct gradyn_check_limits {
  /* largest duration of the check, s, divided among its parts. A part omits the comparisons for which its
   * time does not suffice. 0: no limit */
  double max_seconds;
  /* Called during the check: `done` of the `all` pieces of a part are done. The name `part` is valid during
   * the call only. NULL: not called. */
  void (*progress)(const char *part, int done, int all, void *user);
  void *user; /* passed to progress; may be NULL */
} gradyn_check_limits;

/* Compares the derivatives of all elements, and the gradient, with those of another route, at rho
 * [parameters]. Parameters are in their units; rho may be NULL if there are none. limits: NULL: no limits.
 * Writes at most `capacity` items to items [capacity], the worst last, and the number of written items to
 * *count. If there are more items, the best ones are omitted; items may be NULL if capacity is 0. If an item
 * does not pass, the check still completes. After other errors the items are undefined. The tolerance of
 * differences is `check_tolerance` of the problem, 0: 1e-8; a known uncertainty increases it. Afterwards the
 * evaluator has the data at rho.
 *
 * Errors: GRADYN_CHECK_FAILED: an item did not pass. GRADYN_INVALID: an argument is NULL or a parameter is
 * not finite. GRADYN_INTERRUPTED: `cancel` of the options returned true. GRADYN_NO_MEMORY. A simulation that
 * fails returns its own status. The message of the evaluator has the reason, unless an argument is NULL. */
GRADYN_API gradyn_status gradyn_evaluator_check(gradyn_evaluator *evaluator, const double rho[],
                                                const gradyn_check_limits *limits,
                                                gradyn_check_item items[], size_t capacity,
                                                size_t *count);

/* Exact maxima over a run, for comparison with smooth maxima, and exact ranges of signals. */

/* The exact maximum over a run, for a functional that is a maximum or a smooth maximum. The maximum is that
 * of e in gradyn_reduction or, in a path constraint, that of the distance beyond the bound. */
typedef struct gradyn_extreme {
  /* maximum, in the unit of the functional; NAN: the functional is no maximum over time */
  double value;
  double t;        /* time of the maximum, s; one of them if several are equal */
  double t_second; /* another time with the same value, within 1e-6 of the value, s; NAN: none */
} gradyn_extreme;

/* Simulates at rho [parameters] and computes exact maxima over time, also between steps. rho may be NULL
 * without parameters. Fills extreme [functionals], in the order of psi; a functional that is no maximum over
 * time has NAN in all members. After an error the array is undefined.
 *
 * Errors: GRADYN_INVALID: an argument is NULL or a parameter is not finite. GRADYN_NO_MEMORY. The others are
 * those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_extremes(gradyn_evaluator *evaluator, const double rho[],
                                                   gradyn_extreme extreme[]);

/* Range of the values of a signal from its first to its last knot, also between knots. */
typedef struct gradyn_signal_range {
  double least, most;     /* smallest and largest value, in the unit of the signal */
  double t_least, t_most; /* times of these values, s */
  /* Smallest lower and largest upper bound of its knots, in its unit; infinite: none, or a knot does not
   * equal a parameter */
  double lower, upper;
} gradyn_signal_range;

/* Computes properties that follow from build() at rho [parameters] without a simulation. Each of the three
 * results may be NULL: not requested.
 *
 * t_end: receives the end time of a run, s. If events end the run, this is its longest duration; with load
 *   cases, the largest of all cases.
 * influences [parameters]: receives true for parameters by which a datum has a nonzero derivative at rho, or
 *   at a second point. At the second point, all parameters are larger by a thousandth of their scales. Other
 *   parameters have no effect on results; their entries are false.
 * range [signals]: receives the ranges of all signals, in the order of gradyn_signal_at(). With load cases
 *   the signals are those of the first case.
 *
 * If t_end or range is requested, the evaluator has the data at rho afterwards. Otherwise it keeps those of
 * the last call. Without parameters, rho may be NULL. After an error all results are undefined.
 *
 * Errors: GRADYN_INVALID: the evaluator or rho is NULL, a parameter is not finite, or build() is not
 * complex-differentiable. GRADYN_NO_MEMORY. A failure of build() returns its own status. */
GRADYN_API gradyn_status gradyn_evaluator_preview(gradyn_evaluator *evaluator, const double rho[],
                                                  double *t_end, bool influences[],
                                                  gradyn_signal_range range[]);

#ifdef __cplusplus
}
#endif

#endif
