/* Searches from many starts, for run --starts. */
#ifndef GRADYN_CLI_STARTS_H
#define GRADYN_CLI_STARTS_H

#include <jansson.h>

#include <gradyn/study.h>

#include "cli/text/workers.h"
#include "cli/options/study.h"

typedef struct cli_starts {
  cli_workers workers;
  gradyn_multistart_spec spec;
  gradyn_multistart_result result;
  char *folder; /* for the journals, owned */
} cli_starts;

/* Takes the choices of the command line; returns the exit status. */
int cli_starts_choose(cli_starts *starts, const cli_session *session);

/* Makes the folder STUDY/starts; unless the study goes on, old journals there are removed. Returns
 * the exit status. Clear in any case. */
int cli_starts_open(cli_starts *starts, const cli_session *session, gradyn_folder *study);

/* Of a process other than rank 0: does its share of the searches, in the folder that rank 0 has opened.
 * Returns the exit status. */
int cli_starts_help(cli_starts *starts, const cli_session *session, const gradyn_search *search);

/* Searches; best takes over the best search and why it is the result. */
gradyn_status cli_starts_search(cli_starts *starts, const cli_session *session,
                                const gradyn_search *search, gradyn_search_result *best);

/* Writes starts.csv, a row for each search. */
gradyn_status cli_starts_write(const cli_starts *starts, const cli_session *session,
                               gradyn_folder *study);

/* Adds "starts" and "optima" to the object of a result; prints the optima. */
void cli_starts_json(const cli_starts *starts, const cli_session *session, json_t *root);
void cli_starts_print(const cli_starts *starts, const cli_session *session);

void cli_starts_clear(cli_starts *starts);

#endif
