/* The cart. */
#include "tests/optim/horizon/cart.h"

#include <gradyn/gradyn.h>

#include "tests/declare.h"
#include "tests/support.h"

enum { START = CART_KNOTS, GOAL };

static const gradyn_param params[] = {
    {"u", "N", .lower = -40, .upper = 40, .scale = 8, .role = GRADYN_CONTROL, .count = CART_KNOTS},
    {"x0", "m", .init = 0.5, .lower = -3, .upper = 3, .role = GRADYN_INITIAL_STATE},
    {"goal", "m", .fixed = true, GRADYN_UNBOUNDED}};

static const double cart = 1, pole = 0.1, l = 0.8, g = 9.81;

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, u = at->u[1];
  const gradyn_scalar s = sin(y[2]), c = cos(y[2]), w = y[3], D = cart + pole - pole * c * c;
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] - (-pole * l * s * w * w + pole * g * c * s + u) / D;
  F[2] = at->yp[2] - w;
  F[3] = at->yp[3] - (-pole * l * c * s * w * w + u * c + (cart + pole) * g * s) / (l * D);
  return GRADYN_OK;
}

static gradyn_scalar off(const gradyn_at *at)
{
  return at->y[0] - at->data[0];
}

FORMULA(along, 10 * off(at) * off(at) + 0.1 * at->y[1] * at->y[1] + 100 * at->y[2] * at->y[2] +
                   0.1 * at->y[3] * at->y[3] + 0.01 * at->u[1] * at->u[1])

FORMULA(at_end, 10 * off(at) * off(at) + at->y[1] * at->y[1] + 100 * at->y[2] * at->y[2] +
                    at->y[3] * at->y[3])

FORMULA(place, at->y[0])

static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[],
                             gradyn_signal_kind kind, bool on_track)
{
  static const char *const name[CART_STATES] = {"x", "v", "angle", "omega"};
  declare_signal(model, "force", "N", kind, CART_KNOTS, rho);
  gradyn_state(model, "x", "m", rho[START]);
  gradyn_state(model, "v", "m/s", 0);
  gradyn_state(model, "angle", "rad", 0.6);
  gradyn_state(model, "omega", "rad/s", 0);
  for (int i = 0; i < CART_STATES; i++) /* without a guess, the first plan swings the pole up */
    gradyn_guess(model, name[i], (double[]){0}, 1);
  declare_equations(model, rates, NULL, 0);
  gradyn_minimise(model,
                  gradyn_custom_functional(model,
                                           &(gradyn_custom_functional_spec){
                                               .name = "cost",
                                               .unit = "",
                                               .integrand = along,
                                               .terminal = at_end,
                                               .data = (gradyn_datum[]){{"goal", "m", rho[GOAL]}},
                                               .data_count = 1}),
                  1);
  if (on_track)
    declare_limit(
        model, &(gradyn_custom_functional_spec){.name = "track", .unit = "m", .integrand = place},
        -INFINITY, 0.6, 1e-7);
  return gradyn_build_status(model);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, GRADYN_PIECEWISE_CONSTANT, false);
}

static gradyn_status build_on_track(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, GRADYN_PIECEWISE_CONSTANT, true);
}

static gradyn_status build_in_lines(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, GRADYN_PIECEWISE_LINEAR, false);
}

const gradyn_problem cart_problem = PROBLEM("cart", build, params, .t_end = 2);
const gradyn_problem cart_problem_on_track = PROBLEM("cart_on_track", build_on_track, params,
                                                     .t_end = 2);

const gradyn_problem cart_problem_in_lines = PROBLEM("cart_in_lines", build_in_lines, params,
                                                     .t_end = 2);

static void slope(const double y[CART_STATES], double u, double out[CART_STATES])
{
  const double s = sin(y[2]), c = cos(y[2]), w = y[3], D = cart + pole - pole * c * c;
  out[0] = y[1];
  out[1] = (-pole * l * s * w * w + pole * g * c * s + u) / D;
  out[2] = w;
  out[3] = (-pole * l * c * s * w * w + u * c + (cart + pole) * g * s) / (l * D);
}

void cart_moves(const double state[CART_STATES], double u, int steps, double out[CART_STATES])
{
  cart_moves_for(0.1, state, u, steps, out);
}

void cart_moves_for(double time, const double state[CART_STATES], double u, int steps,
                    double out[CART_STATES])
{
  const double h = time / steps;
  double k[4][CART_STATES], y[CART_STATES];
  memmove(out, state, CART_STATES * sizeof *out);
  for (int step = 0; step < steps; step++) {
    for (int stage = 0; stage < 4; stage++) {
      const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (int i = 0; i < CART_STATES; i++)
        y[i] = out[i] + (stage > 0 ? part * k[stage - 1][i] : 0);
      slope(y, u, k[stage]);
    }
    for (int i = 0; i < CART_STATES; i++)
      out[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}
