/* Text that comes from a problem or from a user and goes to a terminal: names, units, messages. */
#ifndef GRADYN_CLI_PLAIN_H
#define GRADYN_CLI_PLAIN_H

#include <stdio.h>

#include "core/files/text.h"

/* Prints as by fprintf, but what has been put together is made plain (gradyn_plain()); newlines stay. */
void cli_say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
