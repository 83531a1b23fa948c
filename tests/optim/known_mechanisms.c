/* A driven crank whose tip follows an ellipse. For the target a cos + i b sin of one turn, the best circle
 * has the radius (a + b)/2 and the mean square error (a - b)^2/4. */
#include "tests/optim/known_mechanisms.h"
#include "tests/support.h"

#include <gradyn/gradyn.h>

enum { AX, AY, LENGTH, PHASE };
enum { HUB = 1, TIP };

#define PI 3.14159265358979323846

/* the same parameters with another upper bound of the length */
#define PARAMETERS(longest)                                                                        \
  {                                                                                                \
    [AX] = {"ax", "m", .init = 0, .lower = -1, .upper = 1},                                        \
    [AY] = {"ay", "m", .init = 0, .lower = -1, .upper = 1},                                        \
    [LENGTH] = {"length", "m", .init = 0.3, .lower = 0.05, .upper = longest},                      \
    [PHASE] = {"phase", "rad", .init = 0.5, .lower = -2, .upper = 2},                              \
  }
static const gradyn_param params[] = PARAMETERS(1.05);
static const gradyn_param short_params[] = PARAMETERS(0.35);

/* squared distance of the tip from the target */
static gradyn_status miss(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar w = 2 * PI * at->t;
  gradyn_scalar dx = at->pos[2 * TIP] - (0.2 + at->data[0] * cos(w));
  gradyn_scalar dy = at->pos[2 * TIP + 1] - (0.1 + at->data[1] * sin(w));
  *value = dx * dx + dy * dy;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[], double a, double b)
{
  gradyn_scalar c = cos(rho[PHASE]), s = sin(rho[PHASE]);
  int hub = gradyn_ground_point(model, "hub", rho[AX], rho[AY]);
  int tip = gradyn_point(model, "tip", rho[AX] + rho[LENGTH] * c, rho[AY] + rho[LENGTH] * s);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", hub, tip, .length = rho[LENGTH], .mass = 1});
  gradyn_angle(model, "motor", hub, tip,
               &(gradyn_time_function){.value = rho[PHASE], .rate = 2 * PI});
  int f = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){
                 "miss", "m^2 s", .integrand = miss,
                 .data = (gradyn_datum[]){{"a", "m", a}, {"b", "m", b}}, .data_count = 2});
  gradyn_minimise(model, f, 1);
  return gradyn_build_status(model);
}

static gradyn_status build_circle(gradyn_model *model, const gradyn_scalar rho[])
{
  return build(model, rho, 0.5, 0.5);
}

static gradyn_status build_ellipse(gradyn_model *model, const gradyn_scalar rho[])
{
  return build(model, rho, 0.5, 0.3);
}

static gradyn_status build_nearly(gradyn_model *model, const gradyn_scalar rho[])
{
  return build(model, rho, 0.5, 0.499);
}

#define CRANK(id, rows, function)                                                                  \
  const gradyn_problem known_##id = {GRADYN_PROBLEM_SIZES,                                         \
                                     .name = #id,                                                  \
                                     .summary = "crank",                                           \
                                     .params = rows,                                               \
                                     .param_count = GRADYN_COUNT(rows),                            \
                                     .build = function,                                            \
                                     .t_end = 1.0,                                                 \
                                     .method = "ali3p",                                            \
                                     .step = 0.05}
CRANK(crank_circle, params, build_circle);
CRANK(crank_ellipse, params, build_ellipse);
CRANK(crank_nearly, params, build_nearly);
CRANK(crank_short, short_params, build_ellipse);
