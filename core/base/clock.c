/* Wall-clock time. It runs monotonically; what is timed is told by whoever asks: statistics of a run,
 * limits of a search. */
#include "core/base/clock.h"

#include <time.h>

/* Seconds since some fixed moment, for deadlines and progress. */
double gradyn_seconds(void)
{
  struct timespec now;
  /* monotonic: a clock that is set during a run must not shorten it */
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
