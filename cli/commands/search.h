/* The search according to the command line. */
#ifndef GRADYN_CLI_SEARCH_H
#define GRADYN_CLI_SEARCH_H

#include <gradyn/optimise.h>

#include "cli/options/session.h"

/* Fills *search from the defaults of the problem, the recorded settings of a resumed study, and the options
 * of the command line. search->vary is session->vary, borrowed, as are its texts. Segments may replace the
 * session's evaluator. The caller sets callback and journal. Prints the reason of a failure, also if no
 * parameter is free, and returns the exit status. */
int cli_search_choose(cli_session *session, gradyn_search *search);

/* Checks that `requested` is the name of a functional, exactly, and sets *objective to `requested`, which
 * stays borrowed. Prints the reason of a failure, and returns the exit status: CLI_DONE or CLI_USAGE. */
int cli_search_choose_objective(const cli_session *session, const char *requested,
                                const char **objective);

#define CLI_SEARCH_GRACE 0.5 /* s, for the last trajectory after a request to end */

/* Sets search->max_seconds to the time that --max-seconds leaves for a command that began at `started`, s of
 * gradyn_seconds(); at least 1e-9 s. A limit of 0 and that of a resumed study stay. Also removes the limit of
 * cli_interrupt_after(). */
void cli_search_limit(const cli_session *session, double started, gradyn_search *search);
/* Limits the work after all searches to the rest of --max-seconds plus the larger of CLI_SEARCH_GRACE and a
 * tenth of --max-seconds. started: start of the command, s, by the clock of gradyn_seconds(). No effect
 * without --max-seconds. */
void cli_search_limit_end(const cli_session *session, double started);

#endif
