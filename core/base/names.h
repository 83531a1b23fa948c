/* Valid names of points, elements, data, states and functionals. Names appear in messages, tables, JSON and
 * CSV files, and on terminals. */
#ifndef GRADYN_CORE_NAMES_H
#define GRADYN_CORE_NAMES_H

#include <stddef.h>

/* Returns the fault of a name or unit, not NULL, as a constant phrase to follow the name ("has a control
 * character"). NULL: valid; "" is valid as well. */
const char *gradyn_name_fault(const char *text);

/* Writes a text into buffer [size], size > 0. Bytes that are not part of a printable character become \xNN.
 * The result is truncated to fit. */
void gradyn_name_quote(const char *text, char *buffer, size_t size);

/* Replaces bytes that are not part of a printable character by question marks, in place. Line feeds stay. */
void gradyn_text_clean(char *text);

#endif
