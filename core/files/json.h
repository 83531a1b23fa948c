/* JSON that is made: want of memory goes up, since an object or array without one of its members is none. */
#ifndef GRADYN_CORE_JSON_H
#define GRADYN_CORE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include <gradyn/status.h>

/* Adds a member or an element and takes value over. Without memory, also where value or the object itself is
 * NULL for want of it, the object is released and *object NULL. */
void gradyn_json_put(json_t **object, const char *key, json_t *value);
void gradyn_json_append(json_t **array, json_t *value);

/* A text; what is not valid UTF-8 in it becomes '?', as it does in keys. No text, NULL, is null in JSON.
 * Returns NULL without memory. */
json_t *gradyn_json_text(const char *text);

/* A number; null if it is not finite. NULL: no memory, as for several. */
json_t *gradyn_json_number(double value);
json_t *gradyn_json_numbers(const double *value, size_t count);

/* Writes with 17 significant digits and a newline; root stays the caller's. What cannot be written shows in
 * ferror(file); GRADYN_NO_MEMORY, as for root NULL: nothing was written. */
gradyn_status gradyn_json_write(const json_t *root, FILE *file);

#endif
