/* The malloc() of tests of memory, and the check that these tests share. */
#include "tests/allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>

/* Internal names of the C library's allocator. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static long requests; /* requests of the test and all libraries */
static bool watching; /* whether requests of gradyn and the test are counted */
static long requests_of_ours;
static long blocks; /* in use */
static bool counting;
static long own;        /* number of requests of gradyn and the test since counting began */
static long fail_at;    /* index of the request that fails; 0: none */
static size_t place;    /* offset of that call in its object file, for addr2line -f */
static uint64_t *stack; /* [own], hashes of the call stacks of requests, while they are recorded */

enum { MOST_INCLUDED = 8, MOST_REQUESTS = 20000 };
/* file names of libraries, ended by NULL; gradyn may occur several times, such as a mutant before the
 * original */
static const char *included[MOST_INCLUDED + 1] = {"libgradyn"};

void allocations_include(const char *library)
{
  size_t count = 0;
  while (included[count] != NULL)
    count++;
  assert_true(count < MOST_INCLUDED);
  included[count] = library;
}

static bool is_included(const char *file)
{
  const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
  for (size_t i = 0; included[i] != NULL; i++)
    if (strncmp(name, included[i], strlen(included[i])) == 0)
      return true;
  return false;
}

/* Returns whether code belongs to the program or to an included library. */
static bool look_whether_own(const void *code)
{
  static const void *program;
  Dl_info info;
  if (program == NULL && dladdr((const void *)(uintptr_t)look_whether_own, &info) != 0)
    program = info.dli_fbase;
  return dladdr(code, &info) != 0 && (info.dli_fbase == program || is_included(info.dli_fname));
}

/* The same with a cache, since few callers make many requests. */
static bool is_own(const void *code)
{
  static struct {
    const void *code;
    bool own;
  } known[4096];
  const size_t at = ((uintptr_t)code ^ (uintptr_t)code >> 12) % (sizeof known / sizeof *known);
  if (known[at].code != code) {
    known[at].own = look_whether_own(code);
    known[at].code = code;
  }
  return known[at].own;
}

/* Offset of a call in its object file. */
static size_t place_of(const void *code)
{
  Dl_info info;
  return dladdr(code, &info) != 0 ? (size_t)((const char *)code - (const char *)info.dli_fbase) : 0;
}

/* Returns a hash of the innermost calls. Requests with equal hashes fail in the same way. */
static uint64_t hash_of_calls(void)
{
  enum { OWN = 3 /* this function, refused(), malloc() */, CALLS = 6 };
  void *frame[OWN + CALLS];
  const int count = backtrace(frame, OWN + CALLS);
  uint64_t hash = 14695981039346656037u; /* FNV-1a, word by word */
  for (int i = OWN; i < count; i++)
    hash = (hash ^ (uintptr_t)frame[i]) * 1099511628211u;
  return hash;
}

static bool refused(const void *caller)
{
  requests++;
  requests_of_ours += watching && is_own(caller);
  if (!counting || !is_own(caller))
    return false;
  own++;
  if (stack != NULL && own <= MOST_REQUESTS)
    stack[own - 1] = hash_of_calls();
  if (own != fail_at)
    return false;
  place = place_of(caller);
  errno = ENOMEM; /* as the C library does */
  return true;
}

static void *counted(void *block)
{
  blocks += block != NULL;
  return block;
}

GRADYN_API void *malloc(size_t size)
{
  return refused(__builtin_return_address(0)) ? NULL : counted(__libc_malloc(size));
}

GRADYN_API void *calloc(size_t count, size_t size)
{
  return refused(__builtin_return_address(0)) ? NULL : counted(__libc_calloc(count, size));
}

GRADYN_API void *realloc(void *old, size_t size)
{
  if (refused(__builtin_return_address(0)))
    return NULL;
  void *block = __libc_realloc(old, size);
  return old ? block : counted(block);
}

GRADYN_API void *aligned_alloc(size_t alignment, size_t size)
{
  return refused(__builtin_return_address(0)) ? NULL : counted(__libc_memalign(alignment, size));
}

GRADYN_API void free(void *block)
{
  blocks -= block != NULL;
  __libc_free(block);
}

long allocations_requests(void)
{
  return requests;
}

long allocations_requests_of_gradyn(void)
{
  watching = true;
  return requests_of_ours;
}

/* Runs the work while request k fails; 0: none fails. */
static gradyn_status try(allocations_work work, const void *user, long k, char *message)
{
  message[0] = '\0';
  own = 0;
  fail_at = k;
  counting = true;
  gradyn_status status = work(user, message);
  counting = false;
  return status;
}

/* Returns the number of requests before request k with the same call stack. */
static long earlier(const uint64_t hash[], long k)
{
  long count = 0;
  for (long i = 0; i < k; i++)
    count += hash[i] == hash[k];
  return count;
}

/* Checks that the work reports the lack of memory and releases its memory. */
static void check_request(allocations_work work, const void *user, const char *name, long k)
{
  char message[ALLOCATIONS_MESSAGE];
  const long before = blocks;
  const gradyn_status status = try(work, user, k, message);
  if ((status != GRADYN_NO_MEMORY && status != GRADYN_OK) || strstr(message, "memory") == NULL ||
      blocks != before)
    fail_msg("%s without request %ld at %#zx: status %d, message '%s', %ld blocks left over", name,
             k, place, (int)status, message, blocks - before);
}

void allocations_check(allocations_work work, const void *user, const char *name)
{
  static uint64_t hash[MOST_REQUESTS];
  char message[ALLOCATIONS_MESSAGE];
  (void)hash_of_calls(); /* the first call of backtrace() allocates memory */
  assert_ok(try(work, user, 0, message), message);
  const long before = blocks;
  stack = hash;
  assert_ok(try(work, user, 0, message), message);
  stack = NULL;
  const long count = own;
  if (blocks != before)
    fail_msg("%s: %ld blocks are left over", name, blocks - before);
  assert_in_range(count, 1, MOST_REQUESTS);
  const long each = support_thorough() ? 3 : 1;
  long tried = 0;
  for (long k = 0; k < count; k++)
    if (earlier(hash, k) < each) {
      check_request(work, user, name, k + 1);
      tried++;
    }
  print_message("%s: %ld of %ld requests failed, at most %ld from the same calls\n", name, tried,
                count, each);
  assert_ok(try(work, user, 0, message), message);
}
