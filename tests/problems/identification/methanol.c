/* Methanol to hydrocarbons: five constants from 17 measurements of each of three substances. One of the
 * problems of the collection COPS, with a published sum of squares; one constant ends at its bound. */
#define GRADYN_BUILTIN /* no entry point of a shared object */
#include <gradyn/gradyn.h>

enum { DATA = 17, SUBSTANCES = 3, CONSTANTS = 5 };

static const gradyn_param params[] = {
    {"theta", "", .init = 1, .lower = 0, .upper = 100, .count = CONSTANTS}};

static const char *const names[SUBSTANCES] = {"a", "b", "c"};

/* Dolan, More and Munson (2004), after Maria (1989). */
static const double times[DATA] = {0.0,   0.05,  0.065, 0.08,  0.123, 0.233, 0.273, 0.354, 0.397,
                                   0.418, 0.502, 0.553, 0.681, 0.75,  0.916, 0.937, 1.122};
static const double measured[SUBSTANCES][DATA] = {
    {1.0, 0.7085, 0.5971, 0.5537, 0.3684, 0.1712, 0.1198, 0.0747, 0.0529, 0.0415, 0.0261, 0.0208,
     0.0085, 0.0053, 0.0019, 0.0018, 0.0006},
    {0.0, 0.1621, 0.1855, 0.1989, 0.2845, 0.3491, 0.3098, 0.3576, 0.3347, 0.3388, 0.3557, 0.3483,
     0.3836, 0.3611, 0.3609, 0.3485, 0.3698},
    {0.0, 0.0811, 0.0965, 0.1198, 0.1535, 0.2097, 0.2628, 0.2467, 0.2884, 0.2757, 0.3167, 0.2954,
     0.295, 0.2937, 0.2831, 0.2846, 0.2899}};

static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *yp = at->yp, *theta = at->data, a = at->y[0], b = at->y[1];
  const gradyn_scalar d = (theta[1] + theta[4]) * a + b;
  F[0] = yp[0] + (2 * theta[1] - theta[0] * b / d + theta[2] + theta[3]) * a;
  F[1] = yp[1] - theta[0] * a * (theta[1] * a - b) / d - theta[2] * a;
  F[2] = yp[2] - theta[0] * a * (b + theta[4] * a) / d - theta[3] * a;
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
    state[i] = gradyn_state(model, names[i], "", i == 0 ? 1 : 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = reaction,
                                                   .data = (gradyn_datum[]){{"theta1", "", rho[0]},
                                                                            {"theta2", "", rho[1]},
                                                                            {"theta3", "", rho[2]},
                                                                            {"theta4", "", rho[3]},
                                                                            {"theta5", "", rho[4]}},
                                                   .data_count = CONSTANTS});
  compare(model, state);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(methanol, .summary = "Methanol to hydrocarbons: five constants, one at its bound",
               .reference = "Dolan, More and Munson (2004)", .params = params, .build = build,
               .t_end = 1.122, .rtol = 1e-10);
