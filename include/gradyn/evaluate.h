/* Evaluating a problem: simulation, functionals and exact gradients at given parameters. */
#ifndef GRADYN_EVALUATE_H
#define GRADYN_EVALUATE_H

#include <gradyn/check.h>
#include <gradyn/describe.h>
#include <gradyn/problem.h>
#include <gradyn/trajectory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to march and how to differentiate. Fill with gradyn_options_default(), then change; evaluators copy
 * them with the names in them. */
typedef struct gradyn_options {
  const char *
      method; /* "auto", ...; as filled in, the problem's own, which searches in segments may replace:
                         see gradyn_search_evaluator() */
  const char
      *sensitivity;  /* "auto": whichever is less work of "adjoint" and "direct"; for comparison
                              "continuous-adjoint" (ali3p) and "differences" */
  double rtol, atol; /* of the forward run; rtol 0: the method's; atol 0: by sizes of states */
  double rtol_sens;  /* of gradients: their error, see gradient_error; 0: rtol */
  double step;       /* fixed-step methods, s; 0: t_end/1000. If build() sets the end time,
                              their number is that for the initial parameters */
  const char *integrator; /* ali3p: "trapezoidal" (NULL), "newmark", "hht", "generalised-alpha" */
  double integrator_parameter; /* newmark: gamma, hht: alpha, generalised-alpha: the spectral
                                  radius at infinity; NAN: 0.5, -0.1, 0.8 */
  double penalty;              /* ali3p: of the position problem, N/m; 0: none is needed */
  double projection_penalty;   /* ali3p: one penalty solve for each projection; 0: exact ones */
  double quadrature;           /* variational: place in a step where forces are taken, 0 to 1;
                                  default 0.5, of second order, as no other is */
  int order;                   /* explicit: 8 (0) or 5 */
  const char *coordinates; /* "natural" (NULL), or "joint": bodies on trees of joints or on none, in
                                  the plane rods, too, by the coordinates of these; or "auto": the ones
                                  in which a stage takes fewer operations, counted of the model alone, in
                                  the plane natural ones */
  double memory;           /* for the states of a gradient, bytes; 0: 1 GB */
  double t_end;            /* s; 0: the problem's own. Refused if build() sets the end time */
  double baumgarte_alpha;  /* Phi'' + 2 alpha Phi' + beta^2 Phi = 0; 0, 0: off; 1/s */
  double baumgarte_beta;   /* 1/s */
  bool staggered;          /* direct: staggered instead of simultaneous corrector */
  double perturbation;     /* differences: relative step of forward differences, below 1;
                                  0: central ones, extrapolated, of runs with the same events */
  long max_steps;          /* of one run; 0: the method's default */
  bool (*cancel)(void *user); /* asked at every step of a march and of a sweep, and of what comes
                                  before: assembly, equilibrium, linearisation. True ends the call
                                  with GRADYN_INTERRUPTED; NULL: never */
  void *cancel_user;          /* for cancel */
  double evaluation_seconds;  /* a call that takes longer ends with GRADYN_STEP_LIMIT; 0: never */
} gradyn_options;

/* The value of an integer setting. */
typedef struct gradyn_setting_choice {
  const char *name;
  int value;
} gradyn_setting_choice;

enum { GRADYN_JUMP_TIMES = 3 };

