/* Reading JSON, with a distinction between exhausted memory and damaged text. */
#ifndef GRADYN_CORE_JSON_READ_H
#define GRADYN_CORE_JSON_READ_H

#include <stddef.h>

#include <jansson.h>

#include <gradyn/base.h>

/* Reads the value of a text [length], which must be followed by a zero byte; release *out with json_decref().
 * GRADYN_NO_MEMORY. GRADYN_INVALID: the text is not JSON, repeats a key in an object, or has a number out of
 * the range of double or json_int_t. why [size] has the reason, and for damaged text the line. *out is NULL
 * unless the status is ok. */
gradyn_status gradyn_json_read(const char *text, size_t length, json_t **out, char why[],
                               size_t size);

#endif
