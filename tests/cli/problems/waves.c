/* A state driven by oscillations far shorter than steps of 0.1 s. Its derivatives with respect to the first
 * and the last parameter do not converge with this step, its half or its quarter. All others are smooth. */

#include <gradyn/gradyn.h>

enum { FAST, SLOW, FASTER };
static const gradyn_param params[] = {[FAST] = {"fast", "m/s", .init = 0, GRADYN_UNBOUNDED},
                                      [SLOW] = {"slow", "1/s", .init = -1, GRADYN_UNBOUNDED},
                                      [FASTER] = {"faster", "m/s", .init = 2, GRADYN_UNBOUNDED}};

static gradyn_status move(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->data[FAST] * cos(750 * at->t) - at->data[FASTER] * cos(2000 * at->t);
  F[1] = at->yp[1] - at->data[SLOW] * at->y[1];
  return GRADYN_OK;
}

static gradyn_status first(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status second(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "y", "m", 1);
  gradyn_equations(model, &(gradyn_equations_spec){
                              .residual = move,
                              .data = (const gradyn_datum[]){{"fast", "m/s", rho[FAST]},
                                                             {"slow", "1/s", rho[SLOW]},
                                                             {"faster", "m/s", rho[FASTER]}},
                              .data_count = 3});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"waves", "m", .terminal = first});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"decay", "m", .terminal = second});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(waves, .summary = "Waves", .params = params, .build = build, .t_end = 1,
               .method = "explicit");
