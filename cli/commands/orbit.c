/* gradyn orbit: a periodic orbit near the motion from the initial state, and its stability. */
#include <math.h>
#include <stdio.h>

#include <gradyn/analysis.h>

#include "cli/text/json.h"
#include "cli/options/names.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/options/session.h"
#include "cli/base/table.h"

/* --- Text --------------------------------------------------------------------------------------- */

/* Prints the start of the orbit and its derivatives by parameters. */
static void print_states(const cli_session *session, const gradyn_orbit *orbit)
{
  enum { MOST = 6 }; /* largest number of columns of derivatives on a terminal */
  const gradyn_transition *t = &orbit->transition;
  /* prints all derivatives or none; --json always has them */
  size_t shown = session->parameters <= MOST ? session->parameters : 0;
  char align[MOST + 3] = "lr";
  for (size_t j = 0; j < shown; j++)
    align[2 + j] = 'r';
  cli_table table = {.align = align};
  cli_table_add(&table, "state|start");
  for (size_t j = 0; j < shown; j++)
    cli_table_add(&table, "by %s", session->param[j].name);
  /* the last row is the period */
  for (size_t i = 0; i <= t->size; i++) {
    bool state = i < t->size;
    const double *slope = state ? orbit->start_slope + i * session->parameters
                                : orbit->period_slope;
    cli_table_add(&table, "%s|%.10g", state ? t->name[i] : "period",
                  state ? t->start[i] : orbit->period);
    for (size_t j = 0; j < shown; j++)
      cli_table_add(&table, "%.8g", slope[j]);
  }
  cli_table_print(&table, "", stdout);
}

/* Prints the Floquet multipliers, the largest first. */
static void print_multipliers(const gradyn_orbit *orbit)
{
  /* multipliers outside the unit circle mean that the orbit is unstable */
  cli_table table = {.align = "rrr"};
  cli_table_add(&table, "multiplier|imaginary|size");
  for (size_t k = 0; k < orbit->transition.size; k++) {
    /* (real, imaginary) */
    const double *m = orbit->multiplier + 2 * k;
    cli_table_add(&table, "%.10g|%.6g|%.6g", m[0], m[1], hypot(m[0], m[1]));
  }
  (void)puts("");
  cli_table_print(&table, "", stdout);
}

/* Prints the events of one period. */
static void print_events(const gradyn_orbit *orbit)
{
  if (orbit->event_count == 0)
    return;
  /* rates of the guard before and after the event */
  cli_table table = {.align = "lrrr"};
  cli_table_add(&table, "event|t|approach|rebound");
  for (size_t k = 0; k < orbit->event_count; k++) {
    cli_table_add(&table, "%s|%.10g|%.6g|%.6g", orbit->event[k].name, orbit->event[k].t,
                  orbit->event[k].approach, orbit->event[k].rebound);
  }
  (void)puts("");
  cli_table_print(&table, "", stdout);
}

/* Returns whether the orbit is stable. Disturbances along an orbit of free period neither grow nor decay.
 * Their multiplier, which is the one nearest to 1, is therefore left out. */
static const char *judge(const gradyn_orbit *orbit, bool free_period)
{
  const double near = 1e-6, *m = orbit->multiplier;
  size_t size = orbit->transition.size, own = free_period ? 0 : size;
  double largest = 0;
  for (size_t k = 0; k < size && free_period; k++)
    /* m with the smallest |m - 1| */
    if (hypot(m[2 * k] - 1, m[2 * k + 1]) < hypot(m[2 * own] - 1, m[2 * own + 1]))
      own = k;
  for (size_t k = 0; k < size; k++)
    if (k != own)
      /* spectral radius of the other multipliers */
      largest = fmax(largest, hypot(m[2 * k], m[2 * k + 1]));
  return largest < 1 - near   ? "stable: disturbances fade"
         : largest > 1 + near ? "unstable: disturbances grow"
                              : "neither stable nor unstable to first order";
}

/* --- JSON --------------------------------------------------------------------------------------- */

/* Returns one state, with its derivatives by parameters and its row of the monodromy matrix. */
static json_t *describe_state(const cli_session *session, const gradyn_orbit *orbit, size_t i)
{
  const gradyn_transition *t = &orbit->transition;
  json_t *item = json_object();
  cli_json_put(item, "name", cli_json_text(t->name[i]));
  cli_json_put(item, "start", gradyn_json_number(t->start[i]));
  cli_json_put(item, "slope",
               cli_json_numbers(orbit->start_slope + i * session->parameters, session->parameters));
  /* row i of M = dphi/dw over one period */
  cli_json_put(item, "monodromy", cli_json_numbers(t->matrix + i * t->size, t->size));
  return item;
}

/* The object of --json. */
static void print_json(const cli_session *session, const gradyn_orbit *orbit, bool free_period)
{
  json_t *root = cli_json_session(session, GRADYN_OK), *states = json_array(),
         *multipliers = json_array(), *events = json_array();
  for (size_t i = 0; i < orbit->transition.size; i++) {
    /* there are as many multipliers as states */
    cli_json_append(states, describe_state(session, orbit, i));
    cli_json_append(multipliers, cli_json_numbers(orbit->multiplier + 2 * i, 2));
  }
  for (size_t k = 0; k < orbit->event_count; k++) {
    json_t *item = json_object();
    cli_json_put(item, "name", cli_json_text(orbit->event[k].name));
    cli_json_put(item, "t", gradyn_json_number(orbit->event[k].t));
    cli_json_append(events, item);
  }
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  /* the orbit, then data about the search for it */
  cli_json_put(root, "period", gradyn_json_number(orbit->period));
  cli_json_put(root, "period_slope", cli_json_numbers(orbit->period_slope, session->parameters));
  cli_json_put(root, "states", states);
  cli_json_put(root, "multipliers", multipliers);
  cli_json_put(root, "events", events);
  cli_json_put(root, "iterations", json_integer(orbit->iterations));
  cli_json_put(root, "gap", gradyn_json_number(orbit->gap));
  cli_json_put(root, "stability", cli_json_text(judge(orbit, free_period)));
  cli_json_print(root);
}

/* --- Command ------------------------------------------------------------------------------------ */

/* gradyn orbit: finds a periodic motion, its multipliers, and their derivatives. */
int cli_orbit(const cli_session *session)
{
  const cli_options *options = session->options;
  cli_names names = cli_names_split(options->preferred);
  gradyn_orbit orbit;
  int result = CLI_DONE;
  /* options that are not given are NULL or 0, which select the defaults of the library */
  const gradyn_orbit_spec spec = {.preferred_coordinates = names.name,
                                  .preferred_count = names.count,
                                  .fixed_period = options->orbit.fixed_period,
                                  .section = options->orbit.section,
                                  .returns = (int)options->orbit.times};
  gradyn_status status = gradyn_orbit_compute(session->evaluator, session->rho, &spec, &orbit);
  cli_names_free(&names);
  if (status != GRADYN_OK) {
    result = cli_session_refuse(session, status);
  } else if (options->print.json) {
    print_json(session, &orbit, !options->orbit.fixed_period);
  } else {
    print_states(session, &orbit);
    print_events(&orbit);
    print_multipliers(&orbit);
    cli_say(stdout, "\n%s\n%d iterations, periodicity error %.2g of the state\n",
            judge(&orbit, !options->orbit.fixed_period), orbit.iterations, orbit.gap);
  }
  gradyn_orbit_clear(&orbit);
  return result;
}
