/* Analyses: covariance, saltation, orbits, regulators, sensitivities, costates, statics and linearisation.
 *
 * rho [parameters] has values in the units of the parameters; it may be NULL if there are no parameters.
 * Specs, names and arrays are read during the call only. A result `out` must not be NULL; the call
 * overwrites it without releasing its arrays, so clear a result before its next use. After an error `out`
 * may be incomplete; clear it too. The clear functions do not free the struct itself and may be called
 * again. The message of an error is gradyn_evaluator_message(), except if the evaluator or `out` is NULL.
 *
 * A latched constraint keeps the value that it had just after an event; see gradyn_latch_constraint(). */
#ifndef GRADYN_ANALYSIS_H
#define GRADYN_ANALYSIS_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Covariance of states and measures during a run, to first order, from a covariance C of parameters or
 * data. With their derivatives Y = dy/d(sources), the covariance is Y C Y^T. At events, Y jumps as given by
 * the saltation matrices. */

/* The uncertain sources and their covariance. Arrays and names are read during the call only. */
typedef struct gradyn_covariance_spec {
  /* [count] names of parameters, or of data such as the initial value "ball.x", each once. If a parameter
   * and a datum have the same name, the name is that of the parameter */
  const char *const *name;
  size_t count; /* number of sources, 1 to 10000 */
  /* [count][count] C in the order of the names, symmetric, positive semidefinite; product of both units */
  const double *matrix;
  /* Number of rows of the result, at equally spaced times; 1: at the end only. With 0 there is one row at
   * every step, and two at every event */
  size_t samples;
} gradyn_covariance_spec;

/* Covariances of states, measures and functionals as products F F^T, which are exactly positive
 * semidefinite. The columns of F are tangents of the constraints. States are coordinates and velocities of a
 * mechanism, with internal ones, or all states of general equations: the first columns of trajectories. The
 * measures that are columns of trajectories follow them. Functionals have the order of psi. The arrays belong
 * to the struct. */
typedef struct gradyn_covariance {
  size_t rows;        /* number of times */
  size_t states;      /* number of states and measures */
  size_t rank;        /* rank of C, the number of columns of F; 0 if C is zero */
  char (*name)[64];   /* [states] names, such as "ball.x", or of measures */
  char (*unit)[24];   /* [states] units */
  double *t;          /* [rows] times, s */
  double *factor;     /* [rows][states][rank] F at each time, each row in the unit of its state */
  size_t functionals; /* number of functionals */
  double *functional; /* [functionals][rank] F of the functionals, each row in its unit */
  double *deviation;  /* [functionals] standard deviations of the functionals, each in its unit */
  size_t measures;    /* how many of the states, the last ones, are measures */
} gradyn_covariance;

/* Simulates at rho [parameters] with direct sensitivities and computes the covariances of states, measures
 * and functionals. Without parameters, rho may be NULL. Fills psi [functionals], each in its unit, and the
 * trajectory of the same run; both may be NULL. An error leaves psi unchanged, and the trajectory undefined.
 * Overwrites *out without releasing its arrays; release *out with gradyn_covariance_clear() in any case.
 *
 * Errors: GRADYN_INVALID: another argument is NULL, the number of sources is wrong, a name is unknown or
 * repeated, or the matrix is no covariance. GRADYN_INVALID also if a function is not complex-differentiable.
 * GRADYN_UNSUPPORTED: the method has no direct sensitivities, or the evaluator has load cases.
 * GRADYN_NON_FINITE: an entry is not finite. GRADYN_EVENT: derivatives depend on the order of two events at
 * one time. GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_covariance_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const gradyn_covariance_spec *spec, double psi[],
                                                   gradyn_trajectory *trajectory,
                                                   gradyn_covariance *out);

/* Releases the arrays of a covariance, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_covariance_clear(gradyn_covariance *covariance);

/* Returns the covariance of states or measures i and j at the time covariance->t[row], in the product of
 * their units. All are counted from 0. Returns NAN if there is no such time or state, or the covariance is
 * NULL. */
