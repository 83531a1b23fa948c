/* One run of gradyn run: what its parts share. */
#ifndef GRADYN_CLI_RUN_H
#define GRADYN_CLI_RUN_H

#include "cli/text/outcome.h"
#include "cli/text/progress.h"
#include "cli/text/reporter.h"
#include "cli/options/session.h"
#include "cli/text/starts.h"
#include "cli/options/study.h"

/* What a search in segments begins with, owned; NULL: there is none. The table of a file as it is, and its
 * path. */
typedef struct cli_guess {
  char *text, *path;
} cli_guess;

typedef struct cli_run_state {
  cli_session session;
  gradyn_search search;
  cli_guess guess;
  gradyn_folder study;
  cli_progress progress;
  cli_reporter reporter;
  gradyn_trajectory *trajectory;
  double *psi0; /* [functionals], at the start */
  double *best; /* [parameters], the best point so far, of the start until there is one */
  int round;    /* searches so far, each with a journal of its own */
  bool resumed; /* goes on with a journal */
  bool begun;   /* the files of the study are those of this run */
  cli_starts starts;
  bool gathering; /* the searches from many starts have ended, their best one is shown */
  cli_outcome outcome;
  double finished;    /* objective that a resumed study had ended with; NAN: it had not */
  double started;     /* s, when the command began */
  long before;        /* evaluations of the searches that this one refines */
  gradyn_status lost; /* the first thing that could not be saved, and why */
  char loss[512];
} cli_run_state;

/* A search with the journal of this round: the first one, or a finer one after it. */
gradyn_status cli_run_search_once(cli_run_state *r, const double *rho,
                                  gradyn_search_result *result);

/* Searches again from the best point with the step, or the tolerance, that it needs; false: once more
 * would not help. */
bool cli_run_refine(cli_run_state *r);

#endif
