/* Reads a CSV file line by line: a line of headings, then lines with as many cells. Failures name the file
 * and the line. */
#ifndef GRADYN_CORE_TABLE_READ_H
#define GRADYN_CORE_TABLE_READ_H

#include <stdbool.h>
#include <stdio.h>

#include <gradyn/base.h>

enum { GRADYN_TABLE_COLUMNS = 1000 };

typedef struct gradyn_table_reader {
  const char *file; /* name of the file, borrowed */
  FILE *stream;
  char *line;
  size_t capacity, number, headings; /* memory of the line; numbers of lines, from 1 */
  char *cell[GRADYN_TABLE_COLUMNS + 1];
  size_t cells, columns; /* cells of the present line; those of the headings */
  char *message;         /* [size] receives the reason of a failure, borrowed; NULL: none */
  size_t size;
} gradyn_table_reader;

/* Opens r->file and reads its headings into the cells, without a unit in brackets after each. r: file,
 * message and size are set, the rest is zero. Close r in any case, also after an error. Errors:
 * GRADYN_NOT_FOUND, there is no such file; GRADYN_IO; GRADYN_INVALID, it is empty or no regular file, or its
 * headings are no text; GRADYN_NO_MEMORY. */
gradyn_status gradyn_table_open(gradyn_table_reader *r);

/* Closes the file and frees the line, not r itself; may be repeated. */
void gradyn_table_close(gradyn_table_reader *r);

/* Reads the cells of the next line that is not empty and does not begin with '#'; cells are valid until the
 * next call. *end: there is none. Errors, with the reason in r->message: GRADYN_INVALID: the line has another
 * number of cells than the headings, or is no text; GRADYN_IO; GRADYN_NO_MEMORY. */
gradyn_status gradyn_table_next(gradyn_table_reader *r, bool *end);

/* Sets *value to cell i, from 0; an empty cell is NAN. GRADYN_INVALID: it is no finite number; the message
 * has `name`, that of its column. */
gradyn_status gradyn_table_number(const gradyn_table_reader *r, size_t i, const char *name,
                                  double *value);

/* Writes the file's name, the line's number if one was read, and the message, formatted as by printf, to
 * r->message. Returns the status. */
gradyn_status gradyn_table_fail(const gradyn_table_reader *r, gradyn_status status,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
