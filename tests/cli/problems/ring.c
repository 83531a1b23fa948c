/* x' = -y + pull x (1 - r^2), y' = x + pull y (1 - r^2): the circle of radius 1 is an orbit of 2 pi
 * seconds. A disturbance of the radius decays by exp(-4 pi pull). Driven: x' = -pull (x - cos t) and
 * y' = -(y - sin t) have multipliers exp(-2 pi pull) and exp(-2 pi). The constraint is declared before the
 * objective. */

#include <gradyn/gradyn.h>

enum { START, PULL, THIN };
static const gradyn_param params[] = {
    [START] = {"start", "m", .init = 1, .lower = 0.5, .upper = 2},
    [PULL] = {"pull", "1/s", .init = 0, .fixed = true},
    [THIN] = {"thin", "m", .init = 5e-6, .lower = -1e-5, .upper = 1e-5}};
static const gradyn_setting settings[] = {{"driven", "", 0, 0, 1}, {"wide", "", 0, 0, 1}};

static gradyn_status turn(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[0], y = at->y[1], in = at->data[0] * (1 - x * x - y * y);
  F[0] = at->yp[0] + y - in * x;
  F[1] = at->yp[1] - x - in * y;
  return GRADYN_OK;
}

static gradyn_status follow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * (at->y[0] - cos(at->t));
  F[1] = at->yp[1] + at->y[1] - sin(at->t);
  return GRADYN_OK;
}

static gradyn_status radius(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[0] + at->y[1] * at->y[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[START]);
  gradyn_state(model, "y", "m", 0);
  gradyn_equations(model, &(gradyn_equations_spec){
                              .residual = gradyn_setting_value(model, "driven") ? follow : turn,
                              .data = (const gradyn_datum[]){{"pull", "1/s", rho[PULL]}},
                              .data_count = 1});
  const gradyn_custom_functional_spec end = {"end", "m^2", .terminal = radius},
                                      sum = {"sum", "m^2 s", .integrand = radius};
  gradyn_constrain(model, gradyn_custom_functional(model, &end), 0.5, INFINITY, 1e-6);
  const int area = gradyn_custom_functional(model, &sum);
  const int near = gradyn_design_functional(model, "end,sum", "m",
                                            -rho[START]); /* a name of both */
  gradyn_minimise(model, gradyn_setting_value(model, "wide") ? near : area, 1);
  gradyn_minimise(model,
                  gradyn_design_functional(model, "thinness", "",
                                           (1e5 * rho[THIN] - 0.2) * (1e5 * rho[THIN] - 0.2)),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(ring, .summary = "A ring", .params = params, .settings = settings,
               .setting_count = 2, .build = build, .t_end = 6.283185307179586);
