/* Newton's method of IDAS for general equations, with a test of convergence of its own.
 *
 * IDAS takes the rate at which corrections have fallen when the matrix was new for that of all later
 * steps with it, and may end after one correction, however large. Algebraic states are in no error test:
 * where their equations are not linear and the matrix is old, they were left unsolved, by more and more,
 * until no step would do. Here no rate counts for better than a hundredth. */
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <math.h>

#include "dae/idas/idas.h"

/* Corrections that end iterations by themselves, over what is allowed, and the least part of a correction
 * that is believed to be left; slower than the last one nothing converges. As in IDAS, but for the second. */
static const double small = 1e-4, least_left = 1e-2, slowest = 0.9;

/* Before a rate is known: as in IDAS. */
static const double unknown = 20;

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
  if (flag >= 0) /* in the place of that of IDAS */
    flag = SUNNonlinSolSetConvTestFn(s->sun.newton, test, &s->pace);
  return flag;
}
