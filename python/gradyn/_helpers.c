#include "_helpers.h"

#include <time.h>

/* In Python: whether something has happened for which the call has to end, such as Ctrl-C. */
static int gradynpy_poll(void *user);

/* The options' cancel. */
static bool gradynpy_cancel(void *user)
{
  gradynpy_patience *patience = user;
  struct timespec now;
  if (patience->stop)
    return true;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  double t = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  if (t - patience->last < patience->every)
    return false;
  patience->last = t;
  patience->stop = gradynpy_poll(patience->handle);
  return patience->stop != 0;
}

/* At so many times at once. */
static void gradynpy_sample(const gradyn_trajectory *trajectory, size_t count, const double time[],
                            double rows[])
{
  const size_t columns = gradyn_trajectory_columns(trajectory);
  for (size_t i = 0; i < count; i++)
    gradyn_trajectory_sample(trajectory, time[i], rows + i * columns);
}
