/* Reading of files that others may have touched. */
#include "cli/options/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/memory.h"
#include "core/files/json_read.h"

/* By the system's reason, for what could not be opened or read. */
static gradyn_status refuse(int reason, char why[], size_t size)
{
  if (reason == ENOMEM)
    cli_no_memory();
  (void)snprintf(why, size, "%s", strerror(reason));
  /* a part of the path that is no folder: nothing is there either */
  return reason == ENOENT || reason == ENOTDIR ? GRADYN_NOT_FOUND : GRADYN_IO;
}

gradyn_status cli_read_open(const char *path, FILE **file, char why[], size_t size)
{
  struct stat about;
  *file = NULL;
  /* without waiting for the other end of a pipe */
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return refuse(errno, why, size);
  if (fstat(descriptor, &about) == 0 && !S_ISREG(about.st_mode)) {
    (void)close(descriptor);
    (void)snprintf(why, size, "it is %s", S_ISDIR(about.st_mode) ? "a folder" : "no file");
    return GRADYN_INVALID;
  }
  *file = fdopen(descriptor, "r");
  if (*file)
    return GRADYN_OK;
  const int reason = errno;
  (void)close(descriptor);
  return refuse(reason, why, size);
}

gradyn_status cli_read_folder(const char *path, DIR **folder, char why[], size_t size)
{
  *folder = opendir(path);
  return *folder ? GRADYN_OK : refuse(errno, why, size);
}

const struct dirent *cli_read_entry(DIR *folder)
{
  errno = 0;
  return readdir(folder);
}

ssize_t cli_read_line(FILE *file, char **line, size_t *room)
{
  const ssize_t length = getline(line, room, file);
  /* neither the end nor a failure of the file: there was no memory for the line */
  if (length < 0 && !feof(file) && !ferror(file))
    cli_no_memory();
  return length;
}

/* All that is left of a file, with a zero behind it, owned; NULL: errno tells why. */
static char *read_rest(FILE *file, size_t *length)
{
  size_t room = 1 << 14, got = 0;
  char *text = cli_take(room, 1);
  *length = 0;
  while ((got = fread(text + *length, 1, room - *length - 1, file)) > 0) {
    *length += got;
    if (room - *length < 2) {
      room *= 2;
      text = cli_grow(text, room, 1);
    }
  }
  text[*length] = '\0';
  if (!ferror(file))
    return text;
  const int reason = errno;
  free(text);
  errno = reason;
  return NULL;
}

gradyn_status cli_read_json(const char *path, json_t **root, char why[], size_t size)
{
  FILE *file = NULL;
  size_t length = 0;
  *root = NULL;
  gradyn_status status = cli_read_open(path, &file, why, size);
  if (status != GRADYN_OK)
    return status;
  char *text = read_rest(file, &length);
  status = text ? gradyn_json_read(text, length, root, why, size) : refuse(errno, why, size);
  if (status == GRADYN_NO_MEMORY)
    cli_no_memory();
  free(text);
  (void)fclose(file); /* only read from */
  return status;
}
