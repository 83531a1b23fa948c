/* Data of the ALI3-P scheme, one struct per subject: integrator, choices of a run, matrices, trial point, the
 * step that is differentiated. */
#ifndef GRADYN_DAE_ALI3P_PARTS_H
#define GRADYN_DAE_ALI3P_PARTS_H

#include "dae/linear/factors.h"

/* v* = vq dq + vv v + vA A, A* = Aq dq + Av v + AA A, a* = aq dq + av v + aA A + aa a for a step h with
 * increment dq. A is the algorithmic acceleration of the generalised-alpha family; in the Newmark family it
 * is a. */
typedef struct gradyn_ali3p_coefficients {
  double vq, vv, vA, Aq, Av, AA, aq, av, aA, aa;
  double share, kept; /* aq/Aq, aA - share AA: a* = share A* + kept A + aa a */
  double h;           /* s; 0: not computed */
} gradyn_ali3p_coefficients;

/* The stages of a step. */
enum { GRADYN_PLACE, GRADYN_VELOCITY, GRADYN_ACCELERATION, GRADYN_STAGES };

/* States at which the residuals and constraints of the stages are evaluated in the last linearise(): the
 * position problem at (q', v*, a*, lam*), and the projections (M w + Phi_q^T sigma and M u + Phi_q^T kappa).
 * The constraints of all stages belong to the node (q', v', a', lam'). */
typedef struct gradyn_ali3p_states {
  gradyn_mech_term stage[GRADYN_STAGES];
  gradyn_mech_state node;
} gradyn_ali3p_states;

/* The integrator: a member of the generalised-alpha family, section 2.1 of the theory page. */
typedef struct gradyn_ali3p_rule {
  double beta, gamma, alpha_m, alpha_f;
  bool own_A; /* A is a state of its own */
} gradyn_ali3p_rule;

/* How derivatives solve the position problem: with the inverse of the matrix of the projections, which B or
 * its transpose corrects, or with separate factors. */
typedef enum gradyn_ali3p_way {
  GRADYN_ALI3P_OPEN, /* not yet chosen */
  GRADYN_ALI3P_BENT,
  GRADYN_ALI3P_BENT_TRANSPOSED,
  GRADYN_ALI3P_FACTORED
} gradyn_ali3p_way;

/* How linear systems are solved. Chosen once per run, so that a step depends only on its first node, and
 * restricted for the present step. */
typedef struct gradyn_ali3p_choice {
  double position_diagonal;   /* -1/penalty of the position problem, scaled; 0: none */
  double projection_diagonal; /* 1/(varsigma alpha) of the projections */
  gradyn_factors_kind usual;  /* kind that the run uses unless a step needs another one */
  gradyn_factors_kind first,
      last;             /* range of kinds in the present step, for gradyn_factors_make() */
  bool factored;        /* the position problem has left the factors of the projections */
  gradyn_ali3p_way way; /* way for the position problem at the last linearise() */
} gradyn_ali3p_choice;

/* Influence of forces on the Newton matrix of a small model: bounds of |M^-1 (K + vq C)|/aq. */
typedef struct gradyn_ali3p_force_curvatures {
  double start; /* at the start of the run */
  double rate;  /* later in the run, as stored in the present node; 0: not evaluated */
  bool gentle;  /* so small that [M, J^T; J, 0] suffices */
} gradyn_ali3p_force_curvatures;

/* Matrices at the present point. */
typedef struct gradyn_ali3p_matrices {
  double *K, *C, *M; /* [dyn.nnz + 1] */
  double *B;         /* [dyn.nnz + 1] K + vq C */
  double *A;         /* [dyn.nnz + 1] M + (K + vq C)/aq */
  double *J;         /* [jac.nnz + 1] Phi_q */
  double
      /* [jac.nnz + 1] lower rows of the position problem: J, or separate with nonholonomic rows */
      *L;
  const double *U; /* [jac.nnz + 1] R_lam^T: J, or own with multiplier-dependent forces */
  double *own;     /* see U */
  bool viscous;    /* forces may depend on velocities: C counts */
} gradyn_ali3p_matrices;

/* The trial point of the present step. */
typedef struct gradyn_ali3p_trial {
  gradyn_lanes *rows;       /* dq, q', v*, a*, A*, in this order */
  double *q, *vs, *as, *As; /* [n] in rows: position, v*, a*, A* */
  double *read;             /* [m] multipliers for multiplier-dependent forces */
} gradyn_ali3p_trial;

/* The step of the last linearise(). */
typedef struct gradyn_ali3p_last {
  double t, h;             /* s */
  const double *from, *to; /* nodes, borrowed */
  double *lam;             /* [m] lam* */
  gradyn_ali3p_states states;
} gradyn_ali3p_last;

#endif
