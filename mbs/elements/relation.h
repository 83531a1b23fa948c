/* Constraints that are given in complex numbers only; all derivatives by complex step. Constraints of users
 * are of this kind. Any other kind may be, until its derivatives are written by hand. */
#ifndef GRADYN_MBS_RELATION_H
#define GRADYN_MBS_RELATION_H

#include "mbs/elements/formula.h"

/* Functions of mbs_element_ops from ops->relation. */

/* Sets *value to Phi, Phi' or Phi'' (order 0, 1, 2) of the constraint e, at the state `at` with inputs z
 * [inputs]. Errors: failures of the relation. */
gradyn_status mbs_relation_phi(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, int order, double *value);

/* Sets g [local] to the derivative of mbs_relation_phi(), of this order, by positions, for inputs z
 * [inputs]. Errors: failures of the relation. */
gradyn_status mbs_relation_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *g);

/* Sets phi_z [inputs] to the derivatives of mbs_relation_phi(), of this order, by the inputs z [inputs].
 * Errors: failures of the relation. */
gradyn_status mbs_relation_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *phi_z);

/* Sets H [local][local] to d2 Phi/dpos2 of a constraint, for inputs z [inputs]. Errors: failures of the
 * relation. */
gradyn_status mbs_relation_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *H);

/* Sets g_z [inputs][local] to d Phi_q/dz of a constraint, for inputs z [inputs]. Errors: failures of the
 * relation. */
gradyn_status mbs_relation_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g_z);

/* Sets g [local] to psi'_v of a nonholonomic constraint, for inputs z [inputs]. Its relation is psi = A v -
 * b for order 1, and psi' for order 2. For order 0, mbs_relation_phi() gives 0 and mbs_relation_phi_q()
 * gives A. Errors: failures of the relation. */
gradyn_status mbs_relation_psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g);

#define MBS_RELATION_OPS(of)                                                                       \
  .relation = of, .phi = mbs_relation_phi, .phi_q = mbs_relation_phi_q,                            \
  .phi_input = mbs_relation_input, .hessian = mbs_relation_hessian,                                \
  .phi_q_input = mbs_relation_mixed

#endif
