/* Planar five-bar linkage with two springs, López Varela (2022), section 7.1. The published gradients imply
 * these conventions: the initial angles of rods A1 and 12 are fixed, so that points 1, 2, 3 move with the
 * length of A1; the target of point 2 does not move; inertias about the centres of mass are constant. */
#include <gradyn/gradyn.h>

enum { LS1, LS2, MA1, RG, LA1 };

static const gradyn_param params[] = {
    [LS1] = {"Ls1", "m", .init = 2.23606797749978969641, .lower = 1.0, .upper = 3.0},
    [LS2] = {"Ls2", "m", .init = 2.06155281280883027491, .lower = 1.0, .upper = 3.0},
    [MA1] = {"mA1", "kg", .init = 1.0, .lower = 0.1, .upper = 5.0, .fixed = true},
    [RG] = {"rG", "m", .init = 0.70710678118654752440, .lower = 0, .upper = 1.4, .fixed = true},
    [LA1] = {"LA1", "m", .init = 1.41421356237309504880, .lower = 1.2, .upper = 1.6, .fixed = true},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* fixed initial angles: alpha1 of rod A1, alpha2 of rod 12 */
  const double pi = 3.14159265358979323846;
  const double angle_A1 = -0.75 * pi, angle_12 = angle_A1 + 0.25 * pi + atan(1.5);
  const double L12 = sqrt(13.0) / 2, L3B = sqrt(2.0);
  /* ground pivots are 1 m apart, as in the figure of the thesis */
  int A = gradyn_ground_point(mbs, "A", 0, 0);
  int B = gradyn_ground_point(mbs, "B", 1, 0);
  int p1 = gradyn_point(mbs, "1", -1.0, -1.0);
  int p2 = gradyn_point(mbs, "2", 0.5, -2.0);
  int p3 = gradyn_point(mbs, "3", 2.0, -1.0);

  /* A1 has its own centre of mass and moment of inertia, so that both can vary */
  gradyn_rod(mbs, &(gradyn_rod_spec){"A1", A, p1, .length = rho[LA1], .mass = rho[MA1],
                                     .own_inertia = true, .com = rho[RG], .inertia = 1.0 / 6});
  gradyn_rod(mbs, &(gradyn_rod_spec){"12", p1, p2, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"23", p2, p3, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"3B", p3, B, .length = L3B, .mass = 1.0});
  /* springs from B to points 1 and 2 */
  gradyn_spring(mbs, &(gradyn_spring_spec){"S1", B, p1, .k = 100, .free_length = rho[LS1]});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S2", B, p2, .k = 100, .free_length = rho[LS2]});
  gradyn_gravity(mbs, 0, -9.81);
  /* initial angles; the initial rates are zero */
  gradyn_fix_initial_angle(mbs, "alpha1", A, p1, angle_A1, 0);
  gradyn_fix_initial_angle(mbs, "alpha2", p1, p2, angle_12, 0);
  gradyn_draw_trace(mbs, p2);

  /* the three functionals of the thesis, of position, velocity and acceleration of point 2; these measures
   * are no columns */
  gradyn_measure_id r = gradyn_measure_point(mbs, "", p2, 0, GRADYN_ALL_AXES);
  gradyn_measure_id v = gradyn_measure_point(mbs, "", p2, 1, GRADYN_ALL_AXES);
  gradyn_measure_id a = gradyn_measure_point(mbs, "", p2, 2, GRADYN_ALL_AXES);
  gradyn_functional_id psi1 = gradyn_functional(
      mbs, &(gradyn_functional_spec){"psi1", r, .reduction = GRADYN_SQUARE_INTEGRAL,
                                     .target = {0.5, -2.0}});
  gradyn_functional(mbs, &(gradyn_functional_spec){"psi2", v, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){"psi3", a, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_minimise(mbs, psi1, 1);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(five_bar, .summary = "Planar five-bar linkage with two springs",
               .reference = "López Varela (2022), section 7.1", .params = params, .build = build,
               .t_end = 5.0, .rtol = 1e-10);
