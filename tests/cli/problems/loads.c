/* An oscillator with a payload, in load cases. If SLOW is the value of a column, build() counts its calls
 * slowly enough for a test to kill it. */
#define _POSIX_C_SOURCE 200809L
#include <gradyn/gradyn.h>
#include <time.h>

enum { K, C };
static const gradyn_param params[] = {{"k", "N/m", 40, 5, 200, .scale = 10},
                                      {"c", "N s/m", 2, 0.1, 20, .scale = 1}};
static const gradyn_setting settings[] = {{"power", "of the force", 1, 1, 3}};

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data;
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] - (cos(3 * at->t) - d[1] * at->y[1] - d[0] * at->y[0]) / d[2];
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status rate(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[1] * at->y[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double payload = gradyn_case_value(model, "payload", 0);
  const double wait = gradyn_case_value(model, "wait", 0);
  (void)nanosleep(&(struct timespec){0, (long)(wait * 1e6)}, NULL);
  const gradyn_datum data[] = {
      {"k", "N/m", rho[K]}, {"c", "N s/m", rho[C]}, {"m", "kg", 1 + payload}};
  gradyn_state(model, "z", "m", 0.1);
  gradyn_state(model, "v", "m/s", 0);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = motion, .data = data, .data_count = 3});
  const gradyn_measure_id z = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "z2", .unit = "m^2", .formula = square});
  const gradyn_measure_id v = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "v2", .unit = "m^2/s^2", .formula = rate});
  gradyn_minimise(
      model, gradyn_functional(model, &(gradyn_functional_spec){.name = "sway", .measure = z}), 1);
  gradyn_minimise(
      model, gradyn_functional(model, &(gradyn_functional_spec){.name = "shake", .measure = v}),
      0.01);
  return gradyn_build_status(model);
}

static const gradyn_cases cases = {.names = (const char *const[]){"empty", "loaded", "full"},
                                   .columns = (const char *const[]){"payload", "weight"},
                                   .values = (const double[]){0, 3, 1, 2, 4, 1},
                                   .count = 3,
                                   .column_count = 2};

GRADYN_PROBLEM(loads, .params = params, .settings = settings, .setting_count = 1, .build = build,
               .t_end = 3, .cases = &cases);
