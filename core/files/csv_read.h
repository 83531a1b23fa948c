/* Reads tables from CSV files, thinned for the report. */
#ifndef GRADYN_CORE_CSV_READ_H
#define GRADYN_CORE_CSV_READ_H

#include <jansson.h>

#include <gradyn/base.h>

typedef struct gradyn_csv_request {
  /* largest number of cells; rows are omitted evenly, but never the first and the last; two rows always
   * remain */
  size_t most_cells;
  /* if fewer than least_rows rows would remain with all columns, only this number of columns is read */
  size_t most_columns;
  size_t least_rows;
  int digits; /* significant digits of each number */
} gradyn_csv_request;

/* Reads a file as {"rows_in_file", "columns_in_file", "rows", "columns": [{"name", "values"}]}; release *root
 * with json_decref(). The values of a column are one text, separated by blanks; each is cut to 47 bytes, and
 * an empty one is -. In words, blanks and bytes that JSON or markup would escape become _. A heading keeps
 * its unit. Lines without all columns, such as a truncated last one, are left out and counted in "torn".
 *
 * Errors: GRADYN_NOT_FOUND; GRADYN_IO, it cannot be read; GRADYN_INVALID, it is empty or no regular file;
 * GRADYN_NO_MEMORY. Then *root is NULL, and why [size] has the reason. */
gradyn_status gradyn_csv_read(const char *path, const gradyn_csv_request *request, json_t **root,
                              char why[], size_t size);

#endif
