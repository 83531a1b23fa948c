/* Equations with all cases of second derivatives: a free end time that moves the knots of two signals, an
 * algebraic state, explicit time, and data that are nonlinear in a parameter. Also a term that vanishes at
 * first, and functionals of all kinds. */
#include "tests/optim/reactor.h"

#include <complex.h>

#include "tests/runs.h"

enum { REACTOR_T, REACTOR_K, REACTOR_HEAT, REACTOR_FEED = REACTOR_HEAT + 4 };
static const gradyn_param reactor_params[] = {
    [REACTOR_T] = {"T", "s", .init = 1.3, GRADYN_UNBOUNDED},
    [REACTOR_K] = {"k", "", .init = 0.7, GRADYN_UNBOUNDED},
    {"heat", "", .init = 0.4, .count = 4, .scale = 1, GRADYN_UNBOUNDED},
    {"feed", "", .init = -0.3, .count = 4, .scale = 1, GRADYN_UNBOUNDED}};

static gradyn_status reactor_rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *u = &at->u[1], k = at->data[0];
  F[0] = at->yp[0] * (1 + 0.1 * y[1] * y[1]) - u[0] * y[2] + sin(3 * at->t) * y[0];
  F[1] = at->yp[1] + k * y[1] * y[0] - u[1] * u[1];
  F[2] = y[2] + 0.2 * y[2] * y[2] * y[2] - k * cos(y[0]) - 0.1 * y[1];
  /* zero where the search for interacting arguments begins */
  if (creal(at->t) > 1)
    F[1] -= 1e3 * cpow(at->t - 1, 8) * y[2] * u[0];
  return GRADYN_OK;
}

static gradyn_status reactor_cost(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->u[1] * at->u[1] * at->y[0] + exp(0.3 * at->y[2] * at->t) + at->u[2] * at->y[1];
  return GRADYN_OK;
}

static gradyn_status reactor_end(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[1] + at->y[2] * at->y[2] * at->t;
  return GRADYN_OK;
}

static gradyn_status build_reactor(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[REACTOR_T]);
  const int heat = gradyn_signal(model,
                                 &(gradyn_signal_spec){"heat", "", GRADYN_CUBIC_SPLINE, .count = 4,
                                                       .knots = &rho[REACTOR_HEAT]});
  gradyn_signal(model, &(gradyn_signal_spec){"feed", "", GRADYN_PIECEWISE_LINEAR, .count = 4,
                                             .knots = &rho[REACTOR_FEED]});
  gradyn_state(model, "a", "", 0.3);
  gradyn_state(model, "b", "", rho[REACTOR_K] * rho[REACTOR_K]);
  gradyn_algebraic_state(model, "c", "", 0.5);
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = reactor_rates,
                                      .data = (gradyn_datum[]){{"k", "", exp(rho[REACTOR_K])}},
                                      .data_count = 1});
  gradyn_minimise(
      model,
      gradyn_custom_functional(model, &(gradyn_custom_functional_spec){.name = "cost",
                                                                       .unit = "",
                                                                       .integrand = reactor_cost,
                                                                       .terminal = reactor_end}),
      1);
  gradyn_functional(model, &(gradyn_functional_spec){"mean", gradyn_measure_signal(model, "", heat),
                                                     .reduction = GRADYN_MEAN_SQUARE});
  gradyn_end_time_functional(model, "time");
  return gradyn_build_status(model);
}

const gradyn_problem reactor_problem = PROBLEM("reactor", build_reactor, reactor_params,
                                               .t_end = 1);
