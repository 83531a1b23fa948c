/* Aligned tables. */
#include "cli/base/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/memory.h"
#include "cli/base/plain.h"

/* Adds a cell. Cells are stored row by row; the number of columns determines the rows. */
static void add_cell(cli_table *table, const char *text)
{
  if (table->count == table->capacity) {
    table->capacity = table->capacity ? 2 * table->capacity : 64;
    table->cell = cli_grow(table->cell, table->capacity, sizeof *table->cell);
  }
  table->cell[table->count++] = gradyn_plain(cli_text("%.511s", text), false);
}

void cli_table_add(cli_table *table, const char *format, ...)
{
  /* during formatting, a character that no name contains replaces the '|' of the format, because texts may
   * contain '|' */
  const char separator = '\x1f';
  char *parts = cli_text("%s", format);
  for (char *bar = parts; (bar = strchr(bar, '|')) != NULL;)
    *bar = separator;
  va_list args;
  va_start(args, format);
  char *text = cli_vtext(parts, args), *cell = text;
  va_end(args);
  for (const char *bar = format; (bar = strchr(bar, '|')) != NULL; bar++) {
    char *end = strchr(cell, separator);
    *end = '\0';
    add_cell(table, cell);
    cell = end + 1;
  }
  add_cell(table, cell);
  free(text);
  free(parts);
}

/* Returns the number of characters of a UTF-8 text: its bytes without continuation bytes. */
static size_t width(const char *text)
{
  size_t n = 0;
  for (; *text; text++)
    n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

/* Prints cells side by side, padded to the widths of their columns. */
static void print_row(const cli_table *table, char *const *cell, const size_t *widest, FILE *file)
{
  size_t columns = strlen(table->align), pending = 0;
  for (size_t j = 0; j < columns; j++) {
    /* blanks are printed only before further text, so that no line ends in blanks */
    size_t blank = widest[j] - width(cell[j]); /* align is 'r' or 'l' */
    size_t before = pending + (table->align[j] == 'r' ? blank : 0);
    if (*cell[j]) {
      (void)fprintf(file, "%*s%s", (int)before, "", cell[j]);
      pending = 2 + (table->align[j] == 'r' ? 0 : blank);
    } else {
      pending += widest[j] + 2;
    }
  }
  (void)fputc('\n', file);
}

void cli_table_print(cli_table *table, const char *indent, FILE *file)
{
  size_t columns = strlen(table->align);
  size_t *widest = cli_take(columns, sizeof *widest);
  for (size_t i = 0; i < table->count; i++) {
    /* a cell with index i is in column i % columns */
    size_t w = width(table->cell[i]);
    if (w > widest[i % columns])
      widest[i % columns] = w;
  }
  /* a table that has only a heading is not printed */
  for (size_t i = 0; table->count > columns && i + columns <= table->count; i += columns) {
    (void)fputs(indent, file);
    print_row(table, table->cell + i, widest, file);
  }
  for (size_t i = 0; i < table->count; i++)
    free(table->cell[i]);
  free(table->cell);
  free(widest);
  *table = (cli_table){.align = table->align};
}
