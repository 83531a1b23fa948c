/* Texts as UTF-8. */
#ifndef GRADYN_CORE_UTF8_H
#define GRADYN_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The character that begins a text and its length in bytes, 0 if it is no UTF-8: longer encodings than
 * needed, surrogates and numbers beyond the last character are none. */
static inline size_t gradyn_utf8_decode(const char *text, uint32_t *character)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *s = (const unsigned char *)text;
  *character = s[0];
  if (s[0] < 0x80)
    return 1;
  const size_t bytes = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2; /* leading bits 110, 1110, 11110 */
  if (s[0] < 0xC0 || s[0] > 0xF7) /* a continuation byte, or lengths that UTF-8 does not have */
    return 0;
  uint32_t c = s[0] & (0xFFU >> (bytes + 1)); /* what the leading byte carries */
  for (size_t i = 1; i < bytes; i++) {
    if ((s[i] & 0xC0) != 0x80) /* also the end of the text */
      return 0;
    c = c << 6 | (s[i] & 0x3FU); /* six bits of each that follows */
  }
  *character = c;
  /* too long, beyond the last, half a pair */
  return c < least[bytes] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? 0 : bytes;
}

#endif
