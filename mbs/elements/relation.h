/* Constraints that are given in complex numbers only; all derivatives by complex step. Constraints of users
 * are of this kind. Any other kind may be, until its derivatives are written by hand. */
#ifndef GRADYN_MBS_RELATION_H
#define GRADYN_MBS_RELATION_H

#include "mbs/elements/formula.h"

/* Functions of mbs_element_ops from ops->relation, at the state `at` with inputs z; order 0, 1, 2: Phi,
 * Phi' or Phi''. phi: *value. phi_q: its derivative by positions, g [local]. input: by z, phi_z [inputs].
 * hessian: d2 Phi/dpos2, H [local][local]. mixed: d Phi_q/dz, g_z [inputs][local]. Errors: failures of the
 * relation. */
gradyn_status mbs_relation_phi(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, int order, double *value);
gradyn_status mbs_relation_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *g);
gradyn_status mbs_relation_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *phi_z);
gradyn_status mbs_relation_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *H);
gradyn_status mbs_relation_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g_z);
/* psi'_v of nonholonomic constraints. Their relation is psi = A v - b for order 1, and psi' for order 2.
 * For order 0, the functions above give the value 0 and the gradient A. */
gradyn_status mbs_relation_psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g);

#define MBS_RELATION_OPS(of)                                                                       \
  .relation = of, .phi = mbs_relation_phi, .phi_q = mbs_relation_phi_q,                            \
  .phi_input = mbs_relation_input, .hessian = mbs_relation_hessian,                                \
  .phi_q_input = mbs_relation_mixed

#endif
