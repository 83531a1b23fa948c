/* Timing of benchmarks. */
#ifndef GRADYN_BENCH_TIMING_H
#define GRADYN_BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

/* Processor time, s, which other programs on the machine affect least. */
static inline double bench_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int bench_ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median of the values, which are sorted. */
static inline double bench_median(double values[], int count)
{
  qsort(values, (size_t)count, sizeof *values, bench_ascending);
  return values[count / 2];
}

#endif
