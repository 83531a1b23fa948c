/* Tests of the clock for deadlines and costs. */
#include "tests/support.h"

#include <time.h>

#include "core/base/clock.h"

/* The clock advances by at least the time slept, in smaller steps than that. */
TEST(seconds_are_seconds)
{
  const struct timespec nap = {.tv_nsec = 3000000};
  double before = gradyn_seconds();
  for (int k = 0; k < 5; k++) {
    nanosleep(&nap, NULL);
    double now = gradyn_seconds();
    assert_true(now - before >= 0.003 - 1e-6);
    before = now;
  }
  const double start = gradyn_seconds();
  while (gradyn_seconds() == start)
    continue;
  assert_true(gradyn_seconds() - start < 60);
}
