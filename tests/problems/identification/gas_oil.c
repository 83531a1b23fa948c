/* Catalytic cracking of gas oil: three rate constants from 21 measurements each of gas oil and gasoline.
 * One of the problems of the collection COPS, with a published sum of squares. */
#define GRADYN_BUILTIN /* no entry point of a shared object */
#include <gradyn/gradyn.h>

enum { DATA = 21, SUBSTANCES = 2 };
enum { CRACKING, COKING, OTHER, CONSTANTS };

static const gradyn_param params[] = {
    [CRACKING] = {"theta1", "", .init = 5, .lower = 0, .upper = 100},
    [COKING] = {"theta2", "", .init = 5, .lower = 0, .upper = 100},
    [OTHER] = {"theta3", "", .init = 5, .lower = 0, .upper = 100},
};

static const char *const names[SUBSTANCES] = {"y1", "y2"};

/* Dolan, More and Munson (2004), after Froment and Bischoff. */
static const double times[DATA] = {0.0,   0.025, 0.05,  0.075, 0.1,  0.125, 0.15,
                                   0.175, 0.2,   0.225, 0.25,  0.3,  0.35,  0.4,
                                   0.45,  0.5,   0.55,  0.65,  0.75, 0.85,  0.95};
static const double measured[SUBSTANCES][DATA] = {
    {1.0,    0.8105, 0.6208, 0.5258, 0.4345, 0.3903, 0.3342, 0.3034, 0.2735, 0.2405, 0.2283,
     0.2071, 0.1669, 0.153,  0.1339, 0.1265, 0.12,   0.099,  0.087,  0.077,  0.069},
    {0.0,    0.2,    0.2886, 0.301,  0.3215, 0.3123, 0.2716, 0.2551, 0.2258, 0.1959, 0.1789,
     0.1457, 0.1198, 0.0909, 0.0719, 0.0561, 0.046,  0.028,  0.019,  0.014,  0.01}};

/* y1' = -(theta1 + theta3) y1^2, y2' = theta1 y1^2 - theta2 y2. */
static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, *theta = at->data;
  F[0] = yp[0] + (theta[CRACKING] + theta[OTHER]) * y[0] * y[0];
  F[1] = yp[1] - theta[CRACKING] * y[0] * y[0] + theta[COKING] * y[1];
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
  const gradyn_state_id state[SUBSTANCES] = {gradyn_state(model, names[0], "", 1),
                                             gradyn_state(model, names[1], "", 0)};
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = reaction,
                                            .data = (gradyn_datum[]){{"theta1", "", rho[CRACKING]},
                                                                     {"theta2", "", rho[COKING]},
                                                                     {"theta3", "", rho[OTHER]}},
                                            .data_count = CONSTANTS});
  compare(model, state);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(gas_oil, .summary = "Cracking of gas oil: three rate constants from measurements",
               .reference = "Dolan, More and Munson (2004)", .params = params, .build = build,
               .t_end = 0.95, .rtol = 1e-10);
