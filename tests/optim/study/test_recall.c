/* Objectives with a journal have the same functions as without one, and no others. */
#include "optim/study/replay.h"
#include "tests/optim/synthetic.h"

static void nothing(void)
{
}

/* Gives the objective a function, or none. */
#define OFFER(member)                                                                              \
  objective.member = offered == k ? (__typeof__(objective.member))nothing : NULL;                  \
  k++

#define ASSERT_OFFERED(member)                                                                     \
  assert_true((recall.objective.member != NULL) == (objective.member != NULL))

TEST(what_is_offered_stays_offered)
{
  enum { MEMBERS = 10 };
  gradyn_journal journal = {.fd = -1};
  for (int offered = 0; offered <= MEMBERS; offered++) {
    synthetic problem = synthetic_make(2, -1, 1, 1, bowl);
    gradyn_objective objective = synthetic_objective(&problem);
    gradyn_replay recall;
    int k = 0;
    OFFER(numbers);
    OFFER(hold);
    OFFER(look);
    OFFER(limit);
    OFFER(values);
    OFFER(strained);
    OFFER(refer);
    OFFER(begins);
    OFFER(arrived);
    OFFER(curve);
    assert_int_equal(k, MEMBERS);
    gradyn_replay_begin(&recall, &objective, &journal);
    ASSERT_OFFERED(numbers);
    ASSERT_OFFERED(hold);
    ASSERT_OFFERED(look);
    ASSERT_OFFERED(limit);
    ASSERT_OFFERED(values);
    ASSERT_OFFERED(strained);
    ASSERT_OFFERED(refer);
    ASSERT_OFFERED(begins);
    ASSERT_OFFERED(arrived);
    ASSERT_OFFERED(curve);
    gradyn_replay_end(&recall);
  }
}
