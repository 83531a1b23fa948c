/* A singular arc, on which limited memory fails: the rocket with its thrust on a hundred intervals. Direct
 * collocation by another program finds 1.0128368632 with these (bench/control.py). */
#include "tests/optim/journals.h"
#include "tests/runs.h"

#include <unistd.h>

#include <gradyn/study.h>

extern const gradyn_problem gradyn_problem_goddard;

enum { MOST = 101 };

TEST(a_singular_arc_is_found_with_second_derivatives)
{
  double rho0[MOST];
  char *file = journal_name();
  gradyn_search search;
  gradyn_search_result result, again;
  gradyn_resumed resumed;
  gradyn_evaluator *ev = run_with(.problem = &gradyn_problem_goddard, .method = "explicit");
  assert_int_equal(run_initial(ev, rho0), MOST);
  gradyn_search_default(ev, &search);
  search.algorithm = "ipopt";
  search.segments = 10;
  search.hessian = true;
  search.journal = file;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.ending, GRADYN_ENDED_OPTIMAL);
  assert_close(result.objective, -1.0128368632, 1e-9, 0);
  assert_true(result.evaluations - result.probes <= 30);
  /* second derivatives are computed anew: the same bits */
  content journal = journal_read(file);
  journal_write(file, journal.bytes, journal_line(journal, 12));
  (void)gradyn_resume(ev, &search, rho0, &resumed, &again);
  assert_string_equal(again.reason, result.reason);
  assert_memory_equal(again.rho, result.rho, sizeof rho0);
  gradyn_search_result_clear(&again);
  gradyn_search_result_clear(&result);
  gradyn_evaluator_free(ev);
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
  free(file);
}
