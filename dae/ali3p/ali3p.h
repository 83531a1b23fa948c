/* Inside of the ALI3-P scheme: what the step and its derivatives share. See docs/theory/ali3p.md for
 * the discrete equations. */
#ifndef GRADYN_DAE_ALI3P_H
#define GRADYN_DAE_ALI3P_H

#include "dae/ali3p/parts.h"
#include "dae/start/initial.h"
#include "dae/fixed/stepper.h"

typedef struct gradyn_ali3p {
  gradyn_stepper base;
  gradyn_mech *mech;
  int n, m;
  int extra; /* offset in a state of what is added to lam* for forces that read it; 0: none does */
  int past;  /* offset of the history in a node */
  gradyn_ali3p_rule rule;
  gradyn_ali3p_coefficients k; /* for the length of the step in hand */
  gradyn_initial initial;
  gradyn_factors place;   /* position problem: A, U = R_lam^T, J */
  gradyn_factors project; /* projections: M, J, J */
  gradyn_ali3p_choice choice;
  gradyn_ali3p_force_curvatures bending;
  gradyn_ali3p_matrices mat;
  gradyn_ali3p_trial trial;
  gradyn_ali3p_last last;
  double *b;           /* [n + m] right-hand side */
  double *rows;        /* [m] sizes of the constraints' rows */
  gradyn_lanes *lanes; /* work of the tangent and the transposed step */
  gradyn_lanes *side;  /* [n + m] the same, of the solves */
  gradyn_arena arena;  /* of all arrays */
} gradyn_ali3p;

/* Lanes that the tangent and the transposed step work with. */
size_t gradyn_ali3p_lanes_needed(int n, int m);

/* Whether the constraints are independent at the start of the run. */
static inline bool gradyn_ali3p_regular(const gradyn_ali3p *s)
{
  return s->choice.usual <= GRADYN_FACTORS_EXACT;
}

/* Offsets in a node. */
static inline const double *gradyn_ali3p_A(const gradyn_ali3p *s, const double *node)
{
  return s->rule.own_A ? node + s->base.ny : node + 2 * s->n;
}

/* Multipliers lam* of the position problem belong to a*, those of a node, lam* + kappa, to a: section 2.3 of
 * the theory note. Where forces read them, kappa is a state: of the node before, it completes lam*. */
static inline const double *gradyn_ali3p_kappa(const gradyn_ali3p *s, const double *node)
{
  return node + s->base.ns + 2 * s->n + s->m; /* behind w, u and sigma */
}

/* What a step leaves in its node for its derivatives, [2 (n + m) + 1] in all: the corrections of
 * velocity and acceleration, their multipliers, and the kind of
 * factors that its matrices began with. */
typedef struct gradyn_ali3p_extra {
  double *w, *u;         /* [n] */
  double *sigma, *kappa; /* [m] */
  double *kind;
} gradyn_ali3p_extra;

static inline gradyn_ali3p_extra gradyn_ali3p_extra_of(const gradyn_ali3p *s, double *node)
{
  double *w = node + s->base.ns, *sigma = w + 2 * s->n;
  return (gradyn_ali3p_extra){w, w + s->n, sigma, sigma + s->m, sigma + 2 * s->m};
}

/* The integrator that the options name, and its coefficients for a step h, unless *k has them. The
 * parameter of an integrator where nobody gives one. */
double gradyn_ali3p_usual_parameter(const char *integrator);
gradyn_status gradyn_ali3p_choose_integrator(gradyn_ali3p *s, const gradyn_options *options,
                                             gradyn_message *message);
void gradyn_ali3p_coefficients_of(const gradyn_ali3p *s, double h, gradyn_ali3p_coefficients *k);

/* The step, in ali3p/step.c. */
gradyn_status gradyn_ali3p_step(gradyn_stepper *base, double t, double h, const double *from,
                                double *to);

/* Whether the motion may go on behind a step that ends at `to`, with the factors of its projections, in
 * ali3p/lock.c. GRADYN_NOT_CONVERGED, with a message: a force that reads multipliers locks the mechanism. */
gradyn_status gradyn_ali3p_judge_lock(gradyn_ali3p *s, double t, const double *to);

/* Derivatives of the step, in ali3p/tangent.c and ali3p/transposed.c. */
gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to);
gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                   const double *dh, const double *dt, gradyn_lanes *ds);
gradyn_status gradyn_ali3p_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                      gradyn_lanes *x_bar, double *h_bar, double *t_bar);
gradyn_status gradyn_ali3p_start_tangent(gradyn_stepper *base, const double *dx, double *ds);
gradyn_status gradyn_ali3p_start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar);

#endif
