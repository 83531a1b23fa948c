/* gradyn run: optimises a problem and writes a study.
 *
 * A study has settings.json, history.csv with a line for each evaluation, trajectories before and after,
 * result.json, report.html and the journal. If a file cannot be written, the search continues, because its
 * result may have taken hours. The failure is reported at the end and by the exit status. */
#include "cli/commands/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/interrupt.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/options/ranks.h"
#include "cli/base/report.h"
#include "cli/base/streams.h"
#include "cli/commands/controls.h"
#include "cli/commands/guess.h"
#include "cli/commands/resume.h"
#include "cli/commands/search.h"
#include "cli/text/inference.h"
#include "cli/text/show.h"
#include "core/base/clock.h"
#include "dae/trajectory.h"
#include "optim/search/search.h"

/* Largest number of searches with finer steps. The first step that is suggested nearly always suffices. */
enum { FINER_ROUNDS = 3 };

/* Notes that a file could not be saved. The run continues: a full disk must not discard the result. */
static void keep_loss(cli_run_state *r, gradyn_status status)
{
  /* only the first failure is reported, because later ones may be consequences */
  if (status == GRADYN_OK || r->lost != GRADYN_OK)
    return;
  r->lost = status;
  (void)snprintf(r->loss, sizeof r->loss, "%s", r->study.message);
}

/* Prints the best point to standard error. Called if memory is exhausted. */
static void last_words(void *about)
{
  const cli_run_state *r = about;
  /* nothing here allocates memory: stdio has its buffer already */
  (void)fputs("the best point so far:\n", stderr);
  for (size_t i = 0; i < r->session.parameters; i++)
    (void)fprintf(stderr, "  %s = %.17g\n", r->session.param[i].name, r->best[i]);
}

/* Reports a failure of the study before the search has begun. */
static int study_failed(const cli_run_state *r, gradyn_status status)
{
  return cli_session_fail(&r->session, status, "%s", r->study.message);
}

/* Writes the files that exist from the start of a study. */
static gradyn_status begin(cli_run_state *r)
{
  /* removes old results first, so that files of two runs are never mixed */
  r->begun = true;
  if (isfinite(r->finished))
    GRADYN_TRY(gradyn_folder_put_aside(&r->study));
  GRADYN_TRY(gradyn_folder_discard(&r->study, r->resumed));
  GRADYN_TRY(gradyn_folder_json(&r->study, "settings.json",
                                cli_outcome_settings(&r->session, &r->search)));
  GRADYN_TRY(cli_guess_keep(r));
  return gradyn_folder_begin_history(&r->study, r->session.evaluator);
}

/* Called after each evaluation; false ends the search. */
static bool watch(const gradyn_iteration *newest, void *user)
{
  cli_run_state *r = user;
  gradyn_iteration iteration = *newest;
  iteration.evaluation += r->before; /* counts evaluations from the first round */
  /* the best point is printed if memory is exhausted */
  if (iteration.best)
    memcpy(r->best, iteration.rho, r->session.parameters * sizeof *r->best);
  /* writes no file before the journal was accepted: a refused journal leaves its study unchanged */
  gradyn_status status = r->begun ? GRADYN_OK : begin(r);
  if (status == GRADYN_OK)
    status = gradyn_folder_add_history(&r->study, r->session.evaluator, &iteration);
  cli_progress_show(&r->progress, &iteration);
  if (status != GRADYN_OK) {
    keep_loss(r, status);
    cli_progress_end(&r->progress);
    (void)cli_report(false, NULL, NULL, status, r->loss);
    cli_session_note(&r->session, "the search continues");
  }
  /* while results of several searches are collected, the page is not renewed */
  if (!r->gathering)
    cli_reporter_renew(&r->reporter, "the search is running");
  return r->gathering || !cli_interrupt_requested();
}

/* Converts the options into one search or several. */
static int choose_search(cli_run_state *r)
{
  gradyn_search *search = &r->search;
  int result = cli_search_choose(&r->session, search);
  search->on_iteration = watch;
  search->user = r;
  if (result == CLI_DONE)
    result = cli_inference_suits(&r->session, search);
  if (result == CLI_DONE)
    result = cli_guess_choose(r);
  /* if starts are requested, there are several searches */
  if (result == CLI_DONE && r->session.options->many.starts > 0)
    result = cli_starts_choose(&r->starts, &r->session);
  return result;
}