/* What a run cost and how well it kept its constraints. */
typedef struct gradyn_statistics {
  const char *method; /* that did the work: what "auto" has chosen */
  long steps, steps_backward;
  long newton_iterations;
  long residual_calls, factorisations;
  long arcs;                 /* smooth pieces between knots of signals */
  double drift_position;     /* max |Phi|, at the step ends */
  double drift_velocity;     /* max |Phi'| */
  double drift_acceleration; /* max |Phi''|; fixed-step methods */
  long simulations;   /* runs behind a gradient by differences, whose steps and so on are summed
                           up; 0: any other evaluation */
  long steps_divided; /* fixed-step methods: steps that had to be halved or to end elsewhere */
  double growth;      /* gradients of fixed-step methods: factor by which disturbances grow within
                           a few dozen steps, which are too long then; 0: none */
  double growth_time; /* s, where that begins */
  double growth_step; /* s, of steps that would resolve it */
  double
      leap; /* ali3p with friction: the largest change of a slip within a step that comes to rest or
                  turns round, over the transition velocity: more than 2 are too many */
  double leap_time; /* s, where that begins */
  double leap_step; /* s, of steps for which it would be 1 */
  const char
      *leap_force; /* the friction's name; NULL: there is none. Lives as long as the evaluator */
  double
      slope; /* gradients by ali3p with friction: what steps leave of a disturbance along the motion
                       where a slip leaves the transition velocity, over what the motion does; 0: as much */
  double slope_time;       /* s, where that begins */
  double slope_step;       /* s, of steps that would do */
  const char *slope_force; /* the friction's name; as of leap_force */
  double
      gradient_error; /* gradients of methods whose steps follow from an error: estimate of their error,
                            over the functional's largest component or a larger size of it; 0: none */
  int jumps; /* gradients: places where the equations jump as states move and no event is declared */
  double jump_time[GRADYN_JUMP_TIMES]; /* s, of the first of them */
  double undetermined[2]; /* adjoint gradients: what errors of steps, and round-off alone, do to the
                             functional that they do most to, over its size; 0: not known */
  const char *undetermined_functional; /* its name; lives as long as the evaluator */
  double time_simulate;                /* s, of the last simulation or forward run */
  double time_gradient;                /* s, of the last whole gradient */
} gradyn_statistics;

/* Fills options with the defaults of the library and, where it gives any, of the problem. */
GRADYN_API void gradyn_options_default(const gradyn_problem *problem, gradyn_options *options);

/* Names of the methods, ended by NULL. */
GRADYN_API const char *const *gradyn_method_names(void);

/* Creates an evaluator: builds the model at the initial parameters and takes its memory.
 * settings [setting_count] may be NULL. On failure *out is still an object whose message tells the
 * reason (NULL only when out of memory); free it all the same. */
GRADYN_API gradyn_status gradyn_evaluator_create(const gradyn_problem *problem,
                                                 const gradyn_options *options,
                                                 const gradyn_setting_choice *settings,
                                                 size_t setting_count, gradyn_evaluator **out);
/* The same for the problem and the settings of another evaluator, with other options. */
GRADYN_API gradyn_status gradyn_evaluator_alike(const gradyn_evaluator *other,
                                                const gradyn_options *options,
                                                gradyn_evaluator **out);
GRADYN_API void gradyn_evaluator_free(gradyn_evaluator *evaluator);

/* How gradients of so many functionals by all parameters are made: as the options say, or what "auto"
 * stands for there. Empty for an evaluator that is none. */
GRADYN_API const char *gradyn_evaluator_sensitivity(const gradyn_evaluator *evaluator,
                                                    size_t functionals);

/* The last message: reason, place, time, numbers. Empty after success. Never NULL. */
GRADYN_API const char *gradyn_evaluator_message(const gradyn_evaluator *evaluator);

/* What is doubtful about the last result although its status is ok, a line each: steps that had to be
 * divided. Empty if nothing is known. Never NULL; lives until the next call. */
GRADYN_API const char *gradyn_evaluator_warnings(const gradyn_evaluator *evaluator);

/* Simulates at rho [parameters]; psi [functionals] and trajectory may be NULL. */
GRADYN_API gradyn_status gradyn_simulate(gradyn_evaluator *evaluator, const double rho[],
                                         double psi[], gradyn_trajectory *trajectory);

/* Functionals and their gradients dpsi/drho [functionals][parameters] by the options' method.
 * GRADYN_INVALID if build() or a user's function loses a derivative in complex numbers, which is looked at
 * here once, as in every analysis that takes derivatives: the message names the number. */
