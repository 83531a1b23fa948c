/* Reading of files. The functions are those of core/files/read.h, upgrade.h and csv_read.h with the same
 * arguments and errors, but they end the program if memory is exhausted. */
#ifndef GRADYN_CLI_READ_H
#define GRADYN_CLI_READ_H

#include "core/files/csv_read.h"
#include "core/files/read.h"

/* As gradyn_read_open(). On failure why [size] has the reason. */
gradyn_status cli_read_open(const char *path, FILE **file, char why[], size_t size);
/* As gradyn_read_folder(). On failure why [size] has the reason. */
gradyn_status cli_read_folder(const char *path, DIR **folder, char why[], size_t size);
/* As gradyn_read_line(), without a status. */
ssize_t cli_read_line(FILE *file, char **line, size_t *capacity);
/* As gradyn_upgrade_read(). On failure why [size] has the reason. */
gradyn_status cli_read_json(const char *path, json_t **root, char why[], size_t size);
/* As gradyn_csv_read(). On failure why [size] has the reason. */
gradyn_status cli_read_csv(const char *path, const gradyn_csv_request *request, json_t **root,
                           char why[], size_t size);

#endif
