/* A crane moves a load sideways, from rest to rest with least effort. A hook hangs on a rope from a trolley
 * on a rail, and the load on a sling below the hook. This double pendulum must not sway too far. */
#include <gradyn/gradyn.h>

enum { DRIVE };                       /* DRIVE: a row of knots */
enum { TROLLEY, HOOK, LOAD, POINTS }; /* points in the order of their declaration */

static const gradyn_param params[] = {
    [DRIVE] = {"drive", "N", .init = 0, .lower = -20, .upper = 20, .scale = 10,
               .role = GRADYN_CONTROL, .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of the linear force", 21, 2, 400}};

/* Horizontal distance of the load from the trolley, m. */
static gradyn_status sway(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * (1 + LOAD)] - at->pos[2 * (1 + TROLLEY)]; /* points are numbered from 1 */
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const name[POINTS] = {"trolley", "hook", "load"};
  const double mass[POINTS] = {2, 0.3, 1}, height[POINTS] = {0, -3, -4}, way = 4;
  int point[POINTS];
  const int drive = gradyn_signal(
      model, &(gradyn_signal_spec){"drive", "N", GRADYN_PIECEWISE_LINEAR,
                                   .count = gradyn_setting_value(model, "knots"), .knots = rho});
  for (int i = 0; i < POINTS; i++) {
    point[i] = gradyn_point(model, name[i], 0, height[i]);
    gradyn_point_mass(model, gradyn_format_name(model, "%s_mass", name[i]), point[i], mass[i]);
    gradyn_fix_initial_coordinate(model, point[i], GRADYN_X);
  }
  gradyn_coordinate(model, "rail", point[TROLLEY], GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_rod(model, &(gradyn_rod_spec){"rope", point[TROLLEY], point[HOOK], .length = 3});
  gradyn_rod(model, &(gradyn_rod_spec){"sling", point[HOOK], point[LOAD], .length = 1});
  gradyn_force(model, &(gradyn_force_spec){"motor", point[TROLLEY], .fx = 1, .signal = drive});
  gradyn_gravity(model, 0, -9.81);
  gradyn_draw_trace(model, point[LOAD]);

  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", drive),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  for (int i = 0; i < POINTS; i++) {
    const int x = gradyn_functional(
        model, &(gradyn_functional_spec){gradyn_format_name(model, "%s_x_end", name[i]),
                                         gradyn_measure_point(model, "", point[i], 0, GRADYN_X),
                                         .reduction = GRADYN_AT_END});
    const int v = gradyn_functional(
        model, &(gradyn_functional_spec){gradyn_format_name(model, "%s_v_end", name[i]),
                                         gradyn_measure_point(model, "", point[i], 1, GRADYN_X),
                                         .reduction = GRADYN_AT_END});
    gradyn_constrain(model, x, way, way, 1e-7);
    gradyn_constrain(model, v, 0, 0, 1e-7);
  }
  gradyn_path_constraint(
      model, "sway",
      gradyn_measure_custom(
          model, &(gradyn_custom_measure_spec){"sway", "m", .formula = sway, .hidden = true}),
      -0.5, 0.5, 1e-6, NULL);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(crane, .summary = "Crane that moves a slung load from rest to rest",
               .reference = "a double pendulum on a trolley", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 5, .rtol = 1e-9);
