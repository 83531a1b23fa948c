/* A study: the folder in which a run leaves its files.
 *
 * Files of a study go through file.h: each is whole. The exception is the history, which grows
 * by a line at a time so that it can be followed. A folder that holds a study is only taken with
 * --force, or to go on with it. */
#include "cli/page/study.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/csv.h"
#include "optim/study/motion.h"
#include "cli/options/interrupt.h"
#include "cli/options/file.h"
#include "cli/text/json.h"
#include "cli/options/memory.h"
#include "cli/options/read.h"

/* Keeps the reason in the study's own message. */
static gradyn_status fail(cli_study *study, const char *what, const char *path)
{
  (void)snprintf(study->message, sizeof study->message, "%s '%s': %s", what, path, strerror(errno));
  return GRADYN_IO;
}

gradyn_status cli_study_begin(cli_study *study, gradyn_file *file, const char *name)
{
  gradyn_status status = gradyn_file_begin(file, study->folder, name, &cli_file_keeper);
  if (status != GRADYN_OK)
    (void)snprintf(study->message, sizeof study->message, "%s", file->message);
  return status;
}

gradyn_status cli_study_end(cli_study *study, gradyn_file *file, gradyn_status status)
{
  status = gradyn_file_end(file, status);
  if (status != GRADYN_OK)
    (void)snprintf(study->message, sizeof study->message, "%s", file->message);
  return status;
}

/* Creates a folder and its parents; existing ones are fine. */
static int make_folders(const char *folder)
{
  char *path = cli_text("%s", folder);
  int result = 0;
  /* one level after the other, as mkdir -p */
  for (char *slash = path + 1; *path && (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    result = mkdir(path, 0777);
    *slash = '/';
    if (result != 0 && errno != EEXIST)
      break;
  }
  /* an existing one is fine, if it is a folder */
  result = mkdir(path, 0777);
  int reason = errno;
  struct stat about;
  if (result != 0 && reason == EEXIST && stat(path, &about) == 0) {
    result = S_ISDIR(about.st_mode) ? 0 : -1;
    reason = ENOTDIR;
  }
  free(path);
  errno = reason;
  return result;
}

/* Finds out now, not after an hour of computing, whether files can be written. */
static gradyn_status probe(cli_study *study)
{
  gradyn_file file;
  gradyn_status status = gradyn_file_begin(&file, study->folder, "probe", &cli_file_keeper);
  if (status != GRADYN_OK)
    (void)fail(study, "no file can be written in folder", study->folder);
  (void)gradyn_file_end(&file, GRADYN_IO); /* removes it again */
  return status;
}

/* Whether a folder has something of a study. */
static bool holds_study(const char *folder)
{
  static const char *const name[] = {"settings.json", "history.csv", "journal.jsonl",
                                     "result.json"};
  bool found = false;
  for (size_t i = 0; i < sizeof name / sizeof name[0] && !found; i++) {
    struct stat about;
    char *path = cli_text("%s/%s", folder, name[i]);
    /* not through links: they are somebody else's; what cannot be told is not to be replaced */
    found = lstat(path, &about) == 0 ? S_ISREG(about.st_mode) : errno != ENOENT && errno != ENOTDIR;
    free(path);
  }
  return found;
}

gradyn_status cli_study_open(cli_study *study, const char *folder, bool replace)
{
  *study = (cli_study){.folder = cli_text("%s", folder)};
  if (!replace && holds_study(folder)) {
    (void)snprintf(study->message, sizeof study->message,
                   "--out '%s': this folder holds a study already; choose another one, or --force "
                   "to replace it",
                   folder);
    return GRADYN_INVALID;
  }
  if (make_folders(folder) != 0) /* before the first result, not after */
    return fail(study, "cannot make the folder", folder);
  return probe(study);
}

/* The folder of --out, emptied of what an earlier run of the command has left. */
int cli_study_open_given(cli_study *study, const cli_session *session)
{
  *study = (cli_study){.folder = NULL};
  gradyn_status status = GRADYN_OK;
  if (session->options->out)
    status = cli_study_open(study, session->options->out, session->options->folder.force);
  if (session->options->out && status == GRADYN_OK)
    status = cli_study_discard(study, false);
  return status == GRADYN_OK ? CLI_DONE : cli_session_fail(session, status, "%s", study->message);
}

gradyn_status cli_study_open_new(cli_study *study, const char *name)
{
  *study = (cli_study){.folder = cli_text("%s", name)};
  for (int i = 2; mkdir(study->folder, 0777) != 0; i++) { /* mkdir() decides who has a name */
    if (errno != EEXIST)
      return fail(study, "cannot make the folder", study->folder);
    free(study->folder);
    study->folder = cli_text("%s-%d", name, i);
  }
  return probe(study);
}

gradyn_status cli_study_open_for(cli_study *study, const cli_session *session, const char *kind,
                                 const char *journals, char **path)
{
  const cli_options *given = session->options;
  /* resumed studies and parts of one keep what is there */
  const bool on = given->resume || given->many.shard;
  gradyn_status status = GRADYN_OK;
  if (given->out) {
    status = cli_study_open(study, given->out, given->folder.force || on);
  } else {
    char *name = cli_text("gradyn-%s-%s", session->name, kind);
    /* names of problems may be paths */
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL;)
      *slash = '-';
    status = cli_study_open_new(study, name);
    free(name);
  }
  if (status == GRADYN_OK)
    status = cli_study_folder(study, journals, path);
  /* a new study in an old folder: journals first, as they would be believed */
  if (status == GRADYN_OK && !on)
    status = cli_study_remove_journals(study, *path);
  return status == GRADYN_OK && !on ? cli_study_discard(study, false) : status;
}

