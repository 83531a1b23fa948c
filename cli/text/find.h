/* Search of the reference in the words of users. docs/reference/search.js has the same rules for the site. */
#ifndef GRADYN_CLI_TEXT_FIND_H
#define GRADYN_CLI_TEXT_FIND_H

#include "cli/text/entries.h"

/* Searches the entries for words, and writes the best ones, best first, into best [most]. Returns their
 * number, at most `most`. */
size_t cli_find(const cli_entries *entries, const char *words, const cli_entry **best, size_t most);

#endif
