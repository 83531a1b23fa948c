#include "_helpers.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>
#include <gradyn/base.h>

/* Linux has a clock that is quicker to read; it is exact enough here. */
#ifdef CLOCK_MONOTONIC_COARSE
#define CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CLOCK CLOCK_MONOTONIC
#endif

/* In Python: whether something has happened for which the call has to end, such as Ctrl-C. */
static int gradynpy_poll(void *user);

/* A call begins in this thread. */
static void gradynpy_begin(gradynpy_patience *deadline)
{
  deadline->caller = pthread_self();
  __atomic_store_n(&deadline->stop, 0, __ATOMIC_RELAXED);
}

/* From any thread: the call ends. */
static void gradynpy_stop(gradynpy_patience *deadline)
{
  __atomic_store_n(&deadline->stop, 1, __ATOMIC_RELAXED);
}

/* The options' cancel. */
static bool gradynpy_cancel(void *user)
{
  gradynpy_patience *deadline = user;
  struct timespec now;
  if (__atomic_load_n(&deadline->stop, __ATOMIC_RELAXED))
    return true;
  if (!pthread_equal(deadline->caller, pthread_self()))
    return false;
  clock_gettime(CLOCK, &now);
  double t = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  if (t - deadline->last < deadline->every)
    return false;
  deadline->last = t;
  if (gradynpy_poll(deadline->handle))
    gradynpy_stop(deadline);
  return __atomic_load_n(&deadline->stop, __ATOMIC_RELAXED);
}

/* The same for workers. */
static bool gradynpy_go_on(void *user)
{
  return !gradynpy_cancel(user);
}

/* Where the headers were when this was built; empty: in the package itself. */
static const char *gradynpy_include(void)
{
  return GRADYNPY_INCLUDE;
}

/* The file that the library was loaded from; empty: nobody knows. */
static const char *gradynpy_library(void)
{
  Dl_info about;
  const char *(*const known)(void) = gradyn_version;
  void *address = NULL;
  memcpy(&address, &known, sizeof address);
  return dladdr(address, &about) != 0 && about.dli_fname ? about.dli_fname : "";
}
