/* Texts as UTF-8. */
#ifndef GRADYN_CORE_UTF8_H
#define GRADYN_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at the start of a text into *character. Returns its length in bytes, or 0 if it is
 * not UTF-8. The end of the text is character 0 with length 1. Overlong encodings, surrogates and numbers
 * beyond the last character are not UTF-8. */
static inline size_t gradyn_utf8_decode(const char *text, uint32_t *character)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *s = (const unsigned char *)text;
  *character = s[0];
  if (s[0] < 0x80)
    return 1;
  const size_t bytes = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2; /* leading bits 110, 1110, 11110 */
  if (s[0] < 0xC0 || s[0] > 0xF7) /* a continuation byte, or a length that UTF-8 does not have */
    return 0;
  uint32_t c = s[0] & (0xFFU >> (bytes + 1)); /* bits of the leading byte */
  for (size_t i = 1; i < bytes; i++) {
    if ((s[i] & 0xC0) != 0x80) /* also detects the end of the text */
      return 0;
    c = c << 6 | (s[i] & 0x3FU); /* six bits of each continuation byte */
  }
  *character = c;
  /* overlong, beyond the last character, or a surrogate */
  return c < least[bytes] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? 0 : bytes;
}

/* Returns whether a character controls a terminal instead of being printed. */
static inline bool gradyn_utf8_is_control(uint32_t c)
{
  /* C0, DEL and C1 controls, line and paragraph separators */
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/* Returns whether a character marks or overrides the direction of writing: a terminal would show the
 * following text in another order. */
static inline bool gradyn_utf8_turns_writing(uint32_t c)
{
  return c == 0x200e || c == 0x200f || c == 0x61c || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

#endif
