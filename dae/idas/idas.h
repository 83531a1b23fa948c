/* Integration of index-1 systems with SUNDIALS IDAS: one IDAS object per smooth arc. Only dae/idas and
 * adjoint/idas include headers of SUNDIALS. */
#ifndef GRADYN_DAE_IDAS_H
#define GRADYN_DAE_IDAS_H

#include "dae/idas/careful.h"
#include "dae/idas/observer.h"
#include "dae/idas/sums.h"
#include "dae/idas/sundials.h"
#include "dae/systems/index1.h"
#include "dae/monitors/monitors.h"
#include "dae/systems/sizes.h"
#include "dae/tape/tape.h"
#include "dae/trajectory.h"

/* Returns the code of IDAS if a call fails. */
#define GRADYN_IDAS_TRY(call)                                                                      \
  do {                                                                                             \
    const int tried = (call);                                                                      \
    if (tried < 0)                                                                                 \
      return tried;                                                                                \
  } while (0)

/* Objects of SUNDIALS; they live as long as this object. */
typedef struct gradyn_idas_sundials {
  SUNContext context;
  SUNMatrix matrix; /* a placeholder: the system has its own factors */
  SUNLinearSolver solver;
  SUNNonlinearSolver newton; /* for general equations; NULL: that of IDAS */
  N_Vector y, yp, atol;      /* [ny + 1], the last one is the metronome, see careful.h */
  N_Vector id;               /* the same, followed by data of the norm of errors, see norm.c */
  N_Vector error, weight;    /* [ny + 1] of the last step, if requested */
  N_Vector quad, quad_atol;  /* [nq]; with watch_rates [nq + np] */
} gradyn_idas_sundials;

/* Sizes from which absolute tolerances follow. */
typedef struct gradyn_idas_scale {
  double *size; /* [ny] largest |y| so far */
  double *most; /* [ny] sizes of the states: of gradyn_state_sizes(), or the largest so far */
  double share; /* absolute tolerance over `most`; 0: tolerances are given by the user */
} gradyn_idas_scale;

/* Convergence of Newton's method for general equations. */
typedef struct gradyn_idas_pace {
  double left;  /* remaining part of a correction with the present matrix */
  double first; /* size of the first correction */
} gradyn_idas_pace;

/* The last callback that failed in this step. */
typedef struct gradyn_idas_failure {
  gradyn_status status; /* GRADYN_OK: none */
  double at;            /* time of a failed residual, s; NAN: none */
} gradyn_idas_failure;

/* An integrator, created once for many runs. */
typedef struct gradyn_idas {
  gradyn_index1 *system;
  gradyn_model *model;
  gradyn_options options,
      asked; /* options with the tolerances of the next run; options at creation */
  long
      limit; /* step limit of a run if below the limit of the options; 0: the limit of the options */
  int ny;    /* number of states, without the metronome */
  gradyn_arcs arcs;
  gradyn_tape tape; /* arcs, jumps and samples */
  gradyn_idas_nodes nodes;
  gradyn_idas_stored stored;
  gradyn_idas_sundials sun;
  void *ida;             /* the present arc's IDAS object; NULL: none */
  bool watch_rates;      /* also integrate the rates of the differential states */
  double beat, cj;       /* 1/s: rate of the metronome; c of the last F_y + c F_y' */
  gradyn_idas_pace pace; /* of Newton's method */
  double t, begin, end;  /* s: time reached; start and end of the present arc, see arc_time.h */
  double linearised_at;  /* time of the system's matrices for the adjoint, s; NAN: none */
  gradyn_idas_scale sizes;
  gradyn_idas_sums sums;
  gradyn_idas_observer observer;
  gradyn_idas_care care;
  struct gradyn_idas_events *events; /* NULL: the model has none */
  gradyn_idas_failure failure;
  gradyn_monitors monitors;
  const double *accepted; /* [ny] the state that the step starts from, borrowed from IDAS */
  double *scratch;        /* [ny] */
  gradyn_run_report report;
} gradyn_idas;

/* Gives the vectors of new IDAS objects the error norm of norm.c. */
void gradyn_idas_norm_install(gradyn_idas *s);

/* Prepares the norm of norm.c for a run, from the system's differential states. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_norm_begin(gradyn_idas *s);
/* Creates an integrator. The model must outlive *out; options are copied. Free *out, unless NULL, also
 * after an error. Errors: GRADYN_NO_MEMORY; those of the system. */
