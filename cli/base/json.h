/* JSON objects that commands print and keep. */
#ifndef GRADYN_CLI_BASE_JSON_H
#define GRADYN_CLI_BASE_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "core/files/json.h"

/* The value of jansson's, which is NULL where memory is short: that ends the program. */
json_t *cli_json_insist(json_t *value);

/* Members that every object begins with; command and problem may be NULL. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status);

/* Adds a member or an element and takes value over; ends the program when out of memory. */
void cli_json_put(json_t *object, const char *key, json_t *value);
void cli_json_append(json_t *array, json_t *value);

/* As those of core/files/json.h. */
json_t *cli_json_text(const char *text);
json_t *cli_json_numbers(const double *value, size_t count);

/* A [rows][columns] as an array of arrays. */
json_t *cli_json_matrix(const double *A, size_t rows, size_t columns);

/* Writes with 17 significant digits and a newline, to a file or to standard output, and releases
 * root. What cannot be written shows in ferror(); without memory nothing is written at all. */
void cli_json_write(json_t *root, FILE *file);
void cli_json_print(json_t *root);

/* Says in an object that is otherwise a result that something failed after it had been found. */
void cli_json_blame(json_t *root, gradyn_status status, const char *message);

#endif
