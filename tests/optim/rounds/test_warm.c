/* Warm starts: from their own optimum, in other segments, on other grids and for other algorithms; resumed,
 * and with invalid texts. */
#include "tests/optim/journals.h"
#include "tests/optim/segments/searched.h"
#include "tests/optim/segments/turning.h"

#include <unistd.h>

extern const gradyn_problem gradyn_problem_van_der_pol, gradyn_problem_bryson_denham,
    gradyn_problem_hypersensitive, gradyn_problem_moon_landing;

enum { MOST = 64 };

/* In one piece and in segments, with and without path constraints, for equations and a mechanism. */
static const struct {
  const gradyn_problem *problem;
  const char *algorithm;
  long segments;
  bool hessian;
} row[] = {{&gradyn_problem_bryson_denham, "ipopt", 0, false},
           {&gradyn_problem_bryson_denham, "slsqp", 0, false},
           {&gradyn_problem_bryson_denham, "ipopt", 10, false},
           {&gradyn_problem_hypersensitive, "ipopt", 10, true},
           {&gradyn_problem_hypersensitive, "ipopt", 0, false},
           {&gradyn_problem_moon_landing, "ipopt", 4, false},
           {&gradyn_problem_moon_landing, "slsqp", 0, false},
           {&turning_pole_on_short_track, "ipopt", 10, false}};

static gradyn_search search_of(const gradyn_evaluator *ev, size_t i)
{
  gradyn_search search = run_search(ev);
  search.algorithm = row[i].algorithm;
  search.segments = row[i].segments;
  search.hessian = row[i].hessian;
  return search;
}

