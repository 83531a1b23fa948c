/* Text that goes to a terminal. */
#include "cli/text/plain.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/options/memory.h"
#include "core/base/utf8.h"

size_t cli_plain_length(const char *text)
{
  uint32_t character;
  return gradyn_utf8_decode(text, &character);
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
    size_t length = gradyn_utf8_decode(from, &character);
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
  /* made plain, since names come from users */
  char *text = cli_vtext(format, args);
  va_end(args);
  (void)fputs(cli_plain(text, true), file);
  free(text);
}
