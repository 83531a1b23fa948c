/* Rates of general equations at the stages of explicit methods, for all forms of the equations. Factors are
 * used for several stages if possible, without an effect on values or derivatives. */
#include "tests/runs.h"
#include "tests/declare.h"

#include "core/equations/equations.h"

enum { CONSTANT, BY_STATE, CUBIC, JUMPING, KINDS, TIMES = 20000 };

static long calls;

/* Forms in which the rate occurs in the equation m(t, x, x') + x = 0; x stays above zero. */
static gradyn_scalar enter(int kind, double t, gradyn_scalar x, gradyn_scalar rate)
{
  switch (kind) {
  case CONSTANT:
    return 2 * rate;
  case BY_STATE:
    return (2 + sin(3 * x)) * rate;
  case CUBIC:
    return rate * rate * rate + rate;
  default:
    return (t < 0.7 ? 2 : 40) * rate;
  }
}

/* x, and an algebraic state equal to it. */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  calls++;
  F[0] = enter((int)creal(at->data[0]), creal(at->t), at->y[0], at->yp[0]) + at->y[1];
  F[1] = at->y[1] - at->y[0];
  return GRADYN_OK;
}

FORMULA(last, at->y[1])
FORMULA(decayed, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum data = {"kind", "", gradyn_setting_value(m, "kind")};
  gradyn_state(m, "x", "", rho[0]);
  gradyn_algebraic_state(m, "copy", "", 1);
  declare_equations(m, equations, &data, 1);
  declare_end(m, "last", "", last);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"x", "", .init = 1.3, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"kind", "", 0, 0, KINDS}};
static const gradyn_problem problem = PROBLEM("rates", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1.4);

/* Solves m(t, x, x') + x = 0 for x'; m increases with x'. */
static double rate(int kind, double t, double x)
{
  double p = 0;
  for (int i = 0; i < 60; i++) {
    const double m = creal(enter(kind, t, x, p)), h = 1e-6;
    p -= (m + x) * h / (creal(enter(kind, t, x, p + h)) - m);
  }
  return p;
}

/* x(1.4) by the Runge-Kutta method of order 4, with a step that ends at the jump. */
static double integrate(int kind, double x)
{
  const int times = support_thorough() ? TIMES : TIMES / 5;
  const double h = 1.4 / times;
  for (int k = 0; k < times; k++) {
    const double t = (k + 0.5) * h; /* middle of the step, on its side of the jump */
    const double k1 = rate(kind, t, x), k2 = rate(kind, t, x + h / 2 * k1),
                 k3 = rate(kind, t, x + h / 2 * k2);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(kind, t, x + h * k3));
  }
  return x;
}

TEST(rates_are_found_whichever_way_they_enter)
{
  const double h = 1e-3;
  for (int kind = 0; kind < KINDS; kind++) {
    const gradyn_setting_choice chosen = {"kind", kind};
    const double x = 1.3;
    double psi, slope;
    run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-10, .settings = &chosen,
                             .setting_count = 1);
    assert_run(gradyn_evaluator_gradient(ev, &x, &psi, &slope), ev);
    assert_close(psi, integrate(kind, x), 2e-9, 0);
    assert_close(slope, (integrate(kind, x + h) - integrate(kind, x - h)) / (2 * h), 1e-6, 0);
  }
}

/* A constant matrix of rates is computed once. Each stage evaluates the residual once before the solve and
 * once after it: 14 evaluations a step, with those of the final state and of the estimate of round-off. */
TEST(constant_matrices_of_rates_are_found_once)
{
  const gradyn_setting_choice chosen = {"kind", CONSTANT};
  const double x = 1.3;
  double psi;
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-10, .settings = &chosen,
                           .setting_count = 1);
  assert_run(gradyn_evaluator_simulate(ev, &x, &psi, NULL), ev);
  calls = 0;
  assert_run(gradyn_evaluator_simulate(ev, &x, &psi, NULL), ev);
  const long steps = gradyn_evaluator_statistics(ev).steps;
  assert_in_range(calls, 1, 2 * 14 * steps + 40);
  assert_true(steps >= 5);
}

/* --- a state that follows the time, sin(40 t), beside one that decays ---------------------------------- */

static bool coarse; /* its tolerance is 1 */

FORMULAS(driven, at->yp[0] + at->y[0], at->yp[1] - 40 * cos(40 * at->t))

static gradyn_status build_driven(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  static const double atol[] = {1e-10, 1};
  gradyn_state(m, "slow", "", 1);
  gradyn_state(m, "fast", "", 0);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = driven, .atol = coarse ? atol : NULL});
  gradyn_custom_functional(m,
                           &(gradyn_custom_functional_spec){.name = "last", .terminal = decayed});
  return gradyn_build_status(m);
}

static const gradyn_problem following = {GRADYN_PROBLEM_SIZES, .name = "following",
                                         .build = build_driven, .t_end = 3};

TEST(states_have_tolerances_of_their_own)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  static const double nothing;
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    long steps[2];
    for (int i = 0; i < 2; i++) {
      double psi;
      coarse = i;
      run_local *ev = run_with(&following, .method = methods[k]);
      assert_run(gradyn_evaluator_simulate(ev, &nothing, &psi, NULL), ev);
      assert_close(psi, exp(-3), 1e-6, 0);
      steps[i] = gradyn_evaluator_statistics(ev).steps;
    }
    if (!(3 * steps[1] < steps[0]))
      fail_msg("%s: %ld steps, %ld by its own tolerance", methods[k], steps[0], steps[1]);
  }
}

/* Several derivatives are computed at one point; none may move this point. */
TEST(derivatives_stay_at_their_point)
{
  const double y[] = {1, 0}, yp[] = {-1, 40}, t = 0.3;
  double F[2];
  gradyn_model *model;
  assert_ok(gradyn_model_create(&following, NULL, 0, 0, NULL, &model), NULL);
  gradyn_equations_at(model->equations, t, y, yp);
  for (int k = 0; k < 2; k++) {
    assert_ok(gradyn_equations_by_time(model->equations, F), model->message.text);
    assert_close_array(F, ((double[]){0, 1600 * sin(40 * t)}), 2, 1e-14, 0);
  }
  gradyn_model_free(model);
}