THOROUGH_TEST(a_search_from_its_own_optimum_takes_two_evaluations)
{
  for (size_t i = 0; i < GRADYN_COUNT(row); i++) {
    double rho0[MOST];
    run_local *ev = run_with(.problem = row[i].problem);
    const size_t p = run_initial(ev, rho0);
    LOCAL(gradyn_search_result) first, again;
    gradyn_search search = search_of(ev, i);
    assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
    assert_int_equal(first.warm.barrier > 0, strcmp(row[i].algorithm, "ipopt") == 0);
    search.warm_start = first.warm.text;
    assert_ok(gradyn_optimise(ev, &search, first.rho, &again), again.reason);
    assert_int_equal(again.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_in_range(again.evaluations, 1, 2);
    assert_memory_equal(again.rho, first.rho, p * sizeof *first.rho);
    assert_int_equal(strstr(again.reason, "warm start: multipliers not used") != NULL,
                     strcmp(row[i].algorithm, "slsqp") == 0);
  }
}

/* The costates of 10 segments at the boundaries of 7 and 4 segments, in one piece, and back. */
TEST(other_segments_begin_with_the_same_costates)
{
  static const long segments[] = {7, 4, 0};
  for (size_t i = 2; i < 4; i++)
    for (size_t j = 0; j < GRADYN_COUNT(segments); j++) {
      double rho0[MOST];
      run_local *ev = run_with(.problem = row[i].problem);
      run_initial(ev, rho0);
      LOCAL(gradyn_search_result) first, warm, back;
      gradyn_search search = search_of(ev, i), other = search;
      assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
      other.segments = segments[j];
      other.hessian = search.hessian && other.segments > 0;
      other.warm_start = first.warm.text;
      assert_ok(gradyn_optimise(ev, &other, first.rho, &warm), warm.reason);
      assert_close(warm.objective, first.objective, 1e-7, 0);
      assert_true(warm.evaluations <= 2 + warm.probes || warm.evaluations < first.evaluations);
      assert_int_equal(strstr(warm.reason, "states of segments not used") != NULL,
                       segments[j] == 0);
      search.warm_start = warm.warm.text;
      assert_ok(gradyn_optimise(ev, &search, warm.rho, &back), back.reason);
      assert_close(back.objective, first.objective, 1e-7, 0);
    }
}

/* The boundaries of 20 segments are at the samples of 5 segments. With fewer samples, the search needs 20
 * evaluations. */
TEST(finer_segments_begin_with_the_same_motion)
{
  double rho0[MOST];
  run_local *ev = run_with(.problem = &gradyn_problem_van_der_pol);
  run_initial(ev, rho0);
  LOCAL(gradyn_search_result) first, finer;
  gradyn_search search = in_segments(ev, 5);
  assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
  search.segments = 20;
  search.warm_start = first.warm.text;
  assert_ok(gradyn_optimise(ev, &search, first.rho, &finer), finer.reason);
  assert_in_range(finer.evaluations - finer.probes, 1, 5);
}

/* A warm start is given by its text alone. Resumed, the search has the same bits. */
TEST(a_warm_search_is_resumed_with_the_same_bits)
{
  for (size_t i = 0; i < 4; i++) {
    double rho0[MOST];
    run_local *ev = run_with(.problem = row[i].problem);
    const size_t p = run_initial(ev, rho0);
    LOCAL(gradyn_search_result) first, whole;
    gradyn_search search = search_of(ev, i);
    search.max_evaluations = 4;
    (void)gradyn_optimise(ev, &search, rho0, &first);
    assert_non_null(first.warm.text);
    search.max_evaluations = 12;
    search.warm_start = first.warm.text;
    for (size_t j = 0; j < p; j++)
      rho0[j] = first.rho[j] + 1e-3;
    assert_goes_on(ev, &search, rho0, 3, &whole);
  }
}

TEST(a_journal_records_its_warm_start)
{
  FREED char *file = journal_name();
  double rho0[MOST];
  run_local *ev = run_with(.problem = &gradyn_problem_bryson_denham);
  run_initial(ev, rho0);
  LOCAL(gradyn_search_result) first, kept, other;
  gradyn_search search = search_of(ev, 2);
  assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
  search.journal = file;
  search.warm_start = first.warm.text;
  assert_ok(gradyn_optimise(ev, &search, first.rho, &kept), kept.reason);
  search.resume = true;
  search.warm_start = NULL;
  assert_int_equal(gradyn_optimise(ev, &search, first.rho, &other), GRADYN_INVALID);
  assert_says(other.reason, "the journal belongs to a search with a warm start");
  assert_int_equal(unlink(file), 0);
}

/* With twice as many knots, values are interpolated, and the multipliers of their bounds are left out. */
TEST(another_grid_is_interpolated_and_reported)
{
  double rho0[MOST], rho[MOST];
  char note[256];
  run_local *ev = run_with(.problem = &gradyn_problem_hypersensitive, .setting = "knots",
                           .value = 21);
  run_local *fine = run_with(.problem = &gradyn_problem_hypersensitive, .setting = "knots",
                             .value = 41);
  run_initial(ev, rho0);
  run_initial(fine, rho);
  LOCAL(gradyn_search_result) first, warm;
  gradyn_search search = search_of(ev, 3);
  assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
  assert_ok(gradyn_warm_start_point(fine, first.warm.text, rho, note, sizeof note), note);
  assert_says(note, "u: 41 elements, interpolated from the 21 of the warm start");
  for (size_t j = 0; j < 21; j++)
    assert_close(rho[2 * j], first.rho[j], 1e-14, 1e-14);
  assert_close(rho[1], (first.rho[0] + first.rho[1]) / 2, 1e-14, 1e-14);
  search.warm_start = first.warm.text;
  assert_ok(gradyn_optimise(fine, &search, rho, &warm), warm.reason);
  assert_true(warm.objective < first.objective);
  assert_says(warm.reason, "warm start: u: 41 elements, 21 in the warm start");
}

/* Another problem has none of the names; each misfit is one line. */
TEST(misfits_are_one_line_each)
{
  double rho0[MOST], rho[MOST];
  char note[512];
  run_local *ev = run_with(.problem = &gradyn_problem_bryson_denham);
  run_local *other = run_with(.problem = &gradyn_problem_moon_landing);
  run_initial(ev, rho0);
  run_initial(other, rho);
  LOCAL(gradyn_search_result) first, warm;
  gradyn_search search = search_of(ev, 2);
  assert_ok(gradyn_optimise(ev, &search, rho0, &first), first.reason);
  assert_ok(gradyn_warm_start_point(other, first.warm.text, rho, note, sizeof note), note);
  assert_says(note, "not in the warm start: ");
  search = search_of(other, 5);
  search.warm_start = first.warm.text;
  assert_ok(gradyn_optimise(other, &search, rho, &warm), warm.reason);
  assert_says(warm.reason, "of the warm start not used: the problem has no such name: ");
  assert_says(warm.reason, "of path constraints not used: the problem has no such constraint: ");
  assert_says(warm.reason, "none of its states are used");
}

TEST(texts_that_are_no_warm_start_are_refused)
{
  static const char *const text[] = {"",
                                     "[]",
                                     "{}",
                                     "{\"parameters\":{}}",
                                     "{\"parameters\":{\"u[0]\":1},\"constraints\":{}}",
                                     "{\"parameters\":{\"u[0]\":[1,0,0,\"1\"]},\"constraints\":{}}",
                                     "{\"parameters\":{},\"constraints\":{\"x\":null}}",
                                     "{\"parameters\":{},\"constraints\":{},\"path_points\":1}",
                                     "{\"parameters\":{},\"constraints\":{},\"segments\":[]}"};
  double rho0[MOST];
  char note[256];
  run_local *ev = run_with(.problem = &gradyn_problem_bryson_denham);
  run_initial(ev, rho0);
  for (size_t i = 0; i < GRADYN_COUNT(text); i++) {
    LOCAL(gradyn_search_result) result;
    gradyn_search search = search_of(ev, 2);
    search.warm_start = text[i];
    assert_status(gradyn_optimise(ev, &search, rho0, &result), GRADYN_INVALID, result.reason);
    assert_says(result.reason, "warm start: ");
    assert_int_equal(gradyn_warm_start_point(ev, text[i], rho0, note, sizeof note), GRADYN_INVALID);
    assert_says(note, "warm start: ");
  }
}
