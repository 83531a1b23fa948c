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

gradyn_status gradyn_arc_boundaries_create(const gradyn_idas *idas, gradyn_arc_boundaries *out);
void gradyn_arc_boundaries_clear(gradyn_arc_boundaries *ends);

/* Differentiates the functionals that are evaluated at the start, in the present state. They belong to the
 * arc before the first. Errors: failures of functionals and equations. */
enum { GRADYN_BEFORE_ARCS = GRADYN_IDAS_START - 1 };
gradyn_status gradyn_arc_boundaries_start(gradyn_arc_boundaries *ends, gradyn_idas *idas);

/* Differentiates the functionals that are evaluated at the end of the last arc; call after
 * gradyn_idas_finish(). Errors as above. */
gradyn_status gradyn_arc_boundaries_terminal(gradyn_arc_boundaries *ends, gradyn_idas *idas);

/* Crosses from arc k to k + 1: differentiates functionals evaluated there, makes the states on both sides
 * consistent, and stores the jumps. Errors as above, and GRADYN_NO_MEMORY. */
gradyn_status gradyn_arc_boundaries_cross(gradyn_arc_boundaries *ends, gradyn_idas *idas, int k);

/* tangent(): returns p^T dy_d of functional f if it is evaluated at the end of arc k, for the change sy [ny]
 * before the boundary, otherwise 0. transpose(): z [np] += p in the same case. */
double gradyn_arc_boundaries_tangent(const gradyn_arc_boundaries *ends, const gradyn_idas *idas,
                                     int k, int f, const double *sy);
void gradyn_arc_boundaries_transpose(const gradyn_arc_boundaries *ends, const gradyn_idas *idas,
                                     int k, int f, double *z);

/* Allocates the jumps of a run. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_arc_boundaries_reserve(gradyn_arc_boundaries *ends, gradyn_idas *idas);

#endif
