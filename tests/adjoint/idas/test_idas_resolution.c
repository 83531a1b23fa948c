/* Components that the adjoint of idas need not resolve. Squares of accelerations of a stiff beam stretched
 * by its own length, 5e5 m/s^2, may consist of round-off, and their adjoints are integrated coarsely.
 * Accelerations of a pendulum are much larger than round-off. Adjoints that oscillate from step to step by
 * half their size must not pass the error test. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/drawn/mechanisms.h"
#include "tests/random.h"

enum { P = MECHANISM_PARAMETERS, MOST = 12 };

/* Gradients of all functionals of a random mechanism with a beam; returns the number of functionals. */
static int differentiate(const char *sensitivity, double rtol, double gradient[MOST * P],
                         int *acceleration)
{
  const gradyn_problem problem = mechanism_problem();
  double rho[P];
  uint64_t random = mechanism_drawn.seed;
  run_local *ev = ali3p_open(&(run_setup){
      .problem = &problem, .method = "idas", .sensitivity = sensitivity, .rtol = rtol});
  for (int j = 0; j < P; j++) {
    rho[j] = random_range(&random, 0.9, 1.1);
    (void)random_range(&random, -1, 1);
  }
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  const int count = (int)gradyn_functional_count(ev);
  for (int f = 0; f < count; f++)
    if (strcmp(gradyn_functional_at(ev, (size_t)f).name, "acceleration") == 0)
      *acceleration = f;
  return count;
}

THOROUGH_TEST(accelerations_beside_stiff_parts_are_followed)
{
  static const double rtol[] = {1e-7, 1e-8, 1e-9, 0.9e-9, 1e-10};
  double direct[MOST * P], adjoint[MOST * P];
  int f = -1;
  mechanism_drawn = (mechanism){.seed = 800976, .metre = 1, .kilogram = 1};
  assert_in_range(differentiate("direct", support_thorough() ? 1e-10 : 1e-8, direct, &f), 1, MOST);
  assert_true(f >= 0);
  for (size_t k = 0; k < GRADYN_COUNT(rtol); k++) {
    double largest = 0;
    if (!support_takes((int)k + 1, 4))
      continue;
    (void)differentiate("adjoint", rtol[k], adjoint, &f);
    for (int j = 0; j < P; j++)
      largest = fmax(largest, fabs(direct[f * P + j]));
    assert_close_array(adjoint + f * P, direct + f * P, P, 0, fmax(30 * rtol[k], 3e-7) * largest);
  }
}
