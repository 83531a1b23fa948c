/* The log of events, as a file of a study. */
#include "cli/study.h"

#include "cli/csv.h"

static void write_events(FILE *file, const gradyn_evaluator *evaluator)
{
  /* the same columns whatever the kind of event, in SI units */
  (void)fputs("t [s],event,which,approach [m/s],rebound [m/s],impulse [N s],energy lost [J]\n",
              file);
  for (size_t i = 0; i < gradyn_event_log_count(evaluator); i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    const double row[] = {e.approach, e.rebound, e.impulse, e.energy_lost};
    cli_csv_number(file, e.t);
    (void)fputc(',', file);
    cli_csv_text(file, e.name);
    (void)fprintf(file, ",%d", e.which);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
      (void)fputc(',', file);
      cli_csv_number(file, row[k]);
    }
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
    write_events(file.stream, evaluator);
  return cli_study_end(study, &file, status);
}
