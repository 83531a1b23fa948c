/* Matrices that are not covariances are refused, with the reason. */
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_bang_bang;

TEST(matrices_that_are_no_covariance_are_refused)
{
  static const char *const names[][3] = {{"switch", "brake", "carriage.vx"},
                                         {"switch", "w", "carriage.vx"},
                                         {"switch", "switch", "carriage.vx"}};
  static const double good[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const double negative[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const double uneven[9] = {1, 0.5, 0, 0, 1, 0, 0, 0, 1};
  static const double beyond[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
  static const double saddle[9] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
  /* a correlation of 1 + 1e-7: slightly above 1, but by more than round-off */
  static const double slightly[9] = {1, 1 + 1e-7, 0, 1 + 1e-7, 1, 0, 0, 0, 1};
  static const double infinite[9] = {HUGE_VAL, 0, 0, 0, 1, 0, 0, 0, 1};
  static const struct {
    const double *matrix;
    int names;
    size_t count;
    const char *message;
  } refused[] = {
      {good, 1, 3, "source 'w': no parameter and no datum has this name"},
      {good, 2, 3, "source 'switch': named twice"},
      {good, 0, 0, "0 sources; give at least 1"},
      {negative, 0, 3, "it must not be negative"},
      {uneven, 0, 3, "its transposed entry differs"},
      {beyond, 0, 3, "its magnitude is too large for the two diagonal entries"},
      {slightly, 0, 3, "its magnitude is too large for the two diagonal entries"},
      {saddle, 0, 3, "not positive semidefinite"},
      {infinite, 0, 3, "it must be finite"},
  };
  const double rho[2] = {0.7, 0.9};
  gradyn_covariance found;
  run_local *ev = run_with(.problem = &gradyn_problem_bang_bang);
  for (size_t k = 0; k < GRADYN_COUNT(refused); k++) {
    const gradyn_covariance_spec spec = {names[refused[k].names], refused[k].count,
                                         refused[k].matrix, 0};
    assert_status(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), GRADYN_INVALID,
                  gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), refused[k].message);
    gradyn_covariance_clear(&found);
  }
  assert_int_equal(gradyn_covariance_compute(ev, rho, NULL, NULL, NULL, &found), GRADYN_INVALID);
  assert_int_equal(gradyn_covariance_compute(NULL, rho, NULL, NULL, NULL, &found), GRADYN_INVALID);
  assert_true(isnan(gradyn_covariance_entry(&found, 0, 0, 0)));
}

/* One source moves all three parameters. Then all correlations are 1 and two eigenvalues are 0, both up to
 * round-off; the matrix must be accepted. */
TEST(a_single_source_is_a_covariance)
{
  static const char *const names[] = {"switch", "brake", "carriage.vx"};
  static const double share[3] = {0.1, 0.3, 0.7};
  const double rho[2] = {0.7, 0.9};
  double matrix[9];
  LOCAL(gradyn_covariance) found;
  run_local *ev = run_with(.problem = &gradyn_problem_bang_bang);
  for (int i = 0; i < 9; i++)
    matrix[i] = share[i / 3] * share[i % 3];
  const gradyn_covariance_spec spec = {names, 3, matrix, 0};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), ev);
}
