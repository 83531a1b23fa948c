/* Searches over segments of mechanisms that rotate fully: references are moved during the search. */
#include "tests/optim/segments/searched.h"
#include "tests/optim/segments/turning.h"

#include "optim/search/search.h"

enum { POLE_KNOTS = 21 };

/* 58.0317574: direct collocation in an angle with the same knots. Round-off decides between 270 and 310
 * evaluations; from forces of 0.01 N instead of zeros, the search does not end within 1000. */
THOROUGH_TEST(the_pole_of_rods_is_swung_up_from_zeros)
{
  const double rho0[POLE_KNOTS] = {0};
  run_local *ev = run_with(.problem = &turning_pole, .method = "explicit");
  const gradyn_search search = in_segments(ev, 20);
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(result.objective, 58.0317574, 1e-8, 0);
  assert_true(result.evaluations - result.probes <= 350);
  assert_says(result.reason, "references: moved");
}

/* A search resumed at any line has the same bits, also if its references have been moved. */
TEST(a_resumed_search_with_moved_references_has_the_same_bits)
{
  const double rho0[POLE_KNOTS] = {0};
  run_local *ev = run_with(.problem = &turning_pole, .method = "explicit");
  gradyn_search search = in_segments(ev, 5);
  LOCAL(gradyn_search_result) whole;
  search.max_evaluations = 24;
  assert_goes_on(ev, &search, rho0, 3, &whole);
  assert_says(whole.reason, "references: moved");
  /* the evaluations of all its searches count, and no two findings have the same subject */
  assert_int_equal(strncmp(whole.reason, "the limit of 24 evaluations was reached", 39), 0);
  gradyn_termination_line line = {.next = whole.reason};
  while (gradyn_termination_next(&line)) {
    gradyn_termination_line later = line;
    while (gradyn_termination_next(&later))
      assert_true(later.subject_length != line.subject_length ||
                  memcmp(later.subject, line.subject, (size_t)line.subject_length) != 0);
  }
}
