/* Rigid bar, spring and flexible beam, Ebrahimi et al. (2018), section 6.2: which pivot of the beam
 * minimises the motion of the end of the bar? The paper shows the positions of the nodes only in a figure.
 * The positions here are our choice. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { XD, YD };

static const gradyn_param params[] = {
    [XD] = {"XD", "m", .init = 0.8, .lower = -10, .upper = 10, .scale = 0.1},
    [YD] = {"YD", "m", .init = 0, .lower = -10, .upper = 10, .scale = 0.1},
};

static const gradyn_setting settings[] = {
    {"elements", "number of beam elements", .init = 4, .lower = 1, .upper = 1000},
    {"linear", "elastic force: 0 full strain and curvature, 1 linear", .init = 0, .upper = 1},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const gradyn_scalar B[2] = {0.3, -0.4}, C[2] = {0.6, -0.4}, spin = -5;
  gradyn_scalar arm[2] = {C[0] - rho[XD], C[1] - rho[YD]}; /* C - D */
  /* ground pivots of the rod and of the beam */
  int a = gradyn_ground_point(mbs, "A", 0, 0);
  int d = gradyn_ground_point(mbs, "D", rho[XD], rho[YD]);
  /* attachment points of the spring */
  int b = gradyn_point(mbs, "B", B[0], B[1]);
  int c = gradyn_point(mbs, "C", C[0], C[1]);
  gradyn_initial_velocity(mbs, c, -spin * arm[1], spin * arm[0]); /* v = spin x arm */

  /* the bar is rigid; the beam is flexible and turns about D with 5 rad/s */
  gradyn_rod(mbs, &(gradyn_rod_spec){.name = "body1", .from = a, .to = b, .mass = 1.6});
  int beam = gradyn_beam(mbs, &(gradyn_beam_spec){.name = "body2",
                                                  .from = d,
                                                  .to = c,
                                                  .elements = gradyn_setting_value(mbs, "elements"),
                                                  .section = gradyn_section_rectangle(0.01, 0.01),
                                                  .young = 70e9,
                                                  .density = 3700,
                                                  .omega = {0, 0, spin},
                                                  .linear = gradyn_setting_value(mbs, "linear")});
  gradyn_spring(mbs, &(gradyn_spring_spec){/* the spring is unstressed at the start */
                                           .name = "spring",
                                           .from = b,
                                           .to = c,
                                           .k = 100,
                                           .free_length = C[0] - B[0]});
  gradyn_gravity(mbs, 0, -9.81);

  /* the objective is the motion of B; the beam has a minimum length */
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){
                            "displacement", gradyn_measure_point(mbs, "", b, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {B[0], B[1]}}),
      1);
  gradyn_constrain(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){"length",
                                                       gradyn_measure_beam_length(mbs, "", beam),
                                                       .reduction = GRADYN_AT_END}),
      0.001, INFINITY, 1e-6);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(rigid_spring_beam, .summary = "Rigid bar held by a spring and a flexible beam",
               .reference = "Ebrahimi et al. (2018), section 6.2", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .method = "variational", .step = 5e-4);
