/* Planar flexible pendulum, Ebrahimi et al. (2018), section 6.1: how does the deflection of its tip depend
 * on width, density and stiffness? The pendulum is a beam of square section, pinned at one end and released
 * from the horizontal. The optimisation, which the paper does not have, finds the lightest beam within a
 * limit of deflection. */
#include <gradyn/gradyn.h>
#include <stdint.h>

enum { WIDTH, DENSITY, YOUNG };

static const gradyn_param params[] = {
    [WIDTH] = {"h", "m", .init = 0.05, .lower = 0.02, .upper = 0.1},
    [DENSITY] = {"rho", "kg/m^3", .init = 4000, .lower = 1000, .upper = 8000, .fixed = true},
    [YOUNG] = {"E", "Pa", .init = 1e7, .lower = 1e6, .upper = 1e9, .fixed = true},
};

static const gradyn_setting settings[] = {
    {"elements", "number of beam elements", .init = 5, .lower = 1, .upper = 1000},
    {"full", "elastic force: 0 linear, 1 full strain and curvature", .init = 0, .upper = 1},
    {"instants", "deflections, at equal distances of time", .init = 4, .lower = 1, .upper = 4000},
};

static const double end = 4, allowed = 0.4;

enum { TIP = 2 }; /* id of the second point */

/* Square of the distance of the tip from the tangent at the root; the root is the origin. */
static gradyn_status bending(const gradyn_at *at, gradyn_scalar *value)
{
  /* slope: tangent at the root, of any length */
  const gradyn_scalar *tip = at->pos + 2 * TIP, *slope = at->pos + 2 * (intptr_t)at->user;
  gradyn_scalar across = slope[0] * tip[1] - slope[1] * tip[0]; /* cross product of slope and tip */
  *value = across * across / (slope[0] * slope[0] + slope[1] * slope[1]);
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* horizontal at the start, pinned at its root */
  int root = gradyn_ground_point(mbs, "A", 0, 0);
  int tip = gradyn_point(mbs, "tip", 1.2, 0);
  int beam = gradyn_beam(
      mbs, &(gradyn_beam_spec){.name = "beam",
                               .from = root,
                               .to = tip,
                               .elements = gradyn_setting_value(mbs, "elements"),
                               .section = gradyn_section_rectangle(rho[WIDTH], rho[WIDTH]),
                               .young = rho[YOUNG],
                               .density = rho[DENSITY],
                               .linear = !gradyn_setting_value(mbs, "full")});
  gradyn_gravity(mbs, 0, -9.81);

  /* lightest beam within the limit of deflection */
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){"mass", gradyn_measure_mass(mbs, ""),
                                                       .reduction = GRADYN_AT_END}),
      1);
  /* integral of the square of the tip's deflection */
  int bent = gradyn_custom_functional(
      mbs,
      &(gradyn_custom_functional_spec){.name = "bending",
                                       .unit = "m^2 s",
                                       .integrand = bending,
                                       .user = (void *)(intptr_t)gradyn_beam_slope(mbs, beam, 0)});
  gradyn_constrain(mbs, bent, -INFINITY, allowed, 1e-6);
  /* deflections at equal intervals, for a figure */
  int instants = gradyn_setting_value(mbs, "instants");
  for (int k = 1; k <= instants; k++) {
    double t = end * k / instants;
    gradyn_functional(mbs, &(gradyn_functional_spec){
                               gradyn_format_name(mbs, "deflection_%gs", t),
                               gradyn_measure_deflection(mbs, "", beam),
                               .reduction = t != 0 ? GRADYN_AT_TIME : GRADYN_AT_END, .time = t});
  }
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(flexible_pendulum, .summary = "Planar pendulum made of a flexible beam",
               .reference = "Ebrahimi et al. (2018), section 6.1", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 4);