/* Returns the path of the journal of a round, to be freed: journal.jsonl, journal-2.jsonl, ... */
static char *journal_of(const cli_run_state *r, int round)
{
  return round == 0 ? cli_text("%s/journal.jsonl", r->study.path)
                    : cli_text("%s/journal-%d.jsonl", r->study.path, round + 1);
}

/* Removes the journals of an earlier study and begins a new one, unless a process is using them. */
static gradyn_status replace(cli_run_state *r)
{
  /* an earlier run can have a journal for each possible round */
  for (int i = 0; i <= FINER_ROUNDS; i++) {
    char *journal = journal_of(r, i);
    const gradyn_status status = gradyn_journal_remove(journal, r->study.message,
                                                       sizeof r->study.message);
    free(journal);
    GRADYN_TRY(status);
  }
  return begin(r);
}

/* Opens the folder of --out, or else a new folder named after the problem. */
static int open_study(cli_run_state *r)
{
  gradyn_status status = cli_study_open_for(&r->study, &r->session, "");
  if (status == GRADYN_OK && !r->resumed)
    status = replace(r);
  /* several searches, and resumed ones, keep the journals of the folder */
  if (status == GRADYN_OK && r->session.options->many.starts > 0)
    return cli_starts_open(&r->starts, &r->session, &r->study);
  return status == GRADYN_OK ? CLI_DONE : study_failed(r, status);
}

/* Prints the settings of the run, a line for each subject. */
static void print_header(const cli_run_state *r)
{
  const cli_session *session = &r->session;
  size_t varied = 0;
  if (session->options->print.quiet)
    return;
  /* printed on standard error, because standard output has results only */
  for (size_t i = 0; i < session->parameters; i++)
    varied += session->vary[i];
  (void)fprintf(stderr, "%s: %zu of %zu parameters varied, %zu functionals\n", session->name,
                varied, session->parameters, session->functionals);
  /* simulation settings, then search settings */
  (void)fprintf(stderr, "simulation: ");
  cli_show_evaluation(session, stderr);
  (void)fprintf(stderr,
                "\nsearch: scaling %s, at most %ld evaluations, ftol %.1e, xtol %.1e, "
                "optimality %.1e\n",
                r->search.no_scaling ? "off" : "on", r->search.max_evaluations, r->search.ftol,
                r->search.xtol, r->search.optimality);
  if (r->search.segments > 0)
    (void)fprintf(stderr, "segments: %ld\n", r->search.segments);
  if (r->search.segment_times != NULL)
    cli_say(stderr, "segments: boundaries at %s\n", r->search.segment_times);
  if (r->search.refine_controls > 0)
    (void)fprintf(stderr, "controls: refined in %ld rounds at most\n", r->search.refine_controls);
  cli_say(stderr, "study: %s\n", r->study.path);
}

/* Reports free parameters on which the model does not depend. */
static void note_idle(const cli_run_state *r)
{
  const cli_session *session = &r->session;
  bool *influences = cli_take(session->parameters, sizeof *influences);
  const char *first = NULL;
  size_t idle = 0;
  /* this is no error, because a setting may disable a parameter */
  if (gradyn_evaluator_preview(session->evaluator, session->rho, NULL, influences, NULL) ==
      GRADYN_OK)
    for (size_t i = 0; i < session->parameters; i++)
      if (session->vary[i] && !influences[i]) {
        first = first ? first : session->param[i].name;
        idle++;
      }
  if (idle > 0)
    cli_session_note(session, "%zu varied %s no effect, %s first: does build() use %s?", idle,
                     idle > 1 ? "parameters have" : "parameter has", first,
                     idle > 1 ? "them" : "it");
  free(influences);
}

/* Simulates at rho, and writes the trajectory into the study. */
static gradyn_status record(cli_run_state *r, const double *rho, double *psi, const char *suffix)
{
  cli_session *session = &r->session;
  /* samples at equal distances, or all steps */
  gradyn_trajectory_request(r->trajectory, (size_t)session->options->samples);
  gradyn_covariance bands;
  gradyn_status status = cli_inference_simulate(session, &r->outcome.inference, rho, psi,
                                                r->trajectory, &bands);
  if (status != GRADYN_OK) {
    (void)snprintf(r->study.message, sizeof r->study.message, "%s",
                   gradyn_evaluator_message(session->evaluator));
    return status;
  }
  gradyn_motion motion = cli_study_motion(session, rho, r->trajectory, suffix, &session->grace);
  motion.covariance = bands.rows > 0 ? &bands : NULL;
  status = gradyn_motion_keep(&r->study, &motion);
  gradyn_covariance_clear(&bands);
  if (status == GRADYN_INTERRUPTED)
    (void)snprintf(r->study.message, sizeof r->study.message,
                   "stopped on request while trajectory%s.csv was written", suffix);
  return status;
}

