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
  const char *name;           /* without folder, "forces.h" */
  const unsigned char *bytes; /* [size], followed by a zero byte */
  size_t size;
} cli_file;
extern const cli_file cli_files[]; /* [cli_file_count] */
extern const size_t cli_file_count;

typedef struct cli_entry {
  char name[72];      /* "gradyn_spring", "gradyn run", "--starts" */
  const char *source; /* header; "": command or option */
  char *about;        /* comment without stars, paragraphs separated by empty lines; owned */
  char *code;         /* declaration, option with its argument, or usage; owned */
  cli_option option;  /* the option; name NULL: none */
} cli_entry;

typedef struct cli_entries {
  cli_entry *entry; /* [count], owned */
  size_t count;
} cli_entries;

/* All entries. Release them by cli_entries_clear(). */
cli_entries cli_entries_read(void);
void cli_entries_clear(cli_entries *entries);

/* Whether a text has a word with the same letters and underscores. */
bool cli_entry_mentions(const char *text, const char *word, size_t length);

/* Whether an entry is the struct of arguments of another entry, which shows it. */
bool cli_entry_is_spec(const cli_entry *entry);

/* The struct of arguments that a declaration names; NULL: none. */
const cli_entry *cli_entry_spec(const cli_entries *entries, const cli_entry *entry);

/* Writes the first sentence of the comment of an entry into text [size], shortened to size - 1 bytes. */
void cli_entry_summary(const cli_entry *entry, char *text, size_t size);

#endif
