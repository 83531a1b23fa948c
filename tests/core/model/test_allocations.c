/* Memory: without memory for a linear system or for a problem in a shared object, the status reports this,
 * and not a singular matrix or a damaged file. */
#include "tests/allocations.h"
#include "tests/folder.h"

#include <dlfcn.h>
#include <unistd.h>

#include <gradyn/problem.h>

#include "core/linear/linsys.h"
#include "core/base/message.h"

/* --- Linear systems --------------------------------------------------------------------------- */

enum { N = 45, ENTRIES = 3 * N };

typedef struct systems {
  gradyn_backend backend;
  double
      small; /* last pivot: if it is near round-off, sparse factors are inspected entry by entry */
} systems;

/* The matrix has 4 on the diagonal (the last pivot is `small`), 1 next to it, and 1 from the last row to
 * the first column. */
static gradyn_status solve(const systems *s, gradyn_linsys *system, const gradyn_pattern *pattern)
{
  double *values = gradyn_linsys_values(system), b[2 * N], expected[N];
  for (int i = 0; i < N; i++) {
    values[gradyn_pattern_find(pattern, i, i)] = i + 1 < N ? 4 : s->small;
    values[gradyn_pattern_find(pattern, i, (i + 1) % N)] = i + 1 < N ? 1 : 0;
    values[gradyn_pattern_find(pattern, i, (i + 7) % N)] = 0;
    expected[i] = cos(i);
  }
  for (int i = 0; i < N; i++)
    b[i] = b[N + i] = i + 1 < N ? 4 * expected[i] + expected[i + 1] : s->small * expected[i];
  const gradyn_status status = gradyn_linsys_factor(system);
  if (status != GRADYN_OK)
    return status;
  gradyn_linsys_solve(system, b, 2);
  for (int i = 0; i < 2 * N; i++)
    if (!(fabs(b[i] - expected[i % N]) < 1e-12))
      return GRADYN_INTERNAL;
  return GRADYN_OK;
}

/* Creates a system and factorises it twice, with new pivots in between. */
static gradyn_status factorise(const void *user, char *message)
{
  const systems *s = user;
  LOCAL(gradyn_pattern) pattern = {0};
  gradyn_linsys *system = NULL;
  int row[ENTRIES], col[ENTRIES];
  (void)strcpy(message, "memory"); /* a linear system reports a status without a message */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      row[3 * i + k] = i;
      col[3 * i + k] = (i + (k == 2 ? 7 : k)) % N;
    }
  gradyn_status status = gradyn_pattern_create(N, N, ENTRIES, row, col, &pattern);
  if (status == GRADYN_OK)
    status = gradyn_linsys_create(&pattern, true, s->backend, &system);
  for (int k = 0; k < 3 && status == GRADYN_OK; k++) {
    if (k == 1)
      gradyn_linsys_reset(system);
    status = solve(s, system, &pattern);
  }
  gradyn_linsys_free(system);
  return status;
}

TEST(a_system_without_memory_is_not_called_singular)
{
  static const systems cases[] = {{GRADYN_BACKEND_DENSE, 4},
                                  {GRADYN_BACKEND_KLU, 4},
                                  {GRADYN_BACKEND_KLU, 1e-15},
                                  {GRADYN_BACKEND_AUTO, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    allocations_check(factorise, &cases[i], "a system");
}

/* --- Problems --------------------------------------------------------------------------------- */

typedef struct search {
  const char *path;   /* folders of problems; NULL: none */
  const char *wanted; /* name of the problem to be found */
  size_t more;        /* number of problems in addition to the built-in ones */
} search;

/* Creates a registry, finds a problem by its name and one in a file, which is loaded and unloaded again. */
static gradyn_status find(const void *user, char *message)
{
  const search *s = user;
  gradyn_registry *registry = NULL, *plain = NULL;
  const gradyn_problem *problem = NULL;
  (void)strcpy(message, "memory"); /* without a registry there is no message */
  gradyn_status status = gradyn_registry_create(NULL, &plain);
  size_t known = 0;
  while (gradyn_registry_at(plain, known))
    known++;
  gradyn_registry_free(plain);
  if (status == GRADYN_OK)
    status = gradyn_registry_create(&(gradyn_registry_spec){.search_path = s->path}, &registry);
  const size_t last = known + s->more - 1;
  if (status == GRADYN_OK &&
      (!gradyn_registry_at(registry, last) || gradyn_registry_at(registry, last + 1)))
    status = GRADYN_INTERNAL; /* a problem that is missing for want of memory must be reported */
  if (status == GRADYN_OK)
    status = gradyn_registry_find(registry, s->wanted, &problem);
  if (status == GRADYN_OK)
    status = strcmp(problem->name, "bowl_of_rice") == 0 ? GRADYN_OK : GRADYN_INTERNAL;
  else if (registry != NULL)
    (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", gradyn_registry_message(registry));
  gradyn_registry_free(registry);
  /* the loader keeps the text of its last error until the next dlerror() */
  (void)dlerror();
  (void)dlerror();
  return status;
}

/* Also accepts the memory that the loader keeps for later use. */
static void check_search(const search *s)
{
  char message[ALLOCATIONS_MESSAGE];
  for (int i = 0; i < 2; i++)
    assert_ok(find(s, message), message);
  allocations_check(find, s, s->wanted);
}

TEST(problems_are_found_or_memory_is_short)
{
  char folder[FOLDER_SIZE], path[3 * FOLDER_SIZE], file[FOLDER_SIZE + 16], command[8 * FOLDER_SIZE];
  assert_non_null(folder_create("problems", folder));
  (void)snprintf(file, sizeof file, "%s/bowl.so", folder);
  (void)snprintf(path, sizeof path, "%s::%s/none", folder, folder);
  /* a second file that is not a shared object */
  (void)snprintf(command, sizeof command, "cp '%s' '%s' && echo >'%s/broken.so'", PLUGIN, file,
                 folder);
  assert_int_equal(system(command), 0);
  const search cases[] = {
      {NULL, file, 0}, {path, "bowl-of-rice", 1}, {path, "bowl_of_rice", 1}, {path, file, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_search(&cases[i]);
  assert_int_equal(chdir(folder), 0);
  const search here = {NULL, "bowl.so", 0};
  check_search(&here);
  assert_int_equal(chdir("/"), 0);
  (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

BEFORE_TESTS(libraries_that_fail)
{
  static const char *const others[] = {
      "libklu", "libamd", "libcolamd", "libbtf", "libsuitesparseconfig", "libc.so", "ld-linux"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    allocations_include(others[i]);
}
