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
  /* Along: changes of all stages of a step from those of the state in s->z. */
  gradyn_status (*along)(gradyn_onestep_sweeps *s, const struct gradyn_direct_position *at);
  /* Against: bars s->z of where step k ended, before it arrived, become those of where it started. */
  gradyn_status (*against)(gradyn_onestep_sweeps *s, int k, double *stages, double *x_bar);
  bool leaves_start; /* and the rates linearised at the first stage of the step */
} gradyn_onestep_derivatives;

/* Of arrays that grow with lanes and boundaries: how many of both there is memory for. */
typedef struct gradyn_onestep_room {
  int lanes, boundaries;
  gradyn_arena arena;
} gradyn_onestep_room;

struct gradyn_onestep_sweeps {
  gradyn_onestep *march; /* borrowed */
  const gradyn_onestep_derivatives *scheme;
  int *row; /* adjoint: [rows] functionals that are not skipped, those that read no state last */
  int rows;
  /* Columns in use, packs of them, lanes of an entry in these (a last pack of few columns fills one of two,
   * one behind the other). */
  int columns, packs, lanes;
  int active;      /* batches of the step in hand: packs, and one more for an event at its end */
  bool moving;     /* boundaries move */
  gradyn_lanes *z; /* [packs][nz] entries: derivatives, or bars, of the state */
  gradyn_lanes
      *stage; /* [packs][slots][seen] of the stages; adjoint: bars of Z_i [packs][slots][nz] */
  gradyn_lanes *scratch;  /* [2][record] for each slot, and one more: of the scheme */
  gradyn_lanes *work;     /* [max(nz, seen)] */
  gradyn_lanes *kept;     /* direct: [packs][nz] z at the start of a step, during looks inside it */
  gradyn_lanes *boundary; /* [boundaries][packs] derivatives, or bars, of the arcs' boundaries */
  gradyn_onestep_node node;
  double *dx; /* direct: [columns][nx] */
  gradyn_onestep_side side;
  gradyn_lanes *ready; /* direct: [packs][readies] what the rates have made of that */
  double *x_bar;       /* [nf][nx] direct; adjoint: of rows and of the guard */
  gradyn_onestep_taken taken;
  double *slope;  /* [nf] dpsi/d(inner) */
  double *growth; /* [nf] adjoint: sum over steps of |z_bar| . (atol + rtol |z|) */
  double *reach;  /* [nf] adjoint: the first term of that sum that is not zero */
  double *corner; /* [nf] s, near a corner of the integrand; NAN: none was met */
  gradyn_onestep_steep steep;
  gradyn_onestep_kinks kinks;
  double *end_bar;    /* [nf] direct: derivative of the outer function by the end time */
  gradyn_arena arena; /* of arrays whose lengths the model alone tells */
  gradyn_onestep_room capacity;
};

gradyn_status gradyn_onestep_sweeps_create(gradyn_onestep *march,
                                           const gradyn_onestep_derivatives *scheme,
                                           gradyn_onestep_sweeps *out);

/* Bars of a stage by the integrands of a pack's rows. */
typedef struct gradyn_onestep_bars {
  gradyn_lanes *stage; /* [seen] zero before */
  double *x;           /* [rows][nx] += */
  gradyn_lanes t, h;   /* of its time, and of the step's length */
} gradyn_onestep_bars;

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

/* Rows of a pack; the last one may have empty lanes. The batch after it has one row, of a guard. */
static inline int gradyn_onestep_rows(const gradyn_onestep_sweeps *s, int pack)
{
  const int left = pack < s->packs ? s->rows - pack * GRADYN_LANES : 1;
  return left < GRADYN_LANES ? left : GRADYN_LANES;
}
/* Where rates leave bars of data of a pack, x_bar [rows][nx] those of all; and what waits there goes to
 * x_bar, with data that are what they were. */
gradyn_rates_sums gradyn_onestep_sums(const gradyn_onestep_sweeps *s, int pack, double *x_bar);
void gradyn_onestep_gather(gradyn_onestep_sweeps *s, double *x_bar);
void gradyn_onestep_sweeps_clear(gradyn_onestep_sweeps *s);

/* Makes room for so many columns, with entries of so many lanes, and the arcs of the present run, and sets it
 * to zero. */
gradyn_status gradyn_onestep_sweeps_reserve(gradyn_onestep_sweeps *s, int columns, int lanes);

/* Of adjoint ones for so many columns: data [nx] that matter, NULL: all. Bars of others are not asked for. */
void gradyn_onestep_sweeps_activate(gradyn_onestep_sweeps *s, const bool *active);

/* Columns of a pack. The batch after the last one has one column, for the length of a step. */
static inline int gradyn_onestep_columns(const gradyn_onestep_sweeps *s, int pack)
{
  const int most = GRADYN_LANES * s->lanes, left = pack < s->packs ? s->columns - pack * most : 1;
  return left < most ? left : most;
}

/* Entry 0 of a column in an array of `count` entries for each pack; the next are *stride numbers apart. */
static inline double *gradyn_onestep_column(const gradyn_onestep_sweeps *s, gradyn_lanes *array,
                                            int count, int column, int *stride)
{
  const int most = GRADYN_LANES * s->lanes, pack = column / most;
  *stride = GRADYN_LANES * (int)gradyn_lanes_packs(gradyn_onestep_columns(s, pack));
  return (double *)(array + pack * count * s->lanes) + column % most;
}

/* Corners of integrands: before a sweep; before a step of so many packs; for each stage whose weight is not
 * zero, with h b_i g_y, of a pack of rows or what one functional has taken; after step k, of rows or of each
 * functional. */
void gradyn_onestep_corners_forget(gradyn_onestep_sweeps *s);
void gradyn_onestep_corners_begin(gradyn_onestep_sweeps *s, int packs);
void gradyn_onestep_corners_add(gradyn_onestep_sweeps *s, int stage, int pack,
                                const gradyn_lanes *bar);
void gradyn_onestep_corners_judge(gradyn_onestep_sweeps *s, int k);
void gradyn_onestep_corners_judge_each(gradyn_onestep_sweeps *s, int k);

/* What disturbances Z [columns][nz] of the initial state and dx [columns][nx] (NULL: none) of the data become
 * until the end, in Z; after a march that kept its steps. */
gradyn_status gradyn_onestep_carry(gradyn_onestep_sweeps *s, int columns, const double *dx,
                                   double *Z);

/* As those of gradyn_method. */
gradyn_status gradyn_onestep_direct(gradyn_onestep_sweeps *s, const gradyn_directions *directions,
                                    double *psi, double *gradient);
gradyn_status gradyn_onestep_adjoint(gradyn_onestep_sweeps *s, const bool *active, double *psi,
                                     double *x_bar);

#endif
