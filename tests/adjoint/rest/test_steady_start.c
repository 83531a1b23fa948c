/* Runs of general equations that start in a steady state, by all methods and routes: closed forms,
 * conserved totals, other values before the run, load cases. */
#include "tests/adjoint/compare.h"

#include "tests/adjoint/rest/steady_models.h"

/* Returns the positive root of x^2 + p x = q. */
static double positive(double p, double q)
{
  return -p / 2 + sqrt(p * p / 4 + q);
}

/* Computes the steady state in closed form. */
static void expect(int which, const double rho[], double y[3])
{
  const double k1 = rho[K1], k2 = rho[K2], pump = rho[BEFORE_PUMP], V = rho[VOLUME];
  if (which == CASCADE) {
    y[A] = pump / k1;
    y[B] = sqrt(pump / (k2 + 0.7));
    y[C] = y[A] * y[B];
  } else if (which == REACTION) {
    /* A + V B = first + 0.2 V, k1 pump A = (k2 + 0.7) B */
    y[B] = (rho[FIRST] + 0.2 * V) / ((k2 + 0.7) / (k1 * pump) + V);
    y[A] = (k2 + 0.7) / (k1 * pump) * y[B];
    y[C] = sqrt(y[B]);
  } else if (which == DIVIDED) {
    /* A + V B = first + 0.2 V, k1 A = k2 B */
    y[B] = (rho[FIRST] + 0.2 * V) / (k2 / k1 + V);
    y[A] = k2 / k1 * y[B];
    y[C] = y[B];
  } else if (which == YIELD) {
    /* A = first - x, B = 0.2 - x/V, C = 0.1 + k2 x, k1 A B = k2 C */
    const double a = k1 / V, b = k1 * (rho[FIRST] / V + 0.2) + k2 * k2,
                 c = 0.2 * k1 * rho[FIRST] - 0.1 * k2, x = 2 * c / (b + sqrt(b * b - 4 * a * c));
    y[A] = rho[FIRST] - x;
    y[B] = 0.2 - x / V;
    y[C] = 0.1 + k2 * x;
  } else {
    /* A + C = first + 0.1, B + C = 0.3, k1 A B = k2 C */
    const double difference = rho[FIRST] - 0.2, all = 0.3;
    /* B (difference + B) = k2/k1 (all - B) */
    y[B] = positive(difference + k2 / k1, k2 / k1 * all);
    y[A] = difference + y[B];
    y[C] = all - y[B];
  }
}

static const char *const methods[] = {"explicit", "radau", "idas"};

TEST(runs_start_in_the_closed_form)
{
  for (int which = CASCADE; which <= YIELD; which++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
      run_local *ev = run_with(&steady_problem, .method = methods[m], .setting = "model",
                               .value = which);
      OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
      double rho[P], psi[2], y[3], wanted[3];
      (void)run_initial(ev, rho);
      for (int again = 0; again < 3; again++) {
        /* the same object at other parameters, and at the first ones again */
        rho[K1] = again == 1 ? 1.1 : 0.8;
        assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
        (void)gradyn_trajectory_step(trajectory, 0, y);
        expect(which, rho, wanted);
        if (which == CASCADE) /* C is an algebraic state: at the start of the run it is A B */
          wanted[C] = y[A] * y[B];
        assert_close_array(y, wanted, 3, 1e-12, 1e-13);
      }
    }
}

/* Derivatives with respect to all data, including initial values and values before the run. */
TEST(direct_and_adjoint_derivatives_agree)
{
  for (int which = CASCADE; which <= YIELD; which++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++)
      compare_routes(&(run_setup){.problem = &steady_problem,
                                  .method = methods[m],
                                  .rtol = 1e-11,
                                  .setting = "model",
                                  .value = which},
                     NULL, m == 2 ? 1e-6 : 1e-9);
}

TEST(derivatives_agree_with_differences)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (int which = CASCADE; which <= YIELD; which++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++)
      for (int r = 0; r < 2; r++) {
        run_local *ev = run_with(&steady_problem, .method = methods[m], .sensitivity = routes[r],
                                 .rtol = 1e-11, .setting = "model", .value = which);
        double rho[P];
        (void)run_initial(ev, rho);
        compare_with_differences(ev, rho, &(compare_allowed){.size = 1e-3, .rtol = 1e-7});
      }
}

/* Derivatives of the closed form by differences of order 8; a complex step would repeat the computation of
 * the library. */
