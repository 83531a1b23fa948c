/* Data shared by the parts of gradyn run. */
#ifndef GRADYN_CLI_RUN_H
#define GRADYN_CLI_RUN_H

#include "cli/text/outcome.h"
#include "cli/text/progress.h"
#include "cli/text/reporter.h"
#include "cli/options/session.h"
#include "cli/text/starts.h"
#include "cli/options/study.h"

/* Initial guess of a search in segments: contents of a file, and its path. Owned; NULL: none. */
typedef struct cli_guess {
  char *text, *path;
} cli_guess;

typedef struct cli_run_state {
  cli_session session;
  gradyn_search search;
  cli_guess guess;
  char *warm; /* text of the warm start, owned; NULL: none */
  gradyn_folder study;
  cli_progress progress;
  cli_reporter reporter;
  gradyn_trajectory *trajectory;
  double *psi0; /* [functionals], at the start, owned; NAN: the run in one piece failed */
  double *best; /* [parameters], the best point so far, owned; at first the start */
  int round;    /* number of searches so far, each with its own journal */
  bool resumed; /* continues with a journal */
  bool begun;   /* the files in the folder are those of this run */
  cli_starts starts;
  bool gathering; /* searches from several starts have ended, and their best result is shown */
  cli_outcome outcome;
  double finished;    /* objective of the completed study that is resumed; NAN: not completed */
  double started;     /* s of gradyn_seconds(), start of the command */
  long before;        /* evaluations of the searches that this one refines */
  gradyn_status lost; /* first failure to save a file, with its reason in loss; GRADYN_OK: none */
  char loss[512];
} cli_run_state;

/* Runs a search from rho [parameters] with the journal of r->round: the first search, or a refined one.
 * Returns the status of the search; *result belongs to the caller. */
gradyn_status cli_run_search_once(cli_run_state *r, const double *rho,
                                  gradyn_search_result *result);

/* Repeats the search from the best point of r->outcome.result with the step or the tolerance that it needs
 * (its `discretisation`). If the search finds a point, the result and the evaluator of the session are
 * replaced; otherwise both stay. r->outcome.status becomes that of the search, or GRADYN_OK if it finds
 * none. Returns false if no repetition should follow: none is needed, or the search was stopped or failed. */
bool cli_run_refine(cli_run_state *r);

#endif
