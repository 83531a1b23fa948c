/* The list of files that are open, so that an early end of the program leaves nothing half done. */
#include "cli/base/file.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* Signal handlers look at them. */
static gradyn_file *volatile open_files;
static volatile pid_t owner; /* of the files: a child has copies of the list only */

/* At exit. */
static void remove_open(void)
{
  /* nothing may fail here any more: the program is ending */
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

/* From now on the end of the program removes the file. */
static void remember(gradyn_file *file)
{
  /* once for all files */
  static bool registered;
  if (!registered)
    registered = atexit(remove_open) == 0;
  if (owner != getpid())
    open_files = NULL;
  owner = getpid();
  file->next = open_files;
  open_files = file;
}

/* Takes a file off the list. */
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
