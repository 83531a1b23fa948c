/* Writes the log of events to a file of a study or to standard output. */
#include "optim/study/events.h"

#include "adjoint/evaluator/evaluator.h"

#include <string.h>

#include "core/files/csv.h"

/* Returns the perturbations after an event (rows of its saltation matrix) if behind, otherwise those before
 * (columns). */
static const gradyn_disturbances *side_of(const gradyn_saltation *item, bool behind)
{
  return behind ? &item->after : &item->before;
}

/* Returns the index of a perturbation by its name, or the number of perturbations if it is not there. */
static size_t find_name(const gradyn_disturbances *d, const char *name)
{
  size_t at = 0;
  while (at < d->positions + d->rates && strcmp(d->name[at], name) != 0)
    at++;
  return at;
}

/* Whether no event before event k has its perturbation i. */
static bool is_new(const gradyn_saltations *s, size_t k, size_t i, bool behind)
{
  const char *name = side_of(&s->item[k], behind)->name[i];
  /* the file has the column of this perturbation already */
  for (size_t l = 0; l < k; l++) {
    const gradyn_disturbances *d = side_of(&s->item[l], behind);
    if (find_name(d, name) < d->positions + d->rates)
      return false;
  }
  return true;
}

/* Writes the heading of an entry, such as "Xi[2.x][2.y']". If item is given, writes the entry itself; the
 * field is empty if the event does not have this entry. */
static void write_entry(FILE *file, const char *row, const char *column,
                        const gradyn_saltation *item)
{
  char heading[160];
  /* row, then column */
  (void)snprintf(heading, sizeof heading, "Xi[%s][%s]", row, column);
  (void)fputc(',', file);
  if (!item) {
    gradyn_csv_text(file, heading);
    return;
  }
  const size_t i = find_name(&item->after, row), j = find_name(&item->before, column);
  const size_t columns = item->before.positions + item->before.rates;
  /* the field is empty if the event lacks this coordinate */
  if (i < item->after.positions + item->after.rates && j < columns)
    gradyn_csv_number(file, item->matrix[i * columns + j]);
}

/* Writes the entries of a row of the saltation matrix, for the columns of all events. */
static void write_row(FILE *file, const gradyn_saltations *s, const char *row,
                      const gradyn_saltation *item)
{
  for (size_t k = 0; k < s->count; k++)
    for (size_t j = 0; j < s->item[k].before.positions + s->item[k].before.rates; j++)
      if (is_new(s, k, j, false))
        write_entry(file, row, s->item[k].before.name[j], item);
}

/* Writes the entries of the saltation matrix, for the rows and columns of all events. */
static void write_matrix(FILE *file, const gradyn_saltations *s, const gradyn_saltation *item)
{
  for (size_t k = 0; k < s->count; k++)
    for (size_t i = 0; i < s->item[k].after.positions + s->item[k].after.rates; i++)
      if (is_new(s, k, i, true))
        write_row(file, s, s->item[k].after.name[i], item);
}

const char *gradyn_events_rate(const gradyn_evaluator *evaluator, bool unit)
{
  const gradyn_model *model = evaluator->model;
  bool walls = true;
  for (int i = 0; i < model->log.count; i++)
    walls = walls && model->event[model->log.record[i].event].contact >= 0;
  return walls ? (unit ? "approach [m/s]" : "approach")
               : (unit ? "guard rate [unit of the guard/s]" : "guard rate");
}

void gradyn_events_write(FILE *file, const gradyn_evaluator *evaluator, const gradyn_saltations *s)
{
  /* a row for each event, followed by its saltation matrix row by row */
  (void)fprintf(file, "t [s],event,occurrence,%s,rebound [m/s],impulse [N s],energy lost [J]",
                gradyn_events_rate(evaluator, true));
  if (s)
    write_matrix(file, s, NULL);
  (void)fputc('\n', file);
  for (size_t i = 0; i < gradyn_evaluator_statistics(evaluator).events; i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    const double row[] = {e.approach, e.rebound, e.impulse, e.energy_lost};
    gradyn_csv_number(file, e.t);
    (void)fputc(',', file);
    gradyn_csv_text(file, e.name);
    (void)fprintf(file, ",%d", e.occurrence);
    gradyn_csv_numbers(file, row, sizeof row / sizeof row[0]);
    if (s)
      write_matrix(file, s, &s->item[i]);
    (void)fputc('\n', file);
  }
}
