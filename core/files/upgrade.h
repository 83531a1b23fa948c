/* Members of JSON files by their present names. Version 0.2 wrote format 1, which has no member "format". */
#ifndef GRADYN_CORE_UPGRADE_H
#define GRADYN_CORE_UPGRADE_H

#include <stdbool.h>

#include <jansson.h>

#include <gradyn/base.h>

enum { GRADYN_FILE_FORMAT = 2 };

/* Renames members of format 1 in the contents of a file, in all objects except those that map names of a
 * problem to values. Error: GRADYN_NO_MEMORY; some members then have old names. */
gradyn_status gradyn_upgrade(json_t *root);

/* Reads a JSON file of a study, of either format, and renames the members of format 1; release *root with
 * json_decref(). Errors: GRADYN_NOT_FOUND, GRADYN_IO, GRADYN_NO_MEMORY; GRADYN_INVALID: it is no regular
 * file or no valid JSON, or the format is newer than GRADYN_FILE_FORMAT. *root is then NULL, and why [size]
 * has the reason. */
gradyn_status gradyn_upgrade_read(const char *path, json_t **root, char why[], size_t size);

#endif
