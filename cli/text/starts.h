/* Searches from several starts, for run --starts. Rank 0 calls choose, open, search, then write, json or
 * print; other ranks call choose and help. */
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
  char *folder; /* for the journals, owned; NULL: not opened */
} cli_starts;

/* Sets spec and workers of *starts, which is {0} before, from the command line. Prints the reason of a
 * failure, and returns the exit status. *starts must not move afterwards. */
int cli_starts_choose(cli_starts *starts, const cli_session *session);

/* Creates the folder STUDY/starts. Old journals there are removed, unless the study is resumed or --shard
 * is given. Prints the reason of a failure, and returns the exit status. Clear *starts in any case. */
int cli_starts_open(cli_starts *starts, const cli_session *session, gradyn_folder *study);

/* For processes other than rank 0: waits for rank 0, then does a share of the searches, in the folder that
 * rank 0 has opened. Returns the exit status; CLI_DONE if rank 0 has no work. */
int cli_starts_help(cli_starts *starts, const cli_session *session, const gradyn_search *search);

/* Runs the searches. *best, overwritten, becomes the result of the best one, owned by the caller, and its
 * reason states unfinished searches. Returns the status of the best search, or that of gradyn_multistart();
 * GRADYN_STALLED if the time is over and the best search has not finished. */
gradyn_status cli_starts_search(cli_starts *starts, const cli_session *session,
                                const gradyn_search *search, gradyn_search_result *best);

/* Writes starts.csv, with a row for each search, the best first. Errors, with study->message: those of the
 * folder. */
gradyn_status cli_starts_write(const cli_starts *starts, const cli_session *session,
                               gradyn_folder *study);

/* Adds "starts" and "optima", the best first, to the object root of a result. */
void cli_starts_json(const cli_starts *starts, const cli_session *session, json_t *root);
/* Prints the 20 best optima, with the first 4 free parameters, to standard output. */
void cli_starts_print(const cli_starts *starts, const cli_session *session);

/* Frees the members, not the result that *best has got; not to be repeated. */
void cli_starts_clear(cli_starts *starts);

#endif
