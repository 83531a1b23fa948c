/* Two bars of length 1 m cannot join supports that are 10 m apart. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"L", "m", .init = 1, .lower = 0.5, .upper = 6}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0);
  int B = gradyn_ground_point(model, "B", 10, 0);
  int p = gradyn_point(model, "p", 5, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"left", A, p, .length = rho[0], .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"right", p, B, .length = rho[0], .mass = 1});
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

GRADYN_PROBLEM(apart, .summary = "Bars too short to meet", .params = params, .build = build,
               .t_end = 0.1, .method = "idas");
