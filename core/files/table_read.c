/* Reading of CSV files line by line. */
#include "core/files/table_read.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/base/names.h"
#include "core/files/read.h"

enum { MOST_CHARACTERS = 1 << 20 };

gradyn_status gradyn_table_fail(const gradyn_table_reader *r, gradyn_status status,
                                const char *format, ...)
{
  char text[300];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (r->message && r->number > 0)
    (void)snprintf(r->message, r->size, "%s:%zu: %s", r->file, r->number, text);
  else if (r->message)
    (void)snprintf(r->message, r->size, "%s: %s", r->file, text);
  return status;
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

/* Splits the line into cells. */
static gradyn_status split(gradyn_table_reader *r)
{
  char *at = r->line;
  for (r->cells = 0; at; r->cells++) {
    if (r->cells > GRADYN_TABLE_COLUMNS)
      return gradyn_table_fail(r, GRADYN_INVALID, "there are more than %d columns",
                               GRADYN_TABLE_COLUMNS);
    char *next = strchr(at, ',');
    if (next)
      *next++ = '\0';
    r->cell[r->cells] = trim(at);
    at = next;
  }
  if (r->columns > 0 && r->cells != r->columns)
    return gradyn_table_fail(r, GRADYN_INVALID,
                             "the line has %zu cells, but there are %zu headings", r->cells,
                             r->columns);
  return GRADYN_OK;
}

/* Removes the byte order mark that spreadsheets write, which may precede a comment. */
static void remove_mark(gradyn_table_reader *r)
{
  if (r->number == 1 && strncmp(r->line, "\xef\xbb\xbf", 3) == 0)
    memmove(r->line, r->line + 3, strlen(r->line + 3) + 1);
}

gradyn_status gradyn_table_next(gradyn_table_reader *r, bool *end)
{
  gradyn_status status = GRADYN_OK;
  for (;;) {
    const ssize_t length = gradyn_read_line(r->stream, &r->line, &r->capacity, &status);
    *end = length < 0;
    if (status != GRADYN_OK)
      return gradyn_table_fail(r, GRADYN_NO_MEMORY, "out of memory");
    if (*end)
      return ferror(r->stream) ? gradyn_table_fail(r, GRADYN_IO, "it cannot be read") : GRADYN_OK;
    r->number++;
    if (strlen(r->line) != (size_t)length || length > MOST_CHARACTERS)
      return gradyn_table_fail(r, GRADYN_INVALID, "it is not a text, or a line is too long");
    remove_mark(r);
    const char *first = r->line + strspn(r->line, " \t\r\n");
    if (*first != '\0' && *first != '#')
      return split(r);
  }
}

gradyn_status gradyn_table_number(const gradyn_table_reader *r, size_t i, const char *name,
                                  double *value)
{
  char *end = NULL, quoted[100];
  const char *text = r->cell[i];
  *value = *text ? strtod(text, &end) : (double)NAN;
  gradyn_name_quote(text, quoted, sizeof quoted);
  if (*text && (*end != '\0' || !isfinite(*value)))
    return gradyn_table_fail(r, GRADYN_INVALID,
                             "%s is \"%s\"; give a finite number or leave the cell empty", name,
                             quoted);
  return GRADYN_OK;
}

/* Reads the headings without units. */
static gradyn_status read_headings(gradyn_table_reader *r)
{
  bool end = false;
  GRADYN_TRY(gradyn_table_next(r, &end));
  if (end)
    return gradyn_table_fail(r, GRADYN_INVALID, "the file is empty");
  for (size_t i = 0; i < r->cells; i++) {
    char *unit = strstr(r->cell[i], " [");
    if (unit)
      *unit = '\0';
    r->cell[i] = trim(r->cell[i]);
  }
  r->columns = r->cells;
  r->headings = r->number;
  return GRADYN_OK;
}

gradyn_status gradyn_table_open(gradyn_table_reader *r)
{
  char why[256] = "";
  const gradyn_status opened = gradyn_read_open(r->file, &r->stream, why, sizeof why);
  if (opened != GRADYN_OK)
    return gradyn_table_fail(r, opened, "%s", why);
  return read_headings(r);
}

void gradyn_table_close(gradyn_table_reader *r)
{
  if (r->stream)
    (void)fclose(r->stream); /* no check: the file was only read */
  r->stream = NULL;
  free(r->line);
  r->line = NULL;
}
