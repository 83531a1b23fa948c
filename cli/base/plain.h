/* Output of texts from problems or users to a terminal: names, units, messages. */
#ifndef GRADYN_CLI_PLAIN_H
#define GRADYN_CLI_PLAIN_H

#include <stdio.h>

#include "core/files/text.h"

/* Prints as fprintf does, but without characters that control a terminal, see gradyn_plain(). Newlines stay.
 * A failed write is shown by ferror(file). Ends the program if memory is exhausted. */
void cli_say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
