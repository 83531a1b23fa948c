/* Comma-separated values: headings with units, trajectories. */
#include "cli/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/interrupt.h"
#include "cli/memory.h"
#include "cli/plain.h"

void cli_csv_text(FILE *file, const char *text)
{
  /* in quotes where it would be more than one field; quotes are doubled */
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

void cli_csv_heading(FILE *file, const char *name, const char *unit)
{
  char *text = *unit ? cli_text("%s [%s]", name, unit) : cli_text("%s", name);
  cli_csv_text(file, cli_plain(text, false)); /* such a table may end up on a terminal */
  free(text);
}

void cli_csv_number(FILE *file, double value)
{
  char text[CLI_DECIMAL_MOST];
  size_t size = cli_decimal_print(value, text);
  if (size > 0)
    (void)fwrite(text, 1, size, file);
  else if (isnan(value))
    (void)fputs("nan", file); /* without the sign that printf may show */
  else
    (void)fprintf(file, "%.17g", value); /* 17 digits give every double back */
}

void cli_csv_numbers(FILE *file, const double *value, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    (void)fputc(',', file);
    cli_csv_number(file, value ? value[i] : (double)NAN);
  }
}

static void write_row(FILE *file, double t, const double *state, size_t columns)
{
  cli_csv_number(file, t);
  cli_csv_numbers(file, state, columns);
  (void)fputc('\n', file);
}

gradyn_status cli_csv_trajectory(FILE *file, const gradyn_trajectory *trajectory, size_t samples,
                                 double grace)
{
  size_t columns = gradyn_trajectory_columns(trajectory);
  size_t steps = gradyn_trajectory_steps(trajectory);
  double *state = cli_take(columns, sizeof *state); /* [columns], each in its unit */

  cli_csv_heading(file, "t", "s");
  for (size_t j = 0; j < columns; j++) {
    (void)fputc(',', file);
    cli_csv_heading(file, gradyn_trajectory_name(trajectory, j),
                    gradyn_trajectory_unit(trajectory, j));
  }
  (void)fputc('\n', file);

  bool stop = false;
  /* every step as it was marched */
  for (size_t i = 0; samples == 0 && i < steps && !stop; i++) {
    double t = gradyn_trajectory_step(trajectory, i, state);
    write_row(file, t, state, columns);
    stop = cli_interrupt_cancels(&grace);
  }
  /* or interpolated at equal distances */
  if (samples > 0 && steps > 0) {
    double first = gradyn_trajectory_step(trajectory, 0, NULL);
    double last = gradyn_trajectory_step(trajectory, steps - 1, NULL);
    for (size_t i = 0; i < samples && !stop; i++) {
      /* the last time is hit exactly, not up to round-off */
      double t = i + 1 == samples ? last
                                  : first + (last - first) * (double)i / (double)(samples - 1);
      gradyn_trajectory_sample(trajectory, t, state);
      write_row(file, t, state, columns);
      stop = cli_interrupt_cancels(&grace);
    }
  }
  free(state);
  return stop ? GRADYN_INTERRUPTED : GRADYN_OK;
}
