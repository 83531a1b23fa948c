/* Comma-separated values: a line of headings with units, numbers that read back exactly. */
#ifndef GRADYN_CORE_CSV_H
#define GRADYN_CORE_CSV_H

#include <stdio.h>

/* Writes "name [unit]" as a heading, quoted where it has to be; unit "" leaves the brackets out. */
void gradyn_csv_heading(FILE *file, const char *name, const char *unit);

/* Writes a text, quoted where it has to be. */
void gradyn_csv_text(FILE *file, const char *text);

/* Writes a number with 17 significant digits; "nan", "inf" or "-inf" if it is not finite. */
void gradyn_csv_number(FILE *file, double value);

/* The same of count numbers, each behind a comma; value NULL: none of them is known. */
void gradyn_csv_numbers(FILE *file, const double *value, size_t count);

#endif
