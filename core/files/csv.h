/* Comma-separated values: a line of headings with units, and numbers that read back exactly. ferror(file)
 * shows a failed write. */
#ifndef GRADYN_CORE_CSV_H
#define GRADYN_CORE_CSV_H

#include <stdio.h>

/* Writes "name [unit]" as a heading, in quotes if required, without a comma before it. unit "": no
 * brackets. Bytes that are not shown by gradyn_plain_next() become '?'. */
void gradyn_csv_heading(FILE *file, const char *name, const char *unit);

/* Writes a text unchanged to a file; in quotes if required, with quotes inside doubled. A failed write
 * shows in ferror(file). */
void gradyn_csv_text(FILE *file, const char *text);

/* Writes a number with 17 significant digits; "nan", "inf" or "-inf" if it is not finite. */
void gradyn_csv_number(FILE *file, double value);

/* Writes value [count] with gradyn_csv_number(), each after a comma. value NULL: count times nan. */
void gradyn_csv_numbers(FILE *file, const double *value, size_t count);

#endif
