/* A ball that falls through air and bounces off the ground. Without drag everything has a closed form; the
 * settings choose how many bounces have their time and impulse among the functionals. */
#include <gradyn/gradyn.h>

enum { HEIGHT, GRAVITY, RESTITUTION, DRAG };

static const gradyn_param params[] = {
    [HEIGHT] = {"height", "m", .init = 1.0, .lower = 0.1, .upper = 10},
    [GRAVITY] = {"gravity", "m/s^2", .init = 9.81, .lower = 1, .upper = 20, .fixed = true},
    [RESTITUTION] = {"restitution", "", .init = 0.8, .lower = 0.1, .upper = 1},
    [DRAG] = {"drag", "N s^2/m^2", .init = 0, .lower = 0, .upper = 1, .fixed = true},
};

static const gradyn_setting settings[] = {
    {"bounces", "bounces that functionals speak of", .init = 5, .lower = 1, .upper = 1000},
};

/* Drag of turbulent flow: opposite to the velocity, proportional to its square. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *v = at->vel;
  gradyn_scalar speed = sqrt(v[0] * v[0] + v[1] * v[1] +
                             1e-6); /* 1e-6 makes the speed smooth at rest */
  for (int k = 0; k < 2; k++)       /* -c |v| v */
    force[k] = -at->data[0] * speed * v[k];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int bounces = gradyn_setting_value(mbs, "bounces");
  /* a mass of 1 kg, thrown horizontally with 1 m/s */
  int ball = gradyn_point(mbs, "ball", 0, rho[HEIGHT]);
  gradyn_initial_velocity(mbs, ball, 1, 0);
  gradyn_point_mass(mbs, "ball", ball, 1);
  gradyn_gravity(mbs, 0, -rho[GRAVITY]);
  /* -c |v| v */
  gradyn_custom_force(
      mbs, &(gradyn_custom_force_spec){.name = "air",
                                       .points = &ball,
                                       .point_count = 1,
                                       .fn = drag,
                                       .data = &(gradyn_datum){"drag", "N s^2/m^2", rho[DRAG]},
                                       .data_count = 1});
  int ground = gradyn_impact(
      mbs, &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = rho[RESTITUTION]});
  gradyn_draw_trace(mbs, ball);

  /* values at the end, integrals over the run, and values of the last bounce */
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "path", gradyn_measure_point(mbs, "", ball, 0, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_event_time(mbs, "last", ground, bounces);
  gradyn_event_impulse(mbs, "impulse", ground, bounces);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(bouncing_ball, .summary = "Ball that falls through air and bounces",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 3.0, .rtol = 1e-10);
