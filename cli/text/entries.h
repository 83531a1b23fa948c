/* Entries of the reference: declarations of the public headers with their comments, commands and options.
 *
 * The build embeds the headers and docs/reference/synonyms.txt. The command, the site and their searches
 * use the same entries. */
#ifndef GRADYN_CLI_TEXT_ENTRIES_H
#define GRADYN_CLI_TEXT_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options/table.h"

/* Embedded files, made by cmake/embed.cmake. */
enum { CLI_FILE_HEADER, CLI_FILE_SYNONYMS };
typedef struct cli_file {
  int kind;
  const char *name;           /* without folder, "forces.h"; static, as bytes */
  const unsigned char *bytes; /* [size], followed by a zero byte */
  size_t size;
} cli_file;
extern const cli_file cli_files[]; /* [cli_file_count] */
extern const size_t cli_file_count;

typedef struct cli_entry {
  char name[72];      /* "gradyn_spring", "gradyn run", "--starts" */
  const char *source; /* header without folder, static text; "": command or option */
  char *about;        /* comment without stars, paragraphs separated by empty lines; owned */
  char *code;         /* declaration, option with its argument, or usage; owned */
  cli_option option;  /* the option; name NULL: none */
} cli_entry;

typedef struct cli_entries {
  cli_entry *entry; /* [count], owned */
  size_t count;
} cli_entries;

/* Returns all entries, to be released by cli_entries_clear(): those of headers in their order, then commands,
 * then options. Ends the program if memory is exhausted. */
cli_entries cli_entries_read(void);
/* Frees the entries, and makes *entries empty; may be repeated. */
void cli_entries_clear(cli_entries *entries);

/* Returns whether text has `word`, of this length > 0, as a whole word of letters, digits and underscores;
 * upper and lower case differ. word need not be terminated. */
bool cli_entry_mentions(const char *text, const char *word, size_t length);

/* Returns whether an entry is the struct of the arguments of another entry (a name in _spec), which shows
 * it. */
bool cli_entry_is_spec(const cli_entry *entry);

/* Returns the entry of the struct of arguments that the declaration of an entry names, within `entries`;
 * NULL: none, or a command or option. */
const cli_entry *cli_entry_spec(const cli_entries *entries, const cli_entry *entry);

/* Writes the first sentence of the comment of an entry, without its full stop, as one line into text [size].
 * A longer sentence is cut off. */
void cli_entry_summary(const cli_entry *entry, char *text, size_t size);

#endif
