/* Bang-bang: a moving carriage stops 1 m further in the least time, by a force of at most 1 N. The force is
 * first at one bound, then at the other; the time at which it switches is a parameter. */
#include <gradyn/gradyn.h>

enum { SWITCH, BRAKE };

static const gradyn_param params[] = {
    [SWITCH] = {"switch", "s", .init = 1.0, .lower = 0.01, .upper = 10.0, .scale = 1,
                .role = GRADYN_TIME},
    [BRAKE] = {"brake", "s", .init = 1.0, .lower = 0.01, .upper = 10.0, .scale = 1,
               .role = GRADYN_TIME},
};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const gradyn_scalar limits[] = {1, -1}, switches[] = {rho[SWITCH]};
  /* the time of the switch is a parameter, by which gradients are computed */
  gradyn_end_time(mbs, rho[SWITCH] + rho[BRAKE]);
  int thrust = gradyn_signal(
      mbs, &(gradyn_signal_spec){"thrust", "", GRADYN_SWITCHED, 2, limits, .times = switches});
  /* a mass of 1 kg on a line: x'' = u */
  int carriage = gradyn_point(mbs, "carriage", 0, 0);
  gradyn_initial_velocity(mbs, carriage, 0.5, 0);
  gradyn_point_mass(mbs, "mass", carriage, 1);
  gradyn_force(
      mbs, &(gradyn_force_spec){.name = "engine", .point = carriage, .fx = 1, .signal = thrust});

  int x_end = gradyn_functional(
      mbs, &(gradyn_functional_spec){"x_end", gradyn_measure_point(mbs, "", carriage, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  int v_end = gradyn_functional(
      mbs, &(gradyn_functional_spec){"v_end", gradyn_measure_point(mbs, "", carriage, 1, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  /* least time, at rest at the target */
  gradyn_minimise(mbs, gradyn_end_time_functional(mbs, "time"), 1);
  gradyn_constrain(mbs, x_end, 1, 1, 1e-10);
  gradyn_constrain(mbs, v_end, 0, 0, 1e-10);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(bang_bang, .summary = "Carriage brought to rest in the least time",
               .reference = "closed form", .params = params, .build = build, .rtol = 1e-11);
