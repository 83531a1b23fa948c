/* Reads JSON twice. If memory is exhausted, jansson may report a syntax error, or drop a byte of a long
 * number silently. A damaged text gives the same error at the same position both times; an intact text
 * gives the same value both times. */
#include "core/files/json_read.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;

/* Whether enough memory for reading is available: at most values of one byte each. */
static bool has_capacity(size_t length)
{
  void *capacity = malloc(64 * length + 4096);
  const bool found = capacity != NULL;
  free(capacity);
  return found;
}

gradyn_status gradyn_json_read(const char *text, size_t length, json_t **out, char why[],
                               size_t size)
{
  json_error_t error = {0}, other_error = {0};
  json_t *first = json_loadb(text, length, flags, &error);
  json_t *other = json_loadb(text, length, flags, &other_error);
  const bool same = first && other && json_equal(first, other);
  const bool damaged = !first && !other && error.position == other_error.position &&
                       strcmp(error.text, other_error.text) == 0 && has_capacity(length);
  json_decref(other);
  *out = same ? first : NULL;
  if (same)
    return GRADYN_OK;
  json_decref(first);
  if (damaged)
    (void)snprintf(why, size, "line %d: %s", error.line, error.text);
  else
    (void)snprintf(why, size, "out of memory");
  return damaged ? GRADYN_INVALID : GRADYN_NO_MEMORY;
}
