/* Runge-Kutta methods with error estimates, as tables of their coefficients:
 *     Z_i = z + h sum_j<i a_ij k_j,   k_i = f(t + c_i h, Z_i),   z' = z + h sum_i b_i k_i. */
#ifndef GRADYN_DAE_TABLEAU_H
#define GRADYN_DAE_TABLEAU_H

#include <stdbool.h>

enum {
  GRADYN_MOST_STAGES = 12,
  GRADYN_DENSE_STAGES = 16 /* with the arrival, and those that dense output has besides */
};

typedef struct gradyn_tableau {
  int order;
  int falls;   /* power of a step's length that the estimate of its error falls with */
  double edge; /* of the region of stability on the negative axis; 0: there is none */
  /* Steps that might be longer by no more than this factor stay as they are; 0: they do not. */
  double steady;
  int stages;
  const double *a; /* below the diagonal, row by row: row i (from 1) starts at i (i - 1)/2 */
  const double *b, *c;
  /* Weights of the stages in the estimate of a step's error, of order `order` - 1 or less; with
   * judged_at_arrival one more entry, that of the rates where the step ends. */
  const double *e;
  const double *e_low; /* a second estimate, which the first one is compared with; or NULL */
  bool judged_at_arrival;
  /* Weights, of stages that have one in b, whose sum over a function vanishes if it is a polynomial of low
   * degree; one that jumps between stages gives at least least_jump times the root of sum (b_i g_i)^2. */
  const double *jump;
  double least_jump;
  /* The same of what an adjoint step takes from its stages, Z_i_bar = f_z^T k_i_bar: weights whose sum
   * vanishes along smooth rates up to h^4 (h^3 where there are fewer stages). For that the sums of back_i b_i
   * c_i^q, q < 4 (3), and of back_i beta_i vanish, beta_i = sum_j b_j c_j a_ji (and of back_i c_i beta_i).
   * Where f_z jumps it is at least least_back times the root of sum Z_i_bar^2. NULL: kinks of rates are not
   * looked for. */
  const double *back;
  double least_back;
  /* Dense output: `more` stages behind the arrival, at more_c, with weights of all before them, and
   * weights of all in the last `bends` coefficients of its polynomial: see dae/onestep/dense.c. */
  int more, bends;
  const double *more_c;
  const double (*more_a)[GRADYN_DENSE_STAGES], (*bend)[GRADYN_DENSE_STAGES];
} gradyn_tableau;

#endif
