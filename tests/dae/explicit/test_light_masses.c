/* Motions whose accelerations have more round-off than the requested error of a step: light points between
 * heavy ones. The method must not reduce steps if shorter ones change nothing. */
#include "tests/runs.h"

enum { LINKS = 3 };

/* A chain of three massless rods from the ground; every second point is light. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int light = gradyn_setting_value(m, "light");
  int last = gradyn_ground_point(m, "O", 0, 0);
  gradyn_gravity(m, 0, -9.81);
  for (int i = 0; i < LINKS; i++) {
    const int p = gradyn_point(m, gradyn_format_name(m, "p%d", i), 0.8 * (i + 1), -0.6 * (i + 1));
    gradyn_point_mass(m, gradyn_format_name(m, "m%d", i), p, i == light ? rho[0] : 1);
    gradyn_distance(m, gradyn_format_name(m, "b%d", i), last, p,
                    &(gradyn_time_function){.value = 1});
    last = p;
  }
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", last, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"light", "kg", .init = 1e-4, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"light", "", 0, 0, LINKS - 1}};
static const gradyn_problem problem = PROBLEM("chain", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1);

/* Returns the number of steps; computes x and the energy at the end. */
static long run(const char *method, double rtol, int light, double mass, double psi[2])
{
  run_local *ev = run_with(&problem, .method = method, .rtol = rtol, .setting = "light",
                           .value = light);
  assert_run(gradyn_evaluator_simulate(ev, &mass, psi, NULL), ev);
  return gradyn_evaluator_statistics(ev).steps;
}

TEST(steps_follow_the_motion)
{
  static const struct {
    int light;
    double mass;
    /* largest number of steps; frequencies of light points between heavy ones are in proportion to
     * 1/sqrt(mass) */
    long most;
  } items[] = {{0, 1e-4, 3000}, {1, 1e-4, 1500}, {0, 1e-5, 9000}, {1, 1e-6, 5000}};
  for (int k = 0; k < 4; k++) {
    double psi[2], other[2];
    const long steps = run("explicit", 1e-12, items[k].light, items[k].mass, psi);
    assert_true(steps < items[k].most);
    /* the energy is conserved and equals its initial value */
    double start = 0;
    for (int i = 0; i < LINKS; i++)
      start -= (i == items[k].light ? items[k].mass : 1) * 9.81 * 0.6 * (i + 1);
    assert_close(psi[1], start, 0, 1e-9);
    (void)run("idas", 1e-8, items[k].light, items[k].mass, other);
    assert_close(psi[0], other[0], 1e-5, 0);
  }
}
