/* Names of points, elements, data, states, functionals: what may be in them. They end up in messages, tables,
 * JSON and CSV files and on terminals. */
#ifndef GRADYN_CORE_NAMES_H
#define GRADYN_CORE_NAMES_H

#include <stddef.h>

/* What is wrong with a name or a unit, to be said behind it ("has a control character"); NULL: nothing. */
const char *gradyn_name_fault(const char *text);

/* Writes a text with every byte that is no part of a printable character as \xNN; cut to fit. */
void gradyn_name_quote(const char *text, char *buffer, size_t size);

/* Replaces all such bytes of a text, except line feeds, by question marks. */
void gradyn_text_clean(char *text);

#endif
