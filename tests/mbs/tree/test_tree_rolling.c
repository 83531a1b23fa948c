/* Rolling in joint coordinates: a bicycle, on discs and on tyres, a coin that meets a wall, and two wheels
 * on an axle. Derivatives with respect to all data must equal those in natural coordinates. */
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"

TEST(a_bicycle_is_the_same)
{
  const run_setup exact = {.problem = &gradyn_problem_bicycle,
                           .method = "explicit",
                           .sensitivity = "adjoint",
                           .rtol = 1e-11,
                           .t_end = 0.3};
  run_setup setup = exact;
  both_compare(&setup, 1e-9);
  setup.setting = "tyres";
  setup.value = 1;
  both_compare(&setup, 1e-9);
}

/* --- a coin that rolls into a wall ------------------------------------------------------------------ */

static int add_road(gradyn_model *m)
{
  return gradyn_frame(
      m, &(gradyn_frame_spec){
             .name = "road", .body = GRADYN_GROUND, .axis = {0.1, 0.02, 1}, .side = {1, 0, 0}});
}

static int add_disc(gradyn_model *m, const char *name, int body, gradyn_scalar y, gradyn_scalar z,
                    gradyn_scalar lean)
{
  return declare_frame(m, name, body, VECTOR(0, y, z), VECTOR(0.05, 1, lean));
}

/* A leaning coin; at x = 0.3 m an event halves its velocity. */
static gradyn_status build_coin(gradyn_model *m, const gradyn_scalar p[])
{
  const int body = gradyn_body_3d(m,
                                  &(gradyn_body_spec){.name = "coin",
                                                      .centre = {0, 0, 0.2},
                                                      .velocity = {1.3, 0, 0},
                                                      .omega = {0, 6.5, 0.8},
                                                      .mass = p[0],
                                                      .inertia = {0.011, 0.02, 0.01, 0, 0, 0.001}});
  gradyn_wheel(
      m, &(gradyn_wheel_spec){"wheel", add_disc(m, "disc", body, 0, 0.2, p[1]), add_road(m), 0.2});
  gradyn_gravity_3d(m, 0.3, -0.2, -9.81);
  const int centre = gradyn_body_centre(m, body);
  gradyn_impact(m, &(gradyn_impact_spec){.name = "wall",
                                         .point = centre,
                                         .axis = GRADYN_X,
                                         .level = {.value = p[2]},
                                         .below = true,
                                         .restitution = 0.5});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", centre, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vy",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param coin_params[] = {{"mass", "kg", .init = 1.2, GRADYN_UNBOUNDED},
                                           {"lean", "", .init = 0.2, GRADYN_UNBOUNDED},
                                           {"wall", "m", .init = 0.3, GRADYN_UNBOUNDED}};
static const gradyn_problem coin = PROBLEM("coin", build_coin, coin_params, .t_end = 0.4);

THOROUGH_TEST(a_coin_that_meets_a_wall_is_the_same)
{
  static const struct {
    const char *method, *way;
    double rtol, bound;
  } by[] = {{"explicit", "adjoint", 1e-11, 1e-9},
            {"explicit", "direct", 1e-11, 1e-9},
            {"radau", "adjoint", 1e-9, 1e-6},
            {"idas", "adjoint", 1e-9, 1e-5}};
  for (size_t k = 0; k < GRADYN_COUNT(by); k++)
    both_compare(
        &(run_setup){
            .problem = &coin, .method = by[k].method, .sensitivity = by[k].way, .rtol = by[k].rtol},
        by[k].bound);
}

/* --- two wheels on an axle -------------------------------------------------------------------------- */

/* Both wheels exclude the same sideways motion. */
static gradyn_status build_axle(gradyn_model *m, const gradyn_scalar p[])
{
  const int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "axle",
                                                         .centre = {0, 0, 0.3},
                                                         .velocity = {1, 0, 0},
                                                         .omega = {0, 1 / 0.3, 0},
                                                         .mass = p[0],
                                                         .inertia = {0.1, 0.2, 0.1}});
  const int road = gradyn_frame(
      m, &(gradyn_frame_spec){
             .name = "road", .body = GRADYN_GROUND, .axis = {0, 0, 1}, .side = {1, 0, 0}});
  for (int i = 0; i < 2; i++) {
    const int disc = declare_frame(m, i ? "right" : "left", body, VECTOR(0, 0.5 - i, 0.3),
                                   VECTOR(0, 1, 0));
    gradyn_wheel(m, &(gradyn_wheel_spec){i ? "right_wheel" : "left_wheel", disc, road, 0.3});
  }
  gradyn_gravity_3d(m, p[1], 0, -9.81);
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                        .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param axle_params[] = {{"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
                                           {"slope", "m/s^2", .init = 0.5, GRADYN_UNBOUNDED}};
static const gradyn_problem axle = PROBLEM("axle", build_axle, axle_params, .t_end = 0.6);

TEST(two_wheels_on_an_axle_are_the_same)
{
  both_compare_parameters(
      &axle, (run_setup){.method = "explicit", .sensitivity = "adjoint", .rtol = 1e-10}, 1e-9);
}
