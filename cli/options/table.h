/* The table of options as users see it. */
#ifndef GRADYN_CLI_OPTIONS_TABLE_H
#define GRADYN_CLI_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* An option as users see it. */
typedef struct cli_option {
  const char *name, *argument, *help; /* argument NULL: none */
  const char *details;                /* sentences; "": none */
  const char *group;                  /* title of the group that begins here; NULL: none */
  int letter;                         /* letter of the short option; 0: none */
  unsigned commands;
} cli_option;

/* Sets *option to entry 0, 1, ... of the table. Returns false if there is no such entry. */
bool cli_options_at(size_t i, cli_option *option);

#endif
