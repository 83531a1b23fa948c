/* Every kind of functional through every kind of event, in all methods, direct and adjoint. Values and
 * derivatives are compared with closed forms. With coarse steps, gradients are the derivatives of the
 * discrete run; they are compared with each other and with differences of whole runs. */
#include "tests/adjoint/compare.h"
#include "tests/adjoint/grid/flights_model.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"

static void check_kind(int kind, size_t k, const char *sensitivity)
{
  double rho[FLIGHTS_PARAMETERS], value[FLIGHTS_FUNCTIONALS];
  double slope[FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS];
  double psi[FLIGHTS_FUNCTIONALS], gradient[FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS];
  gradyn_setting setting;
  const gradyn_problem problem = flights_problem(kind, &setting);
  const int count = flights_count(kind);
  flights_place(kind, rho);
  flights_reference(kind, rho, value, slope);
  run_local *ev = hybrid_open(&problem, &flights_schemes[k].scheme, sensitivity, 0);
  print_message("kind %d, %s, %s\n", kind, flights_schemes[k].scheme.method, sensitivity);
  assert_int_equal(gradyn_functional_count(ev), count);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_null(strstr(gradyn_evaluator_warnings(ev), "event at t = ")); /* its impact balances */
  assert_close_array(psi, value, count, flights_schemes[k].tolerance, flights_schemes[k].tolerance);
  assert_close_array(gradient, slope, count * FLIGHTS_PARAMETERS, flights_schemes[k].tolerance,
                     flights_schemes[k].tolerance);
}

THOROUGH_TEST(closed_forms_hold)
{
  for (int kind = 0; kind < FLIGHTS_KINDS; kind++)
    for (size_t k = 0; k < FLIGHTS_SCHEMES; k++) {
      if (support_takes(kind + (int)k, 4))
        check_kind(kind, k, "direct");
      if (support_takes(kind + (int)k + 2, 4))
        check_kind(kind, k, "adjoint");
    }
}

TEST(discrete_gradients_are_exact)
{
  for (int kind = 0; kind < FLIGHTS_KINDS; kind++) {
    double rho[FLIGHTS_PARAMETERS];
    gradyn_setting setting;
    const gradyn_problem problem = flights_problem(kind, &setting);
    print_message("kind %d\n", kind);
    flights_place(kind, rho);
    for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
      if (!support_takes((int)k + kind, 4))
        continue;
      const hybrid_scheme *scheme = &hybrid_schemes[k];
      run_local *direct = hybrid_open(&problem, scheme, "direct", 0);
      run_local *adjoint = hybrid_open(&problem, scheme, "adjoint", k > 0 ? 3e4 : 0);
      compare_by_data(
          direct, adjoint, rho,
          &(compare_bounds){.values = k > 0 ? 0 : 1e-8, .share = scheme->agree, .vanish = true});
    }
    hybrid_differ(&problem, rho, kind);
  }
}
