/* Tables read back from CSV files, thinned for the report. */
#ifndef GRADYN_CLI_CSV_READ_H
#define GRADYN_CLI_CSV_READ_H

#include <jansson.h>

typedef struct cli_csv_request {
  size_t most_cells;   /* so many at most, by leaving rows out evenly, the first and last never */
  size_t most_columns; /* and the columns from here on, if the cells would not leave `least_rows` */
  size_t least_rows;
  int digits; /* significant ones of each number */
} cli_csv_request;

/* Reads a file as {"rows_in_file", "columns_in_file", "rows", "columns": [{"name", "values"}]}, the
 * values of a column in one text, divided by blanks; bytes of words that JSON or markup would escape are _.
 * Lines that do not have all columns, such as a torn
 * last one, are left out and counted in "torn". NULL: it cannot be read (errno), or has no columns
 * (errno 0). */
json_t *cli_csv_read(const char *path, const cli_csv_request *request);

#endif
