/* Uncertain parameters of mechanisms and of load cases, robust designs, Ishigami's function. */
#include "tests/optim/inference/uncertain.h"

#include <complex.h>

#include "tests/declare.h"
#include "tests/optim/journals.h"

/* --- unscented points as load cases ----------------------------------------------------------- */

/* Objective mean + 2 standard deviations over the points as load cases, and its gradient. */
static double robust(const gradyn_problem *problem, const char *method, const double rho[],
                     double gradient[])
{
  gradyn_options options = run_options(problem);
  OWNED(gradyn_evaluator) *ev = NULL;
  double psi[64], all[64 * SUMS_P];
  options.method = method;
  options.over_cases = "deviation:2";
  assert_run(gradyn_evaluator_create(problem, &options, NULL, 0, &ev), ev);
  const size_t f = gradyn_functional_count(ev);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, all), ev);
  memcpy(gradient, all + (f - 1) * SUMS_P, SUMS_P * sizeof *gradient);
  assert_string_equal(gradyn_functional_at(ev, f - 1).name, "objective");
  return psi[f - 1];
}

TEST(robust_designs_have_the_unscented_moments_and_exact_gradients)
{
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &uncertain_sums, .method = "explicit");
  assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.unscented = true}, &u), u.message);
  assert_int_equal(u.cases->count, 2 * SUMS_N);
  double sum = 0;
  for (size_t row = 0; row < u.cases->count; row++) {
    assert_true(u.cases->values[row * u.cases->column_count] >= 0);
    sum += u.cases->values[row * u.cases->column_count];
  }
  assert_close(sum, 1, 1e-15, 0);
  gradyn_problem with_cases = uncertain_sums;
  with_cases.cases = u.cases;
  const gradyn_moments m = u.moments[GRADYN_MOMENTS_UNSCENTED][QUADRATIC];
  double rho[SUMS_P] = {1, -0.4}, gradient[SUMS_P], unused[SUMS_P];
  assert_close(robust(&with_cases, "explicit", rho, gradient),
               m.mean + 2 * sqrt(m.variance + 1e-12 * m.mean * m.mean), 1e-12, 0);
  /* the spread of b depends on p; Richardson differences must include this */
  for (int j = 0; j < SUMS_P; j++) {
    double slope[2];
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? 2e-3 : 1e-3, at = rho[j];
      rho[j] = at + h;
      slope[k] = robust(&with_cases, "explicit", rho, unused);
      rho[j] = at - h;
      slope[k] = (slope[k] - robust(&with_cases, "explicit", rho, unused)) / (2 * h);
      rho[j] = at;
    }
    assert_close(gradient[j], (4 * slope[1] - slope[0]) / 3, 1e-9, 0);
  }
}

/* --- mechanisms ------------------------------------------------------------------------------- */

/* A pendulum with a spring and a spline signal; uncertain are data of each kind of element. */
static gradyn_status build_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[4] = {0, 2, -1, 1};
  const int force = declare_signal(model, "u", "N", GRADYN_CUBIC_SPLINE, 4, knots);
  const gradyn_point_id pivot = gradyn_ground_point(model, "pivot", 0, 0);
  const gradyn_point_id bob = gradyn_point(model, "bob", rho[0], 0);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pivot, bob, .length = rho[0], .mass = 0.2});
  gradyn_point_mass(model, "weight", bob, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_uncertain(model, "weight.mass", GRADYN_NORMAL, 0.05);
  gradyn_uncertain(model, "u.knot[1]", GRADYN_NORMAL, 0.3);
  gradyn_uncertain(model, "rod.mass", GRADYN_UNIFORM, 0.02 * rho[0]);
  declare_push(model, "push", bob, 1, 0, force);
  gradyn_minimise(model,
                  declare_tracking(model, "track",
                                   gradyn_measure_point(model, "at", bob, 0, GRADYN_ALL_AXES), 0.3,
                                   -0.5, 0),
                  1);
  return gradyn_build_status(model);
}

static const gradyn_param one_length[] = {{"length", "m", .init = 1, .lower = 0.1, .upper = 5}};
static const gradyn_problem pendulum = PROBLEM("uncertain_pendulum", build_pendulum, one_length,
                                               .t_end = 0.8, .step = 2e-3);

