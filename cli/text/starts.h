/* Searches from several starts, for run --starts. */
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

/* Reads the options of the command line; returns the exit status. */
int cli_starts_choose(cli_starts *starts, const cli_session *session);

/* Creates the folder STUDY/starts. Old journals there are removed unless the study is continued. Returns
 * the exit status. The caller clears `starts` in any case. */
int cli_starts_open(cli_starts *starts, const cli_session *session, gradyn_folder *study);

/* For processes other than rank 0: does its share of the searches, in the folder opened by rank 0. Returns
 * the exit status. */
int cli_starts_help(cli_starts *starts, const cli_session *session, const gradyn_search *search);

/* Runs the searches. best takes over the best one, with the reason of its termination. */
gradyn_status cli_starts_search(cli_starts *starts, const cli_session *session,
                                const gradyn_search *search, gradyn_search_result *best);

/* Writes starts.csv, a row for each search. */
gradyn_status cli_starts_write(const cli_starts *starts, const cli_session *session,
                               gradyn_folder *study);

/* json: adds "starts" and "optima" to the object of a result. print: prints the optima. */
void cli_starts_json(const cli_starts *starts, const cli_session *session, json_t *root);
void cli_starts_print(const cli_starts *starts, const cli_session *session);

void cli_starts_clear(cli_starts *starts);

#endif
