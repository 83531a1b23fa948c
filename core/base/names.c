/* Checks names byte by byte: they must be UTF-8 without control characters. Every name of the user is
 * checked once, at its declaration. */
#include "core/base/names.h"

#include "core/base/utf8.h"

#include <stdio.h>
#include <string.h>

/* Describes the fault of the character at the start of text; NULL: it has none. *length: bytes of the
 * character, 1 if it is faulty. */
static const char *fault_at(const char *text, size_t *length)
{
  uint32_t c;
  *length = gradyn_utf8_decode(text, &c);
  if (*length == 0) {
    *length = 1;
    return "is no UTF-8";
  }
  if (gradyn_utf8_is_control(c))
    return "has a control character";
  return gradyn_utf8_turns_writing(c) ? "has a character that turns the direction of writing"
                                      : NULL;
}

const char *gradyn_name_fault(const char *text)
{
  size_t length;
  for (; *text; text += length) {
    const char *fault = fault_at(text, &length);
    if (fault)
      return fault;
  }
  return NULL;
}

/* Makes a text printable for messages about invalid names: bytes that could disturb a terminal become \xNN.
 */
void gradyn_name_quote(const char *text, char *buffer, size_t size)
{
  size_t used = 0, length;
  /* one byte takes up to four characters, and the terminator one more */
  for (; *text && used + 5 < size; text += length) {
    bool plain = !fault_at(text, &length);
    for (size_t i = 0; i < length && used + 5 < size; i++)
      used += (size_t)snprintf(buffer + used, size - used, plain ? "%c" : "\\x%02x",
                               (unsigned char)text[i]);
  }
  buffer[used] = '\0';
}

void gradyn_text_clean(char *text)
{
  size_t length;
  for (; *text; text += length)
    if (fault_at(text, &length) && *text != '\n')
      /* the length stays the same, so the rest of the text does not move */
      memset(text, '?', length);
}
