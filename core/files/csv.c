/* Comma-separated values: headings with units, numbers. */
#include "core/files/csv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/files/decimal.h"
#include "core/files/text.h"

/* Writes a text. Most names need no quotes and are written unchanged. */
void gradyn_csv_text(FILE *file, const char *text)
{
  /* quoted if it would be more than one field; quotes are doubled */
  if (!strpbrk(text, ",\"\r\n")) {
    (void)fputs(text, file);
    return;
  }
  (void)fputc('"', file);
  for (; *text; text++) {
    if (*text == '"')
      (void)fputc('"', file);
    (void)fputc(*text, file);
  }
  (void)fputc('"', file);
}

/* Replaces characters that control a terminal, because the table may be printed on one. */
static void put_plain(FILE *file, const char *text, bool quoted)
{
  bool shown;
  for (size_t length; *text; text += length) {
    length = gradyn_plain_next(text, false, &shown);
    if (quoted && *text == '"')
      (void)fputc('"', file);
    (void)fwrite(shown ? text : "?", 1, shown ? length : 1, file);
  }
}

void gradyn_csv_heading(FILE *file, const char *name, const char *unit)
{
  const bool quoted = strpbrk(name, ",\"") || strpbrk(unit, ",\"");
  (void)fputs(quoted ? "\"" : "", file);
  put_plain(file, name, quoted);
  (void)fputs(*unit ? " [" : "", file);
  put_plain(file, unit, quoted);
  (void)fputs(*unit ? "]" : "", file);
  (void)fputs(quoted ? "\"" : "", file);
}

/* Prints into text [GRADYN_DECIMAL_MOST]. Returns the number of bytes, without a terminator. */
static size_t print(char *text, double value)
{
  const size_t size = gradyn_decimal_print(value, text);
  if (size > 0)
    return size;
  /* printf may print the sign of a NaN; 17 digits determine every double */
  return (size_t)(isnan(value) ? snprintf(text, GRADYN_DECIMAL_MOST, "nan")
                               : snprintf(text, GRADYN_DECIMAL_MOST, "%.17g", value));
}

void gradyn_csv_number(FILE *file, double value)
{
  char text[GRADYN_DECIMAL_MOST];
  (void)fwrite(text, 1, print(text, value), file);
}

void gradyn_csv_numbers(FILE *file, const double *value, size_t count)
{
  /* numbers are written to the stream in groups of dozens */
  enum { ROOM = 32 * GRADYN_DECIMAL_MOST };
  char text[ROOM];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (used + 1 + GRADYN_DECIMAL_MOST > ROOM) {
      (void)fwrite(text, 1, used, file);
      used = 0;
    }
    text[used++] = ',';
    used += print(text + used, value ? value[i] : (double)NAN);
  }
  (void)fwrite(text, 1, used, file);
}
