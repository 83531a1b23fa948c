/* Gradients of idas are as accurate as requested, or have a warning with their error. Searches request no
 * such estimate: they compare values. */
#include "tests/adjoint/gradient/answers.h"
#include "adjoint/evaluator/evaluator.h"

#include "problems/builtin.h"

static const struct {
  const gradyn_problem *problem;
  const char *reference; /* method of the exact gradients */
  double rtol;           /* of it */
  double t_end;          /* s, shorter than the problem's; 0: the problem's end time */
  bool slow;             /* takes seconds */
} runs[] = {{&gradyn_problem_five_bar, "explicit", 1e-12, 0, false},
            {&gradyn_problem_cart_pole, "explicit", 1e-12, 0, true},
            {&gradyn_problem_double_integrator, "explicit", 1e-12, 0, false},
            {&gradyn_problem_brachistochrone, "explicit", 1e-12, 0, false},
            {&gradyn_problem_robertson, "idas", 1e-12, 0, false},
            {&gradyn_problem_stick_slip, "explicit", 1e-12, 0, false},
            {&gradyn_problem_inverted_pendulum, "explicit", 1e-12, 0.2, true},
            {&gradyn_problem_bouncing_ball, "explicit", 1e-12, 0, false}};

static void ask(size_t i, const char *method, const char *sensitivity, double rtol, bool from_afar,
                answer *a)
{
  answer_ask(&(run_setup){.problem = runs[i].problem,
                          .method = method,
                          .sensitivity = sensitivity,
                          .rtol = rtol,
                          .step = -1,
                          .t_end = runs[i].t_end},
             from_afar, a);
}

TEST(errors_are_within_the_request_or_reported)
{
  static const char *const routes[] = {"adjoint", "direct"};
  static answer a, exact;
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    if (runs[i].slow && !support_thorough())
      continue;
    ask(i, runs[i].reference, "adjoint", runs[i].rtol, false, &exact);
    for (int n = 0; n < 3; n++) {
      if (!support_takes((int)i + n, 3))
        continue;
      const double rtol = n < 2 ? 1e-6 : 1e-8;
      ask(i, "idas", routes[n % 2], rtol, false, &a);
      for (int k = 0; k < PLACES; k++) {
        const double error = answer_error(&a, &exact, k);
        if (!(error <= 3 * fmax(rtol, a.told[k])) || (a.told[k] > 3 * rtol && !a.warned[k]) ||
            !(a.told[k] > 0))
          fail_msg("%s, %s at %.0e, place %d: error %.2e, told %.2e", runs[i].problem->name,
                   routes[n % 2], rtol, k, error, a.told[k]);
      }
    }
  }
}

/* Results do not depend on earlier requests: all bits are equal. */
TEST(the_order_of_requests_does_not_matter)
{
  static answer near, afar;
  for (size_t i = 0; i < (support_thorough() ? 2 : 1); i++)
    for (int loose = 0; loose < 2; loose++) {
      if (!support_takes((int)i + loose, 2))
        continue;
      ask(i, "idas", "adjoint", loose ? 1e-4 : 1e-6, false, &near);
      ask(i, "idas", "adjoint", loose ? 1e-4 : 1e-6, true, &afar);
      assert_memory_equal(near.psi, afar.psi, sizeof near.psi);
      for (int k = 0; k < PLACES; k++)
        assert_memory_equal(near.gradient[k], afar.gradient[k],
                            near.functionals * near.parameters * sizeof(double));
    }
}

/* A simulation uses the requested tolerances, also after gradients with tighter ones. */
TEST(simulations_do_not_change)
{
  double rho[MOST_PARAMETERS], before[MOST_FUNCTIONALS], behind[MOST_FUNCTIONALS];
  double gradient[MOST_FUNCTIONALS * MOST_PARAMETERS];
  run_local *ev = run_with(&gradyn_problem_five_bar, .method = "idas", .rtol = 1e-6);
  answer_place(ev, 0, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, before, NULL), ev);
  const long steps = gradyn_evaluator_statistics(ev).steps;
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  assert_true((double)gradyn_evaluator_statistics(ev).steps > 1.2 * (double)steps); /* tightened */
  assert_run(gradyn_evaluator_simulate(ev, rho, behind, NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, steps);
  assert_memory_equal(before, behind, gradyn_functional_count(ev) * sizeof(double));
}

/* A search gets the gradient of the run that a simulation makes, whatever was requested before. */
TEST(searches_use_the_gradient_of_their_run)
{
  static const char *const methods[] = {"explicit", "idas"};
  static const bool wanted[MOST_FUNCTIONALS] = {true, true, true};
  double rho[MOST_PARAMETERS], psi[MOST_FUNCTIONALS], own[2][MOST_FUNCTIONALS];
  double gradient[2][3 * 5], exact[3 * 5];
  for (int m = 0; m < 2; m++) {
    /* exact gradients take further runs */
    run_local *ev = run_with(&gradyn_problem_five_bar, .method = methods[m], .rtol = 1e-6,
                             .rtol_sens = support_thorough() ? 1e-9 : 1e-8);
    assert_int_equal(gradyn_parameter_count(ev), 5);
    assert_int_equal(gradyn_functional_count(ev), 3);
    answer_place(ev, 0, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    const long steps = gradyn_evaluator_statistics(ev).steps;
    for (int k = 0; k < 2; k++) {
      assert_run(gradyn_evaluator_gradient_selected(ev, wanted, rho, own[k], gradient[k]), ev);
      assert_int_equal(gradyn_evaluator_statistics(ev).steps, steps);
      assert_memory_equal(own[k], psi, 3 * sizeof *psi);
      assert_run(gradyn_evaluator_gradient(ev, rho, NULL, exact), ev);
    }
    assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
    assert_memory_not_equal(gradient[0], exact, sizeof exact);
    for (int i = 0; i < 3 * 5; i++)
      assert_close(gradient[0][i], exact[i], 1e-3, 1e-3);
  }
}
