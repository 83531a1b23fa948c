/* Runge-Kutta methods with error estimates, as tables of their coefficients:
 *     Z_i = z + h sum_j<i a_ij k_j,   k_i = f(t + c_i h, Z_i),   z' = z + h sum_i b_i k_i. */
#ifndef GRADYN_DAE_TABLEAU_H
#define GRADYN_DAE_TABLEAU_H

#include <stdbool.h>

enum {
  GRADYN_MOST_STAGES = 12,
  GRADYN_DENSE_STAGES = 16 /* with the stage at the end and those added by dense output */
};

typedef struct gradyn_tableau {
  int order;
  int falls;   /* the error estimate of a step is proportional to h^falls */
  double edge; /* |h lambda| at the limit of stability on the negative axis; 0: none */
  /* A step keeps the length of the one before unless it may be longer by more than this factor; 0: always
   * use the new length. */
  double steady;
  int stages;
  const double *a; /* below the diagonal, row by row: row i (from 1) starts at i (i - 1)/2 */
  const double *b, *c;
  /* Weights of the stages in the estimate of a step's error, of order `order` - 1 or less; with
   * judged_at_arrival one more weight, that of the rates at the end of the step. */
  const double *e;
  const double *e_low; /* weights of a second estimate of lower order; or NULL */
  bool judged_at_arrival;
  /* Weights for stages with b_i != 0. The weighted sum of a function's values vanishes if the function is a
   * polynomial of low degree. If the function jumps between stages, the sum is at least least_jump times
   * the root of sum (b_i g_i)^2. */
  const double *jump;
  double least_jump;
  /* Such weights for the adjoints of the stages in an adjoint step, Z_i_bar = f_z^T k_i_bar: the weighted
   * sum vanishes up to h^4 (h^3 with fewer stages) if the rates are smooth. For this the sums of back_i b_i
   * c_i^q, q < 4 (3), and of back_i beta_i vanish, beta_i = sum_j b_j c_j a_ji (and of back_i c_i beta_i).
   * Where f_z jumps, the sum is at least least_back times the root of sum Z_i_bar^2. NULL: kinks of rates
   * are not detected. */
  const double *back;
  double least_back;
  /* Dense output: `more` stages after the one at the end of the step, at more_c, each with weights more_a
   * of all stages before it. bend: weights of all stages in the last `bends` coefficients of the
   * polynomial: see dae/onestep/dense.c. */
  int more, bends;
  const double *more_c;
  const double (*more_a)[GRADYN_DENSE_STAGES], (*bend)[GRADYN_DENSE_STAGES];
} gradyn_tableau;

#endif
