/* Numbers as they are written: rounded without being converted, and printed quickly. */
#ifndef GRADYN_CORE_DECIMAL_H
#define GRADYN_CORE_DECIMAL_H

#include <stddef.h>

enum { GRADYN_DECIMAL_MOST = 26 };
#define GRADYN_DECIMAL_LEAST 1e-23

/* Rounds a decimal number of `length` bytes, such as -12.5 or 1e-05, to `digits` significant ones, halves
 * away from zero; out [length + 1], not terminated. Returns the bytes written; 0: it is no such number. */
size_t gradyn_decimal_round(const char *number, size_t length, int digits, char *out);

/* Prints a number that is zero, or whose size is from GRADYN_DECIMAL_LEAST to below 1e16, as printf() does
 * with %.17g, three to ten times faster; out [GRADYN_DECIMAL_MOST], not terminated. Returns the bytes
 * written; 0: it is of another size. */
size_t gradyn_decimal_print(double value, char *out);

#endif
