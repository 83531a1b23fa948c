/* A plate on parallel bars of equal length, which moves without rotation. Two bars suffice; a third one
 * without mass is redundant. With it, the motion must be the same, although the forces in the bars are no
 * longer determined. */
#include <gradyn/gradyn.h>

enum { LENGTH, MASS, STIFFNESS, DAMPING };

static const gradyn_param params[] = {
    [LENGTH] = {"length", "m", .init = 1.0, .lower = 0.5, .upper = 2.0},
    [MASS] = {"mass", "kg", .init = 1.0, .lower = 0.1, .upper = 10.0},
    [STIFFNESS] = {"stiffness", "N/m", .init = 20.0, .lower = 0, .upper = 200.0},
    [DAMPING] = {"damping", "N s/m", .init = 0.5, .lower = 0, .upper = 20.0},
};

static const gradyn_setting settings[] = {
    {"redundant", "1: with the third bar", .init = 1, .lower = 0, .upper = 1},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* slanting bars of unit length, by the triangle 3-4-5 */
  gradyn_scalar x = 0.6 * rho[LENGTH], y = -0.8 * rho[LENGTH], mass = rho[MASS];
  /* ground pivots of three bars and of the spring */
  int A = gradyn_ground_point(mbs, "A", 0, 0);
  int B = gradyn_ground_point(mbs, "B", 2, 0);
  int C = gradyn_ground_point(mbs, "C", 1, -0.5);
  int D = gradyn_ground_point(mbs, "D", -1, -1);
  /* ends of the bars; all bars are parallel */
  int a = gradyn_point(mbs, "a", x, y);
  int b = gradyn_point(mbs, "b", 2 + x, y);
  int c = gradyn_point(mbs, "c", 1 + x, -0.5 + y);
  const double slant = sqrt(1.25); /* length of a vector, 1 m horizontally and 0.5 m downwards */

  /* two bars on the ground, and three that form a triangle on them */
  gradyn_rod(mbs, &(gradyn_rod_spec){"Aa", A, a, .length = rho[LENGTH], .mass = mass});
  gradyn_rod(mbs, &(gradyn_rod_spec){"Bb", B, b, .length = rho[LENGTH], .mass = mass});
  gradyn_rod(mbs, &(gradyn_rod_spec){"ab", a, b, .length = 2, .mass = mass});
  gradyn_rod(mbs, &(gradyn_rod_spec){"ac", a, c, .length = slant, .mass = mass / 2});
  gradyn_rod(mbs, &(gradyn_rod_spec){"bc", b, c, .length = slant, .mass = mass / 2});
  /* redundant: Phi_q has linearly dependent rows */
  if (gradyn_setting_value(mbs, "redundant"))
    gradyn_rod(mbs, &(gradyn_rod_spec){"Cc", C, c, .length = rho[LENGTH]});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S", D, a, .k = rho[STIFFNESS], .c = rho[DAMPING],
                                           .free_length = 1});
  gradyn_gravity(mbs, 0, -9.81);

  /* final position of c; speed and energy of the motion */
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){
                            "distance", gradyn_measure_point(mbs, "", c, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1.5, -1.4}}),
      1);
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "restlessness", gradyn_measure_point(mbs, "", c, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){"end_energy", gradyn_measure_energy(mbs, ""),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(parallel_bars, .summary = "Plate on parallel bars, one of them redundant",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 2.0);