gradyn_status cli_study_folder(cli_study *study, const char *name, char **path)
{
  *path = cli_text("%s/%s", study->folder, name);
  return make_folders(*path) == 0 ? GRADYN_OK : fail(study, "cannot make the folder", *path);
}

/* Journals of searches that begin anew. */
gradyn_status cli_study_remove_journals(cli_study *study, const char *path)
{
  DIR *folder = NULL;
  char why[256];
  gradyn_status status = cli_read_folder(path, &folder, why, sizeof why);
  const struct dirent *entry = NULL;
  if (status != GRADYN_OK)
    (void)snprintf(study->message, sizeof study->message, "'%s' cannot be read: %s", path, why);
  while (status == GRADYN_OK && (entry = gradyn_read_entry(folder)) != NULL) {
    const size_t length = strlen(entry->d_name);
    char *file = cli_text("%s/%s", path, entry->d_name);
    /* journals that others work on refuse, and the study with them */
    if (length > 6 && strcmp(entry->d_name + length - 6, ".jsonl") == 0)
      status = gradyn_journal_remove(file, study->message, sizeof study->message);
    free(file);
  }
  if (status == GRADYN_OK && errno != 0)
    status = fail(study, "cannot read the folder", path);
  if (folder)
    (void)closedir(folder);
  return status;
}

/* Files that would contradict the new ones, settings first. */
gradyn_status cli_study_discard(cli_study *study, bool resumed)
{
  static const char *const name[] = {"settings.json", /* first: the only one that can stay */
                                     "history.csv",
                                     "trajectory_initial.csv",
                                     "trajectory_final.csv",
                                     "result.json",
                                     "model_initial.json",
                                     "model_final.json",
                                     "invariants_initial.csv",
                                     "invariants_final.csv",
                                     "events_initial.csv",
                                     "events_final.csv",
                                     "trajectory.csv",
                                     "events.csv",
                                     "covariance.csv",
                                     "model.json",
                                     "invariants.csv",
                                     "sweep.csv",
                                     "starts.csv",
                                     "pareto.csv",
                                     "report.html"};
  gradyn_status status = GRADYN_OK;
  /* what an earlier study has left must not stand beside the new one */
  for (size_t i = resumed; i < sizeof name / sizeof name[0] && status == GRADYN_OK; i++) {
    char *path = cli_text("%s/%s", study->folder, name[i]);
    if (unlink(path) != 0 && errno != ENOENT)
      status = fail(study, "cannot replace", path);
    free(path);
  }
  return status;
}

