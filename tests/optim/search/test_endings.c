/* Terminations at minima, at infima at infinity, and where constraint qualifications fail. */
#include "tests/optim/endings.h"

/* Runs one search for cases of a kind, one of `of` unless tests are thorough; returns the number of cases. */
static size_t judge_some(ending_kind kind, ending_search how, int first, int of)
{
  size_t count = 0, wrong = 0;
  for (size_t i = 0; i < ending_case_count; i++) {
    if (ending_cases[i].kind != kind || !support_takes((int)i + first, of))
      continue;
    const ending_verdict v = ending_judge(&ending_cases[i], how);
    count++;
    const bool good = v.truthful && (v.whole || how.algorithm != NULL);
    wrong += !good;
    if (!good)
      print_message("%s (row %zu) by %s, factor %g: objective %.9g after %ld: %s\n",
                    ending_cases[i].name, i, how.algorithm ? how.algorithm : "default", how.factor,
                    v.objective, v.evaluations, v.reason);
  }
  assert_int_equal(wrong, 0);
  return count;
}

static size_t judge_all(ending_kind kind, ending_search how)
{
  return judge_some(kind, how, 0, 1);
}

static const double factors[] = {1e-6, 1, 1e6};

/* Runs the cases of a kind by the default algorithm with all factors, and by all algorithms; returns the
 * number of the former. Unless tests are thorough, one case of three, a different one for each factor and
 * algorithm. */
static size_t judge_by_all(ending_kind kind)
{
  size_t count = 0;
  for (int k = 0; k < 3; k++)
    count += judge_some(kind, (ending_search){.factor = factors[k]}, k, 3);
  for (int k = 0; k < ENDING_ALGORITHMS; k++)
    judge_some(kind, (ending_search){.algorithm = ending_algorithms[k], .factor = 1}, k, 3);
  return count;
}

THOROUGH_TEST(minima_stay_optimal)
{
  assert_true(judge_by_all(ENDING_MINIMUM) >= (support_thorough() ? 100 : 33));
}

THOROUGH_TEST(infima_at_infinity_are_no_minima)
{
  judge_by_all(ENDING_INFIMUM);
}

/* From one of these starts, the direction to the infimum meets a constraint, but the direction of steepest
 * descent does not. */
TEST(constraints_hide_no_infima)
{
  for (uint64_t seed = 6000070; seed < 6000082; seed++)
    judge_all(ENDING_INFIMUM, (ending_search){.factor = 642, .seed = seed});
}

/* From this start the search moves far along one parameter, in tiny units, and along the other one to the
 * infimum. Without constraints, since their tolerance would change the objective by more than the test
 * permits. */
TEST(ways_across_do_not_lengthen_ways_to_infinity)
{
  size_t wrong = 0;
  for (size_t i = 0; i < ending_case_count; i++)
    for (size_t k = 0; k < ENDING_ALGORITHMS; k++) {
      const ending_case *c = &ending_cases[i];
      if (c->kind != ENDING_INFIMUM || c->n != 2 || c->constraint[0] != NULL)
        continue;
      const ending_search how = {.algorithm = ending_algorithms[k], .factor = 1, .seed = 8008072};
      const ending_verdict v = ending_judge(c, how);
      wrong += !v.truthful;
      if (!v.truthful)
        print_message("%s (row %zu) by %s: objective %.9g: %s\n", c->name, i, how.algorithm,
                      v.objective, v.reason);
    }
  assert_int_equal(wrong, 0);
}

TEST(ends_without_multipliers_are_called_so)
{
  judge_by_all(ENDING_UNQUALIFIED);
}