/* Writes the data that the report needs about the recorded motion. */
static gradyn_status describe(cli_run_state *r, const double *rho, const char *suffix,
                              const gradyn_model_effects *effects)
{
  const gradyn_motion motion = cli_study_motion(&r->session, rho, r->trajectory, suffix,
                                                &r->session.grace);
  return r->reporter.off ? GRADYN_OK : gradyn_motion_describe(&r->study, &motion, effects);
}

/* Records the motion at the start of the search, with data for the report. */
static gradyn_status record_initial(cli_run_state *r, double *psi)
{
  gradyn_status status = record(r, r->session.rho, psi, "_initial");
  if (status == GRADYN_OK)
    keep_loss(r, describe(r, r->session.rho, "_initial", NULL));
  return status;
}

/* Reports that the start cannot be simulated. A new study also gets the reason in its result.json. */
static int start_failed(cli_run_state *r, gradyn_status status)
{
  if (r->resumed)
    return cli_session_fail(&r->session, status, "at the initial parameters: %s",
                            gradyn_evaluator_message(r->session.evaluator));
  const char *message = r->study.message;
  if (status == GRADYN_INTERRUPTED && cli_interrupt_late()) {
    status = GRADYN_STALLED;
    message = "the time limit was reached";
  }
  json_t *root = cli_json_session(&r->session, status);
  cli_json_put(root, "message", cli_json_text(message));
  cli_json_put(root, "parameters", cli_json_parameters(&r->session, r->session.rho));
  cli_json_put(root, "folder", cli_json_text(r->study.path));
  int result = cli_session_fail(&r->session, status, "at the initial parameters: %s", message);
  (void)gradyn_folder_json(&r->study, "result.json", root);
  (void)cli_reporter_finish(&r->reporter, &r->outcome.report);
  return result;
}

/* Records the motion at the best point. After a request to end, only a short time is allowed for this. */
static void record_final(cli_run_state *r)
{
  r->session.grace = CLI_SEARCH_GRACE;
  /* a second request omits the trajectory, because its file may be large */
  gradyn_status status = record(r, r->outcome.result.rho, NULL, "_final");
  r->outcome.recorded = status == GRADYN_OK;
  if (status == GRADYN_INTERRUPTED)
    cli_session_note(&r->session, "trajectory_final.csv is omitted: its simulation took too long");
  else if (!cli_guess_replaces(r, status))
    keep_loss(r, status);
}

/* Returns the members of result.json, which are also those of --json. */
static json_t *whole_json(const cli_run_state *r)
{
  /* the result and, with several starts, all optima */
  json_t *root = cli_outcome_json(&r->outcome);
  if (r->session.options->many.starts > 0)
    cli_starts_json(&r->starts, &r->session, root);
  return root;
}

/* Writes the page of the study. If the best point was recorded, it shows effects on the objective. */
static void make_report(cli_run_state *r)
{
  cli_outcome *outcome = &r->outcome;
  if (cli_outcome_has_point(outcome) && outcome->recorded)
    keep_loss(r, describe(r, outcome->result.rho, "_final",
                          &(gradyn_model_effects){r->search.objective,
                                                  r->session.evaluation.sensitivity}));
  if (cli_outcome_has_point(outcome) && outcome->recorded)
    keep_loss(r, cli_controls_keep_costates(r));
  keep_loss(r, cli_guess_keep_defects(r));
  keep_loss(r, cli_reporter_finish(&r->reporter, &outcome->report));
}

/* Restores the earlier result of the study, because it is better. */
static int keep_finished(cli_run_state *r)
{
  const gradyn_status status = r->outcome.status;
  if (gradyn_folder_take_back(&r->study) != GRADYN_OK)
    return study_failed(r, GRADYN_IO);
  return cli_session_fail(
      &r->session, status == GRADYN_OK ? GRADYN_STALLED : status,
      "%s\nthe earlier result of the study, with objective %.10g, is better and remains",
      r->outcome.result.reason, r->finished);
}

