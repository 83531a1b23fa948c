/* The five-bar linkage whose lowest point bounces off the ground, Corner, Sandu and Sandu (2019), section
 * 7. The paper gives lengths to four digits and lacks some data. Both are taken from problems/five_bar.c,
 * shifted by half a metre. */
#include <gradyn/gradyn.h>

enum { L01, L02, RESTITUTION };

static const gradyn_param params[] = {
    [L01] = {"L01", "m", .init = 2.23606797749978969641, .lower = 1.0, .upper = 3.0},
    [L02] = {"L02", "m", .init = 2.06155281280883027491, .lower = 1.0, .upper = 3.0},
    [RESTITUTION] = {"restitution", "", .init = 1, .lower = 0.5, .upper = 2, .fixed = true},
};

static const gradyn_setting settings[] = {
    {"kinematic", "1: the horizontal velocity is kept, as in the text; 0: an impact by the masses",
     .init = 1, .lower = 0, .upper = 1},
};

/* Vertical velocity of the first listed point. */
static gradyn_status vertical_velocity(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[1];
  return GRADYN_OK;
}

/* Vertical acceleration of the first listed point. */
static gradyn_status vertical_acceleration(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->acc[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* the paper gives four digits of these lengths; here they are exact */
  const double L12 = sqrt(13.0) / 2, LA1 = sqrt(2.0);
  /* two fixed points of the base, and three moving points */
  int A = gradyn_ground_point(mbs, "A", -0.5, 0);
  int B = gradyn_ground_point(mbs, "B", 0.5, 0);
  int p1 = gradyn_point(mbs, "1", -1.5, -1.0);
  int p2 = gradyn_point(mbs, "2", 0, -2.0);
  int p3 = gradyn_point(mbs, "3", 1.5, -1.0);
  /* rods with masses; their lengths are those of the figure in the paper */
  gradyn_rod(mbs, &(gradyn_rod_spec){"A1", A, p1, .length = LA1, .mass = 1.0});
  gradyn_rod(mbs, &(gradyn_rod_spec){"12", p1, p2, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"23", p2, p3, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"3B", p3, B, .length = LA1, .mass = 1.0});
  /* springs from B to points 1 and 2 */
  gradyn_spring(mbs, &(gradyn_spring_spec){"S1", B, p1, .k = 100, .free_length = rho[L01]});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S2", B, p2, .k = 100, .free_length = rho[L02]});
  gradyn_gravity(mbs, 0, -9.81);
  /* the initial position of point 2 determines the others */
  gradyn_fix_initial_coordinate(mbs, p2, GRADYN_X);
  gradyn_fix_initial_coordinate(mbs, p2, GRADYN_Y);
  gradyn_draw_trace(mbs, p2);

  /* the tangential velocity does not change, as in the paper */
  const gradyn_component kept = {p2, GRADYN_X};
  int kinematic = gradyn_setting_value(mbs, "kinematic");
  int ground = gradyn_impact(
      mbs, &(gradyn_impact_spec){
               "ground", p2, GRADYN_Y, .level = {.value = -2.35}, .restitution = rho[RESTITUTION],
               .preserved = kinematic ? &kept : NULL, .preserved_count = kinematic});

  /* the functionals z1 and z2 of the paper: integrals of velocity and acceleration */
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y2", gradyn_measure_point(mbs, "", p2, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"vy2", gradyn_measure_point(mbs, "", p2, 1, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){"z1", "m", vertical_velocity,
                                                                 .points = &p2, .point_count = 1});
  gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){"z2", "m/s", vertical_acceleration,
                                                                 .points = &p2, .point_count = 1,
                                                                 .needs_accelerations = true});
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"away", gradyn_measure_point(mbs, "", p2, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, -2}}),
      1);
  gradyn_event_time(mbs, "first", ground, 1);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(bouncing_five_bar, .summary = "Five-bar linkage whose lowest point bounces",
               .reference = "Corner, Sandu and Sandu (2019), section 7", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 5.0, .rtol = 1e-10);
