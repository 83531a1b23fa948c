/* Detection of constraints that depend on each other. All schemes use these functions, so that they agree on
 * what counts as singular. */
#include "dae/linear/dependent.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

/* Constraints count as dependent below this relative pivot of the Schur complement, or from this multiplier
 * on relative to its usual size. */
static const double least_pivot = 1e-9, most_multiplier = 1e9;
const double gradyn_tiny_share = 1e-8;

double gradyn_largest_multiplier(const gradyn_mech *mech, gradyn_linsys *system, double *b)
{
  const int n = mech->n, m = mech->m;
  double phase = 0;
  memset(b, 0, (size_t)n * sizeof *b);
  for (int i = 0; i < m; i++) {
    /* deterministic numbers without a preferred direction */
    phase += 0.6180339887498949; /* the golden ratio makes all rates differ */
    phase -= floor(phase);
    b[n + i] = 2 * phase - 1;
  }
  gradyn_linsys_solve(system, b, 1);
  return gradyn_largest(b + n, m);
}

double gradyn_relative_multiplier(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                                  const double *J, double *b)
{
  const double slope = gradyn_largest(J, mech->jac.start[mech->m]);
  const double size = gradyn_largest_multiplier(mech, system, b);
  return size * slope * slope / gradyn_largest(M, mech->dyn.nnz);
}

bool gradyn_dependent_factors(const gradyn_mech *mech, gradyn_linsys *system, const double *M,
                              const double *J, double *b)
{
  /* NaN counts as dependent */
  return mech->m > 0 && !(gradyn_relative_multiplier(mech, system, M, J, b) < most_multiplier);
}

bool gradyn_dependent_schur(const gradyn_schur *schur)
{
  return gradyn_dependent_pivot(schur->least_pivot);
}

bool gradyn_dependent_pivot(double pivot)
{
  return pivot < least_pivot;
}

double gradyn_tiny_diagonal(const double *A, int count)
{
  return gradyn_tiny_share /
         /* the tiny diagonal is relative to J A^-1 J^T, whose size is about 1/|A| */
         fmax(gradyn_largest(A, count), 1e-300);
}

const char *gradyn_unknown_name(const gradyn_mech *mech, int at)
{
  if (at < 0)
    return "?";
  return at < mech->n ? mech->coordinate_name(mech, at) : mech->constraint_name(mech, at - mech->n);
}
