/* Models that cannot run in segments are refused by name, before a search begins. */
#include "tests/optim/segments/pole.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/study.h>

extern const gradyn_problem gradyn_problem_robot_arm, gradyn_problem_stick_slip;

/* A tank with a leak; in one variant the run ends when it is half empty. */

FORMULA(leak, at->yp[0] + at->y[0])

FORMULA(level, at->y[0])

FORMULA(half, at->y[0] - 0.5)

static gradyn_status fill(gradyn_model *model, const gradyn_scalar rho[], bool ends)
{
  const gradyn_custom_functional_spec spec = {.name = "level", .unit = "m", .terminal = level};
  gradyn_state(model, "h", "m", rho[0]);
  declare_equations(model, leak, NULL, 0);
  gradyn_minimise(model, gradyn_custom_functional(model, &spec), 1);
  const gradyn_event_spec when = {
      .name = "half", .guard = {.terminal = half}, .mode = GRADYN_SAME_MODE};
  if (ends)
    gradyn_terminate_at_event(model, gradyn_event(model, &when), 1);
  return gradyn_build_status(model);
}

#define FILL(id, what)                                                                             \
  static gradyn_status id(gradyn_model *model, const gradyn_scalar rho[])                          \
  {                                                                                                \
    return fill(model, rho, what);                                                                 \
  }
FILL(plain, false)
FILL(ended, true)

static const gradyn_param params[] = {{"h0", "m", .init = 1, .lower = 0.5, .upper = 2}};

/* A search with this number of segments, or these boundaries, is refused before it begins, with this text. */
static void refuse_cuts(const gradyn_problem *problem, const char *method, const char *cuts,
                        long count, gradyn_status status, const char *says)
{
  double rho[64];
  run_local *ev = run_with(.problem = problem, .method = method);
  assert_true(run_initial(ev, rho) <= 64);
  LOCAL(gradyn_search_result) result;
  gradyn_search search = run_search(ev);
  search.segments = count;
  search.segment_times = cuts;
  assert_status(gradyn_optimise(ev, &search, rho, &result), status, result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_FAILED);
  if (strstr(result.reason, says) == NULL)
    fail_msg("'%s' does not say '%s'", result.reason, says);
  assert_int_equal(result.evaluations, 0);
}

static void refuse(const gradyn_problem *problem, const char *method, long count,
                   gradyn_status status, const char *says)
{
  refuse_cuts(problem, method, NULL, count, status, says);
}

TEST(motions_without_segments_are_refused)
{
  const gradyn_problem tank = PROBLEM("tank", ended, params, .t_end = 1);
  refuse(&tank, "auto", 3, GRADYN_UNSUPPORTED, "half ends the run");
  refuse(&gradyn_problem_stick_slip, "auto", 3, GRADYN_UNSUPPORTED,
         "has a value latched at an event");
  refuse(&gradyn_problem_robot_arm, "auto", 3, GRADYN_UNSUPPORTED,
         "constraint drive1: depends on time");
}

TEST(numbers_and_methods_that_cannot_be_are_refused)
{
  const gradyn_problem tank = PROBLEM("tank", plain, params, .t_end = 1);
  refuse(&tank, "auto", 1, GRADYN_INVALID, "1 segments: at least 2");
  refuse(&tank, "auto", -3, GRADYN_INVALID, "-3 segments");
  refuse(&tank, "idas", 3, GRADYN_UNSUPPORTED,
         "the method idas does not support segments: use explicit");
  refuse(&tank, "auto", 1000000, GRADYN_INVALID, "1000000 segments");
}

TEST(cuts_that_cannot_be_are_refused)
{
  static const struct {
    const char *cuts, *says;
    long count;
  } cases[] = {
      {"0.5,two", "'two' is not a time; use knots, events, or times in s", 0},
      {"0.5,,0.7", "'' is not a time", 0},
      {"0.5,", "'' is not a time", 0},
      {"phases", "'phases' is not a time", 0},
      {"nan", "'nan' is not a time", 0},
      {"0,0.5", "a segment boundary at t = 0 s: it must be inside the run, from 0 to 1 s", 0},
      {"0.5,1", "a segment boundary at t = 1 s", 0},
      {"-1", "a segment boundary at t = -1 s", 0},
      {"1e-10", "a segment boundary at t = 1e-10 s", 0}, /* the first segment would be round-off */
      {"0.0001,here", "'here' is not a time", 0},        /* the first entry is valid */
      {"knots", "segments at knots: the motion of the guess has no knots", 0},
      {"events", "segments at events: the motion of the guess has no events", 0},
      {"0.5", "4 segments of equal length, and boundaries at 0.5: use one of them", 4}};
  const gradyn_problem tank = PROBLEM("tank", plain, params, .t_end = 1);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    refuse_cuts(&tank, "auto", cases[i].cuts, cases[i].count, GRADYN_INVALID, cases[i].says);
}

TEST(many_searches_have_no_segments)
{
  const gradyn_problem tank = PROBLEM("tank", plain, params, .t_end = 1);
  const double rho[1] = {1};
  run_local *ev = run_with(.problem = &tank);
  gradyn_search search = run_search(ev);
  search.segments = 3;
  const gradyn_multistart_spec spec = {.starts = 2};
  LOCAL(gradyn_multistart_result) result;
  assert_int_equal(gradyn_multistart(ev, &search, &spec, rho, &result), GRADYN_UNSUPPORTED);
  assert_says(result.message, "segments");
}

/* Without Ipopt, for few segments: the final level is smallest for the smallest initial level. */
TEST(slsqp_searches_few_segments)
{
  const gradyn_problem tank = PROBLEM("tank", plain, params, .t_end = 1);
  const double rho[1] = {1};
  run_local *ev = run_with(.problem = &tank);
  LOCAL(gradyn_search_result) result;
  gradyn_search search = run_search(ev);
  search.algorithm = "slsqp";
  search.segments = 3;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, 0.5 * exp(-1), 1e-7, 0);
  assert_close(result.gradient[0], exp(-1), 1e-7, 0);
}
