/* Numbers as they are written: rounded without being converted. */
#ifndef GRADYN_CLI_DECIMAL_H
#define GRADYN_CLI_DECIMAL_H

#include <stddef.h>

/* Rounds a decimal number of `length` bytes, such as -12.5 or 1e-05, to `digits` significant ones, halves
 * away from zero; out [length + 1], not terminated. Returns the bytes written; 0: it is no such number. */
size_t cli_decimal_round(const char *number, size_t length, int digits, char *out);

#endif
