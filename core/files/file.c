/* Files that appear completely or not at all. A file is written under a temporary name, synchronised to the
 * disk, and renamed. Readers see the complete old file or the complete new one. */
#include "core/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/files/text.h"

enum { MOST_NAMES = 100 }; /* number of temporary names that are tried */

/* Stores the reason in the file's message. */
static gradyn_status fail(gradyn_file *file, const char *what)
{
  (void)snprintf(file->message, sizeof file->message, "%s '%s': %s", what, file->path,
                 strerror(errno));
  return GRADYN_IO;
}

/* Creates a new file for writing. It never opens an existing file and never follows a link. NULL: errno has
 * the reason. */
static FILE *create(const char *path)
{
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return NULL;
  FILE *stream = fdopen(descriptor, "w");
  /* fdopen() failed: close and remove the file */
  if (!stream) {
    int reason = errno;
    (void)close(descriptor);
    (void)unlink(path);
    errno = reason;
  }
  return stream;
}

/* Opens the temporary file with signals blocked. Otherwise a signal could end the program after the file
 * was created and before the keeper knows of it. */
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

/* Reports that memory is exhausted. */
static gradyn_status starve(gradyn_file *file)
{
  (void)snprintf(file->message, sizeof file->message, "out of memory");
  errno = ENOMEM;
  return GRADYN_NO_MEMORY;
}

/* Creates the temporary file. Readers see the old file until the new one is renamed. */
static gradyn_status begin(gradyn_file *file, const char *folder, const char *name)
{
  file->buffer = malloc(GRADYN_FILE_BUFFER);
  /* temporary files of a killed process may still exist */
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
  /* without a large buffer, writing is slower */
  (void)setvbuf(file->stream, file->buffer, _IOFBF, GRADYN_FILE_BUFFER);
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

/* Synchronises to the disk, if the file system supports it. */
static int synchronise(int descriptor)
{
  int result = fsync(descriptor);
  return result != 0 && (errno == EINVAL || errno == ENOSYS) ? 0 : result;
}

gradyn_status gradyn_file_end(gradyn_file *file, gradyn_status status)
{
  /* a file gets its final name only after all data are on the disk */
  if (file->stream) {
    errno = EIO; /* the reason if the stream failed earlier */
    bool good = status == GRADYN_OK && fflush(file->stream) == 0 && !ferror(file->stream) &&
                synchronise(fileno(file->stream)) == 0;
    if (status == GRADYN_OK && !good)
      status = fail(file, "cannot write");
    bool closed = fclose(file->stream) == 0; /* close can also report a failed write */
    /* atomic: readers see the old or the new file */
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
  /* removing the old file leaves it intact for its present readers */
  if (unlink(path) != 0 && errno != ENOENT)
    return NULL;
  return create(path);
}
