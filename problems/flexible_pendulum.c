/* Planar flexible pendulum, Ebrahimi et al. (2018), section 6.1: how does the deflection of its tip
 * depend on width, density and stiffness? A beam of square section, pinned at one end and let go from
 * the horizontal. Its lightest design whose tip stays near the line of its root is found as well. */
#include <gradyn/gradyn.h>

enum { WIDTH, DENSITY, YOUNG };

static const gradyn_param params[] = {
    [WIDTH] = {"h", "m", .init = 0.05, .lower = 0.02, .upper = 0.1},
    [DENSITY] = {"rho", "kg/m^3", .init = 4000, .lower = 1000, .upper = 8000, .fixed = true},
    [YOUNG] = {"E", "Pa", .init = 1e7, .lower = 1e6, .upper = 1e9, .fixed = true},
};

static const gradyn_setting settings[] = {
    {"elements", "number of beam elements", .init = 5, .lower = 1, .upper = 1000},
    {"full", "elastic force: 0 linear, 1 full strain and curvature", .init = 0, .upper = 1},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int root = gradyn_ground_point(mbs, "A", 0, 0);
  int tip = gradyn_point(mbs, "tip", 1.2, 0);
  int beam = gradyn_beam(mbs, &(gradyn_beam_spec){.name = "beam",
                                                  .from = root,
                                                  .to = tip,
                                                  .elements = gradyn_setting_value(mbs, "elements"),
                                                  .section = gradyn_section_square(rho[WIDTH]),
                                                  .young = rho[YOUNG],
                                                  .density = rho[DENSITY],
                                                  .linear = !gradyn_setting_value(mbs, "full")});
  gradyn_gravity(mbs, 0, -9.81);

  gradyn_minimise(mbs, gradyn_mass(mbs, "mass"));
  gradyn_deflection(mbs, "deflection_1s", beam, 1);
  gradyn_deflection(mbs, "deflection_2s", beam, 2);
  gradyn_require_at_least(mbs, gradyn_deflection(mbs, "deflection_4s", beam, 4), -0.02, 1e-6);
  return gradyn_built(mbs);
}

GRADYN_PROBLEM(flexible_pendulum, .summary = "Planar pendulum made of a flexible beam",
               .reference = "Ebrahimi et al. (2018), section 6.1", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 4.0, .method = "variational", .step = 1e-3);
