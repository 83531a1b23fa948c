/* Decimal numbers: rounding without conversion, and fast printing. */
#ifndef GRADYN_CORE_DECIMAL_H
#define GRADYN_CORE_DECIMAL_H

#include <stddef.h>

enum { GRADYN_DECIMAL_MOST = 26 };
#define GRADYN_DECIMAL_LEAST 1e-23

/* Rounds a decimal number of `length` bytes, such as -12.5 or 1e-05, to `digits` >= 1 significant digits,
 * halves away from zero; decimals that end in zeros lose these. out [length + 1] is not terminated, and may
 * not overlap number. Returns the number of bytes; 0: it is not such a number. */
size_t gradyn_decimal_round(const char *number, size_t length, int digits, char *out);

/* Prints a number that is zero, or has a magnitude from GRADYN_DECIMAL_LEAST to below 1e16. The result is
 * that of printf() with %.17g, three to ten times faster. out [GRADYN_DECIMAL_MOST] is not terminated.
 * Returns the number of bytes; 0: another magnitude. */
size_t gradyn_decimal_print(double value, char *out);

#endif
