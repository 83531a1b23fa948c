/* gradyn simulate: trajectory and functionals at the given parameters. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/text/covariance.h"
#include "optim/study/motion.h"
#include "cli/base/interrupt.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/text/reporter.h"
#include "cli/base/plain.h"
#include "cli/base/report.h"
#include "cli/base/streams.h"
#include "cli/options/session.h"
#include "cli/text/show.h"
#include "cli/options/study.h"
#include "dae/trajectory.h"

/* Rows printed on a terminal if --samples is not given. */
enum { SHOWN_ROWS = 201 };

/* Results of a run. covariance.rows is 0 if no covariance was requested. */
typedef struct results {
  size_t samples; /* number of rows at equal time steps; 0: a row for every step */
  double *psi;    /* [functionals] */
  gradyn_trajectory *trajectory;
  gradyn_covariance covariance;
} results;

/* Returns the object of --json and of result.json. */
static json_t *describe(const cli_session *session, const results *r)
{
  /* a run that fails has no object */
  json_t *root = cli_json_session(session, GRADYN_OK);
  cli_json_put(root, "parameters", cli_json_parameters(session, session->rho));
  cli_json_put(root, "functionals", cli_json_functionals(session, r->psi, NULL));
  if (r->covariance.rows > 0)
    cli_json_put(root, "covariance", cli_covariance_json(session, &r->covariance));
  cli_json_statistics(session, root);
  if (session->options->out)
    cli_json_put(root, "folder", cli_json_text(session->options->out));
  return root;
}

/* Prints the functionals and, if requested, their standard deviations. */
static void show_functionals(const cli_session *session, const results *r, FILE *file)
{
  cli_show_functionals(session, r->psi, file);
  if (r->covariance.rows > 0)
    cli_covariance_show(session, &r->covariance, file);
}

/* Shows the results. Without a folder, the trajectory is the result, and functionals go to standard error.
 * With a folder or --json, the functionals are the result. They are printed even if the folder cannot be
 * written to. */
static int show(cli_session *session, gradyn_folder *study, const results *r)
{
  const cli_options *options = session->options;
  gradyn_status status = GRADYN_OK;
  char *report = NULL;
  const gradyn_covariance *covariance = r->covariance.rows > 0 ? &r->covariance : NULL;
  /* the same object is for the page and for --json */
  json_t *root = describe(session, r);
  if (options->out)
    /* writes the page, which is part of the folder */
    status = cli_reporter_once(session, study, json_incref(root), r->trajectory, covariance, false,
                               &report);
  if (options->out && r->covariance.rows > 0 && status == GRADYN_OK)
    status = cli_covariance_keep(study, &r->covariance);
  /* the object also reports failures to write the folder */
  if (options->print.json) {
    if (status != GRADYN_OK)
      cli_json_add_failure(root, status, study->message);
    cli_json_print(json_incref(root));
    /* with a folder, the functionals are the result */
  } else if (options->out) {
    show_functionals(session, r, stdout);
  } else {
    double grace = 0;
    if (gradyn_motion_write(stdout, r->trajectory, session->evaluator, covariance, r->samples,
                            cli_interrupt_cancels, &grace) == GRADYN_NO_MEMORY)
      cli_no_memory();
    if (r->samples > 0 && options->samples == 0)
      cli_session_note(
          session,
          "printed %zu times of %zu steps: --samples N prints N times, --out DIR writes all steps",
          r->samples, gradyn_trajectory_read(r->trajectory).steps);
    if (!options->print.quiet)
      show_functionals(session, r, stderr);
  }
  if (!options->print.json && !options->print.quiet)
    cli_show_statistics(session, options->out ? stdout : stderr);
  cli_session_warn(session->evaluator);
  if (report && !options->print.json)
    cli_say(stdout, "report: %s\n", report);
  free(report);
  json_decref(root);
  return status == GRADYN_OK ? CLI_DONE : cli_report(false, NULL, NULL, status, study->message);
}

/* Simulates. Computes standard deviations if they are requested. */
static int run(cli_session *session, gradyn_folder *study, results *r)
{
  /* accelerations and multipliers at the samples follow from the equations of motion */
  gradyn_trajectory_request(r->trajectory, r->samples);
  if (session->options->covariance) { /* the same run, but with sensitivities */
    int result = cli_covariance_find(session, r->samples, r->psi, r->trajectory, &r->covariance);
    return result == CLI_DONE ? show(session, study, r) : result;
  }
  gradyn_status status = gradyn_evaluator_simulate(session->evaluator, session->rho, r->psi,
                                                   r->trajectory);
  /* a terminal shows all steps if they are not more than the samples */
  if (session->options->samples == 0 && gradyn_trajectory_read(r->trajectory).steps <= r->samples)
    r->samples = 0;
  return status == GRADYN_OK ? show(session, study, r) : cli_session_refuse(session, status);
}

static size_t rows_of(const cli_options *options)
{
  const bool printed = !options->out && !options->print.json && cli_streams_terminal();
  return options->samples > 0 ? (size_t)options->samples : printed ? SHOWN_ROWS : 0;
}

static int simulate(cli_session *session, gradyn_folder *study)
{
  results r = {.samples = rows_of(session->options),
               .psi = cli_take(session->functionals, sizeof *r.psi),
               .trajectory = gradyn_trajectory_create()};
  const int result = r.trajectory ? run(session, study, &r)
                                  : cli_session_fail(session, GRADYN_NO_MEMORY,
                                                     "no memory for a trajectory");
  gradyn_covariance_clear(&r.covariance);
  gradyn_trajectory_free(r.trajectory);
  free(r.psi);
  return result;
}

int cli_simulate(const cli_options *options)
{
  return cli_study_with(options, simulate);
}
