/* A point that the search has tried, and how good it is. */
#ifndef GRADYN_OPTIM_POINT_H
#define GRADYN_OPTIM_POINT_H

#include "optim/program/kkt_residual.h"
#include "optim/program/program.h"

typedef struct gradyn_trial {
  gradyn_status status; /* of its evaluation; the rest holds for GRADYN_OK only, rho always */
  bool filled;          /* false: nothing was tried yet */
  bool doubtful;        /* the evaluation came with warnings */
  double *rho;          /* [parameters] */
  double *psi;          /* [functionals] */
  double *gradient;     /* [functionals][parameters] */
  double objective;     /* unscaled */
  double violation;     /* in tolerances; <= 1: feasible */
  double residual;      /* of the first-order conditions, scaled */
  double gap;           /* its part due to multipliers that balance each other */
  double penalty;       /* |multipliers| * violations, scaled */
  double
      merit; /* scaled objective + penalty: what the objective would be if the constraints held exactly */
  double leeway;      /* scaled; what the tolerances of the constraints are worth in merit */
  gradyn_arena arena; /* of all arrays */
} gradyn_trial;

bool gradyn_trial_allocate(gradyn_trial *point, const gradyn_program *program);
void gradyn_trial_clear(gradyn_trial *point);

/* Exchanges two points without copying their arrays. */
void gradyn_trial_swap(gradyn_trial *a, gradyn_trial *b);

/* Judges points of one programme. */
typedef struct gradyn_optimality {
  const gradyn_program *program; /* borrowed */
  double factor;                 /* of the objective */
  double optimality;             /* residual that counts as optimal */
  gradyn_kkt_residual *work;
  size_t n, m;                     /* with the slack variable and the pieces of a maximum */
  double *x, *lower, *upper, *g;   /* [n] */
  double *A, *c, *tolerance, *lam; /* [m][n], [m] ... */
  double *row_factor;              /* [m], by which rows were multiplied in A, c, tolerance */
  gradyn_arena arena;              /* of all arrays */
} gradyn_optimality;

bool gradyn_optimality_allocate(gradyn_optimality *judge, const gradyn_program *program);
void gradyn_optimality_clear(gradyn_optimality *judge);

/* Fills objective, violation, residual, merit and leeway from rho, psi and gradient. */
void gradyn_optimality_evaluate(gradyn_optimality *judge, gradyn_trial *point);

/* Whether a point is feasible and critical. */
bool gradyn_optimality_reached(const gradyn_optimality *judge, const gradyn_trial *point);

/* Whether point a is to be preferred to b: feasible before infeasible, less violation among the
 * infeasible, less merit among the feasible; a critical point wins a tie within the tolerances. */
bool gradyn_optimality_better(const gradyn_optimality *judge, const gradyn_trial *a,
                              const gradyn_trial *b);

#endif
