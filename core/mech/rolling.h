/* Velocity-level (nonholonomic) constraints, psi = A(t, q) v - b(t, q) = 0, which are not the rate of any
 * Phi(q): rolling, a knife edge (docs/theory/rolling.md).
 *
 * They are rows among the other constraints, with psi as order 1 and psi' as order 2. At order 0 there is
 * no equation: the value is zero for any q. Phi_q is replaced by A, which multiplies the multiplier and is
 * the derivative of psi by v.
 *
 * Code that solves for positions leaves these rows out. psi'_v = A' + psi_q differs from 2 psi_q, which
 * holds for other rows, and has its own function. */
#ifndef GRADYN_CORE_MECH_ROLLING_H
#define GRADYN_CORE_MECH_ROLLING_H

#include "core/mech/mech.h"

/* Returns whether constraint i, from 0, is at velocity level; false for i >= m. */
static inline bool gradyn_mech_rolls(const gradyn_mech *mech, int i)
{
  return mech->rolling > 0 && i < mech->m && mech->rolls[i];
}

/* Returns the name of the first velocity-level constraint, owned by the model; NULL: none. */
static inline const char *gradyn_mech_first_roll(const gradyn_mech *mech)
{
  for (int i = 0; i < mech->m; i++)
    if (gradyn_mech_rolls(mech, i))
      return mech->constraint_name(mech, i);
  return NULL;
}

/* Sets the rows of velocity-level constraints to zero in J [jac.nnz], for equations of positions. */
static inline void gradyn_mech_zero_nonholonomic(const gradyn_mech *mech, double *J)
{
  for (int i = 0; i < mech->m && mech->rolling > 0; i++)
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1] && mech->rolls[i]; k++)
      J[k] = 0;
}

/* Sets values [jac.nnz + 1] to Phi''_v of the constraints of the motion at a state, from J1 [jac.nnz + 1] =
 * Phi'_q there; both may be the same array. The result is 2 Phi'_q, or psi'_v for velocity-level
 * constraints. Errors: those of psi_v(). */
static inline gradyn_status gradyn_mech_second_v(gradyn_mech *mech, const gradyn_mech_state *at,
                                                 const double *J1, double *values)
{
  for (int k = 0; k < mech->jac.nnz; k++)
    values[k] = 2 * J1[k];
  return mech->rolling > 0 ? mech->ops->psi_v(mech, at, values) : GRADYN_OK;
}

#endif
