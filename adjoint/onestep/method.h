/* One-step methods as entries of the table of methods: a new one is a scheme, its derivatives and
 *     static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
 * that hands these on, with GRADYN_ONESTEP_METHOD among the members of its gradyn_method. */
#ifndef GRADYN_ADJOINT_ONESTEP_METHOD_H
#define GRADYN_ADJOINT_ONESTEP_METHOD_H

#include "adjoint/method.h"
#include "adjoint/onestep/sweeps.h"

/* Creates an integrator with its sweeps, whose memory is small compared with that of stored steps. *out may
 * be set on failure, too; free it in any case. Errors: GRADYN_NO_MEMORY; those of
 * gradyn_onestep_create(). */
gradyn_status gradyn_onestep_method_create(gradyn_model *model, const gradyn_options *options,
                                           const gradyn_onestep_scheme *scheme, void **out);

/* Frees a one-step method. This and the next functions are those of gradyn_method with the same last
 * name. */
void gradyn_onestep_method_free(void *self);
/* The function simulate of gradyn_method. */
gradyn_status gradyn_onestep_method_simulate(void *self, double *psi,
                                             gradyn_trajectory *trajectory);
/* The function direct of gradyn_method. */
gradyn_status gradyn_onestep_method_direct(void *self, const gradyn_directions *directions,
                                           double *psi, double *gradient);
/* The function adjoint of gradyn_method. */
gradyn_status gradyn_onestep_method_adjoint(void *self, const bool *active, double *psi,
                                            double *x_bar);
/* The function limit of gradyn_method. */
void gradyn_onestep_method_limit(void *self, long most);
/* The function order of gradyn_method. */
int gradyn_onestep_method_order(const void *self);
/* The function met of gradyn_method. */
bool gradyn_onestep_method_met(const void *self, gradyn_met what, double rtol);
/* The function tighten of gradyn_method. */
void gradyn_onestep_method_tighten(void *self, double part);
/* The function repeat of gradyn_method. */
gradyn_status gradyn_onestep_method_repeat(void *self, int merge, int parts);
/* The function corners of gradyn_method. */
const double *gradyn_onestep_method_corners(const void *self);
/* The function onestep of gradyn_integration: returns the integrator. */
gradyn_onestep *gradyn_onestep_method_steps(void *self);
/* The function report of gradyn_method. */
const gradyn_run_report *gradyn_onestep_method_report(const void *self);

#define GRADYN_ONESTEP_METHOD                                                                      \
  .mechanical = true, .general = true, .rtol = 1e-8, .atol = 1e-10, .either = true,                \
  .events = true, .costates = true, .free = gradyn_onestep_method_free,                            \
  .simulate = gradyn_onestep_method_simulate, .direct = gradyn_onestep_method_direct,              \
  .adjoint = gradyn_onestep_method_adjoint, .report = gradyn_onestep_method_report,                \
  .limit = gradyn_onestep_method_limit, .order = gradyn_onestep_method_order,                      \
  .repeat = gradyn_onestep_method_repeat, .met = gradyn_onestep_method_met,                        \
  .tighten = gradyn_onestep_method_tighten, .corners = gradyn_onestep_method_corners,              \
  .integration.onestep = gradyn_onestep_method_steps

#endif
