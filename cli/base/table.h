/* Aligned tables for people. */
#ifndef GRADYN_CLI_TABLE_H
#define GRADYN_CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_table {
  const char *align; /* one letter a column: 'l' left, 'r' right; borrowed */
  char **cell;       /* [count], row by row */
  size_t count, capacity;
} cli_table;

/* Adds the next cells, as by printf, each made plain (gradyn_plain()): bars of the format stand between
 * them, "%s|%.10g". Begin with {.align = "lr..."}; the first row is the head. */
void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the table, each line behind the indent, and releases the cells. A table with nothing but
 * its head is not printed. */
void cli_table_print(cli_table *table, const char *indent, FILE *file);

#endif
