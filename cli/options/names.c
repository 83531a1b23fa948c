/* Splits a list of names. */
#include "cli/options/names.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"

/* The resulting names point into a copy of the text. */
cli_names cli_names_split(const char *text)
{
  cli_names names = {0};
  if (!text)
    return names;
  names.text = cli_text("%s", text);
  names.name = cli_take(strlen(text) + 1, sizeof *names.name);
  for (char *at = names.text; at;) {
    names.name[names.count++] = at;
    at = strchr(at, ',');
    if (at)
      *at++ = '\0';
  }
  return names;
}

void cli_names_free(cli_names *names)
{
  free(names->name);
  free(names->text);
  *names = (cli_names){0};
}
