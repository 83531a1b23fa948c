/* Two catalysts along a reactor: one converts A into B and back, the other B into C. Their mixture
 * maximises C at the outlet. In the middle of the reactor, the optimum is a singular arc with both
 * catalysts. */
#include <gradyn/gradyn.h>

enum { U }; /* a row */
enum { A, B };

static const gradyn_param params[] = {
    [U] = {"mixture", "", .init = 0, .lower = 0, .upper = 1, .scale = 1, .role = GRADYN_CONTROL,
           .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant mixture", 50, 1, 1000}};

/* A' = u (10 B - A), B' = u (A - 10 B) - (1 - u) B */
static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar a = at->y[A], b = at->y[B], u = at->u[1];
  F[A] = at->yp[A] - u * (10 * b - a);
  F[B] = at->yp[B] - u * (a - 10 * b) + (1 - u) * b;
  return GRADYN_OK;
}

/* A + B + C = 1 */
static gradyn_status product(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 1 - at->y[A] - at->y[B];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_signal(model, &(gradyn_signal_spec){"mixture", "", GRADYN_PIECEWISE_CONSTANT,
                                             .count = gradyn_setting_value(model, "intervals"),
                                             .knots = &rho[U]});
  gradyn_state(model, "A", "", 1);
  gradyn_state(model, "B", "", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = reaction});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"C_end", "", .terminal = product}),
                  -1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(catalyst_mixing, .summary = "Two catalysts mixed along a reactor",
               .reference = "Gunn and Thomas (1965)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 1, .rtol = 1e-10);
