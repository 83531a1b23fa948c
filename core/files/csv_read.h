/* Tables read back from CSV files, thinned for the report. */
#ifndef GRADYN_CORE_CSV_READ_H
#define GRADYN_CORE_CSV_READ_H

#include <jansson.h>

#include <gradyn/status.h>

typedef struct gradyn_csv_request {
  size_t most_cells;   /* so many at most, by leaving rows out evenly, the first and last never */
  size_t most_columns; /* and the columns from here on, if the cells would not leave `least_rows` */
  size_t least_rows;
  int digits; /* significant ones of each number */
} gradyn_csv_request;

/* Reads a file as {"rows_in_file", "columns_in_file", "rows", "columns": [{"name", "values"}]}, the
 * values of a column in one text, divided by blanks; bytes of words that JSON or markup would escape are _.
 * Lines that do not have all columns, such as a torn
 * last one, are left out and counted in "torn". Other statuses as of gradyn_read_open(), GRADYN_INVALID also
 * of an empty file; *root is NULL then, and why [size] tells the reason. */
gradyn_status gradyn_csv_read(const char *path, const gradyn_csv_request *request, json_t **root,
                              char why[], size_t size);

#endif
