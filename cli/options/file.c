/* Files that appear whole or not at all.
 *
 * A file is written under another name, forced to disk, and renamed: whoever reads sees the old
 * one or the new one, whole. What is open when the program ends is removed; that is what the
 * list of open files is for. */
#include "cli/options/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/options/memory.h"

enum { MOST_NAMES = 100 }; /* temporary names that are tried */

/* Those that are open, so that an early end of the program leaves nothing half done behind; signal
 * handlers look at them. */
static cli_file *volatile open_files;
static volatile pid_t owner; /* of the files: a child has copies of the list only */

/* At exit. */
static void remove_open(void)
{
  /* nothing may fail here any more: the program is ending */
  if (owner == getpid())
    for (const cli_file *file = open_files; file; file = file->next)
      (void)unlink(file->temporary);
}

void cli_file_leave(int number)
{
  remove_open();
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

/* Keeps the reason in the file's own message. */
static gradyn_status fail(cli_file *file, const char *what)
{
  (void)snprintf(file->message, sizeof file->message, "%s '%s': %s", what, file->path,
                 strerror(errno));
  return GRADYN_IO;
}

/* A new file for writing, never one that exists, nor through a link; NULL: errno tells why. */
static FILE *create(const char *path)
{
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return NULL;
  FILE *stream = fdopen(descriptor, "w");
  /* the descriptor has no stream: it is closed and forgotten */
  if (!stream) {
    int reason = errno;
    (void)close(descriptor);
    (void)unlink(path);
    errno = reason;
  }
  return stream;
}

/* From now on the end of the program removes the file. */
static void remember(cli_file *file)
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

/* Opens the temporary file. Signals wait meanwhile: none ends the program when the file is there and
 * nobody remembers it. */
static bool open_temporary(cli_file *file)
{
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)sigprocmask(SIG_BLOCK, &all, &before);
  file->stream = create(file->temporary);
  int reason = errno;
  if (file->stream)
    remember(file);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return file->stream;
}

/* Written under another name and renamed when complete: whoever looks meanwhile sees the old
 * file. */
gradyn_status cli_file_begin(cli_file *file, const char *folder, const char *name)
{
  *file = (cli_file){.path = cli_text("%s/%s", folder, name)};
  /* names of a process that was killed may be left over */
  for (int i = 0; i < MOST_NAMES; i++) {
    free(file->temporary);
    file->temporary = cli_text("%s/.%s.%ld.%d", folder, name, (long)getpid(), i);
    if (open_temporary(file) || errno != EEXIST)
      break;
  }
  if (!file->stream)
    return fail(file, "cannot write");
  file->buffer = cli_take(CLI_FILE_BUFFER, 1);
  (void)setvbuf(file->stream, file->buffer, _IOFBF, CLI_FILE_BUFFER); /* without, it is slower */
  return GRADYN_OK;
}

/* To the disk, where the file system knows of such a thing. */
static int synchronise(int descriptor)
{
  int result = fsync(descriptor);
  return result != 0 && (errno == EINVAL || errno == ENOSYS) ? 0 : result;
}

/* Takes a file off the list. */
static void forget(const cli_file *file)
{
  if (open_files == file)
    open_files = file->next;
  else
    for (cli_file *other = open_files; other; other = other->next)
      if (other->next == file)
        other->next = file->next;
}

gradyn_status cli_file_end(cli_file *file, gradyn_status status)
{
  /* a file appears under its name only when all of it is on the disk */
  if (file->stream) {
    errno = EIO; /* for a stream that failed earlier */
    bool good = status == GRADYN_OK && fflush(file->stream) == 0 && !ferror(file->stream) &&
                synchronise(fileno(file->stream)) == 0;
    if (status == GRADYN_OK && !good)
      status = fail(file, "cannot write");
    bool closed = fclose(file->stream) == 0; /* the last chance of a write to fail */
    /* atomic: old or new, never half */
    if (status == GRADYN_OK && (!closed || rename(file->temporary, file->path) != 0))
      status = fail(file, "cannot write");
    if (status != GRADYN_OK)
      (void)unlink(file->temporary);
    forget(file);
  }
  free(file->path);
  free(file->temporary);
  free(file->buffer);
  file->path = file->temporary = file->buffer = NULL;
  file->stream = NULL;
  return status;
}

FILE *cli_file_grow(const char *path)
{
  /* a new file: nobody who reads the old one is cut off */
  if (unlink(path) != 0 && errno != ENOENT)
    return NULL;
  return create(path);
}
