/* Direct and adjoint sweeps over the steps of a one-step method. The time t of the node moves with the sweep.
 * An arc from b_0 to b_1 begins with dt = db_0, and a step ends at t + h. Its length has one of four laws:
 *     share: dh = share (db_1 - db_0),   given: dh = 0,   rest: dh = db_1 - dt,   event: dh from the guard.
 * In a step that ends with an event, r(Z(z, x, t, h), x, t + h) = 0 for the guard r, with the state Z at the
 * end of the step. One more column with dz = dx = dt = 0, dh = 1 gives the derivative S of Z by h, and
 *     r_z (dZ + S dh) + r_x dx + r_t (dt + dh) = 0,   dZ: change for the same h.
 * The adjoint sweep has the transpose, one more row that begins with r_z, r_x, r_t (dae/events/instant.h). */
#ifndef GRADYN_ADJOINT_EXPLICIT_SWEEPS_H
#define GRADYN_ADJOINT_EXPLICIT_SWEEPS_H

#include "adjoint/directions.h"
#include "adjoint/onestep/displaced.h"
#include "adjoint/onestep/stagewise.h"
#include "adjoint/onestep/taken.h"
#include "dae/onestep/batches.h"
#include "dae/tape/sweep.h"

/* Memory of the arrays that grow with lanes and boundaries, and the numbers of both for which it suffices. */
typedef struct gradyn_onestep_room {
  int lanes, boundaries;
  gradyn_arena arena;
} gradyn_onestep_room;

/* What a direct sweep records and adds to. */
typedef struct gradyn_onestep_along {
  struct gradyn_tangents *tangents; /* NULL: none */
  double *gradient;                 /* [nf][directions]; NULL if all functionals are skipped */
} gradyn_onestep_along;

/* In gradyn_onestep_sweeps::row: no functional. */
enum { GRADYN_NO_FUNCTIONAL = -1 };

struct gradyn_onestep_sweeps {
  gradyn_onestep_batches b; /* first: its integrands() finds the sweeps by it */
  gradyn_onestep *march;    /* borrowed */
  int *row; /* adjoint: [rows] functionals that are not skipped; state-independent ones are last */
  int rows;
  const double
      *weight; /* [nf] adjoint: the only row is the sum of weight times functional; NULL: none */
  gradyn_displaced displaced;
  gradyn_stagewise stagewise;
  gradyn_lanes *kept;     /* direct: [packs][nz] z at the start of a step */
  gradyn_lanes *boundary; /* [boundaries][packs] derivatives, or adjoints, of boundary times */
  double *x_bar; /* [nf][nx] adjoints of data; adjoint sweep: of the rows, then of the guard */
  gradyn_onestep_taken taken;
  gradyn_onestep_along along;
  double *slope;  /* [nf] dpsi/d(inner) */
  double *growth; /* [nf] adjoint: sum over steps of |z_bar| . (atol + rtol |z|) */
  double *reach;  /* [nf] adjoint: the first term of that sum that is not zero */
  double *corner; /* [nf] time near a kink of the integrand, s; NAN: none was found */
  gradyn_onestep_steep steep;
  gradyn_onestep_kinks kinks;
  double *end_bar;    /* [nf] derivative of the outer function by the end time */
  gradyn_arena arena; /* owns the arrays whose lengths depend on the model alone */
  gradyn_onestep_room capacity;
};

/* Allocates sweeps over the steps of `march`, which must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_sweeps_create(gradyn_onestep *march, gradyn_onestep_sweeps *out);

/* Adds the adjoints of data that the rates have summed up in s->b.side to x_bar [rows][nx], for the active
 * data, and clears these sums. Call it before data change, for example at an event. */
void gradyn_onestep_gather(gradyn_onestep_sweeps *s, double *x_bar);
/* Frees the arrays of the sweeps; not the integrator, nor the object itself. May be repeated. */
void gradyn_onestep_sweeps_clear(gradyn_onestep_sweeps *s);

