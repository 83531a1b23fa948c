/* The study folder of a command. A folder with a study is used only with --force, or to continue the
 * study. */
#include "cli/options/study.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/file.h"
#include "cli/base/interrupt.h"
#include "cli/base/memory.h"

gradyn_status cli_study_open(gradyn_folder *study, const char *path, bool replace)
{
  const gradyn_status status = gradyn_folder_open(study, path, replace, &cli_file_keeper);
  if (status == GRADYN_INVALID) {
    char *why = cli_text("--out %s. Choose another folder, or --force to replace it",
                         study->message);
    (void)snprintf(study->message, sizeof study->message, "%s", why);
    free(why);
  }
  return status;
}

/* Opens the folder of --out. Prints the reason of a failure, and returns the exit status. */
static int open_given(gradyn_folder *study, const cli_session *session)
{
  gradyn_status status = GRADYN_OK;
  if (session->options->out)
    status = cli_study_open(study, session->options->out, session->options->folder.force);
  if (session->options->out && status == GRADYN_OK)
    status = gradyn_folder_discard(study, false);
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", study->message);
}

int cli_study_with(const cli_options *options,
                   int (*work)(cli_session *session, gradyn_folder *study))
{
  cli_session session;
  gradyn_folder study = {.path = NULL};
  int result = cli_session_open(&session, options);
  if (result == CLI_DONE)
    result = open_given(&study, &session);
  if (result == CLI_DONE)
    result = work(&session, &study);
  gradyn_folder_close(&study);
  cli_session_close(&session);
  return result;
}

gradyn_status cli_study_open_for(gradyn_folder *study, const cli_session *session, const char *kind)
{
  const cli_options *given = session->options;
  /* a resumed study and a shard keep the files of the folder */
  if (given->out)
    return cli_study_open(study, given->out,
                          given->folder.force || given->resume || given->many.shard);
  char *name = cli_text("gradyn-%s%s", session->name, kind);
  /* the name of a problem may be a path */
  for (char *slash = name; (slash = strchr(slash, '/')) != NULL;)
    *slash = '-';
  const gradyn_status status = gradyn_folder_open_new(study, name, &cli_file_keeper);
  free(name);
  return status;
}

gradyn_status cli_study_open_many(gradyn_folder *study, const cli_session *session,
                                  const char *kind, const char *journals, char **path)
{
  const bool on = session->options->resume || session->options->many.shard;
  GRADYN_TRY(cli_study_open_for(study, session, kind));
  GRADYN_TRY(gradyn_folder_within(study, journals, path));
  if (on)
    return GRADYN_OK;
  /* a new study in an old folder: removes the journals first, because they would be used */
  GRADYN_TRY(gradyn_folder_remove_journals(study, *path));
  return gradyn_folder_discard(study, false);
}

gradyn_motion cli_study_motion(const cli_session *session, const double *rho,
                               const gradyn_trajectory *trajectory, const char *suffix,
                               double *grace)
{
  return (gradyn_motion){.evaluator = session->evaluator,
                         .trajectory = trajectory,
                         .rho = rho,
                         .suffix = suffix,
                         .samples = (size_t)session->options->samples,
                         .cancel = cli_interrupt_cancels,
                         .user = grace};
}
