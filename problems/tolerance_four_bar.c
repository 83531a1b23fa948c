/* Hoecken's linkage, a four-bar mechanism whose coupler point P describes nearly a straight line during
 * half a turn of the crank. Its lengths have tolerances: which of them costs accuracy of the path? Crank,
 * frame, coupler and rocker have the proportions 1 : 2 : 2.5 : 2.5, and P is at twice the coupler. The
 * crank turns from 90 to 270 degrees at constant speed. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { CRANK, FRAME, COUPLER, ROCKER, REACH, HEIGHT };

static const gradyn_param params[] = {
    [CRANK] = {"crank", "m", .init = 0.05, .lower = 0.03, .upper = 0.07, .fixed = true},
    [FRAME] = {"frame", "m", .init = 0.1, .lower = 0.08, .upper = 0.15},
    [COUPLER] = {"coupler", "m", .init = 0.125, .lower = 0.1, .upper = 0.2},
    [ROCKER] = {"rocker", "m", .init = 0.125, .lower = 0.1, .upper = 0.2},
    /* distance from the crank to P */
    [REACH] = {"reach", "m", .init = 0.25, .lower = 0.2, .upper = 0.4},
    /* height of the line above the pivots */
    [HEIGHT] = {"height", "m", .init = 0.2, .lower = 0.1, .upper = 0.4},
};

static const gradyn_setting settings[] = {
    {"tolerance", "standard deviation of the lengths, micrometres", .init = 50, .lower = 1,
     .upper = 1000},
};

static const double pi = 3.14159265358979323846;

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  static const int uncertain[] = {CRANK, FRAME, COUPLER, ROCKER, REACH};
  const double deviation = 1e-6 * gradyn_setting_value(mbs, "tolerance");

  /* the crank starts upright; the joint of coupler and rocker is on the upper side */
  gradyn_point_id pivot = gradyn_ground_point(mbs, "A0", 0, 0);
  gradyn_point_id ground = gradyn_ground_point(mbs, "B0", rho[FRAME], 0);
  gradyn_point_id A = gradyn_point(mbs, "A", 0, rho[CRANK]);
  gradyn_point_id B = gradyn_point(mbs, "B", rho[FRAME], rho[ROCKER]);
  gradyn_rod(mbs, &(gradyn_rod_spec){"crank", pivot, A, .length = rho[CRANK], .mass = 0.1});
  gradyn_rod(mbs, &(gradyn_rod_spec){"coupler", A, B, .length = rho[COUPLER], .mass = 0.1});
  gradyn_rod(mbs, &(gradyn_rod_spec){"rocker", ground, B, .length = rho[ROCKER], .mass = 0.1});
  gradyn_point_id P = gradyn_point_between(mbs, "P", A, B, rho[REACH] / rho[COUPLER]);
  gradyn_angle(mbs, "drive", pivot, A,
               &(gradyn_time_function){.value = pi / 2, .rate = pi}); /* half a turn in 1 s */

  for (int i = 0; i < (int)GRADYN_COUNT(uncertain); i++)
    gradyn_uncertain(mbs, params[uncertain[i]].name, GRADYN_NORMAL, deviation);

  /* squared distance from the line in mm^2, as a mean over the motion */
  gradyn_functional_id straightness = gradyn_functional(
      mbs, &(gradyn_functional_spec){
               "straightness", gradyn_measure_point(mbs, "P.height", P, 0, GRADYN_Y),
               .reduction = GRADYN_MEAN_SQUARE, .target = {rho[HEIGHT]}, .scale = 1e-3});
  gradyn_minimise(mbs, straightness, 1);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"end", gradyn_measure_point(mbs, "P.along", P, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(tolerance_four_bar,
               .summary = "Hoecken's straight-line linkage with uncertain lengths",
               .reference = "R. L. Norton, Design of Machinery, McGraw-Hill, section 3.8",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 1.0, .method = "kinematic", .step = 2e-3);
