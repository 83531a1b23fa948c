/* A singular arc, on which limited memory fails and second derivatives succeed: the rocket with a hundred
 * intervals of thrust. Direct collocation by another program finds 1.0128368632 (bench/control.py). */
#include "tests/optim/journals.h"
#include "tests/runs.h"

#include <unistd.h>

#include <gradyn/study.h>

extern const gradyn_problem gradyn_problem_goddard, gradyn_problem_hypersensitive;

enum { MOST = 101 };

/* Searches with second derivatives from the start, or when they pay, in at most this number of evaluations.
 * Resumed from some lines before the end of the journal. */
static void find(bool hessian, long segments, long most)
{
  double rho0[MOST];
  FREED char *file = journal_name();
  gradyn_search_result result, again;
  run_local *ev = run_with(.problem = &gradyn_problem_goddard, .method = "explicit");
  assert_int_equal(run_initial(ev, rho0), MOST);
  gradyn_search search = run_search(ev);
  search.algorithm = "ipopt";
  search.segments = segments;
  search.hessian = hessian;
  search.journal = file;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, -1.0128368632, 1e-9, 0);
  assert_true(result.evaluations - result.probes <= most);
  assert_int_equal(strstr(result.reason, "with second derivatives after") != NULL, !hessian);
  assert_says(result.reason, "second derivatives: exact to about");
  /* second derivatives are computed again, with the same bits */
  content journal = journal_read(file);
  journal_write(file, journal.bytes, journal_line(journal, journal_lines(journal) - 9));
  search.resume = true;
  (void)gradyn_optimise(ev, &search, rho0, &again);
  assert_string_equal(again.reason, result.reason);
  assert_memory_equal(again.rho, result.rho, sizeof rho0);
  gradyn_search_result_clear(&again);
  gradyn_search_result_clear(&result);
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
}

THOROUGH_TEST(a_singular_arc_is_found_with_second_derivatives)
{
  find(true, 10, 30);
}

/* Second derivatives begin when sums over stages cost no more than limited memory has so far. */
TEST(second_derivatives_replace_slow_limited_memory)
{
  find(false, 10, 110);
  if (support_thorough())
    find(false, 50, 110);
}

/* In long segments, final states are far from linear in the controls. With more corrections of a step for
 * this curvature, Ipopt finds no optimum in 300 evaluations. */
TEST(second_derivatives_suit_long_segments)
{
  static const long most[][2] = {{4, 70}, {2, 50}}; /* segments, evaluations */
  for (size_t k = 0; k < GRADYN_COUNT(most); k++) {
    double rho0[MOST];
    gradyn_search_result result;
    run_local *ev = run_with(.problem = &gradyn_problem_hypersensitive);
    (void)run_initial(ev, rho0);
    gradyn_search search = run_search(ev);
    search.segments = most[k][0];
    search.hessian = true;
    search.max_evaluations = most[k][1];
    assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_close(result.objective, 1.3574473646, 1e-9, 0);
    gradyn_search_result_clear(&result);
  }
}
