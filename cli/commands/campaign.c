/* Runs a sweep or a front, from the command line to the exit status. */
#include "cli/commands/campaign.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/base/interrupt.h"
#include "cli/base/plain.h"
#include "cli/base/report.h"
#include "cli/base/streams.h"
#include "cli/commands/resume.h"
#include "cli/options/ranks.h"
#include "cli/text/json.h"

/* Opens the study, and writes settings.json before any computation, because a resumed study needs it. */
static int open_folder(cli_campaign *c, const cli_campaign_ops *ops)
{
  gradyn_status status = cli_study_open_many(&c->study, &c->session, ops->kind, ops->journals,
                                             &c->folder);
  if (status == GRADYN_OK)
    status = gradyn_folder_json(&c->study, "settings.json", ops->settings(c));
  return status == GRADYN_OK ? CLI_DONE
                             : cli_session_fail(&c->session, status, "%s", c->study.message);
}

/* Does the work of a process. Rank 0 opens the folder and leads; the others wait for the folder. Only rank
 * 0 writes files and prints output. */
static int work(cli_campaign *c, const cli_campaign_ops *ops, bool leads)
{
  if (leads) {
    cli_ranks_invite(c->folder);
    cli_reporter_begin(&c->reporter, &c->session, &c->study);
    c->workers.reporter = &c->reporter;
  } else {
    c->folder = cli_ranks_invitation();
    if (!c->folder)
      return CLI_DONE;
  }
  const gradyn_status status = ops->work(c);
  if (!c->session.options->print.json)
    (void)cli_streams_restore();
  cli_workers_end(&c->workers);
  return leads ? ops->finish(c, status) : cli_workers_helped(&c->session, status, c->message);
}

int cli_campaign_run(const cli_options *options, const cli_campaign_ops *ops, cli_campaign *c)
{
  int result = cli_session_open(&c->session, options);
  /* a resumed study has the same parameters as at its start */
  if (result == CLI_DONE && options->resume)
    result = cli_resume_start(&c->session);
  if (result == CLI_DONE)
    result = ops->choose(c);
  const bool leads = !cli_ranks_helper();
  if (result == CLI_DONE && leads)
    result = open_folder(c, ops);
  if (result == CLI_DONE) {
    /* only rank 0 prints messages about interruptions */
    cli_interrupt_install(options->print.quiet || !leads);
    result = work(c, ops, leads);
  }
  /* releases everything, also after a failure */
  free(c->folder);
  cli_reporter_close(&c->reporter);
  gradyn_folder_close(&c->study);
  cli_session_close(&c->session);
  return result;
}

int cli_campaign_conclude(cli_campaign *c, json_t *root, gradyn_status written,
                          gradyn_status status, const char *why)
{
  const char *report = NULL;
  /* the page is written last, because it reads the other files */
  if (written == GRADYN_OK)
    written = cli_reporter_finish(&c->reporter, &report);
  if (c->session.options->print.json) {
    if (report)
      cli_json_put(root, "report", cli_json_text(report));
    /* a failed write is reported, unless the work itself has failed */
    if (written != GRADYN_OK && status == GRADYN_OK)
      cli_json_add_failure(root, written, c->study.message);
    cli_json_print(root);
  } else {
    cli_say(stdout, "results in %s\n", c->study.path);
    if (report)
      cli_say(stdout, "report: %s\n", report);
    json_decref(root);
  }
  /* any failed write is a failure of the command */
  if (written != GRADYN_OK)
    return cli_report(false, NULL, NULL, written, c->study.message);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, why);
}

int cli_campaign_finish(cli_campaign *c, gradyn_status status, const cli_campaign_results *results)
{
  char *message = results->message;
  if (results->none || status == GRADYN_INVALID || status == GRADYN_IO)
    return cli_session_fail(&c->session, status, "%s", message);
  const bool unfinished = status == GRADYN_INTERRUPTED;
  const bool over = cli_workers_over(&c->workers, &status);
  /* the library gives no message if the user has interrupted it */
  if (unfinished && !*message)
    (void)snprintf(message, results->size, "%s%s are not finished, 'gradyn resume' continues them",
                   over ? "the time limit was reached: " : "", c->workers.what);
  json_t *root = cli_json_session(&c->session, status);
  if (status != GRADYN_OK)
    cli_json_put(root, "message", cli_json_text(message));
  /* done: all searches have ended; stopped: `gradyn resume` continues */
  cli_json_put(root, "termination",
               json_string(status == GRADYN_OK                       ? "done"
                           : unfinished || status == GRADYN_CALLBACK ? "stopped"
                                                                     : "failed"));
  results->fill(c, root);
  cli_json_put(root, "folder", cli_json_text(c->study.path));
  gradyn_status written = results->write_csv(c);
  if (written == GRADYN_OK)
    written = gradyn_folder_json(&c->study, "result.json", json_incref(root));
  results->print(c, c->session.options->print.json ? stderr : stdout);
  return cli_campaign_conclude(c, root, written, status, message);
}
