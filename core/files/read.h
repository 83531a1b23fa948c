/* Files and folders that are read: what is missing, what cannot be read and what is damaged are three
 * things, and want of memory is none of them. Nothing that is no regular file is waited for, such as a pipe
 * that somebody has put into a study. */
#ifndef GRADYN_CORE_READ_H
#define GRADYN_CORE_READ_H

#include <dirent.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include <gradyn/status.h>

/* Opens a file, to be closed by fclose(), or a folder, by closedir(). GRADYN_NOT_FOUND: there is none;
 * GRADYN_IO: it cannot be read; GRADYN_INVALID: it is something else; GRADYN_NO_MEMORY; why [size] tells the
 * reason, without the path. */
gradyn_status gradyn_read_open(const char *path, FILE **file, char why[], size_t size);
gradyn_status gradyn_read_folder(const char *path, DIR **folder, char why[], size_t size);

/* The next entry of a folder; where it gives none, errno, which is 0 at the end, tells whether more could
 * not be read. */
const struct dirent *gradyn_read_entry(DIR *folder);

/* The next line, as by getline(); where it gives none, ferror() tells whether more could not be read, and
 * *status is GRADYN_NO_MEMORY if that was the reason. */
ssize_t gradyn_read_line(FILE *file, char **line, size_t *capacity, gradyn_status *status);

/* Reads a file as JSON; GRADYN_INVALID also if it is damaged. *root is NULL unless the status is ok. */
gradyn_status gradyn_read_json(const char *path, json_t **root, char why[], size_t size);

#endif
