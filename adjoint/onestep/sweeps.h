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
#include "adjoint/onestep/taken.h"
#include "dae/onestep/onestep.h"

typedef struct gradyn_onestep_sweeps gradyn_onestep_sweeps;
struct gradyn_direct_position;

/* Derivatives of the stages of a step. */
typedef struct gradyn_onestep_derivatives {
  /* Derivatives of all stages of the step `at`, to s->stage, from those of the state in s->z. */
  gradyn_status (*along)(gradyn_onestep_sweeps *s, const struct gradyn_direct_position *at);
  /* Transpose for step k: s->z, adjoints of the state at its end before the projection, become those at its
   * start. stages: of this step; x_bar [rows][nx] is added to. */
  gradyn_status (*against)(gradyn_onestep_sweeps *s, int k, double *stages, double *x_bar);
  bool leaves_start; /* afterwards the rates are linearised at the first stage of the step */
} gradyn_onestep_derivatives;

/* Memory of the arrays that grow with lanes and boundaries, and the numbers of both for which it suffices. */
typedef struct gradyn_onestep_room {
  int lanes, boundaries;
  gradyn_arena arena;
} gradyn_onestep_room;

struct gradyn_onestep_sweeps {
  gradyn_onestep *march; /* borrowed */
  const gradyn_onestep_derivatives *scheme;
  int *row; /* adjoint: [rows] functionals that are not skipped; state-independent ones are last */
  int rows;
  /* columns in use; batches (packs) of columns; groups of lanes of an entry, 1 or 2. Entries of a last batch
   * of few columns have one group */
  int columns, packs, lanes;
  int active;      /* batches of the present step: packs, and one more for an event at its end */
  bool moving;     /* boundaries depend on the data that change */
  gradyn_lanes *z; /* [packs][nz] entries: derivatives, or adjoints, of the state */
  gradyn_lanes *stage; /* [packs][slots][seen] of the stages; adjoint: [packs][slots][nz] of Z_i */
  gradyn_lanes *scratch;  /* [2][record] for each slot, and one more: of the scheme */
  gradyn_lanes *work;     /* [max(nz, seen)] */
  gradyn_lanes *kept;     /* direct: [packs][nz] z at the start of a step */
  gradyn_lanes *boundary; /* [boundaries][packs] derivatives, or adjoints, of boundary times */
  gradyn_onestep_node node;
  double *dx; /* direct: [columns][nx] */
  gradyn_onestep_side side;
  gradyn_lanes *ready; /* direct: [packs][readies] results of the rates for these changes of data */
  double *x_bar; /* [nf][nx] adjoints of data; adjoint sweep: of the rows, then of the guard */
  gradyn_onestep_taken taken;
  double *slope;  /* [nf] dpsi/d(inner) */
  double *growth; /* [nf] adjoint: sum over steps of |z_bar| . (atol + rtol |z|) */
  double *reach;  /* [nf] adjoint: the first term of that sum that is not zero */
  double *corner; /* [nf] time near a kink of the integrand, s; NAN: none was found */
  gradyn_onestep_steep steep;
  gradyn_onestep_kinks kinks;
  double *end_bar;    /* [nf] direct: derivative of the outer function by the end time */
  gradyn_arena arena; /* owns the arrays whose lengths depend on the model alone */
  gradyn_onestep_room capacity;
};

/* Allocates sweeps over the steps of `march`. Clear *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_sweeps_create(gradyn_onestep *march,
                                           const gradyn_onestep_derivatives *scheme,
                                           gradyn_onestep_sweeps *out);

/* Adjoints at a stage of a step, for the rows of a batch. */
typedef struct gradyn_onestep_bars {
  gradyn_lanes *stage; /* [seen]; must be zero before */
  double *x;           /* [rows][nx] of data; added to */
  gradyn_lanes t, h;   /* of the time of the stage and of the length of the step; added to */
} gradyn_onestep_bars;

/* Adds the adjoints of stage i of step k that follow from the integrands of a batch. stages: states and
 * rates of the step. Errors: those of the integrands. */
gradyn_status gradyn_onestep_integrands_against(gradyn_onestep_sweeps *s, int k, int i, int pack,
                                                const double *stages,
                                                gradyn_onestep_bars *adjoints);
