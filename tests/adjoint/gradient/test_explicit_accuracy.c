/* Gradients of the explicit method are as accurate as requested, and their estimated errors are right. */
#include "tests/adjoint/gradient/answers.h"
#include "tests/declare.h"
#include "adjoint/evaluator/evaluator.h"

#include <complex.h>

#include "problems/builtin.h"

typedef struct run {
  const gradyn_problem *problem;
  const char *setting, *sensitivity;
  int value, order;
  double rtol_sens; /* 0: rtol of the run; negative: compare with idas */
} run;

static void ask(const run *r, double rtol, bool from_afar, answer *a)
{
  answer_ask(&(run_setup){.problem = r->problem,
                          .method = r->rtol_sens < 0 ? "idas" : "explicit",
                          .sensitivity = r->sensitivity,
                          .rtol = rtol,
                          .atol = rtol,
                          .rtol_sens = fmax(r->rtol_sens, 0),
                          .step = -1,
                          .order = r->order,
                          .setting = r->setting,
                          .value = r->value},
             from_afar, a);
}

/* Short and long arcs, stable motions and one whose errors grow. */
static const run runs[] = {{&gradyn_problem_five_bar, NULL, "adjoint", 0, 8, 0},
                           {&gradyn_problem_five_bar, NULL, "adjoint", 0, 5, 0},
                           {&gradyn_problem_five_bar, NULL, "direct", 0, 8, 0},
                           {&gradyn_problem_chain, "links", "adjoint", 4, 8, 0},
                           {&gradyn_problem_chain, "links", "direct", 4, 5, 0},
                           {&gradyn_problem_parallel_bars, NULL, "adjoint", 0, 8, 0},
                           {&gradyn_problem_cart_pole, NULL, "adjoint", 0, 8, 0}};

THOROUGH_TEST(errors_are_within_the_tolerance_and_reported)
{
  static answer a, exact;
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    run best = runs[i];
    best.order = 8;
    ask(&best, 1e-12, false, &exact);
    for (double rtol = 1e-5; rtol > 5e-11; rtol /= 10) {
      ask(&runs[i], rtol, false, &a);
      for (int k = 0; k < PLACES; k++) {
        double error = answer_error(&a, &exact, k);
        assert_true(error <= rtol);
        assert_true(a.told[k] > 0);
        assert_true(a.told[k] <= rtol);
        assert_true(error <= 10 * fmax(a.told[k], 0.1 * rtol));
      }
    }
  }
}

/* Runs for which the estimate is uncertain: with events the steps cannot be repeated. A motion without drag
 * has no error that would determine the steps, but its derivative with respect to the drag has. */
TEST(errors_are_reported_with_events)
{
  static answer a, exact;
  static const gradyn_problem *const problems[] = {&gradyn_problem_bouncing_ball,
                                                   &gradyn_problem_bouncing_five_bar,
                                                   &gradyn_problem_double_pendulum_wall};
  for (int i = 0; i < 2 * (int)GRADYN_COUNT(problems); i++) {
    const run best = {problems[i / 2], NULL, "direct", 0, 8, i < 2 ? -1 : 0},
              asked = {problems[i / 2], NULL, i % 2 ? "direct" : "adjoint", 0, 8, 0};
    ask(&best, 1e-12, false, &exact);
    for (double rtol = 1e-5; rtol > 5e-10; rtol /= support_thorough() ? 10 : 100) {
      ask(&asked, rtol, false, &a);
      for (int k = 0; k < PLACES; k++) {
        const double error = answer_error(&a, &exact, k);
        assert_true(a.told[k] > 0 && a.told[k] <= fmax(1e-5, rtol));
        assert_true(error <= 10 * fmax(a.told[k], 0.1 * rtol));
      }
    }
  }
}

/* If steps are accurate enough for the motion but not for the gradient, they are divided. */
TEST(gradients_may_be_more_exact_than_the_run)
{
  static answer a, exact;
  const run best = {&gradyn_problem_five_bar, NULL, "adjoint", 0, 8, 0};
  ask(&best, 1e-12, false, &exact);
  for (int k = 0; k < 4; k++) {
    const run asked = {
        &gradyn_problem_five_bar, NULL, k % 2 ? "direct" : "adjoint", 0, k < 2 ? 8 : 5, 1e-7};
    ask(&asked, 1e-5, false, &a);
    for (int i = 0; i < PLACES; i++) {
      assert_true(answer_error(&a, &exact, i) <= 1e-7);
      assert_true(a.told[i] > 0 && a.told[i] <= 1e-7);
    }
  }
}

/* Results do not depend on earlier requests: all bits are equal. */
TEST(the_order_of_requests_does_not_matter)
{
  static answer near, afar;
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    ask(&runs[i], 1e-6, false, &near);
    ask(&runs[i], 1e-6, true, &afar);
    for (int k = 0; k < PLACES; k++)
      assert_memory_equal(near.gradient[k], afar.gradient[k],
                          near.functionals * near.parameters * sizeof(double));
  }
}

/* With fixed steps, the gradient is that of the run with these steps, whatever its error. */
TEST(fixed_steps_are_left_alone)
{
  double rho[MOST_PARAMETERS], psi[MOST_FUNCTIONALS];
  double gradient[MOST_FUNCTIONALS * MOST_PARAMETERS];
  run_local *ev = run_with(&gradyn_problem_five_bar, .method = "explicit", .step = 0.5);
  answer_place(ev, 0, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, 10);
  assert_true(gradyn_evaluator_statistics(ev).gradient_error == 0);
}

/* --- corners ------------------------------------------------------------------------------------ */

