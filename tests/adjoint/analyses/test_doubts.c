/* Warnings about a gradient do not appear with the results of later calls. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/analysis.h>

/* |x| of a tip that passes x = 0: the derivative of the integrand jumps there. */
FORMULA(sharp, creal(at->pos[4]) < 0 ? -at->pos[4] : at->pos[4])

static gradyn_status pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  int hub = gradyn_ground_point(m, "hub", 0, 0), tip = gradyn_point(m, "tip", rho[0], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", hub, tip, .length = rho[0], .mass = 1});
  gradyn_gravity(m, 0, -9.81);
  declare_integral(m, "sharp", "m s", sharp);
  return gradyn_build_status(m);
}

TEST(analyses_do_not_repeat_warnings_of_earlier_gradients)
{
  static const gradyn_param length[] = {{"length", "m", .init = 1, .lower = 0.5, .upper = 2}};
  static const gradyn_problem problem = PROBLEM("corner", pendulum, length, .t_end = 2);
  static const double scatter = 1e-4, rho = 1;
  const gradyn_covariance_spec spec = {(const char *const[]){"length"}, 1, &scatter, 1};
  LOCAL(gradyn_covariance) found;
  LOCAL(gradyn_linearisation) linear;
  double psi[1], gradient[1];
  run_local *ev = run_with(&problem, .method = "explicit");
  assert_run(gradyn_evaluator_gradient(ev, &rho, psi, gradient), ev);
  assert_says(gradyn_evaluator_warnings(ev), "functional sharp");
  assert_run(gradyn_covariance_compute(ev, &rho, &spec, NULL, NULL, &found), ev);
  assert_string_equal(gradyn_evaluator_warnings(ev), "");
  assert_run(gradyn_evaluator_gradient(ev, &rho, psi, gradient), ev);
  assert_run(gradyn_evaluator_linearise(ev, &rho, false, &linear), ev);
  assert_string_equal(gradyn_evaluator_warnings(ev), "");
}
