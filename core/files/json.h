/* Creation of JSON. Exhausted memory is reported upwards, because an object or array with a missing member
 * is wrong. */
#ifndef GRADYN_CORE_JSON_H
#define GRADYN_CORE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include <gradyn/base.h>

/* Sets member `key`, copied, of an object, and takes ownership of value, also if this fails. If memory is
 * exhausted, or value is NULL, *object is released and set to NULL. *object NULL, left by an earlier
 * failure: only value is released. */
void gradyn_json_put(json_t **object, const char *key, json_t *value);

/* Appends value to an array and takes ownership of it, also if this fails. If memory is exhausted, or value
 * is NULL, *array is released and set to NULL. *array NULL: only value is released. */
void gradyn_json_append(json_t **array, json_t *value);

/* Returns a text as JSON, copied, owned by the caller. Bytes that are not valid UTF-8 become '?', as in
 * keys. text NULL: JSON null. Returns NULL if memory is exhausted. */
json_t *gradyn_json_text(const char *text);

/* Returns a number as JSON, or JSON null if it is not finite; owned by the caller. NULL: memory is
 * exhausted. */
json_t *gradyn_json_number(double value);

/* Returns value [count] as a JSON array, with null for entries that are not finite; owned by the caller.
 * NULL: memory is exhausted. */
json_t *gradyn_json_numbers(const double *value, size_t count);

/* Writes root to a file, numbers with 17 significant digits, and a newline; root stays owned by the caller.
 * A failed write is shown by ferror(file). GRADYN_NO_MEMORY, also for root NULL: no text was written. */
gradyn_status gradyn_json_write(const json_t *root, FILE *file);

#endif
