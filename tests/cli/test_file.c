/* Files that appear completely or not at all, also if a signal ends the program. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "tests/support.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/file.h"
#include "cli/base/interrupt.h"
#include "tests/folder.h"

static char folder[FOLDER_SIZE];

static int between; /* the signal that arrives between the creation of a file and of its stream */

/* Replaces the function of the C library, which the command calls when the file already exists. */
FILE *fdopen(int descriptor, const char *mode)
{
  FILE *(*real)(int, const char *);
  *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
  if (between)
    (void)raise(between);
  return real(descriptor, mode);
}

BEFORE_TESTS(make_folder)
{
  assert_true(folder_create("file", folder));
}

/* Removes the folder; true only if it was empty. */
AFTER_TESTS(remove_folder)
{
  assert_int_equal(rmdir(folder), 0);
}

static void begin(gradyn_file *file, const char *name)
{
  assert_int_equal(gradyn_file_begin(file, folder, name, &cli_file_keeper), GRADYN_OK);
  assert_true(fputs("half of it", file->stream) >= 0);
}

static bool exists(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0;
}

/* Returns how a child process ends that executes `act` with two open files. */
static int end_of(void (*act)(int), int number)
{
  int end = 0;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    gradyn_file first, second;
    cli_interrupt_clean(cli_file_leave);
    begin(&first, "first.csv");
    begin(&second, "second.csv");
    act(number);
    _exit(77);
  }
  assert_int_equal(waitpid(child, &end, 0), child);
  return end;
}

static void raise_it(int number)
{
  (void)raise(number);
}

/* Longer than the time in which repeated signals count as one request. */
static const struct timespec moment = {.tv_nsec = 300000000};

static void raise_twice(int number)
{
  cli_interrupt_install(true);
  (void)raise(number);
  assert_true(cli_interrupt_requested());
  (void)nanosleep(&moment, NULL);
  (void)raise(number);
}

static void raise_at_its_creation(int number)
{
  gradyn_file third;
  between = number;
  begin(&third, "third.csv");
}

/* A forked process, which has the list of files only from its parent, must not remove them. */
static void raise_in_a_child(int number)
{
  int end = 0;
  pid_t child = fork();
  if (child == 0)
    (void)raise(number);
  (void)waitpid(child, &end, 0);
  char name[FOLDER_SIZE + 64];
  (void)snprintf(name, sizeof name, "%s/.first.csv.%ld.0", folder, (long)getpid());
  if (!WIFSIGNALED(end) || !exists(name))
    _exit(78);
  (void)raise(number);
}

TEST(test_a_signal_leaves_nothing_half_done)
{
  static void (*const act[])(int) = {raise_it, raise_twice, raise_in_a_child,
                                     raise_at_its_creation};
  static const int number[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof act / sizeof act[0]; i++)
    for (size_t k = 0; k < 3; k++) {
      int end = end_of(act[i], number[k]);
      assert_true(WIFSIGNALED(end));
      assert_int_equal(WTERMSIG(end), number[k]);
      assert_int_equal(rmdir(folder), 0);
      assert_int_equal(mkdir(folder, 0700), 0);
    }
}

static void leave(int number)
{
  _exit(number);
}

/* `timeout` sends a signal to the command and then to its group. This must count as one request, after
 * which the results are written. */
TEST(test_signals_that_follow_at_once_are_one_request)
{
  static const int number[] = {SIGINT, SIGTERM, SIGHUP};
  for (int insists = 0; insists < 2; insists++)
    for (size_t k = 0; k < 3; k++) {
      int end = 0;
      pid_t child = fork();
      assert_true(child >= 0);
      if (child == 0) {
        cli_interrupt_clean(leave);
        cli_interrupt_install(true);
        (void)raise(number[k]);
        (void)raise(number[k]);
        (void)raise(number[(k + 1) % 3]); /* a different signal, for the first time */
        (void)nanosleep(&moment, NULL);
        (void)raise(insists ? number[k] : number[(k + 2) % 3]);
        _exit(cli_interrupt_requested() ? 77 : 78);
      }
      assert_int_equal(waitpid(child, &end, 0), child);
      assert_true(WIFEXITED(end));
      assert_int_equal(WEXITSTATUS(end), insists ? number[k] : 77);
    }
}

TEST(test_files_end_in_any_order)
{
  gradyn_file file[3];
  char path[FOLDER_SIZE + 64];
  (void)snprintf(path, sizeof path, "%s/1", folder);
  for (int i = 0; i < 3; i++)
    begin(&file[i], (const char *[]){"0", "1", "2"}[i]);
  /* first the middle file, then the others */
  assert_int_equal(gradyn_file_end(&file[1], GRADYN_OK), GRADYN_OK);
  assert_int_equal(gradyn_file_end(&file[2], GRADYN_INTERRUPTED), GRADYN_INTERRUPTED);
  assert_int_equal(gradyn_file_end(&file[0], GRADYN_INTERRUPTED), GRADYN_INTERRUPTED);
  assert_true(exists(path));
  assert_int_equal(unlink(path), 0);
}

/* A growing file replaces an existing file, whatever has failed before, but not a folder. */
TEST(test_files_that_grow_are_replaced)
{
  char path[FOLDER_SIZE + 64];
  struct stat about;
  (void)snprintf(path, sizeof path, "%s/grows", folder);
  for (int round = 0; round < 2; round++) {
    errno = EIO;
    FILE *file = gradyn_file_grow(path);
    assert_non_null(file);
    assert_true(fputc('x', file) == 'x' && fclose(file) == 0);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 1);
  }
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_null(gradyn_file_grow(path));
  assert_int_equal(rmdir(path), 0);
}