/* Changes by one standard deviation follow from gradients with respect to data, by all methods and
 * sensitivities. */
TEST(changes_of_mechanisms_are_deviations_times_derivatives_by_data)
{
  for (int m = 0; m < RUN_METHODS; m++)
    for (int route = 0; route < 2; route++) {
      LOCAL(gradyn_uncertainty) u;
      run_local *ev = run_with(.problem = &pendulum, .method = run_methods[m],
                               .sensitivity = route ? "direct" : "adjoint");
      const size_t count = gradyn_evaluator_model_info(ev).data;
      FREED double *by_data = calloc(count, sizeof *by_data);
      const double rho = 1;
      assert_ok(gradyn_uncertainty_compute(ev, &(gradyn_uncertainty_spec){0}, &rho, &u), u.message);
      assert_run(gradyn_evaluator_data_gradient(ev, &rho, NULL, by_data), ev);
      for (size_t i = 0; i < u.count; i++)
        for (size_t k = 0; k < count; k++)
          if (strcmp(gradyn_datum_at(ev, k).name, u.number[i].name) == 0) {
            assert_close(u.change[i], by_data[k] * u.number[i].deviation, 1e-7, 1e-9);
            assert_true(fabs(u.change[i]) > 1e-5);
          }
    }
}

/* --- Ishigami's function ---------------------------------------------------------------------- */

/* Ishigami's function sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1, with numbers uniform on -pi to pi (Ishigami
 * and Homma 1990). */
FORMULAS(stands, at->yp[0])

static gradyn_status build_ishigami(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const names[] = {"x1", "x2", "x3"};
  gradyn_state(model, "y", "", 0);
  declare_equations(model, stands, NULL, 0);
  for (int i = 0; i < 3; i++)
    gradyn_uncertain(model, names[i], GRADYN_UNIFORM, acos(-1));
  const gradyn_scalar sine = csin(rho[1]), square = rho[2] * rho[2];
  gradyn_design_functional(model, "f", "",
                           csin(rho[0]) * (1 + 0.1 * square * square) + 7 * sine * sine);
  return gradyn_build_status(model);
}

static const gradyn_param arguments[] = {{"x1", "", .init = 0, GRADYN_UNBOUNDED},
                                         {"x2", "", .init = 0, GRADYN_UNBOUNDED},
                                         {"x3", "", .init = 0, GRADYN_UNBOUNDED}};
static const gradyn_problem ishigami = PROBLEM("ishigami", build_ishigami, arguments, .t_end = 1,
                                               .method = "explicit");

/* Estimates by Saltelli et al. (2010), with five times `points` evaluations. */
static void check_ishigami(size_t points, double largest)
{
  static const double own[] = {0.31390519, 0.44241114, 0},
                      all[] = {0.55758887, 0.44241114, 0.24368366};
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &ishigami);
  const gradyn_workers workers = {.jobs = 2};
  assert_ok(uncertain_compute(
                ev,
                (gradyn_uncertainty_spec){.points = points, .indices = true, .workers = &workers},
                &u),
            u.message);
  assert_int_equal(u.evaluations, 5 * points);
  assert_int_equal(u.failed, 0);
  assert_close(u.moments[GRADYN_MOMENTS_SAMPLED][0].mean, 3.5, 0, largest);
  assert_close(u.moments[GRADYN_MOMENTS_SAMPLED][0].variance, 13.844587940719254, largest, 0);
  for (int i = 0; i < 3; i++) {
    assert_close(u.main_index[i].value, own[i], 0, largest);
    assert_close(u.total_index[i].value, all[i], 0, largest);
    assert_close(u.main_index[i].value, own[i], 0, 5 * u.main_index[i].error);
    assert_close(u.total_index[i].value, all[i], 0, 5 * u.total_index[i].error);
    assert_true(u.main_index[i].error < largest && u.total_index[i].error < largest);
  }
}

TEST(indices_of_the_function_of_ishigami_are_those_of_the_closed_form)
{
  check_ishigami(1 << 12, 2e-2);
}

THOROUGH_TEST(indices_of_the_function_of_ishigami_are_exact_to_1e_3)
{
  check_ishigami(1 << 16, 1e-3);
}
