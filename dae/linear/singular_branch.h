/* Watches a march of fixed steps for steps from one branch of the motion onto another.
 *
 * Where constraints nearly depend on each other, as those of a slider-crank whose rod is hardly longer than
 * its crank, two branches of the motion come close: psi^T Phi = mu + (1/2) d^T H d near the place where
 * psi^T Phi_q vanishes, with d the distance from it, and the motion has to stay on one sheet of the
 * hyperbola d^T H d = -2 mu. A step that is longer than the sheets are apart goes straight on, onto the
 * other one, and nothing leaps. Sheets turn from one asymptote to the other: two places far from the gap, on
 * both sides of it, are on the same sheet if they are on different asymptotes. If mu is zero to round-off
 * the motion may go straight on, as far as constraints tell. */
#ifndef GRADYN_DAE_SINGULAR_BRANCH_H
#define GRADYN_DAE_SINGULAR_BRANCH_H

#include "dae/linear/singular_path.h"

typedef struct gradyn_singular_branch {
  gradyn_singular_path path;
  double t, h; /* of the node that has been looked at last, NAN: none yet; length of a step; s */
  int stride, wait;              /* steps from look to look, and until the next one */
  double *last, *here;           /* [jac.nnz + 1] Phi_q there, and now */
  double *low, *high, *middle;   /* [jac.nnz + 1] of a part of the way */
  double *q_last, *q;            /* [n] of that node; of a place between */
  double *v, *w, *change, *rest; /* [n] directions, and what a place is changed by */
  double unit[2], H[2][2];       /* of both directions: s and m; second derivatives of psi^T Phi */
  double *rows;                  /* [m] */
  gradyn_arena arena;
} gradyn_singular_branch;

gradyn_status gradyn_singular_branch_create(gradyn_mech *mech, gradyn_singular_branch *out);
void gradyn_singular_branch_clear(gradyn_singular_branch *s);

/* Forgets earlier steps. */
void gradyn_singular_branch_reset(gradyn_singular_branch *s);

/* Looks at a step that has been taken, as often as constraints turn by a share of a radian; positions are
 * read. GRADYN_SINGULAR with times and names if there are two branches, and it leads to the other one. */
gradyn_status gradyn_singular_branch_step(gradyn_singular_branch *s, const gradyn_mech_state *from,
                                          const gradyn_mech_state *to);

/* Looks at the steps since the last look, if there are any, and forgets them: constraints change at `at`. */
gradyn_status gradyn_singular_branch_end(gradyn_singular_branch *s, const gradyn_mech_state *at);

#endif
