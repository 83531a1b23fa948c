/* Integration of index-1 systems with SUNDIALS IDAS: one IDAS object per smooth arc. Only dae/idas and
 * adjoint/idas include headers of SUNDIALS. */
#ifndef GRADYN_DAE_IDAS_H
#define GRADYN_DAE_IDAS_H

#include "dae/events/arcs.h"
#include "dae/idas/careful.h"
#include "dae/idas/sums.h"
#include "dae/idas/sundials.h"
#include "dae/systems/index1.h"
#include "dae/monitors/monitors.h"
#include "dae/systems/sizes.h"
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
  SUNMatrix matrix; /* a placeholder: the system keeps its own factors */
  SUNLinearSolver solver;
  SUNNonlinearSolver newton; /* of general equations; NULL: IDAS' own */
  N_Vector y, yp, atol;      /* [ny + 1], the last one is the metronome, see careful.h */
  N_Vector id;               /* the same, followed by data of the norm of errors, see norm.c */
  N_Vector error, weight;    /* [ny + 1] of the last step, if requested */
  N_Vector quad, quad_atol;  /* [nq], with watch_rates [nq + np] */
} gradyn_idas_sundials;

/* Sizes from which absolute tolerances follow. */
typedef struct gradyn_idas_scale {
  double *size; /* [ny] largest |y| so far */
  double *most; /* [ny] sizes of the states: of gradyn_state_sizes(), or the largest so far */
  double share; /* absolute tolerance over `most`; 0: the user has given it */
} gradyn_idas_scale;

/* Convergence of Newton's method for general equations. */
typedef struct gradyn_idas_pace {
  double left;  /* remaining part of a correction with the present matrix */
  double first; /* size of the first correction */
} gradyn_idas_pace;

/* A sensitivity run together with the states. */
typedef struct gradyn_idas_rider {
  void *run; /* passed to renew() and to callbacks of the sensitivity run */
  /* adapts its tolerances after those of the states have grown; returns a code of IDAS; may be NULL */
  int (*renew)(void *run);
} gradyn_idas_rider;

/* The last callback that failed in this step. */
typedef struct gradyn_idas_failure {
  gradyn_status status; /* GRADYN_OK: none */
  double at;            /* time of a failed residual, s; NAN: none */
} gradyn_idas_failure;

/* An integrator, created once for many runs. */
typedef struct gradyn_idas {
  gradyn_index1 *system;
  gradyn_model *model;
  gradyn_options options, asked; /* with the tolerances of the next run; as given */
  long limit; /* step limit of a run if it is below that of the options; 0: that of the options */
  int ny;     /* states */
  gradyn_arcs arcs;
  gradyn_idas_sundials sun;
  void *ida;             /* the present arc's IDAS object */
  bool watch_rates;      /* integrate the rates of the differential states, too */
  double beat, cj;       /* 1/s: rate of the metronome; coefficient of the last Jacobian */
  gradyn_idas_pace pace; /* of Newton's method */
  double t, begin, end;  /* s: time reached; start and end of the present arc, see arc_time.h */
  double linearised_at;  /* time of the system's matrices for the adjoint, s; NAN: none */
  gradyn_idas_scale sizes;
  gradyn_idas_sums sums;
  gradyn_idas_rider rider;
  gradyn_idas_care care;
  struct gradyn_idas_events *events; /* NULL: the model has none */
  gradyn_idas_failure failure;
  gradyn_monitors monitors;
  const double *accepted; /* [ny] the state that the step starts from, borrowed from IDAS */
  double *scratch;        /* [ny] */
  gradyn_run_report report;
} gradyn_idas;

/* The norm of errors of new objects, whose vectors inherit it; at the start of a run. */
void gradyn_idas_norm_install(gradyn_idas *s);
gradyn_status gradyn_idas_norm_begin(gradyn_idas *s);
gradyn_status gradyn_idas_create(gradyn_model *model, const gradyn_options *options,
                                 gradyn_idas **out);
void gradyn_idas_free(gradyn_idas *s);
void gradyn_idas_tighten(gradyn_idas *s,
                         double part); /* multiplies the requested tolerances of next runs */

/* Simulates with the model's present data; psi [nf] and trajectory may be NULL. */
gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory);

/* --- parts that sensitivity runs share -------------------------------------------------------- */

/* Raises sizes.size by an accepted state y at t, s, and passes it to the monitors. */
gradyn_status gradyn_idas_look(gradyn_idas *s, double t, const double *y);

/* Begins a run: arcs, consistent initial state, statistics. */
gradyn_status gradyn_idas_begin(gradyn_idas *s);

/* Sizes of all states, and absolute tolerances, from y, yp at the beginning of a run. */
gradyn_status gradyn_idas_set_tolerances(gradyn_idas *s);

/* The same at the accepted state y at t within an arc; call if a state exceeds twice its size. Otherwise
 * the tolerances of rates, integrals and sensitivities would be below their round-off when they pass
 * zero. */
gradyn_status gradyn_idas_renew_tolerances(gradyn_idas *s, double t, const double *y);

/* Creates the IDAS object of arc k at the present y, yp: tolerances, linear solver, quadratures. */
gradyn_status gradyn_idas_open_arc(gradyn_idas *s, int k);
void gradyn_idas_close_arc(gradyn_idas *s);
/* Counts the work of an IDAS object into the statistics. */
void gradyn_idas_count(gradyn_idas *s, void *ida, bool backward);
/* Enters arc k + 1: states carry over, or jump at an event; algebraic ones and rates follow. */
gradyn_status gradyn_idas_next_arc(gradyn_idas *s, int k);

/* Returns the steps left after `taken`, of the requested or `usual` number (0: as forward); at least one. */
long gradyn_idas_steps_left(const gradyn_idas *s, long usual, long taken);

/* Reads the quadratures of IDAS at the end of an arc to s->sun.quad. */
gradyn_status gradyn_idas_quadratures(gradyn_idas *s);
/* Makes y, yp consistent at the end of arc k and adds terminal parts: psi [nf] or NULL. */
gradyn_status gradyn_idas_finish(gradyn_idas *s, double *psi);

/* Translates a code of IDAS to a status, with a message; what: the call; t: time, s. */
gradyn_status gradyn_idas_failed(gradyn_idas *s, int flag, const char *what, double t);

/* Stores a failure inside a callback, and returns the code for IDAS. */
int gradyn_idas_callback(gradyn_idas *s, gradyn_status status);

/* Gives IDAS a Newton method whose end does not depend on rates of earlier steps. Returns a code of IDAS. */
int gradyn_idas_newton(gradyn_idas *s);

/* Placeholder matrix, and a linear solver that calls back. */
SUNMatrix gradyn_idas_matrix(SUNContext context);
typedef void (*gradyn_idas_solve_fn)(void *user, double *b);
SUNLinearSolver gradyn_idas_solver(SUNContext context, gradyn_idas_solve_fn solve, void *user);

#endif
