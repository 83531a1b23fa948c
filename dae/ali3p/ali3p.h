/* The ALI3-P scheme: data shared by the step and its derivatives. docs/theory/ali3p.md has the discrete
 * equations. */
#ifndef GRADYN_DAE_ALI3P_H
#define GRADYN_DAE_ALI3P_H

#include "dae/ali3p/parts.h"
#include "dae/start/initial.h"
#include "dae/fixed/stepper.h"

typedef struct gradyn_ali3p {
  gradyn_stepper base;
  gradyn_mech *mech;
  int n, m;
  /* offset in a state of the term added to lam* for multiplier-dependent forces; 0: no such forces */
  int extra;
  int past; /* offset of the history in a node */
  gradyn_ali3p_rule rule;
  gradyn_ali3p_coefficients k; /* for the length of the present step */
  gradyn_initial initial;
  gradyn_factors position; /* position problem: A, U = R_lam^T, J */
  gradyn_factors project;  /* projections: M, J, J */
  gradyn_ali3p_choice choice;
  gradyn_ali3p_force_curvatures bending;
  gradyn_ali3p_matrices mat;
  gradyn_ali3p_trial trial;
  gradyn_ali3p_last last;
  double *b;           /* [n + m] right-hand side or solution */
  double *rows;        /* [m] sizes of the constraints' rows */
  gradyn_lanes *lanes; /* workspace of the tangent and the transposed step */
  gradyn_lanes *side;  /* [n + m] workspace of their solves */
  gradyn_arena arena;  /* owns all arrays */
} gradyn_ali3p;

/* Returns the length of the workspace of the tangent and of the transposed step, in lanes, for n coordinates
 * and m constraints. */
size_t gradyn_ali3p_lanes_needed(int n, int m);

/* Returns whether the constraints are independent at the start of the run. */
static inline bool gradyn_ali3p_regular(const gradyn_ali3p *s)
{
  return s->choice.usual <= GRADYN_FACTORS_EXACT;
}

/* Returns A [n] within a node, which it borrows: a state of its own, or the acceleration. */
static inline const double *gradyn_ali3p_A(const gradyn_ali3p *s, const double *node)
{
  return s->rule.own_A ? node + s->base.ny : node + 2 * s->n;
}

/* Returns kappa [m] within a node, which it borrows. Multipliers lam* of the position problem belong to a*;
 * those of a node, lam* + kappa, belong to a: section 2.3 of the theory page. With multiplier-dependent
 * forces, kappa is a state: kappa of the previous node completes lam*. */
static inline const double *gradyn_ali3p_kappa(const gradyn_ali3p *s, const double *node)
{
  return node + s->base.ns + 2 * s->n + s->m; /* after w, u and sigma */
}

/* Data of a step for its derivatives, stored in its node, [2 (n + m) + 1] in all: corrections of velocity and
 * acceleration, their multipliers, and the first kind of factors of its matrices. */
typedef struct gradyn_ali3p_extra {
  double *w, *u;         /* [n] */
  double *sigma, *kappa; /* [m] */
  double *kind;
} gradyn_ali3p_extra;

/* Returns the addresses of the members of gradyn_ali3p_extra within a node [record], which they borrow. */
static inline gradyn_ali3p_extra gradyn_ali3p_extra_of(const gradyn_ali3p *s, double *node)
{
  double *w = node + s->base.ns, *sigma = w + 2 * s->n;
  return (gradyn_ali3p_extra){w, w + s->n, sigma, sigma + s->m, sigma + 2 * s->m};
}

/* Returns the default parameter of an integrator, given by its name: 0 for "trapezoidal", -0.1 (alpha) for
 * "hht", 0.5 (gamma) for "newmark". For any other name 0.8, the spectral radius of "generalised-alpha". */
double gradyn_ali3p_usual_parameter(const char *integrator);

/* Sets s->rule for the integrator and parameter of the options, which are only read; integrator NULL:
 * trapezoidal rule. Error: GRADYN_INVALID, with a message: unknown name, or parameter out of its range. */
gradyn_status gradyn_ali3p_choose_integrator(gradyn_ali3p *s, const gradyn_options *options,
                                             gradyn_message *message);

/* Computes all members of *k for a step of length h > 0, s. Returns at once if k->h is h already. */
void gradyn_ali3p_coefficients_of(const gradyn_ali3p *s, double h, gradyn_ali3p_coefficients *k);

/* step() of gradyn_stepper_ops, in ali3p/step.c: computes node to [record] from node from [record] by a
 * step from t to t + h, s. Errors: GRADYN_NOT_CONVERGED, the step is too long; GRADYN_SINGULAR, it ends
 * near a singular position; failures of the mechanism's functions. A failed step leaves `to` undefined. */
gradyn_status gradyn_ali3p_step(gradyn_stepper *base, double t, double h, const double *from,
                                double *to);

/* Checks whether the motion can continue after a step that ends at the node `to` [record], with the factors
 * of its projections; in ali3p/lock.c. t: time of `to`, s. Errors: GRADYN_NOT_CONVERGED, with a message: a
 * multiplier-dependent force locks the mechanism; failures of the forces. */
gradyn_status gradyn_ali3p_judge_lock(gradyn_ali3p *s, double t, const double *to);

/* Derivatives of the step, in ali3p/tangent.c and ali3p/transposed.c: functions of gradyn_stepper_ops.
 * [batches] is [(count + 3)/4]. */

/* Evaluates and factorises the matrices of a step taken before, from t to t + h, s, for tangent() and
 * transposed(). The nodes from and to [record] are borrowed until the next linearise() or step. Errors:
 * failures of the mechanism's functions; GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY of
 * factorisations. */
gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to);

/* Replaces ds [batches][ns], changes of the first node of the step of the last linearise() for `count`
 * directions, by those of its second node. Data change by dx [batches][nx], NULL: no change; the step's
 * length by dh [count], s; its end time by dt [count], s. Errors: failures of the mechanism's functions and
 * of factorisations. */
gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                   const double *dh, const double *dt, gradyn_lanes *ds);

/* Replaces s_bar [batches][ns], adjoints of the second node of the step of the last linearise() for `count`
 * functionals, by those of its first node. Adds to x_bar [batches][nx], h_bar and t_bar [count]; h_bar and
 * t_bar may be NULL. Errors: failures of the mechanism's functions and of factorisations. */
gradyn_status gradyn_ali3p_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                      gradyn_lanes *x_bar, double *h_bar, double *t_bar);

/* Sets ds [ns] to the change of the initial node for the change dx [nx] of the data, after start(). Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the
 * deadline; failures of the mechanism's functions. */
gradyn_status gradyn_ali3p_start_tangent(gradyn_stepper *base, const double *dx, double *ds);

/* Adds the product of the transposed derivative of the initial node with s_bar [ns], which is overwritten,
 * to x_bar [nx], after start(). Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_ali3p_start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar);

#endif