/* Writes the files and the report, and prints the result. Returns the exit status. */
static int finish(cli_run_state *r)
{
  cli_outcome *outcome = &r->outcome;
  bool told = r->lost != GRADYN_OK; /* true: a loss during the search was reported then */
  keep_loss(r, gradyn_folder_end_history(&r->study));
  if (cli_resume_worse(r->finished, outcome->status, &outcome->result))
    return keep_finished(r);
  if (isfinite(r->finished))
    keep_loss(r, gradyn_folder_forget_aside(&r->study));
  if (outcome->result.resumed.status != GRADYN_OK) { /* the message of the search has the reason */
    (void)snprintf(r->study.message, sizeof r->study.message, "%.500s", outcome->result.reason);
    keep_loss(r, outcome->result.resumed.status);
  }
  if (r->resumed)
    keep_loss(r, record_initial(r, NULL));
  cli_controls_adopt(r);
  cli_outcome_infer(outcome);
  if (cli_outcome_has_point(outcome))
    record_final(r);
  keep_loss(r, cli_guess_keep_segments(r));
  json_t *root = whole_json(r); /* made before the report, which evaluates the model again */
  keep_loss(r, gradyn_folder_json(&r->study, "result.json", json_incref(root)));
  if (r->session.options->many.starts > 0)
    keep_loss(r, cli_starts_write(&r->starts, &r->session, &r->study));
  make_report(r);
  /* a failed write is reported in the object if there is no other failure */
  if (r->session.options->print.json) {
    if (r->lost != GRADYN_OK && outcome->status == GRADYN_OK)
      cli_json_add_failure(root, r->lost, r->loss);
    if (outcome->report)
      cli_json_put(root, "report", cli_json_text(outcome->report));
    cli_json_print(json_incref(root));
  } else if (cli_outcome_has_point(outcome)) {
    (void)cli_streams_restore();
    if (r->session.options->many.starts > 0)
      cli_starts_print(&r->starts, &r->session);
    cli_outcome_print(outcome);
  }
  json_decref(root);
  /* the object has all findings; on a terminal, the first one is printed last */
  char reason[sizeof outcome->result.reason];
  memcpy(reason, outcome->result.reason, sizeof reason);
  if (cli_outcome_has_point(outcome))
    reason[strcspn(reason, "\n")] = '\0';
  gradyn_termination_join(reason);
  const int result = outcome->status == GRADYN_OK
                         ? CLI_DONE
                         : cli_report(false, NULL, NULL, outcome->status, reason);
  if (r->lost != GRADYN_OK && !told)
    (void)cli_report(false, NULL, NULL, r->lost, r->loss);
  return r->lost != GRADYN_OK ? CLI_FAILED : result;
}

/* Prints notes about the journal of a resumed search. */
static void tell(const cli_run_state *r, const gradyn_resumed *resumed)
{
  if (resumed->note[0])
    cli_session_note(&r->session, "%s", resumed->note);
  cli_session_note(&r->session, "%ld of %ld evaluations were taken from the journal",
                   resumed->replayed, resumed->journalled);
}

/* Runs a search, or continues it from its journal. */
gradyn_status cli_run_search_once(cli_run_state *r, const double *rho, gradyn_search_result *result)
{
  gradyn_evaluator *evaluator = r->session.evaluator;
  /* each round has a separate journal, because a journal belongs to one step */
  char *journal = journal_of(r, r->round++);
  r->search.journal = journal;
  cli_search_limit(&r->session, r->started, &r->search);
  r->search.resume = r->resumed;
  const gradyn_status status = gradyn_optimise(evaluator, &r->search, rho, result);
  /* for a refused journal, there is a separate message */
  if (r->resumed && r->begun)
    tell(r, &result->resumed);
  free(journal);
  return status;
}

static gradyn_status optimise(cli_run_state *r)
{
  /* a single search, or the best of several */
  if (r->session.options->many.starts == 0)
    return cli_run_search_once(r, r->session.rho, &r->outcome.result);
  r->gathering = true;
  const gradyn_status status = cli_starts_search(&r->starts, &r->session, &r->search,
                                                 &r->outcome.result);
  r->round++;
  r->gathering = false;
  return status;
}

