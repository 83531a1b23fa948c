/* Text that comes from a problem or from a user and goes to a terminal: names, units, messages. */
#ifndef GRADYN_CLI_PLAIN_H
#define GRADYN_CLI_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Length in bytes of the UTF-8 character that begins a text, at most 4; 0 if there is none. */
size_t cli_plain_length(const char *text);

/* Replaces by '?', in place, what is no UTF-8 and what would steer a terminal: control characters and
 * those that turn the direction of writing; with lines, newlines stay. Returns text. */
char *cli_plain(char *text, bool lines);

/* Prints as by fprintf, but what has been put together is made plain; newlines stay. */
void cli_say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