GRADYN_API double gradyn_covariance_entry(const gradyn_covariance *covariance, size_t row, size_t i,
                                          size_t j);

/* Saltation matrices: the effect of an event on small disturbances of the state (Kong et al. 2023). */

/* The disturbances on one side of an event: independent positions in its mode, then rates. There are fewer
 * rates than positions if a constraint is nonholonomic or latched, for example if it fixes a foot where it
 * has landed. */
typedef struct gradyn_disturbances {
  size_t positions; /* number of positions */
  size_t rates;     /* number of rates */
  char (*name)[64]; /* [positions + rates] names, such as "2.x" (m) and "2.x'" (m/s) */
} gradyn_disturbances;

/* The saltation matrix of an event. It maps disturbances just before the event to those just after it, at
 * the same time, on the manifolds of the constraints.
 *
 *     Xi = R_y + (y+' - R_y y-' - R_t) r_y/(r_y y-' + r_t).
 *
 * Here y is the state before (-) and after (+), R the reset and r the guard. Subscripts denote derivatives,
 * and ' the rate. */
typedef struct gradyn_saltation {
  gradyn_event_record event;  /* the event; its name lives as long as the evaluator */
  gradyn_disturbances before; /* columns of the matrix: disturbances before the event */
  gradyn_disturbances after;  /* rows of the matrix: disturbances after the event */
  /* [after][before], each positions + rates; unit of the row over that of the column */
  double *matrix;
} gradyn_saltation;

/* The saltation matrices of a run. The arrays belong to the struct. */
typedef struct gradyn_saltations {
  size_t count;           /* number of events of the run; 0: none */
  gradyn_saltation *item; /* [count] in the order of time, as in gradyn_event_log_at() */
} gradyn_saltations;

/* Simulates a mechanism at rho [parameters] and computes the saltation matrices of all events. Without
 * parameters, rho may be NULL. wanted [wanted_count]: names of coordinates, for example "2.x", that the call
 * takes as independent ones where constraints allow it. NULL if wanted_count is 0. The call chooses further
 * independent coordinates, if possible the same ones at all events. After an event all requested coordinates
 * are rows, even if constraints relate them. Overwrites *out without releasing its arrays; release *out with
 * gradyn_saltations_clear() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, a name is unknown, or the model is no mechanism.
 * GRADYN_INVALID also if the constraints of all modes relate the requested coordinates, or a callback is not
 * complex-differentiable. GRADYN_UNSUPPORTED: the evaluator has load cases. GRADYN_EVENT: derivatives depend
 * on the order of two events at one time. GRADYN_NO_MEMORY. The others are those of
 * gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_saltations_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_saltations *out);

/* Releases the arrays of saltation matrices, not the struct, and sets all members to zero; NULL is
 * ignored. */
GRADYN_API void gradyn_saltations_clear(gradyn_saltations *s);

/* Small disturbances of a motion: transition matrices, and periodic orbits with their Floquet multipliers.
 * Runs use the explicit method of order 8 with a relative tolerance of 1e-11. They use radau if
 * the motion is stiff. */

/* The transition matrix of a run: derivatives of the state at its end by the state at its start. The state
 * consists of independent coordinates of a mechanism and their rates, or of all differential states of
 * general equations. Both ends have the same coordinates. A first-order state of a mechanism counts once, by
 * its value. The arrays belong to the struct. */
typedef struct gradyn_transition {
  size_t size;         /* number of disturbed states */
  char (*name)[64];    /* [size] names, such as "2.x" and "2.vx" */
  double *start, *end; /* [size] states at the start and the end, each in its unit */
  /* [size][size] row: state at the end; column: state at the start; unit of the row over that of the
   * column */
  double *matrix;
} gradyn_transition;

