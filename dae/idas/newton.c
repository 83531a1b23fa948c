/* Newton's method of IDAS for general equations, with a stricter test of convergence.
 *
 * IDAS estimates the rate of convergence when the matrix is new, uses it for all later steps with this
 * matrix, and may stop after one correction of any size. Algebraic states are in no error test. If their
 * equations are not linear and the matrix is old, their residuals may therefore increase until every step
 * fails. Here the estimated rate is at least 0.01. */
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <math.h>

#include "dae/idas/idas.h"

/* small: a first correction below this fraction of the tolerance ends the iteration. least_left: the
 * remaining error counts as at least this fraction of the last correction. slowest: a larger rate counts as
 * divergence. All but least_left are as in IDAS. */
static const double small = 1e-4, least_left = 1e-2, slowest = 0.9;

/* Ratio of remaining error to correction while the convergence rate is unknown; the same as in IDAS. */
static const double unknown = 20;

/* Decides whether Newton's iteration has converged, by the last correction and the rate at which
 * corrections decrease. A function of SUNNonlinearSolver. Iterations that converge slowly are ended at
 * once. */
static int test(SUNNonlinearSolver solver, N_Vector y, N_Vector correction, sunrealtype allowed,
                N_Vector weight, void *user)
{
  gradyn_idas_pace *pace = user;
  int iteration = 0;
  (void)y;
  const double size = N_VWrmsNorm(correction, weight);
  if (SUNNonlinSolGetCurIter(solver, &iteration) != GRADYN_SUNDIALS_SUCCESS)
    return SUN_NLS_CONV_RECVR;
  pace->left = fmin(pace->left, unknown);
  if (iteration == 0) {
    pace->first = size;
    if (size <= small * allowed)
      return GRADYN_SUNDIALS_SUCCESS;
  } else {
    const double rate = pow(size / pace->first, 1.0 / iteration);
    if (!(rate <= slowest))
      return SUN_NLS_CONV_RECVR;
    pace->left = fmax(least_left, rate / (1 - rate));
  }
  return pace->left * size <= allowed ? GRADYN_SUNDIALS_SUCCESS : SUN_NLS_CONTINUE;
}

int gradyn_idas_newton(gradyn_idas *s)
{
  if (!s->model->equations)
    return IDA_SUCCESS;
  if (!s->sun.newton)
    s->sun.newton = SUNNonlinSol_Newton(s->sun.y, s->sun.context);
  if (!s->sun.newton)
    return IDA_MEM_FAIL;
  int flag = IDASetNonlinearSolver(s->ida, s->sun.newton);
  if (flag >= 0) /* used instead of the test of IDAS */
    flag = SUNNonlinSolSetConvTestFn(s->sun.newton, test, &s->pace);
  return flag;
}
