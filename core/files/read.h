/* Reading files and folders. Missing, unreadable and damaged files have different statuses, and exhausted
 * memory has another one. Files that are not regular, such as a pipe in a study, never block. */
#ifndef GRADYN_CORE_READ_H
#define GRADYN_CORE_READ_H

#include <dirent.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include <gradyn/base.h>

/* Opens a file, to be closed by fclose(), or a folder, to be closed by closedir(). GRADYN_NOT_FOUND: it
 * does not exist. GRADYN_IO: it cannot be read. GRADYN_INVALID: it is not a regular file. GRADYN_NO_MEMORY.
 * For folders, a path to a file is GRADYN_NOT_FOUND. why [size] has the reason, without the path. */
gradyn_status gradyn_read_open(const char *path, FILE **file, char why[], size_t size);
gradyn_status gradyn_read_folder(const char *path, DIR **folder, char why[], size_t size);

/* Returns the next entry of a folder, "." and ".." too; valid until the next call or closedir(). NULL:
 * errno is 0 at the end, and otherwise has the reason. */
const struct dirent *gradyn_read_entry(DIR *folder);

/* The next line, as by getline(). Negative: the end, a read error shown by ferror(), or exhausted memory.
 * Only then *status is set, to GRADYN_NO_MEMORY. Release *line with free(). */
ssize_t gradyn_read_line(FILE *file, char **line, size_t *capacity, gradyn_status *status);

/* Reads a file as JSON. Errors as above; GRADYN_INVALID also if it is damaged. *root is NULL unless the
 * status is ok. */
gradyn_status gradyn_read_json(const char *path, json_t **root, char why[], size_t size);

#endif
