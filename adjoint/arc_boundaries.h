/* What happens at the two ends of arcs, for direct and adjoint runs alike: terminal parts of
 * functionals, the end time, and knots that move with the data. */
#ifndef GRADYN_ADJOINT_ARC_BOUNDARIES_H
#define GRADYN_ADJOINT_ARC_BOUNDARIES_H

#include "dae/idas/idas.h"

/* Derivatives of all functionals at the time T where they are taken, zero for those that are skipped:
 *     dpsi = p^T dy_d(T) + x_bar^T dx + rate dT + slope d(integral up to a fixed T).
 * The algebraic states at T are functions of the differential ones, of data and of T. T is the end time,
 * or an instant: that does not move, rate = 0, and y_d is that of the arc before. */
typedef struct gradyn_arc_boundaries {
  int nf, np, nx;
  double *p;          /* [nf][np] */
  double *x_bar;      /* [nf][nx] */
  double *rate;       /* [nf] */
  double *slope;      /* [nf] dpsi/dinner */
  double *w_y;        /* [ny] scratch */
  double *g;          /* [nf] integrands at a boundary */
  double *jump_y;     /* [boundaries][np] y_d' before minus after */
  double *jump_g;     /* [boundaries][nf] slope-free integrand before minus after */
  int boundaries;     /* room in the two arrays above */
  gradyn_arena arena; /* of arrays that do not grow */
} gradyn_arc_boundaries;

gradyn_status gradyn_arc_boundaries_create(const gradyn_idas *march, gradyn_arc_boundaries *out);
void gradyn_arc_boundaries_clear(gradyn_arc_boundaries *ends);

/* At the start, whose state is in hand: what is taken there belongs to the arc before the first. */
enum { GRADYN_BEFORE_ARCS = GRADYN_IDAS_START - 1 };
gradyn_status gradyn_arc_boundaries_start(gradyn_arc_boundaries *ends, gradyn_idas *march);

/* At the end of the last arc, after gradyn_idas_finish(). */
gradyn_status gradyn_arc_boundaries_terminal(gradyn_arc_boundaries *ends, gradyn_idas *march);

/* Crosses from arc k to k + 1: takes instants, makes the states consistent on both sides and keeps
 * the jumps. */
gradyn_status gradyn_arc_boundaries_cross(gradyn_arc_boundaries *ends, gradyn_idas *march, int k);

/* p^T dy_d of functional f where it is taken, if that is the end of arc k, where y changes by sy [ny]
 * before it crosses. And transposed: z [np] += p. */
double gradyn_arc_boundaries_tangent(const gradyn_arc_boundaries *ends, const gradyn_idas *march,
                                     int k, int f, const double *sy);
void gradyn_arc_boundaries_transpose(const gradyn_arc_boundaries *ends, const gradyn_idas *march,
                                     int k, int f, double *z);

/* Makes room for the jumps of a run. */
gradyn_status gradyn_arc_boundaries_reserve(gradyn_arc_boundaries *ends, gradyn_idas *march);

#endif
