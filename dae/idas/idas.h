/* Marching index-1 systems with SUNDIALS IDAS: one IDAS object per smooth arc. The only files that
 * know SUNDIALS are this one, its implementation, and the IDAS files in adjoint/. */
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

/* Returns where a call of IDAS fails. */
#define GRADYN_IDAS_TRY(call)                                                                      \
  do {                                                                                             \
    const int tried = (call);                                                                      \
    if (tried < 0)                                                                                 \
      return tried;                                                                                \
  } while (0)

/* What IDAS and its vectors need, as long as this object lives. */
typedef struct gradyn_idas_sundials {
  SUNContext context;
  SUNMatrix matrix; /* a placeholder: the system keeps its own factors */
  SUNLinearSolver solver;
  SUNNonlinearSolver newton; /* of general equations; NULL: IDAS' own */
  N_Vector y, yp, atol;      /* [ny + 1], the last one the metronome, see above */
  N_Vector id;               /* likewise, and what the norm of errors needs behind it, see norm.c */
  N_Vector error, weight;    /* [ny + 1] of the last step, when somebody asks */
  N_Vector quad, quad_atol;  /* [nq], with watched rates [nq + np] */
} gradyn_idas_sundials;

/* What absolute tolerances follow from. */
typedef struct gradyn_idas_scale {
  double *size; /* [ny] largest |y| so far */
  double *most; /* [ny] size of the states: see gradyn_state_sizes(), and what they have reached */
  double share; /* of that, an absolute tolerance; 0: the user has given it */
} gradyn_idas_scale;

/* What Newton's iterations of general equations are judged by. */
typedef struct gradyn_idas_pace {
  double left;  /* of a correction, what is still to come, with the matrix in hand */
  double first; /* size of the first correction */
} gradyn_idas_pace;

/* A sensitivity run on top of the march. */
typedef struct gradyn_idas_rider {
  void *run; /* for the callbacks of a sensitivity run */
  /* its tolerances, when those of the states have grown: a code of IDAS; or NULL */
  int (*renew)(void *run);
} gradyn_idas_rider;

/* The last callback that failed in this step. */
typedef struct gradyn_idas_failure {
  gradyn_status status; /* GRADYN_OK: none */
  double at;            /* s, time of a residual among them; NAN: none */
} gradyn_idas_failure;

/* A march and the memory it needs; made once, run many times. */
typedef struct gradyn_idas {
  gradyn_index1 *system;
  gradyn_model *model;
  gradyn_options options, asked; /* with the tolerances of the next run; as they came */
  long limit; /* steps that a run may take, if fewer than those of the options; 0: those */
  int ny;     /* states */
  gradyn_arcs arcs;
  gradyn_idas_sundials sun;
  void *ida;             /* the present arc's IDAS object */
  bool watch_rates;      /* integrate the rates of the differential states, too */
  double beat, cj;       /* 1/s: rate of the metronome; coefficient of the last Jacobian */
  gradyn_idas_pace pace; /* of Newton's method */
  double t, begin, end;  /* s: reached so far; of the present arc, see arc_time.h */
  double linearised_at;  /* time of the matrices that the system holds for the adjoint; NAN: none */
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
void gradyn_idas_tighten(gradyn_idas *s, double part); /* next runs have part of what was asked */

/* Simulates with the model's present data; psi [nf] and trajectory may be NULL. */
gradyn_status gradyn_idas_simulate(gradyn_idas *s, double *psi, gradyn_trajectory *trajectory);

/* --- pieces that the sensitivity runs share --------------------------------------------------- */

/* Looks at an accepted state, and at what lies between it and the last one. */
gradyn_status gradyn_idas_look(gradyn_idas *s, double t, const double *y);

/* Starts a run: arcs, consistent initial state, statistics. */
gradyn_status gradyn_idas_begin(gradyn_idas *s);

/* Sizes of all states, and absolute tolerances, from y, yp at the beginning of a run. */
gradyn_status gradyn_idas_set_tolerances(gradyn_idas *s);

/* The same at the accepted state y at t within an arc, where a state has outgrown its size twice:
 * rates, integrals and sensitivities are never small beside what states have become, and would not
 * pass zero again with tolerances below their round-off. */
gradyn_status gradyn_idas_renew_tolerances(gradyn_idas *s, double t, const double *y);

/* Creates the IDAS object of arc k at the present y, yp: tolerances, linear solver, quadratures. */
gradyn_status gradyn_idas_open_arc(gradyn_idas *s, int k);
void gradyn_idas_close_arc(gradyn_idas *s);
/* Counts the work of an IDAS object into the statistics. */
void gradyn_idas_count(gradyn_idas *s, void *ida, bool backward);
/* Enters arc k + 1: states carry over, or jump at an event; algebraic ones and rates follow. */
gradyn_status gradyn_idas_next_arc(gradyn_idas *s, int k);

/* Steps left to a run that has taken some, of those asked for or usual (0: as forward): at least one. */
long gradyn_idas_steps_left(const gradyn_idas *s, long usual, long taken);

/* Takes the quadratures at the end of an arc from IDAS. */
gradyn_status gradyn_idas_quadratures(gradyn_idas *s);
/* Makes y, yp consistent at the end of arc k and adds terminal parts: psi [nf] or NULL. */
gradyn_status gradyn_idas_finish(gradyn_idas *s, double *psi);

/* Translates a return code of IDAS; what: the call, for the message. */
gradyn_status gradyn_idas_failed(gradyn_idas *s, int flag, const char *what, double t);

/* Notes a failure inside a callback and returns what IDAS expects of it. */
int gradyn_idas_callback(gradyn_idas *s, gradyn_status status);

/* Gives IDAS a Newton method that does not end by how others have converged long ago: a code of IDAS. */
int gradyn_idas_newton(gradyn_idas *s);

/* Placeholder matrix, and a linear solver that calls back. */
SUNMatrix gradyn_idas_matrix(SUNContext context);
typedef void (*gradyn_idas_solve_fn)(void *user, double *b);
SUNLinearSolver gradyn_idas_solver(SUNContext context, gradyn_idas_solve_fn solve, void *user);

#endif
