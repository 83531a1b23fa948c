/* Aligned tables. */
#ifndef GRADYN_CLI_TABLE_H
#define GRADYN_CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_table {
  const char *align; /* one letter per column: 'l' left, 'r' right; borrowed */
  char **cell;       /* [count], row by row, the head first; owned */
  size_t count, capacity;
} cli_table;

/* Adds one or more cells, formatted as by printf and without control characters, see gradyn_plain(). '|' in
 * the format separates cells, as in "%s|%.10g"; in texts it is a character. A row ends when it has a cell for
 * each letter of align. Initialise the table with {.align = "lr..."}; its first row is the head. Cells are
 * cut off after 511 bytes. Ends the program if memory is exhausted. */
void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the table to a file, each line after the text indent, and releases the cells; the table is empty
 * then. A table with only a head is not printed. */
void cli_table_print(cli_table *table, const char *indent, FILE *file);

#endif
