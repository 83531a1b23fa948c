/* Entries of the table of options, for the parser and for the texts that list them. */
#ifndef GRADYN_CLI_OPTIONS_ENTRY_H
#define GRADYN_CLI_OPTIONS_ENTRY_H

#include <stddef.h>

typedef enum option_kind {
  FLAG,     /* bool */
  TIMES,    /* int, counts how often it was given */
  TEXT,     /* const char * */
  NUMBER,   /* double */
  POSITIVE, /* double > 0 */
  LIMIT,    /* double >= 0, where 0 means off */
  WHOLE,    /* long, integer >= 1 */
  FEW,      /* the same, int */
  CHOICE    /* adds a cli_choice, whose kind is its letter */
} option_kind;

typedef enum option_owner {
  OWN,       /* a member of cli_options itself */
  EVALUATES, /* a member of `evaluation` in cli_options */
  SEARCHES   /* a member of `search` in cli_options */
} option_owner;

typedef struct option_entry {
  const char *name;
  int letter; /* letter of the short option, or of the choice; 0: none */
  option_kind kind;
  option_owner owner;
  size_t offset;        /* offset of the field in the struct of the owner, bytes */
  unsigned commands;    /* bits of the commands that accept it, CLI_LIST | ... */
  const char *argument; /* as printed by the help; NULL: none */
  const char *help;     /* one line */
  /* sentences for `gradyn help` and the manual page; `text` stands for itself */
  const char *details;
} option_entry;

extern const option_entry cli_option_entries[];
extern const size_t cli_option_count; /* at most CLI_OPTIONS_MOST */

#endif
