/* Reading JSON: what cannot be read for want of memory is told apart from what is damaged. */
#ifndef GRADYN_CORE_JSON_READ_H
#define GRADYN_CORE_JSON_READ_H

#include <stddef.h>

#include <jansson.h>

#include <gradyn/status.h>

/* Reads the one value of a text [length], which a zero byte ends. GRADYN_NO_MEMORY; GRADYN_INVALID: the
 * text is no JSON, has a key twice in an object, or a number beyond what a double or a json_int_t holds;
 * why [size] says what and in which line. *out is NULL unless the status is ok. */
gradyn_status gradyn_json_read(const char *text, size_t length, json_t **out, char why[],
                               size_t size);

#endif
