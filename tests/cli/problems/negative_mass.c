/* A pendulum with a rod of negative mass. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"m", "kg", .init = -1, .lower = -2, .upper = 2}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0);
  int p = gradyn_point(model, "p", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, p, .length = 1, .mass = rho[0]});
  gradyn_gravity(model, 0, -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"psi", gradyn_measure_point(model, "", p, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, -1}}),
      1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(negative_mass, .summary = "A bar of negative mass", .params = params, .build = build,
               .t_end = 0.1, .method = "idas");
