/* HIRES, "high irradiance responses" of photomorphogenesis: fast and slow reactions between eight forms of
 * phytochrome and an enzyme under light. It is a problem of the test set for solvers of initial value
 * problems, with published final concentrations. The search identifies three of its rate constants from
 * these concentrations. */
#include <gradyn/gradyn.h>

enum { SPECIES = 8 };
enum { K1, K3, K_PLUS, CONSTANTS };

static const gradyn_param params[] = {
    [K1] = {"k1", "1/s", .init = 2, .lower = 1, .upper = 4},
    [K3] = {"k3", "1/s", .init = 7, .lower = 4, .upper = 16},
    [K_PLUS] = {"k_plus", "1/s", .init = 200, .lower = 100, .upper = 1000},
};

static const char *const species[SPECIES] = {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"};

/* Concentrations at t = 321.8122 s, Mazzia and Magherini (2008). */
static const double published[SPECIES] = {
    0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
    0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2};

/* Reactions of Schaefer (1975), with the published k2, k4, k5, k6, k- = k* and supply of the first form. */
static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  static const double k2 = 0.43, k4 = 0.69, k5 = 0.035, k6 = 8.32, k_minus = 0.69, supply = 0.0007;
  const gradyn_scalar *y = at->y, *yp = at->yp;
  const gradyn_scalar k1 = at->data[K1], k3 = at->data[K3];
  const gradyn_scalar bound = at->data[K_PLUS] * y[5] * y[7];
  F[0] = yp[0] + k1 * y[0] - k2 * y[1] - k6 * y[2] - supply;
  F[1] = yp[1] - k1 * y[0] + (k2 + k3) * y[1];
  F[2] = yp[2] + (k6 + k1) * y[2] - k2 * y[3] - k5 * y[4];
  F[3] = yp[3] - k3 * y[1] - k1 * y[2] + (k4 + k2) * y[3];
  F[4] = yp[4] + (k1 + k5) * y[4] - k2 * (y[5] + y[6]);
  F[5] = yp[5] + bound - k4 * y[3] - k1 * y[4] + k2 * y[5] - k_minus * y[6];
  F[6] = yp[6] - bound + (2 * k_minus + k2) * y[6];
  F[7] = yp[7] + bound - (2 * k_minus + k2) * y[6];
  return GRADYN_OK;
}

/* Sum of squared relative deviations from the published values. */
static gradyn_status miss(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 0;
  for (int i = 0; i < SPECIES; i++) {
    const gradyn_scalar off = at->y[i] / published[i] - 1;
    *value += off * off;
  }
  return GRADYN_OK;
}

static gradyn_status end(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int number[SPECIES] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < SPECIES; i++)
    gradyn_state(model, species[i], "", i == 0 ? 1 : i == 7 ? 0.0057 : 0);
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = reaction,
                                      .data = (gradyn_datum[]){{"k1", "1/s", rho[K1]},
                                                               {"k3", "1/s", rho[K3]},
                                                               {"k_plus", "1/s", rho[K_PLUS]}},
                                      .data_count = CONSTANTS});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"miss", "", .terminal = miss}),
                  1);
  for (int i = 0; i < SPECIES; i++)
    gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){gradyn_format_name(model, "%s_end", species[i]), "",
                                                .terminal = end, .user = (void *)&number[i]});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(hires, .summary = "Stiff reaction of eight substances: three constants sought",
               .reference = "Schaefer (1975); Mazzia and Magherini (2008)", .params = params,
               .build = build, .t_end = 321.8122, .rtol = 1e-9);
