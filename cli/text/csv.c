/* Comma-separated values: headings with units, trajectories. */
#include "cli/text/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/decimal.h"
#include "cli/options/interrupt.h"
#include "cli/options/memory.h"
#include "cli/text/plain.h"

/* A field, quoted only where it has to be: most names stay as they are. */
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

/* Prints into [GRADYN_DECIMAL_MOST]; returns the bytes written, without the end of the text. */
static size_t print(char *text, double value)
{
  const size_t size = gradyn_decimal_print(value, text);
  if (size > 0)
    return size;
  /* without the sign of a nan that printf may show; 17 digits give every double back */
  return (size_t)(isnan(value) ? snprintf(text, GRADYN_DECIMAL_MOST, "nan")
                               : snprintf(text, GRADYN_DECIMAL_MOST, "%.17g", value));
}

void cli_csv_number(FILE *file, double value)
{
  char text[GRADYN_DECIMAL_MOST];
  (void)fwrite(text, 1, print(text, value), file);
}

void cli_csv_numbers(FILE *file, const double *value, size_t count)
{
  enum { ROOM = 32 * GRADYN_DECIMAL_MOST }; /* numbers go to the stream by dozens */
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

/* A trajectory as it is being written. */
typedef struct writing {
  FILE *file;
  const gradyn_trajectory *trajectory;
  const gradyn_covariance *covariance; /* NULL: none */
  size_t columns, row;
  double *state; /* [columns], each in its unit */
} writing;

/* Time, columns of the trajectory, standard deviations. */
static void write_headings(const writing *w)
{
  cli_csv_heading(w->file, "t", "s");
  for (size_t j = 0; j < w->columns; j++) {
    (void)fputc(',', w->file);
    cli_csv_heading(w->file, gradyn_trajectory_name(w->trajectory, j),
                    gradyn_trajectory_unit(w->trajectory, j));
  }
  /* deviations behind everything else, so that columns stay where they are without */
  for (size_t i = 0; w->covariance && i < w->covariance->states; i++) {
    char *name = cli_text("sd[%s]", w->covariance->name[i]);
    (void)fputc(',', w->file);
    cli_csv_heading(w->file, name, w->covariance->unit[i]);
    free(name);
  }
  (void)fputc('\n', w->file);
}

/* The state in w->state at t, and its deviations. */
static void write_row(writing *w, double t)
{
  const gradyn_covariance *c = w->covariance;
  cli_csv_number(w->file, t);
  cli_csv_numbers(w->file, w->state, w->columns);
  for (size_t i = 0; c && i < c->states; i++) {
    (void)fputc(',', w->file);
    cli_csv_number(w->file, sqrt(gradyn_covariance_entry(c, w->row, i, i)));
  }
  (void)fputc('\n', w->file);
  w->row++;
}

/* A trajectory with deviations, if there are any: steps as marched, or samples at equal
 * distances. */
gradyn_status cli_csv_scatter(FILE *file, const gradyn_trajectory *trajectory,
                              const gradyn_covariance *covariance, size_t samples, double grace)
{
  /* grace: seconds that may still be spent on writing */
  writing w = {.file = file, .trajectory = trajectory, .covariance = covariance};
  size_t steps = gradyn_trajectory_steps(trajectory);
  w.columns = gradyn_trajectory_columns(trajectory);
  w.state = cli_take(w.columns, sizeof *w.state);
  write_headings(&w);
  bool stop = false;
  /* every step as it was marched */
  for (size_t i = 0; samples == 0 && i < steps && !stop; i++) {
    write_row(&w, gradyn_trajectory_step(trajectory, i, w.state));
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
      gradyn_trajectory_sample(trajectory, t, w.state);
      write_row(&w, t);
      stop = cli_interrupt_cancels(&grace);
    }
  }
  free(w.state);
  return stop ? GRADYN_INTERRUPTED : GRADYN_OK;
}

gradyn_status cli_csv_trajectory(FILE *file, const gradyn_trajectory *trajectory, size_t samples,
                                 double grace)
{
  return cli_csv_scatter(file, trajectory, NULL, samples, grace);
}
