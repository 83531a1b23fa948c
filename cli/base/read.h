/* Functions of core/files/read.h and csv_read.h that end the program if memory is exhausted. */
#ifndef GRADYN_CLI_READ_H
#define GRADYN_CLI_READ_H

#include "core/files/csv_read.h"
#include "core/files/read.h"

gradyn_status cli_read_open(const char *path, FILE **file, char why[], size_t size);
gradyn_status cli_read_folder(const char *path, DIR **folder, char why[], size_t size);
ssize_t cli_read_line(FILE *file, char **line, size_t *capacity);
gradyn_status cli_read_json(const char *path, json_t **root, char why[], size_t size);
gradyn_status cli_read_csv(const char *path, const gradyn_csv_request *request, json_t **root,
                           char why[], size_t size);

#endif