gradyn_status gradyn_idas_create(gradyn_model *model, const gradyn_options *options,
                                 gradyn_idas **out);
/* Frees the object and all it owns; NULL is allowed. */
void gradyn_idas_free(gradyn_idas *s);
/* Sets tolerances of the next runs to those at creation times `part`; not cumulative. */
void gradyn_idas_tighten(gradyn_idas *s, double part);
/* Simulates with the model's present data; psi [nf] and trajectory, which is overwritten, may be NULL.
 * Errors: those of a run (initial state, integrator, events, functionals). After an error psi is undefined,
 * and another run is possible. */
gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory);
/* --- parts of a run ---------------------------------------------------------------------------- */

/* Raises sizes.size to |y| of an accepted state y [ny] at t, s, and calls the monitors. Errors: of
 * monitors. */
gradyn_status gradyn_idas_observe(gradyn_idas *s, double t, const double *y);
/* Begins a run at s->t = 0: new arcs, records and report, discrete state of the first arc, consistent
 * s->sun.y, yp, tolerances. Opens no arc. Errors: those of arcs, monitors, events, initial state. */
gradyn_status gradyn_idas_begin(gradyn_idas *s);
/* Sets sizes and absolute tolerances of all states and integrals from s->sun.y, yp at the start of a run.
 * Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_idas_set_tolerances(gradyn_idas *s);
/* Updates the sizes and tolerances of a run within an arc, by an accepted state y [ny] at t, s. Call when a
 * tolerance has doubled: otherwise those of rates, integrals and sensitivities may be below round-off.
 * Errors: those of gradyn_idas_failed(). */
gradyn_status gradyn_idas_renew_tolerances(gradyn_idas *s, double t, const double *y);
/* Creates s->ida, the IDAS object of arc k = 0, 1, ..., at s->sun.y, yp: tolerances, solver, quadratures.
 * Close the last one before, and this one also after an error. Errors: those of gradyn_idas_failed(),
 * monitors. */
gradyn_status gradyn_idas_open_arc(gradyn_idas *s, int k);
/* Frees s->ida and sets it to NULL; no effect if it is NULL. */
void gradyn_idas_close_arc(gradyn_idas *s);
/* Adds the steps and iterations of the open IDAS object ida to s->report.cost; backward: of an adjoint
 * run. */
void gradyn_idas_count(gradyn_idas *s, void *ida, bool backward);
/* Returns the number of allowed steps minus `taken`, at least 1. Allowed: max_steps of the options; if 0,
 * `usual`; if 0, the default of forward runs; in any case at most s->limit, if set. */
long gradyn_idas_steps_left(const gradyn_idas *s, long usual, long taken);
/* Copies the quadratures of the open arc at s->t, in its last step, to s->sun.quad. Errors: those of the
 * integrator, with a message. */
gradyn_status gradyn_idas_quadratures(gradyn_idas *s);
/* Returns the status for a code of IDAS, GRADYN_OK if flag >= 0; otherwise sets the message. A failure of a
 * callback has priority, except over GRADYN_STEP_LIMIT, and if only trial states are not finite:
 * GRADYN_NOT_CONVERGED. For the message: what, name of the operation; t, time, s. */
gradyn_status gradyn_idas_failed(gradyn_idas *s, int flag, const char *what, double t);
/* Stores the status of a callback if it failed. Returns its code for IDAS: 0, recoverable 1, fatal -1. */
int gradyn_idas_callback(gradyn_idas *s, gradyn_status status);
/* Gives s->ida the Newton method of newton.c if the model has general equations. Returns a code of IDAS. */
int gradyn_idas_newton(gradyn_idas *s);
/* Returns an empty matrix, a placeholder. The caller frees it before the context. NULL: no memory. */
SUNMatrix gradyn_idas_matrix(SUNContext context);
/* Solves a linear system in place, with the right-hand side b [states]. */
typedef void (*gradyn_idas_solve_fn)(void *user, double *b);
/* Returns a linear solver that calls solve(user, b), and borrows user. The caller frees it before the
 * context. NULL: no memory. */
SUNLinearSolver gradyn_idas_solver(SUNContext context, gradyn_idas_solve_fn solve, void *user);

#endif
