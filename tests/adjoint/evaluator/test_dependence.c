/* Dependence of each datum on many parameters. The search identifies parameters by the bits of their
 * indices; the numbers tested are those at which one bit more is needed. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { MOST = 130 };

static const gradyn_param params[] = {{"p", "", .init = 2, GRADYN_UNBOUNDED, .count_from = "n"}};
static const gradyn_setting settings[] = {{"n", "parameters", 33, 1, MOST}};

FORMULA(rest, at->yp[0])

/* Datum k is (k + 1) times parameter k. Every third one is also multiplied by the next parameter. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  int n;
  (void)gradyn_parameter_array(model, NULL, 0, &n);
  gradyn_state(model, "z", "", 0);
  declare_equations(model, rest, NULL, 0);
  for (int k = 0; k < n; k++) {
    char name[16];
    (void)snprintf(name, sizeof name, "f%d", k);
    gradyn_design_functional(model, name, "",
                             (k + 1) * rho[k] * (k % 3 == 2 ? rho[(k + 1) % n] : 1));
  }
  return gradyn_build_status(model);
}

static double expected(int n, int k, int j, const double rho[])
{
  const int next = (k + 1) % n;
  if (k % 3 != 2)
    return j == k ? k + 1 : 0;
  return j == k ? (k + 1) * rho[next] : j == next ? (k + 1) * rho[k] : 0;
}

TEST(every_datum_finds_its_parameters)
{
  static const gradyn_problem problem = PROBLEM("many", build, params, .summary = "many",
                                                .settings = settings, .setting_count = 1,
                                                .t_end = 1);
  static const int counts[] = {31, 32, 33, 34, 63, 64, 65, 66, 128, 129, 130};
  static double gradient[MOST * MOST];
  /* in a second call all products have zero slopes: the result of the first call must not be reused */
  static double rho[2][MOST];
  for (int k = 0; k < MOST; k++)
    rho[0][k] = 1 + 0.01 * k;
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    const int n = counts[i];
    run_local *evaluator = run_with(&problem, .setting = "n", .value = n);
    for (int r = 0; r < 2; r++) {
      assert_run(gradyn_evaluator_gradient(evaluator, rho[r], NULL, gradient), evaluator);
      for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
          assert_close(gradient[k * n + j], expected(n, k, j, rho[r]), 1e-13, 0);
    }
  }
}
