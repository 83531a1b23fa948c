/* Checks names byte by byte: they must be UTF-8 without control characters. Every name of the user is
 * checked once, at its declaration. */
#include "core/base/names.h"

#include "core/base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether a character controls a terminal instead of being printed. */
static bool is_control(uint32_t c)
{
  /* C0, DEL and C1 controls, line and paragraph separators */
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/* Marks and overrides of the writing direction: a terminal would show the following text in another order. */
static bool turns_writing(uint32_t c)
{
  return c == 0x200e || c == 0x200f || c == 0x61c || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

/* Fault of the character at the start of text; NULL: none. *length: bytes of the character, 1 if it is
 * faulty. */
static const char *fault_at(const char *text, size_t *length)
{
  uint32_t c;
  *length = gradyn_utf8_decode(text, &c);
  if (*length == 0) {
    *length = 1;
    return "is no UTF-8";
  }
  if (is_control(c))
    return "has a control character";
  return turns_writing(c) ? "has a character that turns the direction of writing" : NULL;
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

/* For messages about invalid names: bytes that could disturb a terminal are printed as \xNN. */
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
