/* What sweeps and fronts have in common: a folder of journals, and workers who share what there is to do. */
#ifndef GRADYN_CLI_CAMPAIGN_H
#define GRADYN_CLI_CAMPAIGN_H

#include <jansson.h>

#include "cli/options/study.h"
#include "cli/text/workers.h"

typedef struct cli_campaign {
  cli_session session;
  gradyn_folder study;
  cli_workers workers;
  cli_reporter reporter;
  char *folder;        /* for the journals, owned */
  const char *message; /* why the work has failed, of the library's result */
} cli_campaign;

/* One of them, which begins with its cli_campaign. */
typedef struct cli_campaign_ops {
  const char *kind,
      *journals; /* ends of the names of its folder, "-sweep", and of theirs, "points" */
  /* Options into what is to be done; returns the exit status. */
  int (*choose)(cli_campaign *c);
  /* What settings.json has, for resuming and for the report. */
  json_t *(*settings)(const cli_campaign *c);
  /* Does it in c->folder, all of it or the share of a helper. */
  gradyn_status (*work)(cli_campaign *c);
  /* What came of it; returns the exit status. */
  int (*finish)(cli_campaign *c, gradyn_status status);
} cli_campaign_ops;

/* Session, options, folder, work, results: c is all zero. Returns the exit status. */
int cli_campaign_run(const cli_options *options, const cli_campaign_ops *ops, cli_campaign *c);

/* The last of finish(), with files written as far as `written` tells: the page, the object root (taken over)
 * or where results are, and failures, that of the work with the reason why. */
int cli_campaign_conclude(cli_campaign *c, json_t *root, gradyn_status written,
                          gradyn_status status, const char *why);

#endif