/* sum += factor a . b in each lane for a [count] and plain b. */
static inline void gradyn_onestep_add_dot(double factor, const gradyn_lanes *a, const double *b,
                                          int count, gradyn_lanes *sum)
{
  for (int i = 0; i < count; i++)
    *sum += factor * b[i] * a[i];
}

/* Returns the number of rows of a batch, 1 to GRADYN_LANES. The batch after the last one has the guard. */
static inline int gradyn_onestep_rows(const gradyn_onestep_sweeps *s, int pack)
{
  const int left = pack < s->packs ? s->rows - pack * GRADYN_LANES : 1;
  return left < GRADYN_LANES ? left : GRADYN_LANES;
}
/* Returns where the rates add the adjoints of data of a batch. x_bar [rows][nx]: adjoints of all rows. */
gradyn_rates_sums gradyn_onestep_sums(const gradyn_onestep_sweeps *s, int pack, double *x_bar);
/* Adds the sums of the rates to x_bar [rows][nx] and clears them. Call it before data change, for example
 * at an event. */
void gradyn_onestep_gather(gradyn_onestep_sweeps *s, double *x_bar);
/* Frees the arrays of the sweeps; not the integrator. */
void gradyn_onestep_sweeps_clear(gradyn_onestep_sweeps *s);

/* Reserves memory for columns, with entries of `lanes` groups, and for the arcs of the present run. Sets z,
 * times and boundaries to zero. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_sweeps_reserve(gradyn_onestep_sweeps *s, int columns, int lanes);

/* For adjoint sweeps, after reserve(): active [nx] marks the data whose adjoints are requested; NULL: all. */
void gradyn_onestep_sweeps_activate(gradyn_onestep_sweeps *s, const bool *active);

/* Returns the number of columns of a batch. The next one has one, for the length of a step. */
static inline int gradyn_onestep_columns(const gradyn_onestep_sweeps *s, int pack)
{
  const int most = GRADYN_LANES * s->lanes, left = pack < s->packs ? s->columns - pack * most : 1;
  return left < most ? left : most;
}

/* Returns entry 0 of a column in an array of `count` entries per batch; the next at *stride numbers. */
static inline double *gradyn_onestep_column(const gradyn_onestep_sweeps *s, gradyn_lanes *array,
                                            int count, int column, int *stride)
{
  const int most = GRADYN_LANES * s->lanes, pack = column / most;
  *stride = GRADYN_LANES * (int)gradyn_lanes_packs(gradyn_onestep_columns(s, pack));
  return (double *)(array + pack * count * s->lanes) + column % most;
}

/* Detection of kinks of integrands. forget(): before a sweep. begin(): before a step, with the number of
 * batches of functionals. add(): for each stage with nonzero weight, bar [ny]: h b_i g_y. After step k,
 * judge(), for rows of an adjoint sweep, and judge_each(), for functionals of a direct one, set s->corner. */
void gradyn_onestep_corners_forget(gradyn_onestep_sweeps *s);
void gradyn_onestep_corners_begin(gradyn_onestep_sweeps *s, int packs);
void gradyn_onestep_corners_add(gradyn_onestep_sweeps *s, int stage, int pack,
                                const gradyn_lanes *bar);
void gradyn_onestep_corners_judge(gradyn_onestep_sweeps *s, int k);
void gradyn_onestep_corners_judge_each(gradyn_onestep_sweeps *s, int k);

/* Propagates changes Z [columns][nz] of the initial state and dx [columns][nx] (NULL: none) of the data to
 * the end of a run that has stored its steps, in Z. Errors: GRADYN_NO_MEMORY; those of the rates. */
gradyn_status gradyn_onestep_carry(gradyn_onestep_sweeps *s, int columns, const double *dx,
                                   double *Z);

/* The functions of the same name of gradyn_method. */
gradyn_status gradyn_onestep_direct(gradyn_onestep_sweeps *s, const gradyn_directions *directions,
                                    double *psi, double *gradient);
gradyn_status gradyn_onestep_adjoint(gradyn_onestep_sweeps *s, const bool *active, double *psi,
                                     double *x_bar);

#endif
