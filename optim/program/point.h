/* A point that a search has tried, and its quality. */
#ifndef GRADYN_OPTIM_POINT_H
#define GRADYN_OPTIM_POINT_H

#include "optim/program/kkt_residual.h"
#include "optim/program/program.h"

/* A point, its evaluation, and its quality. The search makes one evaluation, then
 * gradyn_optimality_evaluate() computes the members from objective to leeway. */
typedef struct gradyn_trial {
  gradyn_status
      status; /* of the evaluation; members other than rho and filled are valid only with GRADYN_OK */
  bool filled;   /* false: the struct has no point yet */
  bool doubtful; /* the evaluation gave warnings */
  double *rho;   /* [parameters] */
  double *psi;   /* [functionals] */
  /* stored entries of [functionals][parameters], by the logarithms of free logarithmic parameters */
  double *gradient;
  double objective; /* not scaled */
  double violation; /* largest violation, in tolerances; <= 1: feasible */
  double residual;  /* residual of the first-order conditions, scaled */
  /* part of the residual that is due to multipliers that balance each other; 0 if residual is NAN */
  double gap;
  double penalty; /* sum of |multiplier| times violation, scaled */
  /* scaled objective + penalty: the objective to first order if the constraints held exactly */
  double merit;
  /* scaled; the change of merit that the tolerances of the constraints permit */
  double leeway;
  gradyn_arena arena; /* memory of all arrays */
} gradyn_trial;

/* Allocates the arrays of a point for the sizes of the program's objective; `filled` is false. Returns false
 * if memory is out. Clear the point in any case. */
bool gradyn_trial_allocate(gradyn_trial *point, const gradyn_program *program);
/* Frees the arrays; the point must not be used until it is allocated again. */
void gradyn_trial_clear(gradyn_trial *point);

/* Exchanges two points of one program, without a copy of their arrays. */
void gradyn_trial_swap(gradyn_trial *a, gradyn_trial *b);

/* Computes the quality of points of one nonlinear program. */
typedef struct gradyn_optimality {
  const gradyn_program *program; /* borrowed */
  double factor;                 /* scaling factor of the objective, > 0 */
  double optimality;             /* largest residual, scaled, of an optimal point */
  gradyn_kkt_residual *work;
  /* variables and constraints, including the slack variable and the pieces of a maximum */
  size_t n, m;
  double *x, *lower, *upper, *g; /* [n] */
  /* stored entries of A [m][n], others [m]: the linearised program, and its multipliers */
  double *A, *c, *tolerance, *lam;
  double *row_factor; /* [m], factors of the constraints in A, c and tolerance */
  gradyn_arena arena; /* memory of all arrays */
} gradyn_optimality;

/* Allocates the arrays for a program, which must outlive `judge`; the factor is 1, and the caller sets
 * `optimality`. Returns false if memory is out. Clear `judge` in any case. */
bool gradyn_optimality_allocate(gradyn_optimality *judge, const gradyn_program *program);
/* Frees the members of *judge, not the program; may be repeated. */
void gradyn_optimality_clear(gradyn_optimality *judge);

/* Computes objective, violation, residual, gap, penalty, merit and leeway of a point from its rho, psi and
 * gradient. The residual is NAN for a point that violates one of more than 20 constraints, pieces of a
 * maximum included; the penalty is then 0. */
void gradyn_optimality_evaluate(gradyn_optimality *judge, gradyn_trial *point);

/* Returns whether a point is filled, feasible (violation <= 1), and its residual is at most `optimality`. */
bool gradyn_optimality_reached(const gradyn_optimality *judge, const gradyn_trial *point);

/* Returns whether point a, which is evaluated with GRADYN_OK, is better than point b. A feasible point is
 * better than an infeasible one. Infeasible points are compared by violation, feasible ones by merit. If
 * exactly one of two feasible points satisfies the first-order conditions, it is better unless the other
 * merit is lower by more than its leeway. Equal points: false. b without a point: true. */
bool gradyn_optimality_better(const gradyn_optimality *judge, const gradyn_trial *a,
                              const gradyn_trial *b);

#endif
