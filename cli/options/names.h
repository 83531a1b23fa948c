/* Lists of names in an option, separated by commas. */
#ifndef GRADYN_CLI_NAMES_H
#define GRADYN_CLI_NAMES_H

#include <stddef.h>

typedef struct cli_names {
  char *text;        /* owned, split at its commas */
  const char **name; /* [count], parts of text */
  size_t count;
} cli_names;

/* Returns the names of a text that commas separate, copied; text NULL: no names. "" is one empty name, as
 * is the text between two commas. Release the result by cli_names_free(). Ends the program if memory is
 * exhausted. */
cli_names cli_names_split(const char *text);
/* Releases the members, and makes *names {0}; may be repeated. */
void cli_names_free(cli_names *names);

#endif
