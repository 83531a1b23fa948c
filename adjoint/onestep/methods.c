/* One-step methods as entries of the table of methods. The scheme of each method takes its steps and
 * differentiates them. */
#include <stdlib.h>

#include "adjoint/method.h"
#include "adjoint/onestep/kinks.h"
#include "dae/explicit/explicit.h"
#include "dae/radau/radau.h"

/* Frees also incomplete objects. */
static void release(void *self)
{
  gradyn_onestep_sweeps *s = self;
  if (!s)
    return;
  gradyn_onestep *run = s->march;
  gradyn_onestep_sweeps_clear(s);
  gradyn_onestep_free(run);
  free(s);
}

static gradyn_status create(gradyn_model *model, const gradyn_options *options,
                            const gradyn_onestep_scheme *scheme, void **out)
{
  gradyn_onestep_sweeps *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  /* the integrator is created first, because sweeps have sizes that depend on it */
  GRADYN_TRY(gradyn_onestep_create(model, options, scheme, &s->march));
  return gradyn_onestep_sweeps_create(s->march, s);
}

static gradyn_onestep *steps(void *self)
{
  return ((gradyn_onestep_sweeps *)self)->march;
}

/* Simulates. Steps are stored only if maxima over time are to be located in them. */
static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  gradyn_onestep *march = ((gradyn_onestep_sweeps *)self)->march;
  march->kept.asked = false;
  for (int f = 0; f < march->nf; f++) {
    const gradyn_functional_entry *functional = &march->model->functional[f];
    const bool sought = functional->maximum ? !functional->ride.found
                                            : functional->use == GRADYN_PATH_CONSTRAINT;
    march->kept.asked = march->kept.asked || (functional->terminal && sought);
  }
  const gradyn_status status = gradyn_onestep_run(march, false, psi, trajectory);
  march->kept.asked = false;
  return status;
}

/* Limits the number of steps, for a trial run by which a method is selected. */
static void limit(void *self, long most)
{
  ((gradyn_onestep_sweeps *)self)->march->limits.most = most;
}

/* Returns the order of the method, by which the error of a gradient follows from gradients with other
 * steps. */
static int order(const void *self)
{
  const gradyn_onestep *march = ((const gradyn_onestep_sweeps *)self)->march;
  return march->options.step > 0 ? 0 : march->tableau->order; /* 0: without error control */
}

static bool met(const void *self, gradyn_met what, double rtol)
{
  const gradyn_onestep_sweeps *s = self;
  return what == GRADYN_MET_KINKS ? gradyn_onestep_kinks_matter(s, rtol)
                                  : gradyn_onestep_rests(s->march, what == GRADYN_MET_NEAR_REST);
}

/* Changes the tolerances of the next runs. */
static void tighten(void *self, double part)
{
  gradyn_onestep_tighten(((gradyn_onestep_sweeps *)self)->march, part);
}

/* Makes the next run take the same steps, merged or divided. A comparison then shows the error of the
 * gradient. */
static gradyn_status repeat(void *self, int merge, int parts)
{
  return gradyn_onestep_repeat(((gradyn_onestep_sweeps *)self)->march, merge, parts);
}

/* Returns, for each functional, the time of a kink of its integrand, where the derivative is one-sided. */
static const double *corners(const void *self)
{
  return ((const gradyn_onestep_sweeps *)self)->corner;
}

/* Returns the report of the last call. */
static const gradyn_run_report *report(const void *self)
{
  return &((const gradyn_onestep_sweeps *)self)->march->report;
}

#define GRADYN_ONESTEP_METHOD                                                                      \
  .mechanical = true, .general = true, .rtol = 1e-8, .atol = 1e-10, .either = true,                \
  .events = true, .costates = true, .free = release, .simulate = simulate,                         \
  .direct = gradyn_onestep_direct, .adjoint = gradyn_onestep_adjoint,                              \
  .second = {gradyn_onestep_tangents, gradyn_onestep_displaced, gradyn_onestep_contracted},        \
  .report = report, .limit = limit, .order = order, .repeat = repeat, .met = met,                  \
  .tighten = tighten, .corners = corners, .integration.onestep = steps

static gradyn_status create_explicit(gradyn_model *model, const gradyn_options *options, void **out)
{
  return create(model, options, &gradyn_explicit_scheme, out);
}

static gradyn_status create_radau(gradyn_model *model, const gradyn_options *options, void **out)
{
  return create(model, options, &gradyn_radau_scheme, out);
}

const gradyn_method gradyn_explicit_method = {
    .name = "explicit",
    .summary = "Runge-Kutta of order 8 or 5, variable or fixed step: for non-stiff models",
    .price_mechanical = {0.35, 0.61, 0.64, 0.39},
    .price_general = {0.5, 0.47, 0.57, 0.27},
    GRADYN_ONESTEP_METHOD,
    .joins = true,
    .create = create_explicit};

const gradyn_method gradyn_radau_method = {
    .name = "radau",
    .summary = "Radau IIA of order 5, variable or fixed step: where the motion is stiff",
    .price_mechanical = {0.92, 0.60, 1.12, 0.49},
    .price_general = {1.27, 0.40, 1.51, 0.16},
    GRADYN_ONESTEP_METHOD,
    .index1 = true,
    .create = create_radau};
