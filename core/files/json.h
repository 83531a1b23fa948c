/* Creation of JSON. Exhausted memory is reported upwards, because an object or array with a missing member
 * is wrong. */
#ifndef GRADYN_CORE_JSON_H
#define GRADYN_CORE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include <gradyn/base.h>

/* put() sets member `key`, copied, of an object, append() adds an element to an array; both take ownership of
 * value, also if they fail. If memory is exhausted, the object or array is released and its pointer set to
 * NULL. A NULL value or NULL object, left by an earlier failure, has the same effect. */
void gradyn_json_put(json_t **object, const char *key, json_t *value);
void gradyn_json_append(json_t **array, json_t *value);

/* A text, copied. Bytes that are not valid UTF-8 become '?', as in keys. text NULL: JSON null. Returns NULL
 * if memory is exhausted. The caller owns the results of these three functions. */
json_t *gradyn_json_text(const char *text);

/* A number, or JSON null if it is not finite. An array of value [count], by the same rule. Both return NULL
 * if memory is exhausted. */
json_t *gradyn_json_number(double value);
json_t *gradyn_json_numbers(const double *value, size_t count);

/* Writes root to a file, numbers with 17 significant digits, and a newline; root stays owned by the caller.
 * A failed write is shown by ferror(file). GRADYN_NO_MEMORY, also for root NULL: no text was written. */
gradyn_status gradyn_json_write(const json_t *root, FILE *file);

#endif