/* The tip of a pendulum passes x = 0, where |x| has a kink; similar smooth functionals have none. Lengths
 * scale with rho and times with its root. Hence the derivative of psi = int |x| dt up to T is (1.5
 * psi - 0.5 T |x(T)|)/rho. */
FORMULA(sharp, creal(at->pos[0]) < 0 ? -at->pos[0] : at->pos[0])
FORMULA(rounded, sqrt(at->pos[0] * at->pos[0] + 0.01))
FORMULA(square, at->pos[0] * at->pos[0])
FORMULA(sharp_of_second, creal(at->pos[4]) < 0 ? -at->pos[4] : at->pos[4])

static gradyn_status pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  static const gradyn_functional_fn integrand[] = {sharp, rounded, square};
  static const char *const name[] = {"sharp", "rounded", "square"};
  int hub = gradyn_ground_point(m, "hub", 0, 0), tip = gradyn_point(m, "tip", rho[0], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", hub, tip, .length = rho[0], .mass = 1});
  gradyn_gravity(m, 0, -9.81);
  for (int k = 0; k < 3; k++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){name[k], "m s", .integrand = integrand[k],
                                            .points = (int[]){tip}, .point_count = 1});
  declare_end(m, "x_end", "m", sharp_of_second);
  return gradyn_build_status(m);
}

TEST(kinks_are_reported)
{
  static const gradyn_param length[] = {{"length", "m", .init = 1, .lower = 0.5, .upper = 2}};
  static const gradyn_problem problem = PROBLEM("corner", pendulum, length, .t_end = 2);
  static const char *const sensitivity[] = {"adjoint", "direct"};
  for (int k = 0; k < 4; k++) {
    double psi[4], gradient[4], told;
    run_local *ev = run_with(&problem, .method = "explicit", .sensitivity = sensitivity[k % 2],
                             .order = k < 2 ? 8 : 5);
    for (double rho = 1; rho < 1.5;
         rho += support_thorough()
                    ? 0.1
                    /* the kink must be reported at all values of rho, not only at those
                                    * where the error is estimated */
                    : 0.2) {
      assert_run(gradyn_evaluator_gradient(ev, &rho, psi, gradient), ev);
      const char *text = gradyn_evaluator_warnings(ev);
      assert_says(text, "functional sharp");
      assert_int_equal(sscanf(strstr(text, "about "), "about %lf", &told), 1);
      assert_close(gradient[0], (1.5 * psi[0] - psi[3]) / rho, 3 * told, 0); /* T is 2 s */
      assert_null(strstr(text, "functional rounded"));
      assert_null(strstr(text, "functional square"));
    }
  }
}

/* Two decaying states: once they are small, the error control permits arbitrarily long steps. */
FORMULAS(dying, at->yp[0] + at->data[0] * at->y[0],
         at->yp[1] + 2 * at->data[0] * at->y[1] + at->y[0] * at->y[1])

/* An integrand that decays long before the end and has a kink at y = 0.3. */
static gradyn_status gone(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar square = at->y[0] * at->y[0];
  *value = square * square * at->y[1];
  return GRADYN_OK;
}

FORMULA(bent, creal(at->y[0]) < 0.3 ? 0.3 - at->y[0] : at->y[0] - 0.3)

static gradyn_status build_dying(gradyn_model *m, const gradyn_scalar rho[])
{
  static const gradyn_functional_fn integrand[] = {gone, bent};
  static const char *const name[] = {"gone", "bent"};
  const gradyn_datum data[] = {{"decay", "1/s", rho[0]}};
  for (int k = 0; k < 2; k++)
    gradyn_state(m, k ? "b" : "a", "", 1 + k);
  declare_equations(m, dying, data, 1);
  for (int k = 0; k < 2; k++)
    declare_integral(m, name[k], "s", integrand[k]);
  return gradyn_build_status(m);
}

/* A smooth integrand has no warning about a kink where its value is nearly zero. */
TEST(decaying_functions_have_no_kink)
{
  static const gradyn_param decay[] = {{"decay", "1/s", .init = 1, .lower = 0.5, .upper = 2}};
  static const gradyn_problem problem = PROBLEM("dying", build_dying, decay, .t_end = 12);
  static const char *const sensitivity[] = {"adjoint", "direct"};
  for (int k = 0; k < 4; k++) {
    const double rho = 1;
    double psi[2], gradient[2];
    run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-4,
                             .sensitivity = sensitivity[k % 2], .order = k < 2 ? 8 : 5);
    assert_run(gradyn_evaluator_gradient(ev, &rho, psi, gradient), ev);
    const char *text = gradyn_evaluator_warnings(ev);
    assert_null(strstr(text, "functional gone"));
    assert_says(text, "functional bent");
  }
}

/* The values returned with a gradient equal those of a simulation. This also holds if the gradient needs
 * shorter steps, as for functionals that nearly vanish, and after any earlier request. */
TEST(values_are_those_of_a_simulation)
{
  const bool wanted[3] = {true};
  double gradient[2][15];
  for (int first = 0; first < 2; first++) {
    double psi[3], alone[3], rho[5];
    run_local *ev = run_with(&gradyn_problem_five_bar, .method = "explicit");
    run_initial(ev, rho);
    if (first == 1)
      assert_run(gradyn_evaluator_gradient_selected(ev, wanted, rho, psi, gradient[1]), ev);
    rho[0] = 2.4319235035482007; /* the optimum */
    rho[1] = 1.8448688511784297;
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[first]), ev);
    assert_run(gradyn_evaluator_simulate(ev, rho, alone, NULL), ev);
    assert_memory_equal(psi, alone, sizeof psi);
  }
  assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
}