/* An object as a file of its own, complete or not at all. */
gradyn_status cli_study_json(cli_study *study, const char *name, json_t *root)
{
  gradyn_file file;
  gradyn_status status = cli_study_begin(study, &file, name);
  if (status == GRADYN_OK)
    cli_json_write(root, file.stream);
  /* an object that is not written is released all the same */
  else
    json_decref(root);
  return cli_study_end(study, &file, status);
}

gradyn_status cli_study_trajectory(cli_study *study, const char *name,
                                   const gradyn_trajectory *trajectory, size_t samples,
                                   double grace)
{
  gradyn_file file;
  gradyn_status status = cli_study_begin(study, &file, name);
  if (status == GRADYN_OK)
    status = gradyn_motion_write(file.stream, trajectory, NULL, samples, cli_interrupt_cancels,
                                 &grace);
  return cli_study_end(study, &file, status);
}

/* What fails once has failed for good: rows behind a gap would mislead. */
static gradyn_status flush_history(cli_study *study)
{
  FILE *file = study->history;
  errno = EIO; /* for a stream that failed earlier */
  if (file && fflush(file) == 0 && !ferror(file))
    return GRADYN_OK;
  gradyn_status status = fail(study, "history.csv cannot be written in folder", study->folder);
  if (file)
    (void)fclose(file);
  study->history = NULL;
  return status;
}

/* The table that grows with the search: a row for each evaluation. */
gradyn_status cli_study_begin_history(cli_study *study, const cli_session *session)
{
  char *path = cli_text("%s/history.csv", study->folder);
  /* never through a link: the file is new */
  FILE *file = study->history = gradyn_file_grow(path);
  gradyn_status status = file ? GRADYN_OK : fail(study, "cannot write", path);
  free(path);
  if (!file)
    return status;

  (void)fputs("evaluation,status,best,objective,violation,projected_gradient,steps,seconds [s]",
              file);
  for (size_t i = 0; i < session->parameters; i++) {
    (void)fputc(',', file);
    gradyn_csv_heading(file, session->param[i].name, session->param[i].unit);
  }
  for (size_t i = 0; i < session->functionals; i++) {
    (void)fputc(',', file);
    gradyn_csv_heading(file, session->functional[i].name, session->functional[i].unit);
  }
  (void)fputc('\n', file);
  return flush_history(study);
}

/* A cell that is not the first of its row. */
static void add_number(FILE *file, double value)
{
  (void)fputc(',', file);
  gradyn_csv_number(file, value);
}

/* A row; where the evaluation failed, its values are empty. */
gradyn_status cli_study_add_history(cli_study *study, const cli_session *session,
                                    const gradyn_iteration *iteration)
{
  FILE *file = study->history;
  bool ok = iteration->status == GRADYN_OK; /* otherwise the point has no results */
  if (!file)
    return GRADYN_OK; /* its end has been told */
  (void)fprintf(file, "%ld,%s,%d", iteration->evaluation,
                gradyn_status_name((int)iteration->status), iteration->best);
  add_number(file, ok ? iteration->objective : (double)NAN);
  add_number(file, ok ? iteration->violation : (double)NAN);
  add_number(file, ok ? iteration->projected_gradient : (double)NAN);
  (void)fprintf(file, ",%ld", iteration->steps);
  add_number(file, iteration->seconds);
  for (size_t i = 0; i < session->parameters; i++)
    add_number(file, iteration->rho[i]);
  for (size_t i = 0; i < session->functionals; i++)
    add_number(file, ok ? iteration->psi[i] : (double)NAN);
  (void)fputc('\n', file);
  return flush_history(study);
}

gradyn_status cli_study_end_history(cli_study *study)
{
  gradyn_status status = GRADYN_OK;
  /* a write that was put off may fail here */
  if (study->history && fclose(study->history) != 0)
    status = fail(study, "history.csv cannot be written in folder", study->folder);
  study->history = NULL;
  return status;
}

void cli_study_close(cli_study *study)
{
  (void)cli_study_end_history(study);
  free(study->folder);
  study->folder = NULL;
}
