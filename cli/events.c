/* The log of events, as a file of a study or on standard output. */
#include "cli/events.h"

#include "cli/csv.h"
#include "cli/study.h"

/* Headings such as "Xi[2.x][2.y']". */
static void write_headings(FILE *file, const gradyn_saltations *s)
{
  size_t f = s ? s->coordinates : 0;
  (void)fputs("t [s],event,which,approach [m/s],rebound [m/s],impulse [N s],energy lost [J]", file);
  for (size_t i = 0; i < 2 * f; i++)
    for (size_t j = 0; j < 2 * f; j++) {
      char heading[160];
      (void)snprintf(heading, sizeof heading, "Xi[%s%s][%s%s]", s->name[i % f], i < f ? "" : "'",
                     s->name[j % f], j < f ? "" : "'");
      (void)fputc(',', file);
      cli_csv_text(file, heading);
    }
  (void)fputc('\n', file);
}

void cli_events_csv(FILE *file, const gradyn_evaluator *evaluator, const gradyn_saltations *s)
{
  /* a row for each event; its saltation matrix behind, row by row */
  write_headings(file, s);
  for (size_t i = 0; i < gradyn_event_log_count(evaluator); i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    const double row[] = {e.approach, e.rebound, e.impulse, e.energy_lost};
    cli_csv_number(file, e.t);
    (void)fputc(',', file);
    cli_csv_text(file, e.name);
    (void)fprintf(file, ",%d", e.which);
    cli_csv_numbers(file, row, sizeof row / sizeof row[0]);
    if (s)
      cli_csv_numbers(file, s->item[i].matrix, 4 * s->coordinates * s->coordinates);
    (void)fputc('\n', file);
  }
}

gradyn_status cli_study_events(cli_study *study, const gradyn_evaluator *evaluator,
                               const char *suffix)
{
  cli_file file;
  char name[64];
  if (gradyn_event_log_count(evaluator) == 0) /* runs without events have no file */
    return GRADYN_OK;
  (void)snprintf(name, sizeof name, "events%s.csv", suffix);
  gradyn_status status = cli_study_begin(study, &file, name);
  if (status == GRADYN_OK)
    cli_events_csv(file.stream, evaluator, NULL);
  return cli_study_end(study, &file, status);
}
