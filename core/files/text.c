/* Formatted and growing texts, and texts for terminals. */
#include "core/files/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

char *gradyn_text_reserve(gradyn_text *text, size_t count)
{
  if (!text->failed && text->used + count + 1 > text->capacity) {
    /* doubling keeps the number of copies small */
    const size_t capacity = 2 * (text->used + count + 1);
    char *larger = realloc(text->at, capacity);
    text->failed = larger == NULL;
    text->at = larger != NULL ? larger : text->at;
    text->capacity = larger != NULL ? capacity : text->capacity;
  }
  return text->failed ? NULL : text->at + text->used;
}

void gradyn_text_add(gradyn_text *text, const char *bytes, size_t count)
{
  char *to = gradyn_text_reserve(text, count);
  if (to == NULL)
    return;
  memcpy(to, bytes, count);
  to[count] = '\0'; /* terminated after each addition */
  text->used += count;
}

char *gradyn_vformat(const char *format, va_list args)
{
  /* one pass gives the length and short texts; longer texts need a second pass */
  char start[256] = "";
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(start, sizeof start, format, again);
  va_end(again);
  const size_t size = length > 0 ? (size_t)length + 1 : 1;
  char *text = malloc(size);
  if (text != NULL && size <= sizeof start) {
    memcpy(text, start, size);
    text[size - 1] = '\0'; /* in case the format cannot be printed */
  } else if (text != NULL) {
    (void)vsnprintf(text, size, format, args);
  }
  return text;
}

char *gradyn_format(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = gradyn_vformat(format, args);
  va_end(args);
  return text;
}

/* Whether a terminal would not print a character, or would show others in another order. */
static bool steers(uint32_t c)
{
  return gradyn_utf8_is_control(c) || gradyn_utf8_turns_writing(c);
}

size_t gradyn_plain_next(const char *text, bool lines, bool *shown)
{
  uint32_t character;
  const size_t length = gradyn_utf8_decode(text, &character);
  *shown = length > 0 && (!steers(character) || (lines && character == '\n'));
  return length > 0 ? length : 1;
}

char *gradyn_plain(char *text, bool lines)
{
  char *to = text;
  bool shown;
  for (size_t length, at = 0; text[at] != '\0'; at += length) {
    length = gradyn_plain_next(text + at, lines, &shown);
    if (shown)
      memmove(to, text + at, length);
    else
      *to = '?';
    to += shown ? length : 1;
  }
  *to = '\0';
  return text;
}
