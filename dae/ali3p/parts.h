/* What the ALI3-P scheme keeps, a struct for each subject: integrator, choices of a run, matrices, the trial
 * point, the step that is differentiated. */
#ifndef GRADYN_DAE_ALI3P_PARTS_H
#define GRADYN_DAE_ALI3P_PARTS_H

#include "dae/linear/factors.h"

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

/* The integrator: a member of the generalised-alpha family, section 2.1 of the theory note. */
typedef struct gradyn_ali3p_rule {
  double beta, gamma, alpha_m, alpha_f;
  bool own_A; /* A is a state of its own */
} gradyn_ali3p_rule;

/* How derivatives solve the position problem: with the inverse of the projections' matrix, bent by B or by
 * its transpose, or with factors of its own. */
typedef enum gradyn_ali3p_way {
  GRADYN_ALI3P_OPEN, /* nobody has asked yet */
  GRADYN_ALI3P_BENT,
  GRADYN_ALI3P_BENT_TRANSPOSED,
  GRADYN_ALI3P_FACTORED
} gradyn_ali3p_way;

/* How linear systems are solved: chosen once for a run, so that a step depends on its first node alone, and
 * narrowed down for the step in hand. */
typedef struct gradyn_ali3p_choice {
  double position_diagonal;        /* -1/penalty of the position problem, scaled; 0: none */
  double projection_diagonal;      /* 1/(varsigma alpha) of the projections */
  gradyn_factors_kind usual;       /* of the run */
  gradyn_factors_kind first, last; /* of the step in hand, as gradyn_factors_make() takes them */
  bool factored;                   /* the position problem has left the projections' factors */
  gradyn_ali3p_way way;            /* of the position problem of the last linearise() */
} gradyn_ali3p_choice;

/* How far forces bend the Newton matrix of a small model: bounds of |M^-1 (K + vq C)|/aq. */
typedef struct gradyn_ali3p_force_curvatures {
  double start; /* at the start of the run */
  double rate;  /* later in it, as the node in hand knows it; 0: not asked for */
  bool gentle;  /* so little that [M, J^T; J, 0] will do */
} gradyn_ali3p_force_curvatures;

/* Matrices at the place in hand. */
typedef struct gradyn_ali3p_matrices {
  double *K, *C, *M; /* [dyn.nnz + 1] */
  double *B;         /* [dyn.nnz + 1] K + vq C */
  double *A;         /* [dyn.nnz + 1] M + (K + vq C)/aq */
  double *J;         /* [jac.nnz + 1] Phi_q */
  double
      *L; /* [jac.nnz + 1] lower rows of the position problem: J, or with rows of velocities own */
  const double *U; /* [jac.nnz + 1] R_lam^T: J, or own where forces read multipliers */
  double *own;     /* see U */
  bool viscous;    /* forces may depend on velocities: C counts */
} gradyn_ali3p_matrices;

/* The trial point of the step in hand. */
typedef struct gradyn_ali3p_trial {
  gradyn_lanes *rows;       /* of dq, q', v*, a*, A*, in this order */
  double *q, *vs, *as, *As; /* [n] in rows: position, v*, a*, A* */
  double *read;             /* [m] multipliers that forces read */
} gradyn_ali3p_trial;

/* The step of the last linearise(). */
typedef struct gradyn_ali3p_last {
  double t, h;
  const double *from, *to;
  double *lam; /* [m] lam* */
  gradyn_ali3p_states states;
} gradyn_ali3p_last;

#endif