/* Simulates at rho [parameters] and computes the transition matrix of the run. Without parameters, rho may
 * be NULL. wanted [wanted_count]: names of coordinates of a mechanism that the call takes as independent
 * ones; NULL if wanted_count is 0. The call chooses the others. Afterwards the evaluator has the data at
 * rho. Overwrites *out without releasing its arrays; release *out with gradyn_transition_clear() in any
 * case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, a name is unknown, or constraints relate the requested
 * coordinates. GRADYN_INVALID also if a mechanism that has events has no degree of freedom, or its run ends
 * in another mode than the first. GRADYN_UNSUPPORTED: a velocity-level constraint, general equations with
 * events, or a latched constraint that is active in the first mode. GRADYN_UNSUPPORTED also if the evaluator
 * has load cases. GRADYN_NO_MEMORY. The others are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_transition_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_transition *out);

/* Releases the arrays of a transition matrix, not the struct, and sets all members to zero; NULL is
 * ignored. */
GRADYN_API void gradyn_transition_clear(gradyn_transition *t);

/* The periodic orbit to find. All zero: a free period without a section. Names are read during the call
 * only. */
typedef struct gradyn_orbit_spec {
  /* [preferred_count] names of coordinates that are taken as independent ones; NULL if preferred_count is
   * 0 */
  const char *const *preferred_coordinates;
  size_t preferred_count; /* number of these names; 0: all are chosen */
  /* true: the end time of the run is the period; false: this time is a first guess. Ignored with a section */
  bool fixed_period;
  /* Name of an event. The orbit begins and ends just after this event, and Newton's method moves the initial
   * state to such a state. The period is the time until the event has occurred `returns` times, which must
   * be before the end time. NULL: the orbit begins between events. */
  const char *section;
  int returns;        /* occurrences of that event in a period; 0: 1 */
  int max_iterations; /* largest number of iterations of Newton's method; 0: 30 */
} gradyn_orbit_spec;

/* A periodic orbit. The arrays belong to the struct. */
typedef struct gradyn_orbit {
  /* transition over one period; its matrix is the monodromy matrix, at a fixed time, also with a section */
  gradyn_transition transition;
  double period; /* s */
  /* [transition.size][2] Floquet multipliers, dimensionless: real and imaginary parts, the largest magnitude
   * first */
  double *multiplier;
  /* [transition.size][parameters] d start/d rho, unit of the state over the parameter's */
  double *start_slope;
  /* [parameters] d period/d rho, s over the unit of the parameter; of a fixed period that
   * of the end time */
  double *period_slope;
  /* [event_count] events of one period in the order of time; their names live as long as the evaluator */
  gradyn_event_record *event;
  size_t event_count; /* number of these events */
  /* iterations of Newton's method; this member and the next are also set after GRADYN_NOT_CONVERGED */
  int iterations;
  double gap; /* largest |end - start|, relative to the largest state, dimensionless */
} gradyn_orbit;

/* Finds the periodic orbit near the motion from the initial state at rho [parameters]. Newton's method
 * solves for the initial state and, without a section, for the period unless the period is fixed. Without
 * parameters, rho may be NULL. `spec` NULL: all members zero. If the period is free and there is no section,
 * the start moves only orthogonally to the orbit, also in `start_slope`. With a section, the state after the
 * map of its last event equals the start. Such a map may exchange the legs of a walker. Afterwards the
 * evaluator has the data at rho. Overwrites *out without releasing its arrays; release *out with
 * gradyn_orbit_clear() in any case.
 *
 * Errors: GRADYN_NOT_CONVERGED: no orbit was found near this motion. GRADYN_SINGULAR: the orbit is not
 * isolated. GRADYN_EVENT: the event sequence is not well defined, or the motion does not return to the
 * section. GRADYN_UNSUPPORTED: a velocity-level constraint, general equations with events, or a latched
 * constraint that is active in the first mode. GRADYN_UNSUPPORTED also if the evaluator has load cases.
 * GRADYN_INVALID: an argument is NULL, a name is unknown, or constraints relate the requested coordinates.
 * GRADYN_INVALID also if no degree of freedom exists, or the motion returns in another mode.
 * GRADYN_NO_MEMORY. The others are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_orbit_compute(gradyn_evaluator *evaluator, const double rho[],
                                              const gradyn_orbit_spec *spec, gradyn_orbit *out);

/* Releases the arrays of an orbit, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_orbit_clear(gradyn_orbit *orbit);

/* The linear-quadratic regulator (LQR) along a run: gains K(t) and cost-to-go P(t) for small deviations dx
 * of the state. Signals counteract them by du, to second order:
 *
 *     J = int (dx^T Q dx + du^T R du) dt + dx(T)^T Qf dx(T),   du = -K dx,   least J = dx^T P dx.
 *
 * P follows backwards in time from the Riccati equation, with A(t) and B(t) of the motion on the manifold
 * of its constraints. Saltation matrices take P across events. */