GRADYN_API gradyn_status gradyn_gradient(gradyn_evaluator *evaluator, const double rho[],
                                         double psi[], double gradient[]);

/* The gradient for an optimiser, which compares values: that of the very run that a simulation is, nothing
 * being repeated for the sake of its error. wanted [functionals]: those that are differentiated, rows of
 * others mean nothing; NULL: all. */
GRADYN_API gradyn_status gradyn_search_gradient(gradyn_evaluator *evaluator, const bool wanted[],
                                                const double rho[], double psi[],
                                                double gradient[]);

/* Products of the Hessian of the sum of weight [functionals] times psi at rho with directions
 * [count][parameters], to product [count][parameters]. They are differences of gradients along each
 * direction, exact ones of runs with the same steps, so that what is left is some 1e-9 of the product; two
 * gradients for each direction, beyond the bounds of parameters where rho is on them. Steps are chosen once,
 * for all directions, beside rho on the first of them. GRADYN_UNSUPPORTED, with names: events, maxima over
 * time and limits, at which steps end; idas, which keeps no steps; gradients by differences. */
GRADYN_API gradyn_status gradyn_hessian_product(gradyn_evaluator *evaluator, const double weight[],
                                                const double rho[], size_t count,
                                                const double direction[], double product[]);

/* The same with respect to every datum: dpsi/dd [functionals][data]. */
GRADYN_API gradyn_status gradyn_data_gradient(gradyn_evaluator *evaluator, const double rho[],
                                              double psi[], double gradient[]);

/* Marks in data [gradyn_data_count()] and parameters (NULL: not wanted) those by which a run at rho has no
 * derivatives: they move constraints against each other where these depend on each other, redundant all
 * along or in a singular position that the motion passes. With fixed steps it takes a simulation; other
 * methods end at singular positions. What the evaluator tells of its last run stays. */
GRADYN_API gradyn_status gradyn_singular_data(gradyn_evaluator *evaluator, const double rho[],
                                              bool data[], bool parameters[]);

/* Marks in influences [parameters] those on which any number of the model depends: the derivatives of
 * all data are zero by the others, at rho and a little off. They cannot change any result. */
GRADYN_API gradyn_status gradyn_influence(gradyn_evaluator *evaluator, const double rho[],
                                          bool influences[]);

/* Functionals for data given directly, data [gradyn_data_count()]: for checks of dpsi/dd. */
GRADYN_API gradyn_status gradyn_simulate_data(gradyn_evaluator *evaluator, const double data[],
                                              double psi[]);

/* The problem that it evaluates. */
GRADYN_API const gradyn_problem *gradyn_evaluator_problem(const gradyn_evaluator *evaluator);

/* The options in force, completed by defaults; names in them live as long as the evaluator. */
GRADYN_API gradyn_options gradyn_evaluator_options(const gradyn_evaluator *evaluator);

/* What the last call of the evaluator cost, and its drift. */
GRADYN_API gradyn_statistics gradyn_evaluator_statistics(const gradyn_evaluator *evaluator);

/* --- Events of the last run (see <gradyn/events.h>) -------------------------------------------- */

/* One event of a run. */
typedef struct gradyn_event_record {
  const char *name; /* lives with the evaluator */
  gradyn_event_id event;
  int which;           /* how often it had happened then, 1 for the first time */
  double t;            /* s */
  double approach;     /* rate of the guard just before, m/s for a gap */
  double rebound;      /* and just after */
  double impulse;      /* N s, see gradyn_event_impulse() */
  double energy_lost;  /* J; kinematic jumps may gain some */
  gradyn_mode_id mode; /* behind it, from 1 on as gradyn_mode() counts; without modes 1 */
} gradyn_event_record;

/* In their order. */
GRADYN_API size_t gradyn_event_log_count(const gradyn_evaluator *evaluator);
GRADYN_API gradyn_event_record gradyn_event_log_at(const gradyn_evaluator *evaluator, size_t i);

#ifdef __cplusplus
}
#endif

#endif
