/* A cart on a rail with a spring, a push and air resistance, and a filter of its position: 2 x'' = u - 8
 * x - x'^2 + 1.4 z, z' = x - 5 z. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"speed", "m/s", .init = 3, .lower = -8, .upper = 8}};

static gradyn_status loads(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar x = at->pos[0], v = at->vel[0], z = at->vel[2];
  force[0] = -8 * x - v * v + 1.4 * z;
  force[1] = force[3] = 0;
  force[2] = x - 5 * z;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {0.5, 0.5};
  int points[2] = {gradyn_point(model, "cart", 0.25, 0)};
  gradyn_initial_velocity(model, points[0], rho[0], 0);
  gradyn_point_mass(model, "mass", points[0], 2);
  gradyn_coordinate(model, "rail", points[0], GRADYN_Y, NULL);
  points[1] = gradyn_first_order_state(
      model, &(gradyn_first_order_state_spec){.name = "filter", .unit = "m", .initial = 0.1});
  gradyn_custom_force(model, &(gradyn_custom_force_spec){
                                 .name = "loads", .points = points, .point_count = 2, .fn = loads});
  int u = gradyn_signal(
      model, &(gradyn_signal_spec){.name = "u", .unit = "N", .count = 2, .knots = knots});
  gradyn_force(model, &(gradyn_force_spec){"push", points[0], 1, 0, u, 0});
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", points[0], 0, GRADYN_X),
                                    .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){"v", gradyn_measure_point(model, "", points[0], 1, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(cart, .summary = "Cart", .params = params, .build = build, .t_end = 1,
               .method = "explicit");