/* A matrix of weights with the names of its rows. A row has the name of a column of trajectories, such as
 * "2.x" or "2.vx", of a differential state or of a signal. */
typedef struct gradyn_weights {
  const char *const *name; /* [count] names of the rows and columns; may be NULL if count is 0 */
  size_t count;            /* number of rows, below 10000; 0: no weights */
  /* [count][count], symmetric; unit of the cost over the product of both units */
  const double *matrix;
} gradyn_weights;

/* Weights and inputs of a regulator. Arrays and names are read during the call only. */
typedef struct gradyn_regulator_spec {
  gradyn_weights state; /* Q, positive semidefinite, unit of the cost per s; count 0: Q = 0 */
  gradyn_weights final; /* Qf, positive semidefinite; count 0: Qf = 0 */
  /* R, positive definite: its signals, at least one, are the inputs; unit of the cost per s */
  gradyn_weights input;
  /* [preferred_count] names of coordinates of a mechanism that are independent in each mode where
   * constraints allow it; NULL: all are chosen */
  const char *const *preferred_coordinates;
  size_t preferred_count; /* number of these coordinates; 0: all are chosen */
  /* Number of rows of the result, at equally spaced times with both ends, at least 2. With 0 there is one
   * row at every step, and two at every event */
  size_t samples;
} gradyn_regulator_spec;

/* Gains and cost-to-go along a run. Deviations dx are those of independent coordinates and their rates, or
 * of all differential states of general equations. Where a coordinate is not independent, its entries of
 * `gain` and `cost` are zero. Rows have the order of time. The equations above are valid for each dx that
 * satisfies the constraints. The arrays belong to the struct. */
typedef struct gradyn_regulator {
  size_t rows;            /* number of times */
  size_t states;          /* number of deviations dx */
  size_t inputs;          /* number of signals in R */
  char (*state)[64];      /* [states] names of the deviations */
  char (*state_unit)[24]; /* [states] units of the deviations */
  char (*input)[64];      /* [inputs] names of the signals, in the order of R */
  char (*input_unit)[24]; /* [inputs] units of the signals */
  double *t;              /* [rows] times, s */
  double *x;              /* [rows][states] values of the run, each in its unit */
  double *u;              /* [rows][inputs] signals of the run, each in its unit */
  double *gain;           /* [rows][inputs][states] K, unit of the input over that of the state */
  double *cost; /* [rows][states][states] P, unit of the cost over the product of both units */
} gradyn_regulator;

/* Simulates at rho [parameters] with the method of the evaluator and integrates the Riccati equation
 * backwards. rho may be NULL if there are no parameters. Overwrites *out without releasing its arrays;
 * release *out with gradyn_regulator_clear() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, R has no signal, or a name is unknown or repeated.
 * GRADYN_INVALID also if a matrix is not symmetric or definite as required. GRADYN_INVALID also if the
 * constraints of all modes relate the requested coordinates, or a callback is not complex-differentiable.
 * GRADYN_UNSUPPORTED: a signal moves constraints, or the time of an event that changes the motion.
 * GRADYN_UNSUPPORTED also for general equations with events, and for an evaluator with load cases.
 * GRADYN_NOT_CONVERGED: the Riccati equation needs too short steps. GRADYN_EVENT: derivatives depend on the
 * order of two events at one time. GRADYN_NON_FINITE: P is not finite. GRADYN_NO_MEMORY. The others are
 * those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_regulator_compute(gradyn_evaluator *evaluator, const double rho[],
                                                  const gradyn_regulator_spec *spec,
                                                  gradyn_regulator *out);

/* Releases the arrays of a regulator, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_regulator_clear(gradyn_regulator *regulator);

/* Sensitivities of states by parameters at given times, for parameter identification; and costates, the
 * derivatives of functionals by states during a run. */

