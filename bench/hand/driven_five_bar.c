/* The five-bar linkage driven by a torque with many knots. */
#include "bench/hand/driven_five_bar.h"

#include <gradyn/gradyn.h>

enum { KNOTS = 1000 };

static const gradyn_param knots[] = {{"u", "N m", GRADYN_UNBOUNDED, .count = KNOTS}};

static gradyn_status build_linkage(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double pi = 3.14159265358979323846, L = sqrt(13.0) / 2;
  const int A = gradyn_ground_point(mbs, "A", 0, 0), B = gradyn_ground_point(mbs, "B", 1, 0);
  const int p1 = gradyn_point(mbs, "1", -1.0, -1.0), p2 = gradyn_point(mbs, "2", 0.5, -2.0);
  const int p3 = gradyn_point(mbs, "3", 2.0, -1.0);
  const int u = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "u",
                                                         .unit = "N m",
                                                         .kind = GRADYN_PIECEWISE_LINEAR,
                                                         .count = KNOTS,
                                                         .knots = rho});

  gradyn_rod(mbs, &(gradyn_rod_spec){"A1", A, p1, .length = sqrt(2.0), .mass = 1.0});
  gradyn_rod(mbs, &(gradyn_rod_spec){"12", p1, p2, .length = L, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"23", p2, p3, .length = L, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"3B", p3, B, .length = sqrt(2.0), .mass = 1.0});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S1", B, p1, .k = 100, .free_length = sqrt(5.0)});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S2", B, p2, .k = 100, .free_length = sqrt(17.0) / 2});
  gradyn_torque(mbs, &(gradyn_torque_spec){"motor", A, p1, .torque = 1, .signal = u});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_fix_initial_angle(mbs, "alpha1", A, p1, -0.75 * pi, 0);
  gradyn_fix_initial_angle(mbs, "alpha2", p1, p2, -0.5 * pi + atan(1.5), 0);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"psi1", gradyn_measure_point(mbs, "", p2, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.5, -2.0}}),
      1);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"psi2", gradyn_measure_point(mbs, "", p2, 1, GRADYN_ALL_AXES),
                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"psi3", gradyn_measure_point(mbs, "", p2, 2, GRADYN_ALL_AXES),
                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(mbs);
}

const gradyn_problem driven_five_bar = {GRADYN_PROBLEM_SIZES,   .name = "driven_five_bar",
                                        .params = knots,        .param_count = GRADYN_COUNT(knots),
                                        .build = build_linkage, .t_end = 50.0,
                                        .method = "ali3p",      .step = 1e-3};
