/* A chain of equal uniform links, fixed at one end and released from the horizontal: which links and which
 * friction bring its tip near a given point? The number of links sets the size of the model. */
#include <gradyn/gradyn.h>

enum { LENGTH, MASS, DAMPING };

enum { MOST_LINKS = 4096 };

static const gradyn_param params[] = {
    [LENGTH] = {"length", "m", .init = 1.0, .lower = 0.5, .upper = 2.0},
    [MASS] = {"mass", "kg", .init = 2.0, .lower = 0.2, .upper = 10.0},
    [DAMPING] = {"damping", "N m s", .init = 0.01, .lower = 0, .upper = 1.0},
};

static const gradyn_setting settings[] = {
    {"links", "number of links", .init = 8, .lower = 1, .upper = MOST_LINKS},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int links = gradyn_setting_value(mbs, "links");
  /* each link has an equal part of the total length and mass */
  gradyn_scalar length = rho[LENGTH] / links, mass = rho[MASS] / links;
  int last = gradyn_ground_point(mbs, "0", 0, 0);

  /* a link is a rod from the last end to the next, horizontal at the start */
  for (int k = 1; k <= links; k++) {
    int next = gradyn_point(mbs, gradyn_format_name(mbs, "%d", k), k * length, 0);
    gradyn_rod(mbs, &(gradyn_rod_spec){gradyn_format_name(mbs, "link%d", k), last, next,
                                       .length = length, .mass = mass});
    /* friction between neighbouring links; the sum of the coefficients is the parameter */
    gradyn_torque(mbs, &(gradyn_torque_spec){gradyn_format_name(mbs, "friction%d", k), last, next,
                                             .c = rho[DAMPING] / links});
    last = next;
  }
  gradyn_gravity(mbs, 0, -9.81);

  /* the objective is the distance of the tip; speed and energy are reported */
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"tip", gradyn_measure_point(mbs, "", last, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "tip_speed", gradyn_measure_point(mbs, "", last, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){"end_energy", gradyn_measure_energy(mbs, ""),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(chain, .summary = "Swinging chain of links", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 0.5);