/* Computes states and their derivatives by the parameters at given times, by one run with direct
 * sensitivities. rho [parameters]: NULL if there are none. t [times]: ascending times, in s, from 0 to the
 * end of the run. States are the `states` of gradyn_evaluator_model_info(): of mechanisms positions,
 * velocities, accelerations and multipliers. They are the first columns of trajectories without internal
 * ones. Fills y [times][states], each in its unit, may be NULL, and dy [times][states][parameters], which
 * must be given. After an error both are undefined. An entry of dy has the unit of the state over that of
 * the parameter; the time is fixed. At an event or a jump both arrays have the values just before it. Fixed
 * steps become shorter, so that one ends at each time.
 *
 * Errors: GRADYN_INVALID: another argument is NULL, there are no times, times do not ascend, or a time is
 * outside the run. GRADYN_EVENT: an event ends the run earlier, or derivatives depend on the order of two
 * events at one time. GRADYN_UNSUPPORTED: the method has no direct sensitivities, or the evaluator has load
 * cases. GRADYN_NON_FINITE: a derivative is not finite. GRADYN_NO_MEMORY. A failed run returns its own
 * status. */
GRADYN_API gradyn_status gradyn_sensitivities_compute(gradyn_evaluator *evaluator,
                                                      const double rho[], const double t[],
                                                      size_t times, double y[], double dy[]);

/* Costates lambda of a weighted sum of functionals: its derivatives by the differential states at the ends
 * of steps. For a mechanism the states are positions and velocities, and disturbances are projected onto
 * the constraints. With the rates f of the states, the Hamiltonian is H = lambda^T f + the weighted sum of
 * integrands (Bryson & Ho 1975). At a knot, an event or a time of a functional there are two nodes, before
 * and after it. States jump at events; costates also jump at times of functionals. The arrays belong to the
 * struct. */
typedef struct gradyn_costates {
  size_t count;        /* number of nodes, in the order of time */
  size_t states;       /* number of differential states */
  char (*name)[64];    /* [states] names, as those of columns of trajectories */
  double *t;           /* [count] times, s */
  double *hamiltonian; /* [count], unit of the sum over s */
  double *state;       /* [count][states], each in its unit */
  double *costate;     /* [count][states], unit of the sum over that of the state */
} gradyn_costates;

/* Computes costates by a simulation and one adjoint run at rho [parameters], NULL if there are none. The
 * method must be explicit or radau, also if it is chosen by "auto". weight [functionals]: weights of the
 * sum, for example those of a Lagrangian. They have the order of psi, each in any unit over that of the
 * functional. NULL: the weights of gradyn_minimise(). Overwrites *out without releasing its arrays; release
 * *out with gradyn_costates_clear() in any case.
 *
 * Errors: GRADYN_UNSUPPORTED: the method has no costates, or the evaluator has load cases. GRADYN_INVALID:
 * an argument other than weight is NULL, all weights are zero, or weight is NULL and the problem has no term
 * of gradyn_minimise(). GRADYN_NON_FINITE: a costate is not finite. GRADYN_EVENT: derivatives depend on the
 * order of two events at one time. GRADYN_NO_MEMORY. A failed run returns its own status. */
GRADYN_API gradyn_status gradyn_costates_compute(gradyn_evaluator *evaluator, const double weight[],
                                                 const double rho[], gradyn_costates *out);

/* Releases the arrays of costates, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_costates_clear(gradyn_costates *costates);

/* Statics: degrees of freedom of mechanisms, equilibria, and linearised models. */

/* Degrees of freedom of a mechanism, from the rank of its constraints. */
typedef struct gradyn_dof {
  /* Positions that are free near the initial position; velocity-level constraints do not count */
  int degrees;
  /* degrees of freedom in the initial position itself; if more than `degrees`, the position is singular */
  int at_start;
  /* true: no other position near the initial one was found. The mechanism can move to first order only */
  bool first_order_only;
  int redundant_constraints; /* number of redundant constraints near the initial position */
  int rates; /* velocities that are free; fewer than `degrees` with nonholonomic constraints */
} gradyn_dof;

