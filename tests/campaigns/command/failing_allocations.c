/* To be preloaded: makes one allocation of a program fail, or all from one on.
 *
 * FAIL_AT=k: allocation k fails; FAIL_FROM=k: all from k on; both count from 1. FAIL_LOG=FILE: gets the
 * call stack of the first allocation that fails, and at the end a line with the number of allocations.
 * FAIL_PLACES=FILE: gets a line for each of the first million allocations, with a hash of its call stack.
 * For glibc only. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The allocator itself, under the names that glibc has for it. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { DEPTH = 24, MOST_PLACES = 1000000 };

static long asked, at, from;
static int log_file = -1;
static bool ready, told;
static const char *places;
static uint64_t place[MOST_PLACES];

__attribute__((constructor)) static void begin(void)
{
  void *frame[1];
  const char *text = getenv("FAIL_AT");
  at = text ? atol(text) : 0;
  text = getenv("FAIL_FROM");
  from = text ? atol(text) : 0;
  text = getenv("FAIL_LOG");
  if (text)
    log_file = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  places = getenv("FAIL_PLACES");
  /* its first call allocates */
  (void)backtrace(frame, 1);
  asked = 0;
  ready = true;
}

/* Returns a hash of the call stack. */
static uint64_t hash_callers(void)
{
  void *frame[DEPTH];
  const int count = backtrace(frame, DEPTH);
  uint64_t hash = 14695981039346656037U; /* FNV-1a, by words */
  for (int i = 0; i < count; i++)
    hash = (hash ^ (uintptr_t)frame[i]) * 1099511628211U;
  return hash;
}

/* Returns whether this allocation must fail. */
static bool fails(void)
{
  void *frame[DEPTH];
  if (!ready)
    return false;
  long number = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
  if (places && number <= MOST_PLACES)
    place[number - 1] = hash_callers();
  bool hit = number == at || (from > 0 && number >= from);
  if (hit && !told && log_file >= 0) {
    told = true;
    backtrace_symbols_fd(frame, backtrace(frame, DEPTH), log_file);
  }
  if (hit)
    errno = ENOMEM;
  return hit;
}

__attribute__((destructor)) static void end(void)
{
  if (log_file >= 0)
    (void)dprintf(log_file, "allocations %ld\n", asked);
  ready = false; /* later allocations are not the program's */
  FILE *file = places ? fopen(places, "w") : NULL;
  for (long i = 0; file && i < asked && i < MOST_PLACES; i++)
    (void)fprintf(file, "%" PRIx64 "\n", place[i]);
  if (file)
    (void)fclose(file);
}

void *malloc(size_t size)
{
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
  return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
  if (fails())
    return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
