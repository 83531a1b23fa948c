/* Reads files. A lack of memory ends the program. */
#include "cli/base/read.h"

#include "cli/base/memory.h"
#include "core/files/upgrade.h"

/* Returns the status. If memory is exhausted, ends the program. */
static gradyn_status insist(gradyn_status status)
{
  if (status == GRADYN_NO_MEMORY)
    cli_no_memory();
  return status;
}

gradyn_status cli_read_open(const char *path, FILE **file, char why[], size_t size)
{
  return insist(gradyn_read_open(path, file, why, size));
}

gradyn_status cli_read_folder(const char *path, DIR **folder, char why[], size_t size)
{
  return insist(gradyn_read_folder(path, folder, why, size));
}

ssize_t cli_read_line(FILE *file, char **line, size_t *capacity)
{
  gradyn_status status = GRADYN_OK;
  const ssize_t length = gradyn_read_line(file, line, capacity, &status);
  (void)insist(status);
  return length;
}

gradyn_status cli_read_json(const char *path, json_t **root, char why[], size_t size)
{
  return insist(gradyn_upgrade_read(path, root, why, size));
}

gradyn_status cli_read_csv(const char *path, const gradyn_csv_request *request, json_t **root,
                           char why[], size_t size)
{
  return insist(gradyn_csv_read(path, request, root, why, size));
}
