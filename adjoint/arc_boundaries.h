/* The ends of arcs in direct and adjoint sweeps of idas: terminal parts of functionals, the end time, and
 * knots that move with the data. */
#ifndef GRADYN_ADJOINT_ARC_BOUNDARIES_H
#define GRADYN_ADJOINT_ARC_BOUNDARIES_H

#include "dae/idas/idas.h"

/* Derivatives of all functionals at the time T at which they are evaluated; zero for skipped functionals:
 *
 *   dpsi = p^T dy_d(T) + x_bar^T dx + rate dT + slope d(integral up to a fixed T).
 *
 * The algebraic states at T are functions of the differential states, of data and of T. T is the end time, or
 * the time of a functional. The latter is fixed, rate = 0, and y_d belongs to the arc before. */
typedef struct gradyn_arc_boundaries {
  int nf, np, nx;
  double *p;          /* [nf][np] */
  double *x_bar;      /* [nf][nx] */
  double *rate;       /* [nf] */
  double *slope;      /* [nf] dpsi/dinner */
  double *w_y;        /* [ny] workspace */
  double *g;          /* [nf] integrands at a boundary */
  double *jump_y;     /* [boundaries][np] y_d' before minus after */
  double *jump_g;     /* [boundaries][nf] integrand, without slope, before minus after */
  int boundaries;     /* allocated length of the two arrays above */
  gradyn_arena arena; /* owns the arrays of fixed size */
} gradyn_arc_boundaries;

/* Allocates the arrays for the functionals and data of idas; jump_y and jump_g are allocated by reserve().
 * Error: GRADYN_NO_MEMORY, and *out is then empty. clear() releases all arrays, not the object; may be
 * repeated. */
gradyn_status gradyn_arc_boundaries_create(const gradyn_idas *idas, gradyn_arc_boundaries *out);
void gradyn_arc_boundaries_clear(gradyn_arc_boundaries *ends);

/* Number of the arc, in place of k below, for functionals that are evaluated at the start of the run. */
enum { GRADYN_BEFORE_ARCS = GRADYN_IDAS_START - 1 };
/* Computes p, x_bar and slope of the functionals that are evaluated at the start, t = 0, at the present
 * state of idas. Errors: failures of functionals and equations. */
gradyn_status gradyn_arc_boundaries_start(gradyn_arc_boundaries *ends, gradyn_idas *idas);

/* Computes p, x_bar, rate and slope of the functionals that are evaluated at the end of the last arc. Call
 * it after gradyn_idas_finish(). Errors: failures of functionals and equations. */
gradyn_status gradyn_arc_boundaries_terminal(gradyn_arc_boundaries *ends, gradyn_idas *idas);

/* Crosses from arc k to arc k + 1: computes p, x_bar and slope of the functionals at the end of arc k,
 * brings idas to the start of arc k + 1, and stores jump_y and jump_g. Both jumps are zero at an event, see
 * idas/jumps.h. Errors: failures of functionals and equations; GRADYN_NO_MEMORY. */
gradyn_status gradyn_arc_boundaries_cross(gradyn_arc_boundaries *ends, gradyn_idas *idas, int k);

/* Returns p^T dy_d of functional f for the change sy [ny] of the state before the boundary, if f is
 * evaluated at the end of arc k; otherwise 0. */
double gradyn_arc_boundaries_tangent(const gradyn_arc_boundaries *ends, const gradyn_idas *idas,
                                     int k, int f, const double *sy);
/* Adds p of functional f to z [np], the adjoints of the differential states, if f is evaluated at the end
 * of arc k. */
void gradyn_arc_boundaries_transpose(const gradyn_arc_boundaries *ends, const gradyn_idas *idas,
                                     int k, int f, double *z);

/* Allocates jump_y and jump_g for the present arcs of idas. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_arc_boundaries_reserve(gradyn_arc_boundaries *ends, gradyn_idas *idas);

#endif
