/* Monotonic wall-clock time, for statistics of runs and deadlines of searches. */
#include "core/base/clock.h"

#include <time.h>

double gradyn_seconds(void)
{
  struct timespec now;
  /* monotonic: setting the clock during a run must not change the deadline */
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
