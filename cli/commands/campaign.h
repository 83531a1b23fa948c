/* Common parts of sweeps and fronts: a folder of journals, and workers that share the work. */
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
  char *folder;        /* path of the folder of the journals, owned */
  const char *message; /* reason of a failure, in the library's result */
} cli_campaign;

/* One kind of campaign; its struct begins with a cli_campaign. */
typedef struct cli_campaign_ops {
  /* suffix of the name of its folder, "-sweep", and name of the folder of the journals, "points" */
  const char *kind, *journals;
  /* Converts the options into a specification, with the session open; returns the exit status. */
  int (*choose)(cli_campaign *c);
  /* Returns the contents of settings.json as a new object, for resuming and for the report. */
  json_t *(*settings)(const cli_campaign *c);
  /* Does the work in c->folder: all of it, or the share of a helper. */
  gradyn_status (*work)(cli_campaign *c);
  /* Writes and prints the results; returns the exit status. */
  int (*finish)(cli_campaign *c, gradyn_status status);
} cli_campaign_ops;

/* Runs a campaign by its ops: session, options, folder, work, results. *c must be zero; its members are
 * released, but not those of the struct that begins with *c. Prints the reason of a failure, and returns the
 * exit status. */
int cli_campaign_run(const cli_options *options, const cli_campaign_ops *ops, cli_campaign *c);

/* Results of a campaign of searches. */
typedef struct cli_campaign_results {
  bool none;     /* nothing to write; the status is that of a failure */
  char *message; /* [size] reason of a failure, in the library's result; "": none */
  size_t size;   /* of the message */
  /* Adds the members of the results to the object of --json and result.json. */
  void (*fill)(const cli_campaign *c, json_t *root);
  gradyn_status (*write_csv)(cli_campaign *c);
  void (*print)(const cli_campaign *c, FILE *file);
} cli_campaign_results;

/* The function finish of cli_campaign_ops for searches: explains an early end, writes the files and the
 * page, and prints the results. Returns the exit status. */
int cli_campaign_finish(cli_campaign *c, gradyn_status status, const cli_campaign_results *results);

/* The last part of ops->finish(): writes the page if `written` is GRADYN_OK, prints the object root (with
 * --json) or the location of the results, and reports failures. root becomes owned. written: status of
 * writing the files, whose reason is in c->study.message; status and why: those of the work. Returns the exit
 * status. */
int cli_campaign_conclude(cli_campaign *c, json_t *root, gradyn_status written,
                          gradyn_status status, const char *why);

#endif
