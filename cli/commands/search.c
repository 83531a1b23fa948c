/* The search that the command line describes. */
#include "cli/commands/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/base/memory.h"
#include "cli/commands/resume.h"
#include "cli/options/from.h"
#include "core/base/clock.h"
#include "core/base/nearest.h"
#include "optim/study/account.h"

/* Known names, and the one that is most similar to a given name. */
typedef struct names {
  gradyn_nearest nearest;
  char known[1024];
} names;

/* Adds a known name, and compares it with the given name. */
static void add_name(names *n, const char *name)
{
  /* known names are collected for the message */
  size_t used = strlen(n->known);
  gradyn_nearest_try(&n->nearest, name);
  (void)snprintf(n->known + used, sizeof n->known - used, "%s%s", used ? ", " : "", name);
}

/* Reports an unknown name, with the most similar name and all known names. */
static int refuse_name(const cli_session *session, const char *option, const char *kind,
                       const names *n)
{
  const char *best = n->nearest.best;
  return cli_session_fail(session, GRADYN_INVALID, "%s %s: no %s has this name%s%s%s; known: %s",
                          option, n->nearest.requested, kind, best ? " (did you mean '" : "",
                          best ? best : "", best ? "'?)" : "", n->known);
}

/* Finds an algorithm of the library by its name. */
static int find_algorithm(const cli_session *session, const char *requested, const char **algorithm)
{
  names n = {.nearest.requested = requested}; /* names are collected for the message */
  for (const char *const *name = gradyn_algorithm_names(); *name; name++) {
    if (strcmp(*name, requested) == 0) {
      *algorithm = *name;
      return CLI_DONE;
    }
    add_name(&n, *name);
  }
  const char *lacking = gradyn_algorithm_unavailable_reason(requested);
  if (lacking != NULL)
    return cli_session_fail(session, GRADYN_INVALID, "--algorithm %s: %s", requested, lacking);
  return refuse_name(session, "--algorithm", "optimiser", &n);
}

/* Parses "auto", a name, or two names separated by a comma. The second algorithm follows the first. */
static int choose_algorithm(const cli_session *session, gradyn_search *search,
                            const char *requested)
{
  search->algorithm = "auto";
  if (strcmp(requested, "auto") == 0)
    return CLI_DONE;
  const char *comma = strchr(requested, ',');
  char *first = cli_text("%.*s", (int)strcspn(requested, ","), requested);
  int result = find_algorithm(session, first, &search->algorithm);
  free(first);
  if (result == CLI_DONE && comma)
    result = find_algorithm(session, comma + 1, &search->then);
  return result;
}

/* Finds a functional by its name. */
int cli_search_choose_objective(const cli_session *session, const char *requested,
                                const char **objective)
{
  names n = {.nearest.requested = requested}; /* names are collected for the message */
  for (size_t i = 0; i < session->functionals; i++) {
    const char *name = session->functional[i].name;
    if (strcmp(name, requested) == 0) {
      *objective = requested;
      return CLI_DONE;
    }
    add_name(&n, name);
  }
  return refuse_name(session, "--objective", "functional", &n);
}

/* Refuses a search without a free parameter. Called before a folder is created. */
static int require_variation(const cli_session *session)
{
  for (size_t i = 0; i < session->parameters; i++)
    if (session->vary[i])
      return CLI_DONE;
  if (session->parameters == 0)
    return cli_session_fail(
        session, GRADYN_INVALID,
        "problem %s: no parameters; a search varies at least one. gradyn simulate "
        "and gradyn gradient --all-data take such problems",
        session->name);
  return cli_session_fail(session, GRADYN_INVALID,
                          "no parameter can vary: all %zu are fixed; --free NAME frees one",
                          session->parameters);
}

/* Reads the option for segments: an integer is their number, any other text gives the segment boundaries. */
static int choose_cuts(const cli_session *session, gradyn_search *search)
{
  const char *text = search->segment_times;
  double count = 0;
  if (text == NULL || text[strspn(text, "-0123456789")] != '\0' || !cli_parse_number(text, &count))
    return CLI_DONE;
  if (count < 1 || count > 1e9)
    return cli_session_fail(session, GRADYN_INVALID,
                            "--segments: '%s' must be a whole number from 1 to 1000000000, times, "
                            "knots or events",
                            text);
  search->segments = (long)count;
  search->segment_times = NULL;
  return CLI_DONE;
}

/* Replaces the evaluator of the session if a search in segments needs another one. */
static int take_evaluator(cli_session *session, const gradyn_search *search)
{
  gradyn_evaluator *other = NULL;
  int result = CLI_DONE;
  const gradyn_status status = gradyn_search_evaluator(session->evaluator, search, &other);
  if (status != GRADYN_OK)
    result = cli_session_fail(session, status, "%s", gradyn_evaluator_message(other));
  else if (other)
    other = cli_session_exchange(session, other);
  gradyn_evaluator_free(other);
  return result;
}

/* Takes the settings that are recorded in the study of a resumed search. */
static int recall(const cli_session *session, gradyn_search *search)
{
  char message[1024];
  const gradyn_status status = session->options->resume
                                   ? gradyn_study_read_settings(session->options->out, NULL, search,
                                                                message, sizeof message)
                                   : GRADYN_OK;
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", message);
}

int cli_search_choose(cli_session *session, gradyn_search *search)
{
  const cli_options *given = session->options;
  gradyn_search_default(session->evaluator, search);
  search->vary = session->vary;
  int result = recall(session, search);
  /* options that were given replace the defaults */
  cli_options_search(given, search);
  /* with several searches, the limit is for all of them together */
  if (given->max_seconds > 0 && given->many.starts == 0 &&
      !(given->command->bit & (CLI_PARETO | CLI_PROFILE)))
    search->max_seconds = given->max_seconds;
  /* detects errors that need no simulation first */
  if (result == CLI_DONE)
    result = require_variation(session);
  if (result == CLI_DONE && given->search.algorithm && !given->resume)
    result = choose_algorithm(session, search, given->search.algorithm);
  if (result == CLI_DONE)
    result = choose_cuts(session, search);
  if (result == CLI_DONE)
    result = take_evaluator(session, search);
  /* resolved: studies record these values, not "auto" */
  (void)gradyn_search_resolve(session->evaluator, search, NULL, 0);
  search->jobs = given->many.jobs;
  if (result == CLI_DONE && given->search.objective)
    result = cli_search_choose_objective(session, given->search.objective, &search->objective);
  if (given->command->bit & CLI_RUN && given->many.starts == 0)
    cli_from_scale(session, search->objective, &search->objective_scale);
  if (result == CLI_DONE)
    result = cli_resume_durability(session, &search->durability);
  return result;
}

/* Returns the time that remains of --max-seconds, s. */
static double seconds_left(const cli_session *session, double started)
{
  return session->options->max_seconds - (gradyn_seconds() - started);
}

void cli_search_limit(const cli_session *session, double started, gradyn_search *search)
{
  cli_interrupt_after(0);
  /* the time of a resumed search counts from its first evaluation */
  if (search->max_seconds > 0 && !session->options->resume)
    search->max_seconds = fmax(seconds_left(session, started), 1e-9);
}

void cli_search_limit_end(const cli_session *session, double started)
{
  const double given = session->options->max_seconds, part = 0.1;
  if (given > 0)
    cli_interrupt_after(fmax(seconds_left(session, started), 0) +
                        fmax(CLI_SEARCH_GRACE, part * given));
}
