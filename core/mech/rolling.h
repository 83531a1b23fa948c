/* Rows of velocities alone, psi = A(t, q) v - b(t, q) = 0, which no Phi(q) has as its rate: rolling, a knife
 * edge (docs/theory/rolling.md). They stand among the other rows with psi as order 1 and psi' as order 2. At
 * order 0 there is no such row: its value is zero whatever q is, and in the place of Phi_q stands A, by which
 * its multiplier pulls and psi depends on v. Whoever solves for positions leaves it out. psi'_v = A' + psi_q
 * is not 2 psi_q, as it is of other rows, and is asked for by itself. */
#ifndef GRADYN_CORE_MECH_ROLLING_H
#define GRADYN_CORE_MECH_ROLLING_H

#include "core/mech/mech.h"

/* Whether row i, of any kind, is one of velocities alone. */
static inline bool gradyn_mech_rolls(const gradyn_mech *mech, int i)
{
  return mech->rolling > 0 && i < mech->m && mech->rolls[i];
}

/* The name of the first of them; NULL: there is none. */
static inline const char *gradyn_mech_first_roll(const gradyn_mech *mech)
{
  for (int i = 0; i < mech->m; i++)
    if (gradyn_mech_rolls(mech, i))
      return mech->constraint_name(mech, i);
  return NULL;
}

/* J [jac.nnz] of positions: rows of velocities become zero. */
static inline void gradyn_mech_strike(const gradyn_mech *mech, double *J)
{
  for (int i = 0; i < mech->m && mech->rolling > 0; i++)
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1] && mech->rolls[i]; k++)
      J[k] = 0;
}

/* values [jac.nnz + 1] = Phi''_v of the constraints of the motion from J1 = Phi'_q, which may be the same: 2
 * Phi'_q or, of rows of velocities, psi'_v. */
static inline gradyn_status gradyn_mech_second_v(gradyn_mech *mech, const gradyn_mech_state *at,
                                                 const double *J1, double *values)
{
  for (int k = 0; k < mech->jac.nnz; k++)
    values[k] = 2 * J1[k];
  return mech->rolling > 0 ? mech->ops->psi_v(mech, at, values) : GRADYN_OK;
}

#endif
