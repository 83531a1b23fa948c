/* Reports of test programs that end unexpectedly. */
#include "tests/support.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs this program again, which then ends within its first case with exit status 0. */
TEST(an_end_in_the_middle_is_a_failure)
{
  static const char told[] = "GRADYN_TEST_ENDS";
  int status;
  if (getenv(told))
    exit(0);
  const pid_t child = fork();
  if (child == 0) {
    (void)setenv(told, "yes", 1);
    (void)execl("/proc/self/exe", "test", "ended", (char *)NULL);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
}

/* Child processes of tests may end anywhere. */
TEST(an_end_of_a_child_is_its_own)
{
  int status;
  const pid_t child = fork();
  if (child == 0)
    exit(0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
