/* What is said of minima, of infima at infinity, and where constraints fail to be qualified. */
#include "tests/optim/endings.h"

/* All cases of a kind by one search; returns how many there are. */
static size_t judge_all(ending_kind kind, ending_search how)
{
  size_t count = 0, wrong = 0;
  for (size_t i = 0; i < ending_case_count; i++) {
    if (ending_cases[i].kind != kind)
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

static const double factors[] = {1e-6, 1, 1e6};

TEST(minima_stay_optimal)
{
  size_t count = 0;
  for (size_t k = 0; k < 3; k++)
    count += judge_all(ENDING_MINIMUM, (ending_search){.factor = factors[k]});
  assert_true(count >= 100);
  for (size_t k = 0; k < ENDING_ALGORITHMS; k++)
    judge_all(ENDING_MINIMUM, (ending_search){.algorithm = ending_algorithms[k], .factor = 1});
}

TEST(infima_at_infinity_are_no_minima)
{
  for (size_t k = 0; k < 3; k++)
    judge_all(ENDING_INFIMUM, (ending_search){.factor = factors[k]});
  for (size_t k = 0; k < ENDING_ALGORITHMS; k++)
    judge_all(ENDING_INFIMUM, (ending_search){.algorithm = ending_algorithms[k], .factor = 1});
}

/* Among these starts is one whose way to infinity meets a constraint; the way down the gradient does not. */
TEST(constraints_hide_no_infima)
{
  for (uint64_t seed = 6000070; seed < 6000082; seed++)
    judge_all(ENDING_INFIMUM, (ending_search){.factor = 642, .seed = seed});
}

TEST(ends_without_multipliers_are_called_so)
{
  for (size_t k = 0; k < 3; k++)
    judge_all(ENDING_UNQUALIFIED, (ending_search){.factor = factors[k]});
  for (size_t k = 0; k < ENDING_ALGORITHMS; k++)
    judge_all(ENDING_UNQUALIFIED, (ending_search){.algorithm = ending_algorithms[k], .factor = 1});
}
