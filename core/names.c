/* Looking at names byte by byte: UTF-8 without control characters. */
#include "core/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Decodes one character of UTF-8, *length bytes long; -1: there is none (then *length is 1). Longer
 * encodings than needed, surrogates and numbers beyond the last character are none either. */
static long decode(const char *text, size_t *length)
{
  static const long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *s = (const unsigned char *)text;
  *length = 1;
  if (s[0] < 0x80)
    return s[0];
  size_t bytes = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2; /* leading bits 110, 1110, 11110 */
  if (s[0] < 0xc0 || s[0] > 0xf7) /* a continuation byte, or lengths that UTF-8 does not have */
    return -1;
  long c = s[0] & (0xff >> (bytes + 1)); /* what the leading byte carries */
  for (size_t i = 1; i < bytes; i++) {
    if ((s[i] & 0xc0) != 0x80) /* also the end of the text */
      return -1;
    c = c << 6 | (s[i] & 0x3f); /* six bits of each that follows */
  }
  /* too long, beyond the last, half a pair */
  if (c < least[bytes] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
    return -1;
  *length = bytes;
  return c;
}

static bool is_control(long c)
{
  /* C0, DEL and C1, line and paragraph separators */
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/* Marks and overrides of the direction of writing: what follows would be shown in another order. */
static bool turns_writing(long c)
{
  return c == 0x200e || c == 0x200f || c == 0x61c || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

static const char *fault_of(long c)
{
  if (c < 0)
    return "is no UTF-8";
  if (is_control(c))
    return "has a control character";
  return turns_writing(c) ? "has a character that turns the direction of writing" : NULL;
}

const char *gradyn_name_fault(const char *text)
{
  size_t length;
  for (; *text; text += length) {
    const char *fault = fault_of(decode(text, &length));
    if (fault)
      return fault;
  }
  return NULL;
}

void gradyn_name_quote(const char *text, char *buffer, size_t size)
{
  size_t used = 0, length;
  /* one byte takes up to four characters and the end one more */
  for (; *text && used + 5 < size; text += length) {
    bool plain = !fault_of(decode(text, &length));
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
    if (fault_of(decode(text, &length)) && *text != '\n')
      memset(text, '?', length); /* of the same length: the text stays where it is */
}
