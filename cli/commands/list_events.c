/* gradyn events: the events of a run, and their effect on small disturbances. */
#include <stdio.h>
#include <string.h>

#include "optim/study/events.h"
#include "cli/text/json.h"
#include "cli/options/names.h"
#include "cli/base/plain.h"
#include "cli/options/session.h"
#include "cli/base/table.h"

/* --- Text --------------------------------------------------------------------------------------- */

/* Prints the log as a table. */
static void print_log(const gradyn_evaluator *evaluator)
{
  cli_table table = {.align = "rlrrrrr"}; /* numbers are aligned to the right */
  cli_table_add(&table, "t [s]|event|which|%s|rebound [m/s]|impulse [N s]|energy lost [J]",
                gradyn_events_rate(evaluator, false));
  for (size_t i = 0; i < gradyn_evaluator_statistics(evaluator).events; i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    const double row[] = {e.approach, e.rebound, e.impulse, e.energy_lost};
    cli_table_add(&table, "%.10g|%s|%d", e.t, e.name, e.occurrence);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
      cli_table_add(&table, "%.6g", row[k]);
  }
  cli_table_print(&table, "", stdout);
}

/* Prints a saltation matrix. Its rows and columns are coordinates and their rates. */
static void print_matrix(const gradyn_saltation *item)
{
  enum { MOST = 16 }; /* largest number of columns on a terminal */
  const size_t rows = item->after.positions + item->after.rates;
  const size_t columns = item->before.positions + item->before.rates;
  char align[MOST + 2] = "l";
  cli_say(stdout,
          "\n%s, t = %.10g s: saltation matrix (columns: before the event, lines: after it)\n",
          item->event.name, item->event.t);
  if (rows == 0 || columns == 0) {
    cli_say(stdout, "no coordinates are free %s\n", rows == 0 ? "after" : "before");
    return;
  }
  if (rows > MOST || columns > MOST) {
    cli_say(stdout, "the matrix has %zu x %zu entries: use --csv or --json\n", rows, columns);
    return;
  }
  /* the first column has names, the others numbers */
  memset(align + 1, 'r', columns);
  cli_table table = {.align = align};
  cli_table_add(&table, "%s", "");
  for (size_t j = 0; j < columns; j++)
    cli_table_add(&table, "%s", item->before.name[j]);
  for (size_t i = 0; i < rows; i++) {
    cli_table_add(&table, "%s", item->after.name[i]);
    for (size_t j = 0; j < columns; j++)
      cli_table_add(&table, "%.8g", item->matrix[i * columns + j]);
  }
  cli_table_print(&table, "", stdout);
}

/* --- JSON --------------------------------------------------------------------------------------- */

/* Returns the names of independent coordinates, then of their rates. */
static json_t *describe_names(const gradyn_disturbances *d)
{
  json_t *names = json_array();
  for (size_t k = 0; k < d->positions + d->rates; k++)
    cli_json_append(names, cli_json_text(d->name[k]));
  return names;
}

/* Adds the saltation matrix of an event, with the names of its rows and columns. */
static void put_matrix(json_t *event, const gradyn_saltation *item)
{
  cli_json_put(event, "before", describe_names(&item->before));
  cli_json_put(event, "after", describe_names(&item->after));
  cli_json_put(event, "saltation",
               cli_json_matrix(item->matrix, item->after.positions + item->after.rates,
                               item->before.positions + item->before.rates));
}

/* Prints the log as an object; each event has its saltation matrix. */
static void print_json(const cli_session *session, const gradyn_saltations *s)
{
  json_t *root = cli_json_session(session, GRADYN_OK), *events = json_array();
  for (size_t i = 0; i < gradyn_evaluator_statistics(session->evaluator).events; i++) {
    json_t *item = gradyn_account_event(session->evaluator, i);
    if (s)
      /* matrices are in the order of the log */
      put_matrix(item, &s->item[i]);
    cli_json_append(events, item);
  }
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_statistics(session, root);
  /* the list may be empty; it replaces the events of the statistics, which have no matrices */
  cli_json_put(root, "events", events);
  cli_json_print(root);
}

/* --- Command ------------------------------------------------------------------------------------ */

/* Prints the events in the form that the options request. */
static void show(const cli_session *session, const gradyn_saltations *s)
{
  if (session->options->print.json) {
    print_json(session, s);
  } else if (session->options->print.csv) {
    gradyn_events_write(stdout, session->evaluator, s);
  } else {
    if (gradyn_evaluator_statistics(session->evaluator).events == 0)
      (void)puts("no events");
    print_log(session->evaluator);
    /* a matrix for each event, in the order of the log */
    for (size_t i = 0; s && i < s->count; i++)
      print_matrix(&s->item[i]);
  }
  cli_session_warn(session->evaluator);
}

/* Simulates the motion and computes its saltation matrices. */
static gradyn_status find(const cli_session *session, gradyn_saltations *found)
{
  cli_names names = cli_names_split(session->options->preferred);
  gradyn_status status = gradyn_saltations_compute(session->evaluator, session->rho, names.name,
                                                   names.count, found);
  cli_names_free(&names);
  return status;
}

/* gradyn events: the events, and the growth of disturbances at them. */
int cli_list_events(const cli_session *session)
{
  const cli_options *options = session->options;
  gradyn_saltations found = {0};
  int result = CLI_DONE;
  /* matrices are also computed if coordinates are named */
  bool saltation = options->saltation || options->preferred;
  gradyn_status status = saltation ? find(session, &found)
                                   : gradyn_evaluator_simulate(session->evaluator, session->rho,
                                                               NULL, NULL);
  if (status == GRADYN_OK)
    show(session, saltation ? &found : NULL);
  else
    result = cli_session_refuse(session, status);
  gradyn_saltations_clear(&found);
  return result;
}
