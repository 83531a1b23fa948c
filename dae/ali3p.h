/* Inside of the ALI3-P scheme: what the step and its derivatives share. See docs/theory/ali3p.md for
 * the discrete equations. */
#ifndef GRADYN_DAE_ALI3P_H
#define GRADYN_DAE_ALI3P_H

#include "core/lanes.h"
#include "core/norm.h"
#include "core/saddle.h"
#include "core/schur.h"
#include "dae/initial.h"
#include "dae/stepper.h"

/* v* = vq dq + vv v + vA A, A* = Aq dq + Av v + AA A, a* = aq dq + av v + aA A + aa a for a step h
 * with increment dq. A is the algorithmic acceleration of the generalised-alpha family; in the
 * Newmark family it is a itself. */
typedef struct gradyn_ali3p_coefficients {
  double vq, vv, vA, Aq, Av, AA, aq, av, aA, aa;
  double share, kept; /* aq/Aq, aA - share AA: a* = share A* + kept A + aa a */
  double h;
} gradyn_ali3p_coefficients;

/* The stages of a step. */
enum { GRADYN_PLACE, GRADYN_VELOCITY, GRADYN_ACCELERATION, GRADYN_STAGES };

/* Where the residuals and constraints of the stages of the last linearise() are taken: the position
 * problem's (q', v*, a*, lam*), the projections' (M w + Phi_q^T sigma and M u + Phi_q^T kappa), and the
 * node (q', v', a', lam'), to which the constraints of all stages belong. */
typedef struct gradyn_ali3p_states {
  gradyn_mech_term stage[GRADYN_STAGES];
  gradyn_mech_state node;
} gradyn_ali3p_states;

typedef enum gradyn_ali3p_spread {
  GRADYN_SPREAD_NONE,
  GRADYN_SPREAD_PLAIN,
  GRADYN_SPREAD_TRANSPOSED
} gradyn_ali3p_spread;

typedef struct gradyn_ali3p {
  gradyn_stepper base;
  gradyn_mech *mech;
  int n, m;
  double beta, gamma, alpha_m, alpha_f; /* integrator */
  bool own_A;                           /* A is a state of its own */
  double position_diagonal;             /* -1/penalty of the position problem, scaled; 0: none */
  double projection_diagonal;           /* 1/(varsigma alpha) of the projections */
  int past;                             /* offset of the history in a node */
  bool small;                           /* the Schur complement suits the model */
  bool regular;                         /* constraints are independent at the start of the run */
  gradyn_initial initial;
  gradyn_saddle place;   /* position problem: M + (vq/aq) C + K/aq, R_lam in place of Phi_q^T */
  gradyn_saddle project; /* projections: M */
  gradyn_schur schur;    /* the same for small models with a constant, regular mass matrix */
  bool use_schur;        /* it serves the projections of this run */
  double bend;           /* bound of |M^-1 (K + vq C)|/aq at the start of the run */
  double rate; /* the same later in the run, as the node in hand knows it; 0: not asked for */
  bool gentle; /* forces bend the Newton matrix so little that [M, J^T; J, 0] will do */
  /* of the step in hand */
  bool schur_now;  /* the projections' factors are those of schur */
  bool factored;   /* the position problem has left them */
  bool soft;       /* factors have a tiny diagonal */
  bool rough;      /* the diagonal is larger, and stays: the step ends near a singular position */
  bool may_soften; /* they may get one if constraints turn out to be dependent */
  double *K, *C, *M, *A; /* [dyn.nnz + 1] */
  double *J;             /* [jac.nnz + 1] Phi_q */
  const double *U;       /* [jac.nnz + 1] R_lam^T: J, or own where forces read multipliers */
  double *own;
  double *lam;  /* [m] lam* of the step in hand */
  double *read; /* [m] multipliers that forces read */
  int extra;    /* offset in a state of what is added to lam* for them; 0: no force reads any */
  gradyn_lanes *trial;        /* the trial point: rows of dq, q', v*, a*, A*, in this order */
  double *q, *vs, *as, *As;   /* [n] in trial: position, v*, a*, A* */
  double *b;                  /* [GRADYN_LANES][n + m] right-hand sides */
  double *rest, *sum;         /* [n + m] refinement */
  double *B;                  /* [dyn.nnz + 1] K + vq C */
  double *E;                  /* [n][n] -B/aq or its transpose, in full, for small models */
  gradyn_lanes *lanes;        /* work of the tangent and the transposed step */
  gradyn_lanes *side;         /* [3 (n + m)] the same, of the solves */
  bool viscous;               /* forces may depend on velocities: C counts */
  gradyn_ali3p_spread spread; /* what E holds */
  bool placed;                /* the position problem's matrix of that step has been factorised */
  /* the step of the last linearise() */
  double t, h;
  const double *from, *to;
  gradyn_ali3p_coefficients k;
  gradyn_ali3p_states states;
} gradyn_ali3p;

/* Lanes that the tangent and the transposed step work with. */
size_t gradyn_ali3p_lanes_needed(int n, int m);

/* Offsets in a node. */
static inline const double *gradyn_ali3p_A(const gradyn_ali3p *s, const double *node)
{
  return s->own_A ? node + s->base.ny : node + 2 * s->n;
}

/* Multipliers lam* of the position problem belong to a*, those of a node, lam* + kappa, to a: section 2.3 of
 * the theory note. Where forces read them, kappa is a state: of the node before, it completes lam*. */
static inline const double *gradyn_ali3p_kappa(const gradyn_ali3p *s, const double *node)
{
  return node + s->base.ns + 2 * s->n + s->m; /* behind w, u and sigma */
}

/* What a step leaves in its node for its derivatives, [2 (n + m) + 1] in all: the corrections of
 * velocity and acceleration, their multipliers, and whether its matrices were
 * soft (1) or rough (2). */
typedef struct gradyn_ali3p_extra {
  double *w, *u;         /* [n] */
  double *sigma, *kappa; /* [m] */
  double *soft;
} gradyn_ali3p_extra;

static inline gradyn_ali3p_extra gradyn_ali3p_extra_of(const gradyn_ali3p *s, double *node)
{
  double *w = node + s->base.ns, *sigma = w + 2 * s->n;
  return (gradyn_ali3p_extra){w, w + s->n, sigma, sigma + s->m, sigma + 2 * s->m};
}

/* The integrator that the options name, and its coefficients for a step h, unless *k has them. The
 * parameter of an integrator, NULL the trapezoidal rule, where nobody gives one. */
double gradyn_ali3p_usual_parameter(const char *integrator);
gradyn_status gradyn_ali3p_choose_integrator(gradyn_ali3p *s, const gradyn_options *options,
                                             gradyn_message *message);
void gradyn_ali3p_coefficients_of(const gradyn_ali3p *s, double h, gradyn_ali3p_coefficients *k);

/* The step, in ali3p_step.c. */
gradyn_status gradyn_ali3p_step(gradyn_stepper *base, double t, double h, const double *from,
                                double *to);

/* Derivatives of the step, in ali3p_tangent.c and ali3p_transposed.c. */
gradyn_status gradyn_ali3p_linearise(gradyn_stepper *base, double t, double h, const double *from,
                                     const double *to);
gradyn_status gradyn_ali3p_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                   const double *dh, const double *dt, double *ds);
gradyn_status gradyn_ali3p_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                      gradyn_lanes *x_bar, double *h_bar, double *t_bar);
gradyn_status gradyn_ali3p_start_tangent(gradyn_stepper *base, const double *dx, double *ds);
gradyn_status gradyn_ali3p_start_transposed(gradyn_stepper *base, double *s_bar, double *x_bar);

#endif
