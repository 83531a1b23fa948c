/* Reading files and folders. Missing, unreadable and damaged files have different statuses, and exhausted
 * memory has another one. Files that are not regular, such as a pipe in a study, never block. */
#ifndef GRADYN_CORE_READ_H
#define GRADYN_CORE_READ_H

#include <dirent.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include <gradyn/base.h>

/* Opens a file, to be closed by fclose(). Errors, with *file NULL: GRADYN_NOT_FOUND, it does not exist;
 * GRADYN_IO, it cannot be read; GRADYN_INVALID, it is not a regular file; GRADYN_NO_MEMORY. why [size] has
 * the reason of an error, without the path. */
gradyn_status gradyn_read_open(const char *path, FILE **file, char why[], size_t size);

/* Opens a folder, to be closed by closedir(). Errors, with *folder NULL and the reason in why [size]:
 * GRADYN_NOT_FOUND, also for a path to a file; GRADYN_IO, GRADYN_INVALID, GRADYN_NO_MEMORY. */
gradyn_status gradyn_read_folder(const char *path, DIR **folder, char why[], size_t size);

/* Returns the next entry of a folder, "." and ".." too; valid until the next call or closedir(). NULL:
 * errno is 0 at the end, and otherwise has the reason. */
const struct dirent *gradyn_read_entry(DIR *folder);

/* Reads the next line, as getline() does, and returns its length. Negative: the end of the file, a read
 * error shown by ferror(), or exhausted memory. *status becomes GRADYN_NO_MEMORY in the last case and is
 * otherwise unchanged. *line and *capacity: NULL and 0 at first; the buffer is used again, release it with
 * free(). */
ssize_t gradyn_read_line(FILE *file, char **line, size_t *capacity, gradyn_status *status);

/* Reads a file as JSON; release *root with json_decref(). Errors: those of gradyn_read_open();
 * GRADYN_INVALID also if the text is not valid JSON. *root is NULL unless the status is ok. why [size] has
 * the reason. */
gradyn_status gradyn_read_json(const char *path, json_t **root, char why[], size_t size);

#endif
