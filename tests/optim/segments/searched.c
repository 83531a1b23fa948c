/* A search over segments. */
#include "tests/optim/segments/searched.h"

#include <unistd.h>

#include "tests/optim/journals.h"
#include <gradyn/study.h>

gradyn_search in_segments(const gradyn_evaluator *ev, long count)
{
  gradyn_search search = run_search(ev);
  search.algorithm = "ipopt";
  search.segments = count;
  return search;
}

void assert_goes_on(gradyn_evaluator *ev, const gradyn_search *search, const double rho0[],
                    size_t stride, gradyn_search_result *whole)
{
  FREED char *file = journal_name();
  gradyn_search kept = *search;
  gradyn_search_result again;
  kept.journal = file;
  kept.durability = GRADYN_DURABLE_NEVER;
  (void)gradyn_optimise(ev, &kept, rho0, whole);
  content journal = journal_read(file);
  kept.resume = true;
  for (size_t lines = 1; lines < journal_lines(journal); lines += stride) {
    journal_write(file, journal.bytes, journal_line(journal, lines));
    (void)gradyn_optimise(ev, &kept, rho0, &again);
    assert_string_equal(again.resumed.note, "");
    assert_int_equal(again.resumed.journalled, lines - 1);
    assert_string_equal(again.reason, whole->reason);
    assert_int_equal(again.evaluations, whole->evaluations);
    assert_int_equal(again.path_point_count, whole->path_point_count);
    assert_memory_equal(again.rho, whole->rho, gradyn_parameter_count(ev) * sizeof *again.rho);
    assert_memory_equal(again.psi, whole->psi, gradyn_functional_count(ev) * sizeof *again.psi);
    gradyn_search_result_clear(&again);
  }
  /* with another number of segments it is another search */
  kept.segments++;
  assert_int_equal(gradyn_optimise(ev, &kept, rho0, &again), GRADYN_INVALID);
  gradyn_search_result_clear(&again);
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
}
