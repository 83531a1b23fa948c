/* Creation of JSON. */
#include "core/files/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/files/text.h"

/* A copy of a text in which bytes that are not UTF-8 become '?'. NULL: out of memory. */
static char *utf8(const char *text)
{
  const size_t size = strlen(text) + 1;
  char *plain = malloc(size);
  if (plain == NULL)
    return NULL;
  memcpy(plain, text, size);
  uint32_t character;
  for (char *c = plain; *c != '\0';) {
    const size_t length = gradyn_utf8_decode(c, &character);
    if (length == 0) /* one byte for one byte, so that the length stays the same */
      *c = '?';
    c += length > 0 ? length : 1;
  }
  return plain;
}

/* Releases an object to which a member could not be added. */
static void give_up(json_t **value)
{
  json_decref(*value);
  *value = NULL;
}

void gradyn_json_put(json_t **object, const char *key, json_t *value)
{
  char *name = utf8(key); /* keys may be names of the problem, with any bytes */
  if (name == NULL)
    json_decref(value);
  if (name == NULL || json_object_set_new(*object, name, value) != 0)
    give_up(object);
  free(name);
}

void gradyn_json_append(json_t **array, json_t *value)
{
  if (json_array_append_new(*array, value) != 0)
    give_up(array);
}

json_t *gradyn_json_text(const char *text)
{
  if (text == NULL)
    return json_null();
  char *plain = utf8(text);
  json_t *value = plain != NULL ? json_string_nocheck(plain) : NULL;
  free(plain);
  return value;
}

json_t *gradyn_json_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null(); /* JSON has neither NaN nor infinity */
}

json_t *gradyn_json_numbers(const double *value, size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    gradyn_json_append(&array, gradyn_json_number(value[i]));
  return array;
}

/* Appends a piece of text; called by jansson. */
static int append(const char *more, size_t length, void *text)
{
  gradyn_text_add(text, more, length);
  return ((gradyn_text *)text)->failed ? -1 : 0;
}

gradyn_status gradyn_json_write(const json_t *root, FILE *file)
{
  /* Formed as one text first: json_dumpf() leaves an incomplete object if memory is exhausted. json_dumps()
   * of jansson 2.14 omits a key if it finds no memory for its text. */
  gradyn_text text = {.at = NULL};
  const bool whole = root != NULL &&
                     json_dump_callback(root, append, &text,
                                        JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0;
  if (whole)
    (void)append("\n", 1, &text);
  const gradyn_status status = whole && !text.failed ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    (void)fwrite(text.at, 1, text.used, file);
  free(text.at);
  return status;
}
