/* The method `explicit`: Runge-Kutta methods of order 8 and 5, with the exact derivatives of the
 * discrete run. It is an entry of the table of methods; marching is in dae/explicit/explicit.c, sweeps are in
 * the files beside. */
#include <stdlib.h>

#include "adjoint/explicit/jumps.h"
#include "adjoint/method.h"

typedef struct explicit_method {
  gradyn_explicit *march;
  gradyn_explicit_sweeps sweeps;
} explicit_method;

/* Of any stage of its making. */
static void free_method(void *self)
{
  explicit_method *s = self;
  if (!s)
    return;
  gradyn_explicit_sweeps_clear(&s->sweeps);
  gradyn_explicit_free(s->march);
  free(s);
}

/* The march with all its sweeps: they are small beside the steps kept. */
static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  explicit_method *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_status status = gradyn_explicit_create(model, options, &s->march);
  /* march first: sweeps take their sizes from it */
  if (status == GRADYN_OK)
    status = gradyn_explicit_sweeps_create(s->march, &s->sweeps);
  return status == GRADYN_OK ? gradyn_explicit_guard_create(s->march, &s->sweeps.guard) : status;
}

/* A march that keeps nothing for sweeps. */
static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_explicit_march(((explicit_method *)self)->march, false, psi, trajectory);
}

/* All directions along with the march. */
static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return gradyn_explicit_direct(&((explicit_method *)self)->sweeps, directions, psi, gradient);
}

/* A march that keeps its stages, then the sweep back. */
static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return gradyn_explicit_adjoint(&((explicit_method *)self)->sweeps, active, psi, x_bar);
}

/* Of steps, for a trial by which a method is chosen. */
static void limit(void *self, long most)
{
  ((explicit_method *)self)->march->limits.most = most;
}

/* By which a gradient of other steps tells the error of this one. */
static int order(const void *self)
{
  const gradyn_explicit *march = ((const explicit_method *)self)->march;
  return march->options.step > 0 ? 0 : march->tableau->order; /* 0: errors are not controlled */
}

/* The same run with steps merged or divided, to know the error of its gradient. */
static gradyn_status repeat(void *self, int merge, int parts)
{
  return gradyn_explicit_repeat(((explicit_method *)self)->march, merge, parts);
}

/* Where integrands had corners, at which a derivative is one-sided. */
static const double *corners(const void *self)
{
  return ((const explicit_method *)self)->sweeps.corner;
}

/* Of the last call. */
static gradyn_statistics statistics(const void *self)
{
  return ((const explicit_method *)self)->march->statistics;
}

const gradyn_method gradyn_explicit_method = {
    .name = "explicit",
    .summary = "Runge-Kutta of order 8 or 5, variable or fixed step: where nothing is stiff",
    .mechanical = true,
    .general = true,
    .price_mechanical = {0.35, 0.61, 0.64, 0.39},
    .price_general = {0.5, 0.47, 0.57, 0.27},
    .rtol = 1e-8,
    .atol = 1e-10,
    .either = true,
    .events = true,
    .create = create,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .statistics = statistics,
    .limit = limit,
    .order = order,
    .repeat = repeat,
    .corners = corners};
