/* The plan of a receding-horizon controller: a motion in segments whose initial state is measured, and its
 * nonlinear program. Each evaluation fills the numbers of Newton's method. */
#ifndef GRADYN_OPTIM_PLAN_H
#define GRADYN_OPTIM_PLAN_H

#include "optim/horizon/newton.h"
#include "optim/program/hessian.h"
#include "optim/program/scaling.h"
#include "optim/segments/segments.h"

typedef struct gradyn_plan {
  gradyn_evaluator *whole; /* borrowed */
  gradyn_segments segments;
  gradyn_objective objective; /* of the segments, with samples of path constraints */
  gradyn_functional_info *info;
  bool *used, *vary; /* [functionals with samples], [parameters of the objective] */
  gradyn_program *program;
  gradyn_scaling *scaling;
  gradyn_hessian hessian;
  gradyn_newton newton;
  size_t rows, equalities; /* constraints that do not depend on others */
  size_t *row;             /* [rows], their indices in the program */
  size_t *start, *column;  /* their entries */
  double *penalty;         /* [rows], of violations of path constraints; 0: other constraints */
  double *measured;        /* [states at a boundary], initial state of the motion */
  double *least, *most;    /* [the same], its bounds, also infinite */
  double *rho, *psi, *gradient; /* of the last evaluation, as the objective has them */
  /* at the last evaluation, in tolerances: the largest violation; the same without path constraints */
  double violation, unmet;
  size_t worst;               /* functional with the largest violation; undefined without one */
  double defects;             /* factor of the tolerances of defects */
  long evaluations, hessians; /* numbers of gradients and of second derivatives */
  gradyn_message message;
  gradyn_arena arena;
} gradyn_plan;

/* Creates a plan from rho0 [parameters]: segments, points of path constraints, scales and entries of second
 * derivatives. The evaluator is borrowed; of *search, nothing is kept. Clear *out in any case; do not move
 * it. Errors, with out->message: GRADYN_UNSUPPORTED, events, a maximum, a free end time, or the largest of
 * several functionals; those of gradyn_segments_create(), of gradyn_program_create() and of runs. */
gradyn_status gradyn_plan_create(gradyn_evaluator *whole, const gradyn_search *search,
                                 const double rho0[], gradyn_plan *out);

/* Frees the members, not the evaluator; call it once. */
void gradyn_plan_clear(gradyn_plan *plan);

/* Evaluates the program and its first derivatives at newton.at.x. Errors, with the message of the segments:
 * failures of runs. */
gradyn_status gradyn_plan_evaluate(gradyn_plan *plan);

/* Computes the second derivatives of the Lagrangian at the point of the last evaluation, into newton.H.
 * Errors, with the message of the segments: failures of runs; GRADYN_NO_MEMORY. */
gradyn_status gradyn_plan_curve(gradyn_plan *plan);

#endif
