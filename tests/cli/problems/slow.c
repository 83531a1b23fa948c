/* A search that takes a long time: build() sleeps, so that a test can interrupt it, unless HURRY is in the
 * environment. Far from the start it always takes longer. */
#include <gradyn/gradyn.h>
#include <complex.h>
#include <stdlib.h>
#include <time.h>

enum { X, Y };
static const gradyn_param params[] = {
    [X] = {"x", "", .init = -1.2, GRADYN_UNBOUNDED}, [Y] = {"y", "", .init = 1, GRADYN_UNBOUNDED}};

static gradyn_status stand_still(const gradyn_at *at, gradyn_scalar F[])
{
  F[X] = at->yp[X];
  F[Y] = at->yp[Y];
  return GRADYN_OK;
}

/* Rosenbrock's valley: dozens of evaluations to its minimum at (1, 1). */
static gradyn_status valley(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar across = at->y[Y] - at->y[X] * at->y[X], along = 1 - at->y[X];
  *value = 100 * across * across + along * along;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  if (!getenv("HURRY"))
    (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  if (creal(rho[X]) > 5)
    (void)nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
  gradyn_state(model, "x", "", rho[X]);
  gradyn_state(model, "y", "", rho[Y]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = stand_still});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"valley", "", .terminal = valley}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(slow, .summary = "A valley, slowly", .params = params, .build = build, .t_end = 0.1,
               .method = "idas");
