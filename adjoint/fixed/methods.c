/* The methods with fixed steps: a scheme with its integrator, and exact direct and adjoint derivatives of
 * the discrete scheme. One struct serves ali3p, variational and kinematic, which differ only in their
 * steppers. */
#include <stdlib.h>
#include <string.h>

#include "adjoint/fixed/continuous.h"
#include "adjoint/method.h"
#include "adjoint/fixed/sweeps.h"
#include "dae/fixed/events.h"

typedef struct fixed_method {
  gradyn_fixed march;
  gradyn_sweeps sweeps;
  gradyn_continuous *continuous; /* of ali3p, if requested */
} fixed_method;

/* Frees a method. The integrator frees its stepper. */
static void free_method(void *self)
{
  fixed_method *s = self;
  if (!s)
    return;
  gradyn_continuous_free(s->continuous);
  gradyn_sweeps_clear(&s->sweeps);
  gradyn_fixed_clear(&s->march);
  free(s);
}

typedef gradyn_status create_stepper(gradyn_model *model, const gradyn_options *options,
                                     gradyn_stepper **out);

/* Creates a method from a scheme: stepper, integrator and sweeps. */
static gradyn_status create(gradyn_model *model, const gradyn_options *options,
                            create_stepper *scheme, void **out)
{
  fixed_method *s = *out = calloc(1, sizeof *s);
  /* free_method() frees *out in any case */
  gradyn_stepper *stepper = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_status status = scheme(model, options, &stepper);
  if (status != GRADYN_OK) {
    if (stepper)
      stepper->ops->free(stepper);
    return status;
  }
  GRADYN_TRY(gradyn_fixed_create(model, stepper, options, &s->march));
  return gradyn_sweeps_create(&s->march, &s->sweeps);
}

/* Returns whether signals jump at boundaries. */
static bool jumps(const gradyn_arcs *arcs)
{
  bool any = false;
  for (int k = 1; k < arcs->count; k++)
    any = any || gradyn_arcs_change(arcs, k);
  return any;
}

/* Creates ali3p, with the continuous adjoint if it is requested. */
static gradyn_status create_ali3p(gradyn_model *model, const gradyn_options *options, void **out)
{
  gradyn_status status = create(model, options, gradyn_ali3p_create, out);
  fixed_method *s = *out;
  if (status != GRADYN_OK || !s || strcmp(options->sensitivity, "continuous-adjoint") != 0)
    return status;
  /* the continuous adjoint would need further conditions at boundaries */
  if (model->event_count > 0 || jumps(&s->march.first))
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "continuous adjoint: supports no events and no signals that jump. Use "
                       "adjoint sensitivities");
  return gradyn_continuous_create(&s->march, &s->continuous);
}

static gradyn_status create_variational(gradyn_model *model, const gradyn_options *options,
                                        void **out)
{
  return create(model, options, gradyn_variational_create, out);
}

static gradyn_status create_kinematic(gradyn_model *model, const gradyn_options *options,
                                      void **out)
{
  return create(model, options, gradyn_kinematic_create, out);
}

/* Nodes are not stored, because there is no backward sweep. */
static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_fixed_run(&((fixed_method *)self)->march, false, psi, trajectory);
}

/* Computes exact derivatives of the discrete scheme along directions. */
static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return gradyn_sweep_direct(&((fixed_method *)self)->sweeps, directions, psi, gradient);
}

/* Simulates and stores the nodes, then runs the backward sweep over them. */
static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return gradyn_sweep_adjoint(&((fixed_method *)self)->sweeps, active, psi, x_bar);
}

/* Solves the adjoint of the differential equations, which is discretised separately. */
static gradyn_status continuous_adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  (void)active; /* the method also computes derivatives by inactive data */
  return gradyn_continuous_sweep(((fixed_method *)self)->continuous, psi, x_bar);
}

/* Returns the report of the last run. Sweeps add their cost to it. */
static const gradyn_run_report *report(const void *self)
{
  return &((const fixed_method *)self)->march.report;
}

/* Returns the integrator, for callers that need it. */
static gradyn_fixed *march(void *self)
{
  return &((fixed_method *)self)->march;
}

#define GRADYN_FIXED_METHOD                                                                        \
  .mechanical = true, .free = free_method, .simulate = simulate, .direct = direct,                 \
  .adjoint = adjoint, .report = report, .integration.fixed = march

const gradyn_method gradyn_ali3p_method = {
    .name = "ali3p",
    .lacks = GRADYN_LACKS_MULTIPLIER_FORCES | GRADYN_LACKS_COUNTS,
    .summary = "augmented Lagrangian index-3 with projections, fixed step",
    .price_mechanical = {1.9, 0.94, 1.8, 0.88},
    .events = true,
    .create = create_ali3p,
    .continuous_adjoint = continuous_adjoint,
    GRADYN_FIXED_METHOD};

const gradyn_method gradyn_variational_method = {
    .name = "variational",
    .lacks = GRADYN_LACKS_MASSES | GRADYN_LACKS_ROLLING | GRADYN_LACKS_MULTIPLIER_FORCES |
             GRADYN_LACKS_COUNTS,
    .summary = "discrete Euler-Lagrange equations, fixed step, constant masses",
    .price_mechanical = {0.67, 0.70, 0.72, 0.63},
    .events = true,
    .create = create_variational,
    GRADYN_FIXED_METHOD};

const gradyn_method gradyn_kinematic_method = {
    .name = "kinematic",
    .lacks = GRADYN_LACKS_ROLLING | GRADYN_LACKS_MULTIPLIER_FORCES,
    .summary = "positions from the constraints alone, then the forces of the drives",
    .create = create_kinematic,
    GRADYN_FIXED_METHOD};
