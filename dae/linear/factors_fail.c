/* Messages for linear systems of constrained dynamics that could not be factorised. */
#include "dae/linear/dependent.h"
#include "dae/linear/factors.h"

gradyn_status gradyn_factors_fail(const gradyn_factors *s, gradyn_status status, double t)
{
  gradyn_mech *mech = s->mech;
  const bool own = s->kind >= GRADYN_FACTORS_TREE;
  if (gradyn_linsys_solver_failed(status, mech->message))
    return status;
  /* values are not finite because of data or state, not because of the structure */
  if (status != GRADYN_SINGULAR)
    return gradyn_fail(mech->message, status, "the equations of motion are not finite at t = %g s",
                       t);
  /* the row with the smallest pivot, or the unknown whose column depends on other columns */
  const int at = own ? s->weak : gradyn_linsys_singular_at(s->saddle.system);
  const int row = own                                  ? s->weak - mech->n
                  : gradyn_factors_shows_dependence(s) ? s->schur.weakest
                                                       : -1;
  if (row >= 0)
    return gradyn_fail(mech->message, status,
                       "constraint %s depends on others at t = %g s: a singular position",
                       mech->constraint_name(mech, row), t);
  if (at < 0)
    return gradyn_fail(mech->message, status,
                       "constraints depend on each other at t = %g s: a singular position", t);
  return gradyn_fail(mech->message, status,
                     "the equations of motion are singular at t = %g s near %s: a singular "
                     "position, or a point without mass that no constraint moves",
                     t, gradyn_unknown_name(mech, at));
}
