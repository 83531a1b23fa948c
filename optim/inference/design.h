/* Optimal weights and times of measurements.
 *
 * Point i has the information A_i = a a^T + b b^T, where a may move along a polynomial of its time. With the
 * weights w, which sum to 1, M = prior + sum w_i A_i. The criterion f is -ln det M, or tr(C M^-1) with a
 * matrix C. It is convex in w, and f(w) is least where no gain -df/dw_i exceeds their weighted mean: the
 * equivalence theorem of Kiefer and Wolfowitz (1960). */
#ifndef GRADYN_OPTIM_DESIGN_H
#define GRADYN_OPTIM_DESIGN_H

#include "core/linear/arena.h"

enum { GRADYN_DESIGN_NODES = 5 }; /* nodes of a polynomial */

typedef struct gradyn_design_point {
  double w;
  double *a, *b; /* [m]; b NULL: none */
  /* [nodes][m] a at the nodes, borrowed; NULL: the point does not move */
  const double *node;
  double s, lower, upper; /* time and its bounds; nodes are at -2, -1, 0, 1, 2 */
} gradyn_design_point;

typedef struct gradyn_design {
  size_t m, count;
  gradyn_design_point *point; /* [count] */
  const double *prior;        /* [m][m] */
  const double *C;            /* [m][m]; NULL: -ln det M */
  /* After gradyn_design_evaluate(): */
  double f;
  double *inverse; /* [m][m] M^-1 */
  double *K;       /* [m][m], so that gain_i = a^T K a + b^T K b */
  double *work;
} gradyn_design;

/* Allocates the arrays of a design for up to m directions from an arena, whose status reports a failure.
 * The caller sets `point`, `count`, `prior` and `C`. */
void gradyn_design_create(gradyn_design *design, size_t m, gradyn_arena *arena);

/* Computes f, M^-1 and K at the present weights and times. Returns false if M is singular. */
bool gradyn_design_evaluate(gradyn_design *design);

/* Returns the gain -df/dw, at least 0, of a measurement at a point, after gradyn_design_evaluate(). The
 * point need not be one of the design. */
double gradyn_design_gain(const gradyn_design *design, const gradyn_design_point *point);

/* Returns the mean of gradyn_design_gain() over the points, weighted by w. */
double gradyn_design_mean(const gradyn_design *design);

/* Finds the weights of points that do not move, from any start, and evaluates the design. Errors:
 * GRADYN_NO_MEMORY; GRADYN_NOT_CONVERGED, M is singular for all weights. */
gradyn_status gradyn_design_weigh(gradyn_design *design);

/* Moves weights and times of the points to a near minimum. Points may get the weight 0, and then do not
 * move. Errors: GRADYN_NO_MEMORY; GRADYN_NOT_CONVERGED, M is singular. */
gradyn_status gradyn_design_move(gradyn_design *design);

/* Fills value, slope and curvature [m]: a and its first and second derivatives by s at the present s. */
void gradyn_design_interpolate(const gradyn_design_point *point, size_t m, double value[],
                               double slope[], double curvature[]);

/* Returns x^T A y for x, y [m] and A [m][m]. */
double gradyn_design_form(size_t m, const double x[], const double A[], const double y[]);

/* Fills times [count] with the numbers of n measurements in proportion to the weights, by the efficient
 * rounding of Pukelsheim and Rieder (1992). n is at least the number of positive weights. */
void gradyn_design_round(const gradyn_design *design, size_t n, size_t times[]);

#endif
