/* Names that an option gives, separated by commas. */
#ifndef GRADYN_CLI_NAMES_H
#define GRADYN_CLI_NAMES_H

#include <stddef.h>

typedef struct cli_names {
  char *text;        /* owned, cut at its commas */
  const char **name; /* [count], parts of it */
  size_t count;
} cli_names;

/* Takes a text apart; NULL: no names. */
cli_names cli_names_split(const char *text);
void cli_names_free(cli_names *names);

#endif
