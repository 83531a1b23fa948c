/* Monitors a run with fixed steps for steps from one branch of the motion to another.
 *
 * Where constraints nearly depend on each other, two branches of the motion are close. An example is a
 * slider-crank whose rod is hardly longer than its crank. Near the position where psi^T Phi_q = 0, psi^T Phi
 * = mu + (1/2) d^T H d, with d the distance from it. The motion must stay on one sheet of the hyperbola d^T H
 * d = -2 mu. A step longer than the distance of the sheets reaches the other sheet, without a jump of
 * velocities. Each sheet turns from one asymptote to the other. Therefore two positions far from the gap, on
 * both sides of it, are on the same sheet if they are on different asymptotes. If mu is zero to round-off,
 * the constraints allow the motion to pass straight through. */
#ifndef GRADYN_DAE_SINGULAR_BRANCH_H
#define GRADYN_DAE_SINGULAR_BRANCH_H

#include "dae/linear/singular_path.h"

typedef struct gradyn_singular_branch {
  gradyn_singular_path path;
  double t, h;         /* time of the node examined last, s, NAN: none; length of a step, s */
  int stride, wait;    /* steps between two examinations, and until the next one */
  double *last, *here; /* [jac.nnz + 1] Phi_q at the last and at the present node */
  double *low, *high, *middle;   /* [jac.nnz + 1] on a part of the interval */
  double *q_last, *q;            /* [n] position of the last node; position in between */
  double *v, *w, *change, *rest; /* [n] directions; changes of a position */
  double unit[2], H[2][2]; /* units of both directions, s and m; second derivatives of psi^T Phi */
  double *rows;            /* [m] */
  gradyn_arena arena;
} gradyn_singular_branch;

/* Allocates the arrays for a mechanism, which must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_singular_branch_create(gradyn_mech *mech, gradyn_singular_branch *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_singular_branch_clear(gradyn_singular_branch *s);

/* Discards the steps examined so far, as at the start of an arc. */
void gradyn_singular_branch_reset(gradyn_singular_branch *s);

/* To be called after each step, with the states at its ends; only positions are used. Examines the motion
 * each time that the rows of Phi_q have turned by a certain angle. Errors: GRADYN_SINGULAR, with times and
 * names: a step has led from one branch of the motion to another; failures of the constraints. */
gradyn_status gradyn_singular_branch_step(gradyn_singular_branch *s, const gradyn_mech_state *from,
                                          const gradyn_mech_state *to);

/* Examines the steps since the last examination, if any, and discards them. To be called at the state where
 * the constraints change or the run ends. Errors: GRADYN_SINGULAR, a step has led from one branch of the
 * motion to another; failures of the constraints. */
gradyn_status gradyn_singular_branch_end(gradyn_singular_branch *s, const gradyn_mech_state *at);

#endif
