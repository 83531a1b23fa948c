/* A pendulum with a required end position; the default step is too long for the tolerance. */
#include <gradyn/gradyn.h>
#include <time.h>

static const gradyn_setting settings[] = {{"delay", "ms that building takes", 0, 0, 1000}};
enum { ANGLE, SPEED };
static const gradyn_param params[] = {
    [ANGLE] = {"angle", "rad", .init = 0.3, .lower = -1.5, .upper = 1.5},
    [SPEED] = {"speed", "rad/s", .init = 1, .lower = -8, .upper = 8},
};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)nanosleep(&(struct timespec){.tv_nsec = gradyn_setting_value(model, "delay") * 1000000L},
                  NULL);
  int pivot = gradyn_ground_point(model, "pivot", 0, 0);
  int bob = gradyn_point(model, "bob", 0, -1);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pivot, bob, .length = 1});
  gradyn_point_mass(model, "mass", bob, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_fix_initial_angle(model, "start", pivot, bob, rho[ANGLE] - 1.5707963267948966, rho[SPEED]);
  gradyn_minimise(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", bob, 0, GRADYN_Y),
                                           .reduction = GRADYN_AT_END}),
      1);
  gradyn_constrain(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", bob, 0, GRADYN_X),
                                           .reduction = GRADYN_AT_END}),
      0.5, 0.5, 1e-6);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(swing, .summary = "Swing", .params = params, .build = build, .t_end = 1,
               .method = "ali3p", .step = 0.02, .settings = settings, .setting_count = 1);
