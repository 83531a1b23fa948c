/* JSON objects that commands print and store. */
#ifndef GRADYN_CLI_BASE_JSON_H
#define GRADYN_CLI_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "core/files/json.h"

/* Returns `value`, created by jansson. If value is NULL, memory is exhausted, and the program ends. */
json_t *cli_json_require(json_t *value);

/* Returns a new object, for json_decref() or cli_json_write(), with the members that all objects begin
 * with: version, format, command, problem and status. command NULL: null; problem NULL: no member. Ends the
 * program if memory is exhausted. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status);

/* Sets member `key` (copied) of an object, in place of a present one, and takes ownership of value. value
 * NULL: memory is exhausted, and the program ends. */
void cli_json_put(json_t *object, const char *key, json_t *value);
/* Appends an element to an array, and takes ownership of value. value NULL: memory is exhausted, and the
 * program ends. */
void cli_json_append(json_t *array, json_t *value);

/* Returns a new JSON text as by gradyn_json_text(), never NULL; text NULL: JSON null. Ends the program if
 * memory is exhausted. */
json_t *cli_json_text(const char *text);

/* Returns value [count] as a new array, as by gradyn_json_numbers(), never NULL. Numbers that are not
 * finite become JSON null. Ends the program if memory is exhausted. */
json_t *cli_json_numbers(const double *value, size_t count);

/* Returns A [rows][columns] as a new array of rows, which are arrays, never NULL. Numbers that are not
 * finite become JSON null. Ends the program if memory is exhausted. */
json_t *cli_json_matrix(const double *A, size_t rows, size_t columns);

/* Writes root with 17 significant digits and a newline to a file, and releases root. If memory is
 * exhausted, no text is written and the program ends. A failed write shows in ferror(file). */
void cli_json_write(json_t *root, FILE *file);
/* Writes root with 17 significant digits and a newline to standard output, also while cli_streams_divert()
 * diverts it, and releases root. If memory is exhausted, the program ends. */
void cli_json_print(json_t *root);

/* Sets status (its name) and message of an object that was the result of a success, because a later step has
 * failed. Other members stay; message NULL: JSON null. */
void cli_json_add_failure(json_t *root, gradyn_status status, const char *message);

#endif
