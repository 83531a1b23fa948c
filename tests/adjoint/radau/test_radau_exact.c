/* The discrete equations of radau: its values and gradients against those of an independent program with
 * the same steps; and algebraic states that approach a constant. */
#include <float.h>
#include <math.h>

#include "tests/adjoint/radau/order_models.h"
#include "tests/runs.h"

enum { SLOPES = ORDER_RESULTS * ORDER_PARAMETERS };

/* Functionals and their gradient with steps of this length; step < 0: with error control. */
static void run(const order_equations *e, const char *sensitivity, double step, double rtol,
                double value[], double slope[])
{
  const gradyn_problem problem = order_declare(e);
  run_local *ev = run_with(&problem, .method = "radau", .sensitivity = sensitivity, .step = step,
                           .rtol = rtol);
  assert_run(gradyn_evaluator_gradient(ev, e->parameter, value, slope), ev);
}

/* The largest difference of two gradients of a functional, relative to its largest component. */
static double apart(const double a[], const double b[], int count)
{
  double worst = 0, most = 0;
  for (int j = 0; j < count; j++) {
    worst = fmax(worst, fabs(a[j] - b[j]));
    most = fmax(most, fabs(b[j]));
  }
  return worst / most;
}

/* Compares values and gradients by adjoint and direct with those of the independent program with the same
 * steps, relative to a functional's largest component. */
static void compare(const order_equations *e, int steps, double tolerance)
{
  static const char *const ways[] = {"adjoint", "direct"};
  const int n = e->system.parameters, results = e->system.states + 1;
  double value[ORDER_RESULTS], slope[SLOPES], exact[ORDER_RESULTS], exact_slope[SLOPES];
  radau_complex_gradient(&e->system, e->parameter, e->start, e->t_end, steps, exact, exact_slope);
  for (int way = 0; way < 2; way++) {
    double worst = 0;
    run(e, ways[way], e->t_end / steps, -1, value, slope);
    for (int f = 0; f < results; f++)
      worst = fmax(worst, apart(slope + f * n, exact_slope + f * n, n));
    print_message("%s, %d steps, %s: gradient off by %.1e\n", e->name, steps, ways[way], worst);
    assert_close_array(value, exact, results, 1e-12, 0);
    assert_true(worst < tolerance);
  }
}

TEST(discrete_gradients_are_those_of_an_independent_program)
{
  static const order_equations *const models[] = {&order_circuit, &order_cubic,
                                                  &order_prothero_robinson};
  for (size_t k = 0; k < GRADYN_COUNT(models); k++)
    for (int steps = 8; steps <= 128; steps *= 4)
      compare(models[k], steps, 1e-11);
}

/* Each gradient is a sum over the fast and the slow motion, and has the round-off of the fast one. Relative
 * to the slow one's derivatives, this is larger by the ratio of the eigenvalues. */
TEST(round_off_of_gradients_grows_with_stiffness_alone)
{
  for (double fast = 1e3; fast < 2e6; fast *= 10) {
    order_equations e = order_stiff;
    e.parameter[1] = fast;
    compare(&e, 32, fmax(1e-11, 8 * DBL_EPSILON * fast));
  }
}

/* Algebraic states that approach a constant because nothing drives them, and those of a circuit that is
 * switched on. */
TEST(algebraic_states_meet_the_tolerance)
{
  static const order_equations *const models[] = {&order_cubic, &order_circuit};
  for (size_t k = 0; k < GRADYN_COUNT(models); k++) {
    const order_equations *e = models[k];
    const int n = e->system.parameters, results = e->system.states + 1;
    double value[ORDER_RESULTS], slope[SLOPES], exact[ORDER_RESULTS], exact_slope[SLOPES];
    support_complex_step(e->exact, e->parameter, n, results, exact, exact_slope);
    for (double rtol = 1e-6; rtol > 5e-10; rtol /= 10) {
      double worst = 0;
      run(e, "adjoint", -1, rtol, value, slope);
      for (int f = 0; f < results; f++)
        worst = fmax(worst, apart(slope + f * n, exact_slope + f * n, n));
      print_message("%s at %.0e: gradient off by %.1e\n", e->name, rtol, worst);
      assert_close_array(value, exact, results, 3 * rtol, 0);
      assert_true(worst < 3 * rtol);
    }
  }
}
