/* Cart-pole swing-up with a limited motor and a short track. The motor is too weak for the optimum without
 * bounds. The track is hardly longer than the distance, so that the cart must reverse before both ends. */
#include <gradyn/gradyn.h>

enum { U };         /* U: a row of knots */
enum { CART, BOB }; /* numbers of the points, in the order of their declaration */

static const gradyn_param params[] = {
    [U] = {"u", "N", .init = 0, .lower = -10, .upper = 10, .scale = 8, .role = GRADYN_CONTROL,
           .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of the linear force", 21, 2, 400}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double pi = 3.14159265358979323846;
  const int force = gradyn_signal(
      model, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR,
                                   .count = gradyn_setting_value(model, "knots"), .knots = rho});
  /* at rest; the pole hangs down from the cart, 0.5 m long */
  const int cart = gradyn_point(model, "cart", 0, 0), bob = gradyn_point(model, "bob", 0, -0.5);
  gradyn_point_mass(model, "cart_mass", cart, 1);
  gradyn_point_mass(model, "bob_mass", bob, 0.3);
  gradyn_rod(model, &(gradyn_rod_spec){"pole", cart, bob, .length = 0.5});
  gradyn_coordinate(model, "rail", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_force(model, &(gradyn_force_spec){"drive", cart, .fx = 1, .signal = force});
  gradyn_gravity(model, 0, -9.81);
  gradyn_fix_initial_coordinate(model, cart, GRADYN_X);
  gradyn_fix_initial_coordinate(model, bob, GRADYN_X);

  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", force),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_constrain(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"x_end", gradyn_measure_point(model, "", cart, 0, GRADYN_X),
                                    .reduction = GRADYN_AT_END}),
      1, 1, 1e-8);
  gradyn_constrain(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"v_end", gradyn_measure_point(model, "", cart, 1, GRADYN_X),
                                    .reduction = GRADYN_AT_END}),
      0, 0, 1e-8);
  gradyn_constrain(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"rotation", gradyn_measure_line_angle(model, "", cart, bob, 1),
                                    .reduction = GRADYN_INTEGRAL}),
      pi, pi, 1e-8);
  gradyn_constrain(model,
                   gradyn_functional(model, &(gradyn_functional_spec){"omega_end",
                                                                      gradyn_measure_line_angle(
                                                                          model, "", cart, bob, 1),
                                                                      .reduction = GRADYN_AT_END}),
                   0, 0, 1e-8);
  gradyn_path_constraint(model, "track", gradyn_measure_point(model, "x", cart, 0, GRADYN_X), -0.05,
                         1.05, 1e-7, NULL);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(cart_pole_limited, .summary = "Cart-pole with a weak motor on a short track",
               .reference = "Kelly (2017), section 6", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 2, .rtol = 1e-9);
