/* JSON objects that commands print and store. */
#ifndef GRADYN_CLI_BASE_JSON_H
#define GRADYN_CLI_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "core/files/json.h"

/* Returns a value created by jansson; ends the program if it is NULL, because memory is exhausted. */
json_t *cli_json_insist(json_t *value);

/* An object with the members common to all objects; command and problem may be NULL. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status);

/* Adds a member or an element and takes ownership of value. Ends the program if memory is exhausted. */
void cli_json_put(json_t *object, const char *key, json_t *value);
void cli_json_append(json_t *array, json_t *value);

/* As the functions of core/files/json.h, but they end the program if memory is exhausted. */
json_t *cli_json_text(const char *text);
json_t *cli_json_numbers(const double *value, size_t count);

/* A [rows][columns] as an array of arrays. */
json_t *cli_json_matrix(const double *A, size_t rows, size_t columns);

/* Writes with 17 significant digits and a newline, to a file or to standard output, and releases root. A
 * failed write is shown by ferror(). If memory is exhausted, no text is written and the program ends. */
void cli_json_write(json_t *root, FILE *file);
void cli_json_print(json_t *root);

/* Adds a later failure to an object that is otherwise a result: status and message. */
void cli_json_blame(json_t *root, gradyn_status status, const char *message);

#endif
