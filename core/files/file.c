/* Files that appear whole or not at all.
 *
 * A file is written under another name, forced to disk, and renamed: whoever reads sees the old
 * one or the new one, whole. */
#include "core/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/files/text.h"

enum { MOST_NAMES = 100 }; /* temporary names that are tried */

/* Keeps the reason in the file's own message. */
static gradyn_status fail(gradyn_file *file, const char *what)
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

/* Opens the temporary file. Signals wait meanwhile: none ends the program when the file is there and
 * its keeper does not know of it. */
static bool open_temporary(gradyn_file *file)
{
  sigset_t all, before;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_BLOCK, &all, &before);
  file->stream = create(file->temporary);
  int reason = errno;
  if (file->stream && file->keeper)
    file->keeper->begun(file);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return file->stream;
}

/* Out of memory. */
static gradyn_status starve(gradyn_file *file)
{
  (void)snprintf(file->message, sizeof file->message, "out of memory");
  errno = ENOMEM;
  return GRADYN_NO_MEMORY;
}

/* Written under another name and renamed when complete: whoever looks meanwhile sees the old
 * file. */
static gradyn_status begin(gradyn_file *file, const char *folder, const char *name)
{
  file->buffer = malloc(GRADYN_FILE_BUFFER);
  /* names of a process that was killed may be left over */
  for (int i = 0; i < MOST_NAMES; i++) {
    free(file->temporary);
    file->temporary = gradyn_format("%s/.%s.%ld.%d", folder, name, (long)getpid(), i);
    if (!file->path || !file->buffer || !file->temporary)
      return starve(file);
    if (open_temporary(file) || errno != EEXIST)
      break;
  }
  if (!file->stream)
    return errno == ENOMEM ? starve(file) : fail(file, "cannot write");
  (void)setvbuf(file->stream, file->buffer, _IOFBF, GRADYN_FILE_BUFFER); /* without, it is slower */
  return GRADYN_OK;
}

gradyn_status gradyn_file_begin(gradyn_file *file, const char *folder, const char *name,
                                const gradyn_file_keeper *keeper)
{
  *file = (gradyn_file){.keeper = keeper, .path = gradyn_format("%s/%s", folder, name)};
  const gradyn_status status = begin(file, folder, name);
  const int reason = errno;
  if (status != GRADYN_OK)
    (void)gradyn_file_end(file, status);
  errno = reason;
  return status;
}

/* To the disk, where the file system knows of such a thing. */
static int synchronise(int descriptor)
{
  int result = fsync(descriptor);
  return result != 0 && (errno == EINVAL || errno == ENOSYS) ? 0 : result;
}

gradyn_status gradyn_file_end(gradyn_file *file, gradyn_status status)
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
    if (file->keeper)
      file->keeper->ended(file);
  }
  free(file->path);
  free(file->temporary);
  free(file->buffer);
  file->path = file->temporary = file->buffer = NULL;
  file->stream = NULL;
  return status;
}

FILE *gradyn_file_grow(const char *path)
{
  /* a new file: nobody who reads the old one is cut off */
  if (unlink(path) != 0 && errno != ENOENT)
    return NULL;
  return create(path);
}
