/* Isomerisation of alpha-pinene: five rate constants from eight measurements of each of five substances. It
 * is a problem of the collection COPS, with a published sum of squares. */
#include <gradyn/gradyn.h>

enum { DATA = 8, SUBSTANCES = 5, CONSTANTS = 5 };

static const gradyn_param params[] = {
    {"theta", "1/s", .init = 1e-4, .lower = 0, .upper = 1, .scale = 1e-4, .count = CONSTANTS}};

static const char *const names[SUBSTANCES] = {"y1", "y2", "y3", "y4", "y5"};

/* Measurements of Box, Hunter, MacGregor and Erjavec (1973), as in Dolan, More and Munson (2004), where
 * times are in minutes. */
static const double times[DATA] = {1230.0,  3060.0,  4920.0,  7800.0,
                                   10680.0, 15030.0, 22620.0, 36420.0};
static const double measured[SUBSTANCES][DATA] = {{88.35, 76.4, 65.1, 50.4, 37.5, 25.9, 14.0, 4.5},
                                                  {7.3, 15.6, 23.1, 32.9, 42.7, 49.1, 57.4, 63.1},
                                                  {2.3, 4.5, 5.3, 6.0, 6.0, 5.9, 5.1, 3.8},
                                                  {0.4, 0.7, 1.1, 1.5, 1.9, 2.2, 2.6, 2.9},
                                                  {1.75, 2.8, 5.8, 9.3, 12.0, 17.0, 21.0, 25.7}};

static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, *theta = at->data;
  F[0] = yp[0] + (theta[0] + theta[1]) * y[0];
  F[1] = yp[1] - theta[0] * y[0];
  F[2] = yp[2] - theta[1] * y[0] + (theta[2] + theta[3]) * y[2] - theta[4] * y[4];
  F[3] = yp[3] - theta[2] * y[2];
  F[4] = yp[4] - theta[3] * y[2] + theta[4] * y[4];
  return GRADYN_OK;
}

/* Compares each substance with its measurements. */
static void compare(gradyn_model *model, const gradyn_state_id state[SUBSTANCES])
{
  for (int i = 0; i < SUBSTANCES; i++) {
    const gradyn_measure_id measure = gradyn_measure_state(model, names[i], state[i], 0);
    const gradyn_functional_id fit = gradyn_fit(
        model, gradyn_format_name(model, "fit_%s", names[i]), measure,
        &(gradyn_fit_spec){.times = times, .values = measured[i], .count = DATA});
    gradyn_minimise(model, fit, 1);
  }
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state_id state[SUBSTANCES];
  for (int i = 0; i < SUBSTANCES; i++)
    state[i] = gradyn_state(model, names[i], "", i == 0 ? 100 : 0);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = reaction,
                                            .data = (gradyn_datum[]){{"theta1", "1/s", rho[0]},
                                                                     {"theta2", "1/s", rho[1]},
                                                                     {"theta3", "1/s", rho[2]},
                                                                     {"theta4", "1/s", rho[3]},
                                                                     {"theta5", "1/s", rho[4]}},
                                            .data_count = CONSTANTS});
  compare(model, state);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(alpha_pinene, .summary = "Isomerisation of alpha-pinene: five rate constants",
               .reference = "Box et al. (1973); Dolan, More and Munson (2004)", .params = params,
               .build = build, .t_end = 36420, .rtol = 1e-10);
