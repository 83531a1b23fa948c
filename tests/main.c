/* The program of a folder of tests. It runs the cases of all files or of one file; those of THOROUGH_TEST()
 * only if tests are thorough. With a pattern, it runs all cases with matching names. Usage: test_ROOM [FILE
 * [PATTERN]]. */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support.h"

enum { MOST_CASES = 64 }; /* in a file */

/* list of all cases, in the order of their declaration */
static support_case *first, **end = &first;

void support_declare(support_case *added)
{
  *end = added;
  end = &added->next;
}

/* Returns whether a path ends in test_<subject>.c. */
static bool is_of(const char *file, const char *subject)
{
  const char *slash = strrchr(file, '/');
  char name[256];
  (void)snprintf(name, sizeof name, "test_%s.c", subject);
  return strcmp(slash ? slash + 1 : file, name) == 0;
}

static void run(void **state)
{
  (*(support_case **)state)->run();
}

/* Runs the functions before or after the cases of a file. */
static int run_all_of(support_kind kind, const char *file)
{
  for (const support_case *c = first; c; c = c->next)
    if (c->kind == kind && strcmp(c->file, file) == 0)
      c->run();
  return 0;
}

static const char *running; /* the present file; NULL: none */
static pid_t own;           /* the process of the tests; child processes may end anywhere */

/* Reports a failure if a library ends the process with status 0, as LAPACK does for wrong arguments. */
static void judge_end(void)
{
  if (!running || getpid() != own)
    return;
  (void)fprintf(stderr, "the program has ended in the middle of %s\n", running);
  (void)fflush(NULL);
  _exit(1);
}

static int before(void **state)
{
  (void)state;
  return run_all_of(SUPPORT_BEFORE, running);
}

static int after(void **state)
{
  (void)state;
  return run_all_of(SUPPORT_AFTER, running);
}

/* Returns whether a case takes part; named: cases are selected by a pattern. */
static bool is_case(const support_case *c, bool named)
{
  return c->kind == SUPPORT_CASE ||
         (c->kind == SUPPORT_THOROUGH_CASE && (named || support_thorough()));
}

/* Runs the cases of a file. Returns the number of failures. */
static int run_file(bool named)
{
  struct CMUnitTest tests[MOST_CASES] = {{0}};
  int count = 0;
  for (support_case *c = first; c; c = c->next) {
    if (!is_case(c, named) || strcmp(c->file, running) != 0)
      continue;
    if (count == MOST_CASES) {
      (void)fprintf(stderr, "%s has more than %d cases\n", running, MOST_CASES);
      return 1;
    }
    tests[count++] = (struct CMUnitTest){.name = c->name, .test_func = run, .initial_state = c};
  }
  return cmocka_run_group_tests(tests, before, after);
}

/* Returns whether this is the first case of its file. */
static bool begins_a_file(const support_case *c)
{
  const support_case *other = first;
  while (strcmp(other->file, c->file) != 0)
    other = other->next;
  return other == c;
}

int main(int argc, char *argv[])
{
  int failed = 0;
  int found = 0;
  own = getpid();
  if (atexit(judge_end) != 0)
    return 2;
  if (argc > 2)
    cmocka_set_test_filter(argv[2]);
  for (const support_case *c = first; c; c = c->next) {
    if (!begins_a_file(c) || (argc > 1 && !is_of(c->file, argv[1])))
      continue;
    found++;
    running = c->file;
    failed += run_file(argc > 2) != 0;
    running = NULL;
  }
  if (!found) {
    (void)fprintf(stderr, "no test '%s' here, but in:\n", argc > 1 ? argv[1] : "");
    for (const support_case *c = first; c; c = c->next)
      if (begins_a_file(c))
        (void)fprintf(stderr, "  %s\n", c->file);
    return 2;
  }
  return failed != 0;
}
