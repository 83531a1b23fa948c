/* One call of a function that fails: see losing.h. */
#include "tests/adjoint/evaluator/losing.h"
#include "tests/runs.h"

enum { MOST_PARAMETERS = 8, MOST_NUMBERS = 200 };

static long calls,
    failing; /* calls of all functions so far; index of the call that fails, 0: none */

/* Returns a status that ends every method. Some methods would repeat a step after a failure that may be
 * temporary. */
gradyn_status losing_answer(void)
{
  return ++calls == failing ? GRADYN_INTERRUPTED : GRADYN_OK;
}

gradyn_status losing_gradient(gradyn_evaluator *ev, const double rho[])
{
  double gradient[MOST_NUMBERS];
  assert_in_range(gradyn_functional_count(ev) * gradyn_parameter_count(ev), 1, MOST_NUMBERS);
  return gradyn_evaluator_gradient(ev, rho, NULL, gradient);
}

/* Status of one request on a fresh evaluator, in which the call with index `which` fails. */
static gradyn_status ask(const gradyn_problem *problem, const gradyn_options *options,
                         losing_request request, long which)
{
  double rho[MOST_PARAMETERS];
  run_local *ev;
  failing = 0;
  gradyn_status status = gradyn_evaluator_create(problem, options, NULL, 0, &ev);
  assert_run(status, ev);
  assert_in_range(gradyn_parameter_count(ev), 1, MOST_PARAMETERS);
  run_initial(ev, rho);
  calls = 0;
  failing = which;
  status = request(ev, rho);
  if (which == 0)
    assert_run(status, ev);
  return status;
}

void losing_nothing(gradyn_build_fn build, const gradyn_param *params, size_t count,
                    const char *const way[2], double step, losing_request request, long most)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "loses", .params = params,
                                  .param_count = count, .build = build,  .t_end = 0.02};
  gradyn_options options = run_options(&problem);
  options.method = way[0];
  options.sensitivity = way[1];
  options.step = step;
  options.rtol = 1e-4;
  ask(&problem, &options, request, 0);
  const long all = calls;
  assert_in_range(all, 20, 1000000);
  if (!support_thorough())
    most /= 12;
  for (long k = 1; k <= all; k += all / most + 1) {
    const gradyn_status status = ask(&problem, &options, request, k);
    if (status != GRADYN_INTERRUPTED)
      fail_msg("%s, %s: call %ld of %ld failed, and the result is %s", way[0], way[1], k, all,
               gradyn_status_describe((int)status).name);
  }
}
