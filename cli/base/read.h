/* Reading of files. The functions are those of core/files/read.h, upgrade.h and csv_read.h with the same
 * arguments and errors, but they end the program if memory is exhausted. */
#ifndef GRADYN_CLI_READ_H
#define GRADYN_CLI_READ_H

#include "core/files/csv_read.h"
#include "core/files/read.h"

/* Opens a file, to be closed by fclose(). Errors, with *file NULL and the reason in why [size]:
 * GRADYN_NOT_FOUND, GRADYN_IO, GRADYN_INVALID (no regular file). */
gradyn_status cli_read_open(const char *path, FILE **file, char why[], size_t size);

/* Opens a folder, to be closed by closedir(). Errors, with *folder NULL and the reason in why [size]:
 * GRADYN_NOT_FOUND, also for a file; GRADYN_IO, GRADYN_INVALID. */
gradyn_status cli_read_folder(const char *path, DIR **folder, char why[], size_t size);

/* Reads the next line, as getline() does, and returns its length. Negative: the end of the file, or a read
 * error shown by ferror(). *line and *capacity: NULL and 0 at first; release *line with free(). */
ssize_t cli_read_line(FILE *file, char **line, size_t *capacity);

/* Reads a JSON file of a study, of either format, as gradyn_upgrade_read(); release *root with
 * json_decref(). On failure *root is NULL, and why [size] has the reason. */
gradyn_status cli_read_json(const char *path, json_t **root, char why[], size_t size);

/* Reads a CSV file into *root, as gradyn_csv_read(); release it with json_decref(). On failure *root is
 * NULL, and why [size] has the reason. */
gradyn_status cli_read_csv(const char *path, const gradyn_csv_request *request, json_t **root,
                           char why[], size_t size);

#endif
