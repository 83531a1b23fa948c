/* JSON objects that commands print and store. */
#ifndef GRADYN_CLI_BASE_JSON_H
#define GRADYN_CLI_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "core/files/json.h"

/* Returns a value created by jansson. If it is NULL, memory is exhausted, and the program ends. */
json_t *cli_json_require(json_t *value);

/* Returns a new object with the members that all objects begin with: version, format, command, problem and
 * status. command and problem may be NULL. If memory is exhausted, the program ends, as in all functions
 * below. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status);

/* Sets a member of an object, and takes ownership of value. value NULL: memory is exhausted, and the
 * program ends. */
void cli_json_put(json_t *object, const char *key, json_t *value);
/* Appends an element to an array, and takes ownership of value. value NULL: memory is exhausted, and the
 * program ends. */
void cli_json_append(json_t *array, json_t *value);

/* Returns a text as by gradyn_json_text(); never NULL. */
json_t *cli_json_text(const char *text);
/* Returns value [count] as an array, as by gradyn_json_numbers(); never NULL. */
json_t *cli_json_numbers(const double *value, size_t count);

/* Returns A [rows][columns] as an array of arrays. */
json_t *cli_json_matrix(const double *A, size_t rows, size_t columns);

/* Writes root with 17 significant digits and a newline to a file, and releases root. If memory is
 * exhausted, no text is written and the program ends. A failed write shows in ferror(file). */
void cli_json_write(json_t *root, FILE *file);
/* As cli_json_write(), to standard output. */
void cli_json_print(json_t *root);

/* Sets status and message of an object that was the result of a success, because a later step has
 * failed. */
void cli_json_add_failure(json_t *root, gradyn_status status, const char *message);

#endif
