/* gradyn simulate: the trajectory and the functionals at the given parameters. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/csv.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/reporter.h"
#include "cli/plain.h"
#include "cli/report.h"
#include "cli/session.h"
#include "cli/show.h"
#include "cli/study.h"

static json_t *describe(const cli_session *session, const double *psi)
{
  json_t *root = cli_json_session(session, GRADYN_OK);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, psi, NULL));
  cli_json_statistics(session, root);
  if (session->options->out)
    cli_json_put(root, "folder", cli_json_text(session->options->out));
  return root;
}

/* Without a folder the trajectory is the result and the functionals are a remark beside it; with
 * one, or as JSON, the functionals are the result. A folder that cannot be written to is no reason
 * to keep them back. */
static int show(cli_session *session, cli_study *study, const gradyn_trajectory *trajectory,
                const double *psi)
{
  const cli_options *options = session->options;
  gradyn_status status = GRADYN_OK;
  char *report = NULL;
  json_t *root = describe(session, psi);
  if (options->out)
    status = cli_reporter_once(session, study, json_incref(root), trajectory, false, &report);
  /* results are gathered before they are shown: the object tells of failures */
  if (options->json) {
    if (status != GRADYN_OK)
      cli_json_blame(root, status, study->message);
    cli_json_print(json_incref(root));
    /* in a folder: functionals are the result */
  } else if (options->out) {
    cli_show_functionals(session, psi, stdout);
  } else {
    (void)cli_csv_trajectory(stdout, trajectory, (size_t)options->samples, 0);
    if (!options->quiet)
      cli_show_functionals(session, psi, stderr);
  }
  if (!options->json && !options->quiet)
    cli_show_statistics(session, options->out ? stdout : stderr);
  cli_session_warn(session->evaluator);
  if (report && !options->json)
    cli_say(stdout, "report: %s\n", report);
  free(report);
  json_decref(root);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, study->message);
}

static int simulate(cli_session *session)
{
  cli_study study;
  int result = cli_study_open_given(&study, session);
  if (result != CLI_DONE) {
    cli_study_close(&study);
    return result;
  }
  double *psi = cli_take(session->functionals, sizeof *psi); /* [functionals] */
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  if (!trajectory) {
    result = cli_session_fail(session, GRADYN_NO_MEMORY, "no memory for a trajectory");
  } else {
    /* accelerations and multipliers at these times come from the equations of motion */
    gradyn_trajectory_request(trajectory, (size_t)session->options->samples);
    gradyn_status status = gradyn_simulate(session->evaluator, session->rho, psi, trajectory);
    result = status == GRADYN_OK ? show(session, &study, trajectory, psi)
                                 : cli_session_refuse(session, status);
  }
  gradyn_trajectory_free(trajectory);
  free(psi);
  cli_study_close(&study);
  return result;
}

int cli_simulate(const cli_options *options)
{
  cli_session session;
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = simulate(&session);
  cli_session_close(&session);
  return result;
}