/* Solves for the initial position at rho [parameters] and counts degrees of freedom. Without parameters, rho
 * may be NULL. Writes the indices of redundant constraints, as for gradyn_constraint_name(), ascending, to
 * the first out->redundant_constraints entries of dependent [constraints]. The length of `dependent` is the
 * `constraints` of gradyn_evaluator_model_info(); NULL: the indices are not requested. *out has no arrays;
 * after an error its members are undefined.
 *
 * Errors: GRADYN_UNSUPPORTED: the model is no mechanism, or the evaluator has load cases. GRADYN_INVALID:
 * the evaluator, rho or `out` is NULL, or a parameter is not finite. GRADYN_NOT_ASSEMBLED: there is no
 * initial position. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_dof_compute(gradyn_evaluator *evaluator, const double rho[],
                                            gradyn_dof *out, int dependent[]);

/* Returns the name of a constraint of the motion by the index of its multiplier, counted from 0. The text is
 * "" if there is none or the evaluator is NULL. In natural coordinates the index is one less than the
 * gradyn_constraint_id; in joint coordinates it is another one. Never NULL. The text lives as long as the
 * evaluator. */
GRADYN_API const char *gradyn_constraint_name(const gradyn_evaluator *evaluator, int constraint);

/* --- Equilibrium and linearisation --------------------------------------------------------------- */

/* The motion of a model at the state of a linearisation. */
typedef enum gradyn_operating_point {
  GRADYN_EQUILIBRIUM, /* equilibrium: all positions or states are constant */
  /* Steady motion of a mechanism: it moves and turns as a whole, and bodies turn about their centres. The
   * equations do not change along that motion. A and B are constant, for changes that move with it. */
  GRADYN_STEADY_MOTION,
  GRADYN_TRANSIENT /* transient: A and B are valid at that time only */
} gradyn_operating_point;

/* A linearised model for small changes from a state, with signals u as inputs, each changed as a whole.
 *
 *   (y, w, z)' = A (y, w, z) + B u,      q = Z (y, z).
 *
 * A mechanism has independent coordinates y (joint coordinates first), independent rates w, and first-order
 * states z of controllers. The rates are those of the coordinates y; nonholonomic constraints reduce their
 * number. General equations have differential states z only. Here q are all coordinates, with first-order
 * states instead of their integrals, or all states of general equations. The inputs u are all signals, in the
 * order of gradyn_signal_at(). Rows and columns of A have the order y, w, z. The arrays belong to the struct;
 * size = dof + rates + states. */
typedef struct gradyn_linearisation {
  double t;                      /* time of the state, s */
  gradyn_operating_point motion; /* whether A and B are constant */
  /* transients: a text that names a coordinate or constraint that is not steady; otherwise "" */
  char unsteady[160];
  int n;           /* entries of q, with internal ones */
  int dof;         /* entries of y */
  int rates;       /* entries of w */
  int states;      /* entries of z */
  int inputs;      /* signals u */
  int *coordinate; /* [dof] of y: columns of trajectories, from 0 without time */
  int *rate;       /* [rates] of w: the coordinates with these rates, as columns of trajectories */
  int *state;      /* [states] of z: columns of trajectories */
  double *Z;       /* [dof + states][n], unit of q over that of y or z */
  double *A;       /* [size][size], unit of the row over that of the column and s */
  double *B;       /* [size][inputs], unit of the row over that of the signal and s */
  /* [size] eigenvalues of A, 1/s, the smallest magnitude first; both of a conjugate pair are listed */
  double *real, *imag;
  /* [size][2][n] eigenvectors: real and imaginary parts of q, scaled so that the largest entry is 1 */
  double *shape;
  /* Of mechanisms: least eigenvalue of the reduced stiffness relative to the reduced mass matrix, 1/s^2;
   * general equations: NAN, also below */
  double stiffness;
  double largest; /* largest magnitude of an eigenvalue of the same problem, 1/s^2 */
  /* Totals that general equations conserve, after gradyn_equilibrium_compute(): sums of states with constant
   * factors. The equilibrium has those of the initial state. An eigenvalue is zero for each */
  int totals;          /* number of totals */
  char (*total)[160];  /* [totals] names */
  double *total_value; /* [totals] values at the equilibrium */
} gradyn_linearisation;

