/* Reads files that other processes may have changed. */
#include "core/files/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/message.h"
#include "core/files/json_read.h"
#include "core/files/text.h"

/* Status and text for the system's error when a file could not be opened or read. */
static gradyn_status refuse(int reason, char why[], size_t size)
{
  (void)snprintf(why, size, "%s", reason == ENOMEM ? "out of memory" : strerror(reason));
  if (reason == ENOMEM)
    return GRADYN_NO_MEMORY;
  /* ENOTDIR: a part of the path is no folder, so the file does not exist */
  return reason == ENOENT || reason == ENOTDIR ? GRADYN_NOT_FOUND : GRADYN_IO;
}

gradyn_status gradyn_read_open(const char *path, FILE **file, char why[], size_t size)
{
  struct stat about;
  *file = NULL;
  /* non-blocking: a pipe must not wait for its writer */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return refuse(errno, why, size);
  if (fstat(descriptor, &about) == 0 && !S_ISREG(about.st_mode)) {
    (void)close(descriptor);
    (void)snprintf(why, size, "it is %s", S_ISDIR(about.st_mode) ? "a folder" : "not a file");
    return GRADYN_INVALID;
  }
  *file = fdopen(descriptor, "r");
  if (*file)
    return GRADYN_OK;
  const int reason = errno;
  (void)close(descriptor);
  return refuse(reason, why, size);
}

gradyn_status gradyn_read_folder(const char *path, DIR **folder, char why[], size_t size)
{
  *folder = opendir(path);
  return *folder ? GRADYN_OK : refuse(errno, why, size);
}

const struct dirent *gradyn_read_entry(DIR *folder)
{
  errno = 0;
  return readdir(folder);
}

ssize_t gradyn_read_line(FILE *file, char **line, size_t *capacity, gradyn_status *status)
{
  errno = 0;
  const ssize_t length = getline(line, capacity, file);
  /* no memory for the line: newer C libraries report it as an error of the file, too */
  if (length < 0 && !feof(file) && (!ferror(file) || errno == ENOMEM))
    *status = GRADYN_NO_MEMORY;
  return length;
}

gradyn_status gradyn_read_json(const char *path, json_t **root, char why[], size_t size)
{
  FILE *file = NULL;
  gradyn_text text = {.at = NULL};
  size_t got = 0;
  *root = NULL;
  GRADYN_TRY(gradyn_read_open(path, &file, why, size));
  /* reads all, then adds a terminating zero */
  for (char *to; (to = gradyn_text_reserve(&text, 1 << 14)) != NULL; text.used += got)
    if ((got = fread(to, 1, 1 << 14, file)) == 0)
      break;
  gradyn_status status = GRADYN_OK;
  if (ferror(file))
    status = refuse(errno, why, size);
  else if (text.failed)
    status = refuse(ENOMEM, why, size);
  else
    gradyn_text_add(&text, "", 0);
  if (status == GRADYN_OK)
    status = gradyn_json_read(text.at, text.used, root, why, size);
  free(text.at);
  (void)fclose(file); /* no check: the file was only read */
  return status;
}
