/* Search of the reference in the words of users. docs/reference/search.js has the same rules for the site. */
#ifndef GRADYN_CLI_TEXT_FIND_H
#define GRADYN_CLI_TEXT_FIND_H

#include "cli/text/entries.h"

/* Searches the entries for the words of a text and their synonyms, and writes pointers to the best ones, best
 * first, into best [most]. Returns their number, at most `most`; 0: no entry fits. The pointers live as long
 * as `entries`. Ends the program if memory is exhausted. */
size_t cli_find(const cli_entries *entries, const char *words, const cli_entry **best, size_t most);

#endif
