/* The variational scheme: its linear systems. */
#include <math.h>
#include <string.h>

#include "dae/variational.h"

/* Relative pivots of the Schur complement, and multipliers for constraint rates of size one, beyond
 * which constraints count as dependent. */
static const double least_pivot = 1e-9, most_multiplier = 1e9;

static gradyn_status fail(gradyn_variational *s, gradyn_status status, int at, double t)
{
  const gradyn_mech *mech = s->mech;
  if (status != GRADYN_SINGULAR)
    return gradyn_fail(mech->message, status, "the equations of motion are not finite at t = %g s",
                       t);
  return gradyn_fail(mech->message, status,
                     "the equations of motion are singular at t = %g s near %s: does a constraint "
                     "repeat others there (the method ali3p copes with that), or is there a point "
                     "without mass that no constraint moves?",
                     t,
                     at < 0      ? "?"
                     : at < s->n ? mech->coordinate_name(mech, at)
                                 : mech->constraint_name(mech, at - s->n));
}

static gradyn_status factor(gradyn_variational *s, gradyn_saddle *matrix, double t)
{
  gradyn_status status = gradyn_linsys_factor(matrix->system);
  s->base.factorisations++;
  return status == GRADYN_OK ? status
                             : fail(s, status, gradyn_linsys_singular_at(matrix->system), t);
}

gradyn_status gradyn_variational_factor_step(gradyn_variational *s, double t, double h)
{
  double share = (1 - s->alpha) * h * h;
  for (int i = 0; i < s->place.dyn_nnz; i++) {
    s->B[i] = s->alpha * s->K[i] + s->C[i] / h;
    s->A[i] = s->M[i] + share * s->B[i];
  }
  gradyn_saddle_fill(&s->place, s->A, s->J0, s->J1, 0);
  return factor(s, &s->place, t);
}

gradyn_status gradyn_variational_factor_look(gradyn_variational *s, double t)
{
  if (!s->use_schur) {
    gradyn_saddle_fill(&s->project, s->M, s->J, s->J, 0);
    return factor(s, &s->project, t);
  }
  gradyn_status status = gradyn_schur_factor(&s->schur, s->J);
  s->base.factorisations++;
  return status == GRADYN_OK ? status : fail(s, status, -1, t);
}

void gradyn_variational_solve_look(gradyn_variational *s, double *b, int count)
{
  if (!s->use_schur) {
    gradyn_linsys_solve(s->project.system, b, count);
    return;
  }
  for (int k = 0; k < count; k++)
    gradyn_schur_solve(&s->schur, false, b + k * (s->n + s->m));
}

bool gradyn_variational_near_singular(gradyn_variational *s)
{
  if (s->m == 0)
    return false;
  if (s->use_schur)
    return s->schur.least_pivot < least_pivot;
  /* multipliers for rates of size 1 and of no particular direction */
  double *b = s->c, phase = 0, J = gradyn_largest(s->J, s->mech->jac.start[s->m]);
  memset(b, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->m; i++) {
    phase += 0.6180339887498949;
    phase -= floor(phase);
    b[s->n + i] = 2 * phase - 1;
  }
  gradyn_variational_solve_look(s, b, 1);
  double size = gradyn_largest(b + s->n, s->m) * J * J / gradyn_largest(s->M, s->place.dyn_nnz);
  return !(size < most_multiplier);
}
