/* Output of texts to a terminal. */
#include "cli/base/plain.h"

#include <stdlib.h>

#include "cli/base/memory.h"

void cli_say(FILE *file, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  /* replaces control characters, because names come from users */
  char *text = cli_vtext(format, args);
  va_end(args);
  (void)fputs(gradyn_plain(text, true), file);
  free(text);
}
