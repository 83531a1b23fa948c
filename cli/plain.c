/* Text that goes to a terminal. */
#include "cli/plain.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/memory.h"

/* The character that begins a text and its length in bytes, 0 if it is no UTF-8: too long a form, a
 * surrogate and what is beyond the last character are none. */
static size_t decode(const char *text, uint32_t *character)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)text[0];
  /* bits of the first byte tell the length */
  size_t length = first < 0x80             ? 1
                  : (first & 0xE0) == 0xC0 ? 2
                  : (first & 0xF0) == 0xE0 ? 3
                  : (first & 0xF8) == 0xF0 ? 4
                                           : 0;
  *character = length > 1 ? first & (0xFFU >> (length + 1)) : first;
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)text[i] & 0xC0) != 0x80) /* also the end of the text */
      return 0;
    *character = *character << 6 | ((unsigned char)text[i] & 0x3FU);
  }
  /* longer than needed, beyond the last, or half a pair */
  bool wrong = length > 1 && (*character < least[length] || *character > 0x10FFFF ||
                              (*character >= 0xD800 && *character <= 0xDFFF));
  return wrong ? 0 : length;
}

size_t cli_plain_length(const char *text)
{
  uint32_t character;
  return decode(text, &character);
}

/* C0 and C1 controls, and the embeddings, overrides and isolates of bidirectional text. */
static bool steers(uint32_t c)
{
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

char *cli_plain(char *text, bool lines)
{
  char *to = text;
  for (const char *from = text; *from;) {
    uint32_t character;
    size_t length = decode(from, &character);
    /* what steers the terminal, or is no text */
    if (length == 0 || (steers(character) && !(lines && character == '\n'))) {
      *to++ = '?';
      from += length ? length : 1;
      continue;
    }
    for (size_t i = 0; i < length; i++)
      *to++ = *from++;
  }
  *to = '\0';
  return text;
}

void cli_say(FILE *file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = cli_vtext(format, args);
  va_end(args);
  (void)fputs(cli_plain(text, true), file);
  free(text);
}
