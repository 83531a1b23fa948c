/* Guesses of states over time. A study has its own copy of the guess, so that it can be resumed without the
 * original file. */
#include "cli/commands/guess.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/memory.h"
#include "cli/base/read.h"
#include "cli/options/from.h"
#include "core/base/owned.h"
#include "core/files/text.h"
#include "optim/study/account.h"

enum { MOST_BYTES = 1 << 28 }; /* largest size of a table of states */

/* Reads a whole file. NULL: why [size] has the reason. */
static char *read_all(const char *path, char why[], size_t size)
{
  FILE *file = NULL;
  gradyn_text text = {.at = NULL};
  char piece[4096];
  size_t count;
  if (cli_read_open(path, &file, why, size) != GRADYN_OK)
    return NULL;
  while (text.used <= MOST_BYTES && (count = fread(piece, 1, sizeof piece, file)) > 0)
    gradyn_text_add(&text, piece, count);
  const bool whole = !ferror(file), bounded = text.used <= MOST_BYTES;
  (void)fclose(file); /* a failure does not matter, because the file was only read */
  if (text.failed)
    cli_no_memory();
  if (whole && bounded && text.used > 0)
    return text.at;
  (void)snprintf(why, size, "%s",
                 !bounded ? "it is larger than 256 MB"
                 : whole  ? "it is empty"
                          : strerror(EIO));
  free(text.at);
  return NULL;
}

/* Returns the path of the file with the guess for this run, to be released with free(). NULL: there is no
 * guess. */
static char *choose_file(const cli_run_state *r)
{
  const cli_options *given = r->session.options;
  char *path = given->resume         ? cli_text("%s/guess.csv", given->out)
               : given->search.guess ? cli_text("%s", given->search.guess)
               : given->from         ? cli_text("%s/trajectory_segments.csv", given->from)
                                     : NULL;
  if (path != NULL && !given->resume && !given->search.guess && access(path, F_OK) != 0) {
    free(path); /* the earlier run has no such file: it was not in segments */
    path = cli_text("%s/trajectory_final.csv", given->from);
  }
  /* a file that the user has not named may be missing */
  if (path != NULL && (given->resume || !given->search.guess) && access(path, F_OK) != 0) {
    free(path);
    return NULL;
  }
  return path;
}

/* Reads the warm start of this run, or the copy of it in a resumed study. */
static int choose_warm(cli_run_state *r)
{
  char why[256];
  const cli_options *given = r->session.options;
  if (!given->resume)
    return cli_from_warm(&r->session, &r->warm);
  FREED char *path = cli_text("%s/warm_start.json", given->out);
  if (access(path, F_OK) != 0)
    return CLI_DONE;
  r->warm = read_all(path, why, sizeof why);
  return r->warm ? CLI_DONE
                 : cli_session_fail(&r->session, GRADYN_INVALID,
                                    "the warm start '%s' cannot be read: %s", path, why);
}

int cli_guess_choose(cli_run_state *r)
{
  const int warm = choose_warm(r);
  r->search.warm_start = r->warm;
  if (warm != CLI_DONE)
    return warm;
  if (r->warm && r->session.options->many.starts > 0)
    return cli_session_fail(&r->session, GRADYN_INVALID,
                            "--warm begins at one point: omit --starts");

  char why[256];
  if (!gradyn_search_in_segments(&r->search) && r->search.guess == NULL)
    return CLI_DONE;
  if (!gradyn_search_in_segments(&r->search))
    return cli_session_fail(&r->session, GRADYN_INVALID,
                            "--guess %s: it is for searches in segments; add --segments N",
                            r->search.guess);
  char *path = choose_file(r);
  int result = CLI_DONE;
  r->search.guess = NULL;
  if (path != NULL)
    r->guess.text = read_all(path, why, sizeof why);
  if (path != NULL && r->guess.text == NULL)
    result = cli_session_fail(&r->session, GRADYN_INVALID, "the guess '%s' cannot be read: %s",
                              path, why);
  if (r->session.options->resume)
    r->search.guess = path; /* the copy of the guess in the study */
  r->guess.path = path;
  return result;
}

gradyn_status cli_guess_keep(cli_run_state *r)
{
  gradyn_file file;
  if (r->warm != NULL && !r->resumed) {
    GRADYN_TRY(gradyn_folder_begin(&r->study, &file, "warm_start.json"));
    (void)fputs(r->warm, file.stream);
    GRADYN_TRY(gradyn_folder_end(&r->study, &file, GRADYN_OK));
  }
  if (r->guess.text == NULL || r->resumed)
    return GRADYN_OK;
  free(r->guess.path);
  r->guess.path = cli_text("%s/guess.csv", r->study.path);
  r->search.guess = r->guess.path;
  GRADYN_TRY(gradyn_folder_begin(&r->study, &file, "guess.csv"));
  (void)fputs(r->guess.text, file.stream);
  return gradyn_folder_end(&r->study, &file, GRADYN_OK);
}

bool cli_guess_replaces(const cli_run_state *r, gradyn_status status)
{
  const bool stands = r->outcome.result.segment_motion != NULL && status != GRADYN_OK &&
                      gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE;
  if (stands)
    cli_session_note(&r->session, "trajectory_final.csv is omitted: a run without segments fails");
  return stands;
}

bool cli_guess_begins(const cli_run_state *r, gradyn_status status)
{
  if (!gradyn_search_in_segments(&r->search) ||
      gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE)
    return false;
  for (size_t i = 0; i < r->session.functionals; i++)
    r->psi0[i] = NAN;
  cli_session_note(&r->session, "at the start, a run without segments fails: %s",
                   gradyn_evaluator_message(r->session.evaluator));
  return true;
}

gradyn_status cli_guess_keep_segments(cli_run_state *r)
{
  gradyn_file file;
  const gradyn_trajectory *parts = r->outcome.result.segment_motion;
  if (parts == NULL)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_folder_begin(&r->study, &file, "trajectory_segments.csv"));
  return gradyn_folder_end(&r->study, &file,
                           gradyn_motion_write(file.stream, parts, NULL, NULL, 0, NULL, NULL));
}

gradyn_status cli_guess_keep_defects(cli_run_state *r)
{
  gradyn_defect_history closing;
  const gradyn_search_result *result = &r->outcome.result;
  if (result->segment_motion == NULL || result->termination == GRADYN_TERMINATION_STOPPED)
    return GRADYN_OK;
  gradyn_status status = gradyn_search_defect_history(r->session.evaluator, &r->search, result,
                                                      &closing);
  if (status == GRADYN_OK) {
    json_t *root = gradyn_account_defects(&closing, result->segment_motion);
    status = gradyn_folder_json(&r->study, "segments.json", root);
  } else if (status != GRADYN_NO_MEMORY) {
    cli_session_note(&r->session, "segments.json is omitted: %s",
                     gradyn_evaluator_message(r->session.evaluator));
    status = GRADYN_OK;
  }
  gradyn_defect_history_clear(&closing);
  return status;
}