/* Runs the searches and writes all files. */
static int search(cli_run_state *r)
{
  cli_reporter_begin(&r->reporter, &r->session, &r->study);
  /* a resumed study does not change before its journal has been accepted */
  gradyn_status status = r->resumed ? gradyn_evaluator_simulate(r->session.evaluator,
                                                                r->session.rho, r->psi0, NULL)
                                    : record_initial(r, r->psi0);
  if (status != GRADYN_OK && !cli_guess_begins(r, status))
    return start_failed(r, status);
  if (!r->resumed)
    cli_reporter_renew(&r->reporter, "the search is running");
  if (!r->session.options->print.quiet)
    cli_show_choices(&r->session, &r->search, stderr);
  r->starts.workers.reporter = &r->reporter;
  bool constrained = false;
  /* progress shows violations only if there are constraints */
  for (size_t i = 0; i < r->session.functionals; i++)
    constrained = constrained || r->session.functional[i].use >= GRADYN_EQUAL;
  cli_progress_begin(&r->progress, r->session.options, constrained);
  gradyn_search_result *result = &r->outcome.result;
  r->outcome.status = optimise(r);
  bool again = r->session.options->refine && r->outcome.status == GRADYN_OK;
  /* repeated until the best point is accurate to its tolerances */
  for (int i = 0;
       i < FINER_ROUNDS && again && result->discretisation.change > 1 && !cli_interrupt_requested();
       i++)
    again = cli_run_refine(r);
  cli_search_limit_end(&r->session, r->started);
  cli_progress_end(&r->progress);
  /* false: the journal was refused before the first iteration */
  if (!r->begun)
    return cli_session_fail(&r->session, r->outcome.status,
                            "%s\nno file in '%s' was changed; --from-best "
                            "begins a new search at the best point",
                            r->outcome.result.reason, r->study.path);

  r->outcome.session = &r->session;
  r->outcome.search = &r->search;
  r->outcome.folder = r->study.path;
  r->outcome.psi0 = r->psi0;
  return finish(r);
}

/* gradyn run: a search from the initial parameters, or from several starts, with all files of a study. */
int cli_run(const cli_options *options)
{
  cli_run_state r = {.started = gradyn_seconds(), .finished = NAN};
  if (!options->resume && options->many.starts == 0)
    cli_interrupt_after(options->max_seconds);
  int result = cli_session_open(&r.session, options);
  if (result == CLI_DONE && options->resume)
    result = cli_resume_start(&r.session);
  if (result == CLI_DONE)
    result = choose_search(&r);
  /* ranks other than 0 only share the work of several searches */
  const bool leads = !cli_ranks_helper();
  if (result == CLI_DONE && !leads && options->many.starts > 0)
    result = cli_starts_help(&r.starts, &r.session, &r.search);
  if (result == CLI_DONE && leads && options->folder.from_best)
    result = cli_resume_best(&r.session, &r.search);
  r.resumed = options->resume && !options->folder.from_best;
  if (result == CLI_DONE && leads && r.resumed)
    r.finished = cli_resume_finished(&r.session);
  if (result == CLI_DONE && leads)
    result = open_study(&r);
  if (result == CLI_DONE && leads) {
    /* allocated before the search, because these are needed if memory is exhausted */
    r.psi0 = cli_take(r.session.functionals, sizeof *r.psi0);
    r.best = cli_take(r.session.parameters, sizeof *r.best);
    memcpy(r.best, r.session.rho, r.session.parameters * sizeof *r.best);
    cli_no_memory_last_words(last_words, &r);
    r.trajectory = gradyn_trajectory_create();
    cli_interrupt_install(options->print.quiet);
    print_header(&r);
    note_idle(&r);
    result = r.trajectory
                 ? search(&r)
                 : cli_session_fail(&r.session, GRADYN_NO_MEMORY, "no memory for a trajectory");
  }
  /* releases all, also after a failure */
  gradyn_search_result_clear(&r.outcome.result);
  gradyn_inference_clear(&r.outcome.inference);
  cli_starts_clear(&r.starts);
  gradyn_trajectory_free(r.trajectory);
  cli_no_memory_last_words(NULL, NULL);
  free(r.guess.text);
  free(r.guess.path);
  free(r.warm);
  free(r.psi0);
  free(r.best);
  cli_reporter_close(&r.reporter);
  gradyn_folder_close(&r.study);
  cli_session_close(&r.session);
  return result;
}
