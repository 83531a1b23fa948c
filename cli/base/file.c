/* List of open files, so that an early end of the program leaves no incomplete files. */
#include "cli/base/file.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* Head of the list; signal handlers read it. */
static gradyn_file *volatile open_files;
static volatile pid_t
    owner; /* process that made the files: a child process has only a copy of the list */

/* Removes all open files at the end of the program. */
static void remove_open(void)
{
  /* failures are ignored, because the program is ending */
  if (owner == getpid())
    for (const gradyn_file *file = open_files; file; file = file->next)
      (void)unlink(file->temporary);
}

void cli_file_leave(int number)
{
  remove_open();
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

/* Registers a file for removal at the end of the program. */
static void remember(gradyn_file *file)
{
  /* true after remove_open() has been registered */
  static bool registered;
  if (!registered)
    registered = atexit(remove_open) == 0;
  if (owner != getpid())
    open_files = NULL;
  owner = getpid();
  file->next = open_files;
  open_files = file;
}

/* Removes a file from the list. */
static void forget(gradyn_file *file)
{
  if (open_files == file)
    open_files = file->next;
  else
    for (gradyn_file *other = open_files; other; other = other->next)
      if (other->next == file)
        other->next = file->next;
}

const gradyn_file_keeper cli_file_keeper = {.begun = remember, .ended = forget};