TEST(derivatives_of_the_start_have_the_closed_form)
{
  for (int which = CASCADE; which <= YIELD; which++) {
    run_local *ev = run_with(&steady_problem, .method = "explicit", .setting = "model",
                             .value = which);
    for (int j = 0; j < P; j++) {
      const char *const name = steady_params[j].name;
      const gradyn_covariance_spec spec = {.name = &name, .count = 1, .matrix = &(double){1}};
      LOCAL(gradyn_covariance) found = {0};
      double rho[P], slope[3] = {0};
      (void)run_initial(ev, rho);
      assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), ev);
      static const double weight[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
      const double h = 1e-3, at = rho[j];
      for (int k = -4; k <= 4; k++) {
        double y[3];
        rho[j] = at + k * h;
        expect(which, rho, y);
        for (int i = 0; i < 3 && k != 0; i++)
          slope[i] += (k > 0 ? 1 : -1) * weight[abs(k) - 1] * y[i] / h;
      }
      for (int i = 0; i < (which == CASCADE ? 2 : 3); i++)
        assert_close(sqrt(gradyn_covariance_entry(&found, 0, (size_t)i, (size_t)i)), fabs(slope[i]),
                     1e-9, 1e-10);
    }
  }
}

/* The steady state has A = pump and B = 0; the run starts with A - B. */
TEST(rates_may_have_a_singular_matrix)
{
  for (int m = 1; m < 3; m++) {
    const run_setup setup = {.problem = &steady_problem,
                             .method = methods[m],
                             .rtol = 1e-11,
                             .setting = "model",
                             .value = CIRCUIT};
    compare_routes(&setup, NULL, 1e-6);
    run_local *ev = run_open(&setup);
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    double rho[P], psi[2], y[3];
    (void)run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
    (void)gradyn_trajectory_step(trajectory, 0, y);
    assert_close(y[A] - y[B], rho[BEFORE_PUMP], 1e-9, 0);
    assert_close(y[C], rho[BEFORE_PUMP], 1e-9, 0);
    compare_with_differences(ev, rho, &(compare_allowed){.size = 1e-3, .rtol = 1e-6});
  }
}

/* Each load case has its own steady state before the run. */
TEST(load_cases_have_states_of_their_own)
{
  static const char *const names[] = {"low", "high"}, *const columns[] = {"pump_before"};
  static const double values[] = {0.1, 0.9};
  static const gradyn_cases cases = {
      .names = names, .columns = columns, .values = values, .count = 2, .column_count = 1};
  gradyn_problem both = steady_problem;
  both.cases = &cases;
  run_local *ev = run_with(&both, .method = "explicit", .rtol = 1e-11, .setting = "model",
                           .value = REACTION);
  double rho[P + 1], psi[4], one[2]; /* parameters, followed by the column of each case */
  (void)run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  for (int k = 0; k < 2; k++) {
    run_local *alone = run_with(&steady_problem, .method = "explicit", .rtol = 1e-11,
                                .setting = "model", .value = REACTION);
    (void)run_initial(alone, rho);
    rho[BEFORE_PUMP] = values[k];
    assert_run(gradyn_evaluator_simulate(alone, rho, one, NULL), alone);
    assert_close_array(psi + 2 * k, one, 2, 1e-12, 0);
  }
  (void)run_initial(ev, rho);
  compare_with_differences(ev, rho, &(compare_allowed){.size = 1e-3, .rtol = 1e-7});
}

/* Without values before the run, at rest. */
TEST(equilibria_list_totals)
{
  static const struct {
    int model, count;
    const char *name;
    double value;
  } cases[] = {{CASCADE, 0, "", 0}, {BINDING, 2, "B + C", 0.3}, {YIELD, 2, "0.5 A + C", 0.85}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    run_local *ev = run_with(&steady_problem, .method = "radau", .setting = "model",
                             .value = cases[k].model);
    LOCAL(gradyn_linearisation) linear = {0};
    gradyn_stability stability;
    double rho[P];
    int found = 0;
    (void)run_initial(ev, rho);
    assert_run(gradyn_equilibrium_compute(ev, rho, &stability, NULL, &linear), ev);
    assert_int_equal(linear.totals, cases[k].count);
    for (int i = 0; i < linear.totals; i++)
      if (strcmp(linear.total[i], cases[k].name) == 0) {
        assert_close(linear.total_value[i], cases[k].value, 1e-12, 0);
        found++;
      }
    assert_int_equal(found, cases[k].count > 0);
  }
}
