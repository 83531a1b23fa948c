/* Running small mechanisms in tests. */
#include "tests/mbs/motion.h"
#include "tests/runs.h"

void motion_run(motion *m, gradyn_build_fn build, const char *method, double t_end, double fine)
{
  *m = (motion){
      .problem = {GRADYN_PROBLEM_SIZES, .name = "motion", .build = build, .t_end = t_end}};
  gradyn_options_default(&m->problem, &m->options);
  m->options.method = method;
  if (strcmp(method, "idas") == 0 || strcmp(method, "explicit") == 0) {
    m->options.rtol = fine;
    m->options.atol = fine;
  } else {
    m->options.step = fine;
  }
  assert_run(gradyn_evaluator_create(&m->problem, &m->options, NULL, 0, &m->evaluator),
             m->evaluator);
  m->run = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(m->evaluator, NULL, NULL, m->run), m->evaluator);
}

void motion_free(motion *m)
{
  gradyn_trajectory_free(m->run);
  gradyn_evaluator_free(m->evaluator);
}

static double value_at(const motion *m, size_t step, const char *column)
{
  size_t columns = gradyn_trajectory_read(m->run).columns, i = 0;
  while (i < columns && strcmp(gradyn_trajectory_column(m->run, i).name, column) != 0)
    i++;
  if (i == columns)
    fail_msg("there is no column %s", column);
  FREED double *state = support_zeros(columns, sizeof *state);
  gradyn_trajectory_step(m->run, step, state);
  return state[i];
}

double motion_start(const motion *m, const char *column)
{
  return value_at(m, 0, column);
}

double motion_end(const motion *m, const char *column)
{
  return value_at(m, gradyn_trajectory_read(m->run).steps - 1, column);
}

double motion_functional(motion *m, int i)
{
  double psi[16];
  assert_true(gradyn_functional_count(m->evaluator) <= GRADYN_COUNT(psi));
  assert_run(gradyn_evaluator_simulate(m->evaluator, NULL, psi, NULL), m->evaluator);
  return psi[i];
}

double motion_extrapolated(gradyn_build_fn build, const char *method, double t_end, double step,
                           const char *column)
{
  double value[3];
  for (int k = 0; k < 3; k++) {
    motion_local m;
    motion_run(&m, build, method, t_end, step / (1 << k));
    value[k] = column ? motion_end(&m, column) : motion_functional(&m, 0);
  }
  /* removes errors of h^2, then of h^4 */
  const double first = (4 * value[1] - value[0]) / 3, second = (4 * value[2] - value[1]) / 3;
  return (16 * second - first) / 15;
}
