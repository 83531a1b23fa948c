/* A soft landing on the moon with the least fuel: a phase of free fall, then a phase with full thrust. The
 * search finds their durations, and therefore the time at which the thrust begins. */
#include <gradyn/gradyn.h>

enum { FALL, BURN };
enum { H, V };

static const gradyn_param params[] = {
    [FALL] = {"fall", "s", .init = 1, .lower = 0.01, .upper = 20, .scale = 1, .role = GRADYN_TIME},
    [BURN] = {"burn", "s", .init = 1.3, .lower = 0.01, .upper = 20, .scale = 1,
              .role = GRADYN_TIME},
};

/* h' = v, v' = u - 1.5 */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[H] = at->yp[H] - at->y[V];
  F[V] = at->yp[V] - (at->u[1] - 1.5);
  return GRADYN_OK;
}

static gradyn_status thrust(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->u[1];
  return GRADYN_OK;
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[H];
  return GRADYN_OK;
}

static gradyn_status velocity(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[V];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar levels[] = {0, 3};
  gradyn_end_time(model, rho[FALL] + rho[BURN]);
  gradyn_signal(model, &(gradyn_signal_spec){"thrust", "m/s^2", GRADYN_SWITCHED, 2, levels,
                                             .times = &rho[FALL]});
  gradyn_state(model, "h", "m", 10);
  gradyn_state(model, "v", "m/s", -2);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  const int h_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"h_end", "m", .terminal = height});
  const int v_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"v_end", "m/s", .terminal = velocity});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"fuel", "m/s", .integrand = thrust}),
                  1);
  gradyn_constrain(model, h_end, 0, 0, 1e-9);
  gradyn_constrain(model, v_end, 0, 0, 1e-9);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(moon_landing, .summary = "Soft landing in two phases with the least fuel",
               .reference = "Meditch (1964); closed form", .params = params, .build = build,
               .rtol = 1e-10);