/* After the forward run: reserves memory for this number of columns, directions or rows, with entries of
 * `lanes` groups of GRADYN_LANES, and for the arcs of this run. Sets z, times and boundaries to zero. Memory
 * never shrinks. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_sweeps_reserve(gradyn_onestep_sweeps *s, int columns, int lanes);

/* For adjoint sweeps, after reserve(): active [nx] marks the data whose adjoints are requested; active
 * NULL: all. */
void gradyn_onestep_sweeps_activate(gradyn_onestep_sweeps *s, const bool *active);

/* Before a sweep: clears the results of the detection of kinks of integrands. */
void gradyn_onestep_corners_forget(gradyn_onestep_sweeps *s);

/* Before a step: clears the sums that detect kinks in the step, for the first `packs` batches of
 * functionals. */
void gradyn_onestep_corners_begin(gradyn_onestep_sweeps *s, int packs);

/* Adds a part of a step to the sums that detect kinks of integrands: bar [ny] = h b_i g_y of stage i =
 * `stage`, from 0, with b_i not 0, for batch `pack`, from 0, of functionals. */
void gradyn_onestep_corners_add(gradyn_onestep_sweeps *s, int stage, int pack,
                                const gradyn_lanes *bar);
/* After step k, from 0, of an adjoint sweep: sets s->corner of the rows to the middle, s, of the earliest
 * step with a kink so far, or to NAN if jumps are negligible. */
void gradyn_onestep_corners_judge(gradyn_onestep_sweeps *s, int k);

/* Begins the detection of kinks in a step of a direct sweep, for all functionals with integrands. */
void gradyn_onestep_corners_begin_each(gradyn_onestep_sweeps *s);

/* After step k, from 0, of a direct sweep: sets s->corner of all functionals with integrands to the middle,
 * s, of the earliest step with a kink so far. NAN: jumps are negligible. */
void gradyn_onestep_corners_judge_each(gradyn_onestep_sweeps *s, int k);

/* Adds the contributions of the integrands at stage i, from 0, of the step `at` to the gradients in s->taken
 * and to s->x_bar. No effect if stage i has no weight. Errors: those of the integrands. */
gradyn_status gradyn_direct_integrands(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at,
                                       int i);
/* Adds the contributions of the terminal parts at sample k, from 0, of the tape to the gradients in s->taken.
 * at: time and state of the sample. s->stage has the changes of the states: in the last slot those at the
 * node, which may move, in the first slot those at a fixed time. Errors: those of the terminal parts. */
gradyn_status gradyn_direct_terminals(gradyn_onestep_sweeps *s, int k, const gradyn_sample *at);

/* Propagates changes Z [columns][nz] of the initial state and dx [columns][nx] (NULL: none) of the data over
 * the first `records` of a run that has stored its steps; Z becomes the changes of the state there, and dt
 * [columns] those of its time. Errors:
 * GRADYN_NO_MEMORY; GRADYN_INTERRUPTED, GRADYN_STEP_LIMIT (deadline); those of the rates. */
gradyn_status gradyn_onestep_carry(gradyn_onestep_sweeps *s, int records, int columns,
                                   const double *dx, double *Z, double *dt);

/* Runs and propagates directions: the function direct of gradyn_method. sweeps: a gradyn_onestep_sweeps.
 * psi [nf], gradient [nf][directions]; undefined after an error. Errors: those of runs, rates and
 * functionals. */
gradyn_status gradyn_onestep_direct(void *sweeps, const gradyn_directions *directions, double *psi,
                                    double *gradient);

/* Runs and propagates adjoints backward: the function adjoint of gradyn_method. sweeps: a
 * gradyn_onestep_sweeps. active [nx] marks requested data; psi [nf], x_bar [nf][nx]; undefined after an
 * error. Errors: those of runs, rates and functionals. */
gradyn_status gradyn_onestep_adjoint(void *sweeps, const bool *active, double *psi, double *x_bar);
/* Propagates the adjoint of the sum of weight [nf] times functionals over the last run, and adds it to
 * x_bar [nx], at least for the data that active [nx] marks. Errors: those of the rates and functionals. */
gradyn_status gradyn_onestep_adjoint_of_sum(gradyn_onestep_sweeps *s, const double *weight,
                                            const bool *active, double *x_bar);

#endif
