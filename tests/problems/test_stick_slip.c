/* The block on a belt: arcs in closed form, in all schemes; its orbit. */
#include "tests/problems/run.h"

#include <complex.h>

extern const gradyn_problem gradyn_problem_stick_slip;

enum { MASS, STIFFNESS, STILL, KINETIC, SPEED, START, P };
enum { X, V, PATH, SLIP, STICK, PLACE, F };

static const double rho[P] = {1, 20, 0.5, 0.3, 0.2, 0.1};
static const double slide_end = 6; /* s, when the block sticks to the belt for the fourth time */

/* The block sticks from the start until k x = still m g. Then it oscillates about kinetic m g/k, from
 * `reach` on one side, with the belt's speed, to the same distance on the other side, where it sticks:
 * tan(omega t/2) = -reach omega/speed. */
static void closed_form(const double complex p[P], double complex psi[F])
{
  const double complex weight = p[MASS] * 9.81, omega = csqrt(p[STIFFNESS] / p[MASS]);
  const double complex reach = (p[STILL] - p[KINETIC]) * weight / p[STIFFNESS];
  const double complex top = p[STILL] * weight / p[STIFFNESS], bottom = top - 2 * reach;
  const double complex slide = 2 * (acos(-1) - catan(reach * omega / p[SPEED])) / omega;
  const double complex stick = 2 * reach / p[SPEED];
  psi[SLIP] = (top - p[START]) / p[SPEED] + slide + stick;
  psi[STICK] = psi[SLIP] + slide;
  psi[PLACE] = bottom;
  psi[X] = bottom + p[SPEED] * (slide_end - psi[STICK] - stick - slide);
  psi[V] = p[SPEED];
}

static gradyn_evaluator *open_with(const char *method, const char *sensitivity, double step,
                                   int sliding)
{
  return run_with(&gradyn_problem_stick_slip, .method = method, .sensitivity = sensitivity,
                  .step = step, .rtol = 1e-13, .t_end = slide_end, .setting = "sliding",
                  .value = sliding);
}

/* Values and gradients of all functionals except the path; errors of fixed steps are of second order. */
static void compare(const char *method, const char *sensitivity, double step, double rtol)
{
  run_local *ev = open_with(method, sensitivity, step, 0);
  double psi[F], gradient[F * P], expected[F], slope[F * P];
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  support_complex_step(closed_form, rho, P, F, expected, slope);
  for (int f = 0; f < F; f++) {
    if (f == PATH)
      continue;
    assert_close(psi[f], expected[f], rtol, rtol);
    assert_close_array(gradient + f * P, slope + f * P, P, rtol, rtol);
  }
  assert_true(gradyn_evaluator_statistics(ev).events >= 6);
  for (size_t k = 0; k < gradyn_evaluator_statistics(ev).events; k++) /* it slips, then sticks */
    assert_int_equal(gradyn_event_log_at(ev, k).mode, k % 2 ? 1 : 2);
}

TEST(arcs_have_the_closed_form)
{
  compare("idas", "direct", 0, 1e-9);
  compare("idas", "adjoint", 0, 1e-9);
  compare("explicit", "direct", 0, 1e-9);
  compare("explicit", "adjoint", 0, 1e-9);
  compare("ali3p", "adjoint", 2e-4, 1e-5);
  compare("variational", "adjoint", 2e-4, 1e-5);
}

/* When the block sticks, its initial state has no effect any more: all multipliers except the orbit's own
 * are zero. */
THOROUGH_TEST(its_orbit_forgets)
{
  const double start[P] = {1, 20, 0.5, 0.3, 0.2, 0.22};
  double complex p[P], psi[F];
  for (int k = 0; k < P; k++)
    p[k] = rho[k];
  closed_form(p, psi);
  for (int k = 0; k < 4; k++) {
    const double rtol = k < 2 ? 1e-9 : 1e-4;
    LOCAL(gradyn_orbit) orbit;
    run_local *ev = open_with(run_methods[k], "direct", 0, 1);
    assert_run(gradyn_orbit_compute(ev, start, &(gradyn_orbit_spec){.section = "slips"}, &orbit),
               ev);
    assert_int_equal(orbit.transition.size, 2);
    assert_int_equal(orbit.event_count, 2);
    assert_close(orbit.transition.start[0], 0.5 * 9.81 / 20, rtol, 0);
    assert_close(orbit.period, 2 * 0.2 * 9.81 / 20 / 0.2 + creal(psi[STICK] - psi[SLIP]), rtol, 0);
    assert_close(orbit.multiplier[2], 0, 0, 10 * rtol);
  }
}

TEST(orbits_do_not_begin_where_it_sticks)
{
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = open_with("idas", "direct", 0, 0);
  assert_int_equal(gradyn_orbit_compute(ev, rho, &(gradyn_orbit_spec){.section = "sticks"}, &orbit),
                   GRADYN_UNSUPPORTED);
  assert_says(gradyn_evaluator_message(ev), "grip");
}
