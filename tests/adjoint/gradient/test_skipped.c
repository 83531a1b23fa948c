/* Gradients of a part of the functionals: their rows equal those of the complete gradient, and functionals
 * that are only monitored do not disturb a search. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

#include "adjoint/evaluator/evaluator.h"
#include <gradyn/mechanism.h>
#include <gradyn/optimise.h>

enum { P = 2, F = 6 };

FORMULA(height, at->pos[5] * at->u[1])

/* A functional with a value, but without a derivative. */
static gradyn_status rough(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 1;
  return cimag(at->pos[4]) != 0 ? GRADYN_CALLBACK : GRADYN_OK;
}

/* A pendulum pushed by a signal with a jump. Functionals: integrals, final values, and one of data alone. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[2] = {1, rho[1]};
  int pivot = gradyn_ground_point(model, "A", 0, 0);
  int tip = gradyn_point(model, "B", rho[0], 0);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", pivot, tip, .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  int u = declare_signal(model, "u", "", GRADYN_PIECEWISE_CONSTANT, 2, knots);
  gradyn_force(model, &(gradyn_force_spec){"push", tip, 1, 0, u, 0});
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){
                            "track", gradyn_measure_point(model, "", tip, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.3, -0.8}}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){"speed", gradyn_measure_point(model, "", tip, 1, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", u),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"load", gradyn_measure_multiplier(model, "", 1),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){
                                      .name = "height", .integrand = height, .terminal = height});
  if (gradyn_setting_value(model, "rough"))
    declare_integral(model, "rough", "", rough);
  return gradyn_build_status(model);
}

static const gradyn_param params[P] = {{"length", "m", .init = 1.1, .lower = 0.5, .upper = 2},
                                       {"push", "N", .init = 2, .lower = -5, .upper = 5}};
static const gradyn_setting settings[] = {{"rough", "", 0, 0, 1}};
static const gradyn_problem problem = PROBLEM("skipped", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1.5, .rtol = 1e-9,
                                              .step = 0.01);

static gradyn_evaluator *open_with(const char *method, const char *sensitivity, double step,
                                   int is_rough)
{
  return run_with(&problem, .method = method, .sensitivity = sensitivity, .step = step,
                  .setting = "rough", .value = is_rough);
}

static void compare(const char *method, const char *sensitivity, double rtol)
{
  run_local *ev = open_with(method, sensitivity, 0.01, 0);
  const double rho[P] = {1.1, 2};
  double psi[2][F], gradient[2][F][P];
  assert_int_equal(gradyn_functional_count(ev), F);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi[0], gradient[0][0]), ev);
  for (int mask = 0; mask < 1 << F; mask += support_thorough() ? 5 : 11) {
    bool wanted[F];
    for (int f = 0; f < F; f++)
      wanted[f] = mask >> f & 1;
    memset(gradient[1], 0xff, sizeof gradient[1]);
    assert_run(gradyn_evaluator_gradient_selected(ev, wanted, rho, psi[1], gradient[1][0]), ev);
    assert_close_array(psi[1], psi[0], F, rtol, 0);
    for (int f = 0; f < F; f++)
      for (int j = 0; j < P; j++)
        if (wanted[f])
          assert_close(gradient[1][f][j], gradient[0][f][j], rtol, rtol);
        else
          assert_true(gradient[1][f][j] == 0);
  }
  assert_run(gradyn_evaluator_gradient(ev, rho, psi[1], gradient[1][0]), ev);
  assert_memory_equal(gradient[1], gradient[0], sizeof gradient[0]);
}

THOROUGH_TEST(rows_are_those_of_all)
{
  compare("ali3p", "adjoint", 1e-13);
  compare("ali3p", "direct", 1e-13);
  compare("variational", "adjoint", 1e-13);
  compare("variational", "direct", 1e-13);
  compare("explicit", "adjoint", 1e-12);
  compare("explicit", "direct", 1e-12);
  compare("idas", "adjoint", 2e-6);
  compare("idas", "direct", 2e-6);
}

TEST(monitored_functionals_do_not_disturb)
{
  for (int k = 0; k < 7; k++) {
    const int m = k % 4;
    if (!support_takes(k + 1, 2))
      continue;
    double found[2] = {0};
    for (int is_rough = 0; is_rough < 2; is_rough++) {
      run_local *ev = open_with(run_methods[m], "adjoint", k < 4 ? 0.01 : -1, is_rough);
      LOCAL(gradyn_search_result) result;
      const double rho[P] = {1.1, 2};
      gradyn_search search = run_search(ev);
      assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
      found[is_rough] = result.objective;
      /* rows of monitored functionals have derivatives, or NAN if these do not exist */
      for (int j = 0; j < P; j++)
        assert_true(isnan(result.gradient[5 * P + j]) == (is_rough == 1));
      assert_true(is_rough || result.gradient[5 * P] != 0);
    }
    assert_close(found[1], found[0], m < RUN_ADAPTIVE ? 1e-7 : 1e-12, 0);
  }
}
