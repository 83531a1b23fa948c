/* What one-step methods have in common as entries of the table of methods: marching is in
 * dae/onestep/onestep.c, sweeps are in the files beside. */
#include "adjoint/onestep/method.h"

#include <stdlib.h>

#include "adjoint/onestep/jumps.h"

typedef struct onestep_method {
  gradyn_onestep *march;
  gradyn_onestep_sweeps sweeps;
} onestep_method;

/* Frees also what has been made in part only. */
void gradyn_onestep_method_free(void *self)
{
  onestep_method *s = self;
  if (!s)
    return;
  gradyn_onestep_sweeps_clear(&s->sweeps);
  gradyn_onestep_free(s->march);
  free(s);
}

gradyn_status gradyn_onestep_method_create(gradyn_model *model, const gradyn_options *options,
                                           const gradyn_onestep_scheme *scheme,
                                           const gradyn_onestep_derivatives *derivatives,
                                           void **out)
{
  onestep_method *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  /* march first: sweeps take their sizes from it */
  GRADYN_TRY(gradyn_onestep_create(model, options, scheme, &s->march));
  GRADYN_TRY(gradyn_onestep_sweeps_create(s->march, derivatives, &s->sweeps));
  return gradyn_onestep_guard_create(s->march, derivatives, &s->sweeps.guard);
}

/* A march that keeps nothing for sweeps. */
gradyn_status gradyn_onestep_method_simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_onestep_march(((onestep_method *)self)->march, false, psi, trajectory);
}

/* All directions along with the march. */
gradyn_status gradyn_onestep_method_direct(void *self, const gradyn_directions *directions,
                                           double *psi, double *gradient)
{
  return gradyn_onestep_direct(&((onestep_method *)self)->sweeps, directions, psi, gradient);
}

/* A march that keeps its stages, then the sweep back. */
gradyn_status gradyn_onestep_method_adjoint(void *self, const bool *active, double *psi,
                                            double *x_bar)
{
  return gradyn_onestep_adjoint(&((onestep_method *)self)->sweeps, active, psi, x_bar);
}

/* Of steps, for a trial by which a method is chosen. */
void gradyn_onestep_method_limit(void *self, long most)
{
  ((onestep_method *)self)->march->limits.most = most;
}

/* By which a gradient of other steps tells the error of this one. */
int gradyn_onestep_method_order(const void *self)
{
  const gradyn_onestep *march = ((const onestep_method *)self)->march;
  return march->options.step > 0 ? 0 : march->tableau->order; /* 0: errors are not controlled */
}

bool gradyn_onestep_method_rests(const void *self)
{
  return gradyn_onestep_rests(((const onestep_method *)self)->march);
}

/* Tolerances of the runs to come. */
void gradyn_onestep_method_tighten(void *self, double part)
{
  gradyn_onestep_tighten(((onestep_method *)self)->march, part);
}

/* The same run with steps merged or divided, to know the error of its gradient. */
gradyn_status gradyn_onestep_method_repeat(void *self, int merge, int parts)
{
  return gradyn_onestep_repeat(((onestep_method *)self)->march, merge, parts);
}

/* Where integrands had corners, at which a derivative is one-sided. */
const double *gradyn_onestep_method_corners(const void *self)
{
  return ((const onestep_method *)self)->sweeps.corner;
}

/* Of the last call. */
gradyn_statistics gradyn_onestep_method_statistics(const void *self)
{
  return ((const onestep_method *)self)->march->statistics;
}