/* Stability of an equilibrium without damping. With first-order states, and for general equations,
 * stability follows from the eigenvalues of A instead. */
typedef enum gradyn_stability {
  GRADYN_STABLE,  /* the reduced stiffness is positive definite, or there is no degree of freedom */
  GRADYN_NEUTRAL, /* a motion meets no resistance, to first order */
  GRADYN_UNSTABLE /* some small disturbances grow */
} gradyn_stability;

/* Finds a static equilibrium at rho [parameters], with forces, signals and prescribed motions at the initial
 * time. Fixed initial conditions do not apply. A mechanism moves from its initial position by
 * pseudo-transient continuation, an overdamped motion without inertia. First-order states follow the motion
 * from the initial state; if that diverges, Newton's method is used. General equations reach the stable state
 * at which the motion ends, and keep their totals; without such a state, as first-order states. Without
 * parameters, rho may be NULL. Fills *stability, which must be given; the trajectory, with one row, the
 * state; and the linearisation at this state. Trajectory and linearisation may be NULL. After an error all
 * three are undefined. Overwrites *linear without releasing its arrays; release *linear with
 * gradyn_linearisation_clear() in any case.
 *
 * Errors: GRADYN_NOT_CONVERGED: no equilibrium was found, or no eigenvalues of A. GRADYN_NON_FINITE: the
 * iterations diverged. GRADYN_SINGULAR: general equations are singular at rest, or a degree of freedom has
 * no mass. GRADYN_UNSUPPORTED: the mechanism has nonholonomic constraints, or the evaluator has load cases.
 * GRADYN_EVENT: the equilibrium violates an invariant, for example the gap of a wall is negative.
 * GRADYN_INVALID: the evaluator, rho or `stability` is NULL, a parameter is not finite, or a callback is not
 * complex-differentiable. GRADYN_NOT_ASSEMBLED: there is no initial position. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_equilibrium_compute(gradyn_evaluator *evaluator, const double rho[],
                                                    gradyn_stability *stability,
                                                    gradyn_trajectory *trajectory,
                                                    gradyn_linearisation *linear);

/* Linearises a model at rho [parameters] about the initial state, or with at_end about the state at the end
 * of a run. Without parameters, rho may be NULL. Overwrites *out without releasing its arrays; release *out
 * with gradyn_linearisation_clear() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, a parameter is not finite, or a callback is not
 * complex-differentiable. GRADYN_NOT_ASSEMBLED: there is no initial position. GRADYN_EVENT: the initial
 * state violates an invariant. GRADYN_SINGULAR: a degree of freedom has no mass. GRADYN_UNSUPPORTED: the
 * evaluator has load cases. GRADYN_NOT_CONVERGED: the eigenvalues of A were not found. GRADYN_NO_MEMORY.
 * With at_end, also the errors of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_evaluator_linearise(gradyn_evaluator *evaluator, const double rho[],
                                                    bool at_end, gradyn_linearisation *out);

/* Releases the arrays of a linearisation, not the struct, and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_linearisation_clear(gradyn_linearisation *linear);

/* A coordinate or state: a column of trajectories that is no output. */
typedef struct gradyn_coordinate_info {
  char name[256]; /* for example "2.x", as in trajectories; "": there is none */
  bool internal;  /* internal to the library, see gradyn_column_info */
} gradyn_coordinate_info;

/* Returns a coordinate or state by its column in trajectories, counted from 0 without time. It may be called
 * before a run. The name is "" if there is none, or the evaluator is NULL or has no model. */
GRADYN_API gradyn_coordinate_info gradyn_coordinate_at(const gradyn_evaluator *evaluator,
                                                       int column);

#ifdef __cplusplus
}
#endif

#endif
