/* Forces that are given as a formula in complex numbers only; all derivatives by complex step. Forces of
 * users are of this kind. Any other kind may use such a formula until its derivatives are written by hand. */
#ifndef GRADYN_MBS_FORMULA_H
#define GRADYN_MBS_FORMULA_H

#include "mbs/elements/inputs.h"

/* Arguments of a formula, copied to arrays of the element, so that any entry can get a complex step. */
struct mbs_formula_arguments {
  bool stepped; /* an entry has a complex step */
  gradyn_scalar pos[MBS_LOCAL], vel[MBS_LOCAL], acc[MBS_LOCAL], z[MBS_INPUTS], lam[MBS_READS];
};

/* Returns whether local coordinate k is a component that its point, a scalar, does not have. */
static inline bool mbs_is_dead(const gradyn_mbs *m, const mbs_element *e, int k)
{
  return k % m->dim >= mbs_axes(m, e->point[k / m->dim]);
}

/* Fills *s with the state, the inputs z, and the multipliers that the force depends on; no entry has a
 * complex step. order, 0 to 2: highest time derivative of the state; higher ones are 0, as are the components
 * that scalars lack. */
void mbs_set_formula(const gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                     const double *z, int order, mbs_formula_arguments *s);

/* Functions of mbs_element_ops from ops->formula. */

/* Sets f [local] to the force of an element at the state `at` with inputs z [inputs]. Errors: failures of
 * the formula. */
gradyn_status mbs_formula_force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f);

/* Sets row i, column k of f_pos and f_vel [local][local] to the derivative of f_i of mbs_formula_force() by
 * pos_k and vel_k. f_vel NULL: not requested. z [inputs]. Errors: failures of the formula. */
gradyn_status mbs_formula_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_pos, double *f_vel);

/* Sets f_z [inputs][local] to the derivatives of mbs_formula_force() by the inputs z [inputs]. Errors:
 * failures of the formula. */
gradyn_status mbs_formula_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_z);

/* Sets f_lam [reads][local] to the derivatives of mbs_formula_force() by the multipliers, for inputs z
 * [inputs]. Only for forces that depend on multipliers. Errors: failures of the formula. */
gradyn_status mbs_formula_lam(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *f_lam);

#define MBS_FORMULA_OPS(of)                                                                        \
  .formula = of, .force = mbs_formula_force, .force_state = mbs_formula_state,                     \
  .force_input = mbs_formula_input, .force_lam = mbs_formula_lam

#endif
