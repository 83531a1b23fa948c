/* The folder of a study.
 *
 * core/files/file.h writes its files completely or not at all. The exception is the history, which grows
 * line by line, so that users can follow it. */
#include "optim/study/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/message.h"
#include "core/files/csv.h"
#include "core/files/json.h"
#include "core/files/read.h"
#include "core/files/text.h"
#include <gradyn/inspect.h>
#include <gradyn/study.h>

/* Stores the reason of a failure, from errno. */
static gradyn_status fail(gradyn_folder *folder, const char *what, const char *path)
{
  const bool starved = errno == ENOMEM;
  if (starved)
    (void)snprintf(folder->message, sizeof folder->message, "out of memory");
  else
    (void)snprintf(folder->message, sizeof folder->message, "%s '%s': %s", what, path,
                   strerror(errno));
  return starved ? GRADYN_NO_MEMORY : GRADYN_IO;
}

/* Reports a lack of memory. */
static gradyn_status starve(gradyn_folder *folder)
{
  errno = ENOMEM;
  return fail(folder, "", "");
}

gradyn_status gradyn_folder_begin(gradyn_folder *folder, gradyn_file *file, const char *name)
{
  gradyn_status status = gradyn_file_begin(file, folder->path, name, folder->keeper);
  if (status != GRADYN_OK)
    (void)snprintf(folder->message, sizeof folder->message, "%s", file->message);
  return status;
}

gradyn_status gradyn_folder_end(gradyn_folder *folder, gradyn_file *file, gradyn_status status)
{
  status = gradyn_file_end(file, status);
  if (file->message[0] != '\0') /* without a message, the writer has reported the reason */
    (void)snprintf(folder->message, sizeof folder->message, "%s", file->message);
  return status;
}

/* Creates a folder and its parents. Folders that exist are permitted. */
static int make_folders(const char *folder)
{
  char *path = gradyn_format("%s", folder);
  int result = 0;
  if (path == NULL) {
    errno = ENOMEM;
    return -1;
  }
  /* one level after the other, as mkdir -p does */
  for (char *slash = path + 1; *path && (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    result = mkdir(path, 0777);
    *slash = '/';
    if (result != 0 && errno != EEXIST)
      break;
  }
  /* an existing path must be a folder */
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

/* Checks before the computation that files can be written. */
static gradyn_status probe(gradyn_folder *folder)
{
  gradyn_file file;
  if (gradyn_file_begin(&file, folder->path, "probe", folder->keeper) != GRADYN_OK)
    return fail(folder, "no file can be written in folder", folder->path);
  (void)gradyn_file_end(&file, GRADYN_IO); /* ends with a failure, which removes the file */
  return GRADYN_OK;
}

/* Files of a run. Those that remain if a study is resumed come first. */
static const char *const results[] = {
    "settings.json", "guess.csv",
    /* the files up to here remain if a study is resumed */
    "warm_start.json", "history.csv", "trajectory_initial.csv", "trajectory_final.csv",
    "trajectory_segments.csv", "segments.json", "result.json", "model_initial.json",
    "model_final.json", "costates.csv", "costates_final.csv", "invariants_initial.csv",
    "invariants_final.csv", "events_initial.csv", "events_final.csv", "trajectory.csv",
    "events.csv", "covariance.csv", "model.json", "invariants.csv", "sweep.csv", "starts.csv",
    "pareto.csv", "profile.csv", "uncertainty.csv", "points.csv", "report.html"};
enum { RESULTS = sizeof results / sizeof results[0], STAY = 3 };

/* Whether a folder has a file of this name, or one that cannot be examined. Also returns true, with errno
 * ENOMEM, if memory is lacking. */
static bool has_file(const char *folder, const char *name)
{
  struct stat about;
  FREED char *path = gradyn_format("%s/%s", folder, name);
  errno = 0;
  /* links are not followed, because their targets are outside the study; an unreadable file must not be
   * replaced */
  if (path == NULL)
    errno = ENOMEM;
  else if (lstat(path, &about) == 0)
    return S_ISREG(about.st_mode);
  return errno != 0 && errno != ENOENT && errno != ENOTDIR;
}

/* Refuses a folder with a study, or with other files that a study would replace. */
static gradyn_status refuse_files(gradyn_folder *folder)
{
  static const char *const studies[] = {"settings.json", "history.csv", "journal.jsonl",
                                        "result.json"};
  for (size_t i = 0; i < sizeof studies / sizeof studies[0]; i++)
    if (has_file(folder->path, studies[i])) {
      (void)snprintf(folder->message, sizeof folder->message, "'%s' holds a study already",
                     folder->path);
      return errno == ENOMEM ? starve(folder) : GRADYN_INVALID;
    }
  for (size_t i = 0; i < RESULTS; i++)
    if (has_file(folder->path, results[i])) {
      (void)snprintf(folder->message, sizeof folder->message,
                     "'%s' has a file %s, which a study would replace", folder->path, results[i]);
      return errno == ENOMEM ? starve(folder) : GRADYN_INVALID;
    }
  return GRADYN_OK;
}

gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper)
{
  *folder = (gradyn_folder){.path = gradyn_format("%s", path), .keeper = keeper};
  if (folder->path == NULL)
    return starve(folder);
  if (!replace)
    GRADYN_TRY(refuse_files(folder));
  if (make_folders(path) != 0) /* tested before the computation */
    return fail(folder, "cannot make the folder", path);
  return probe(folder);
}

gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper)
{
  *folder = (gradyn_folder){.path = gradyn_format("%s", path), .keeper = keeper};
  /* mkdir() fails if the name exists: two processes never use the same folder */
  for (int i = 2; folder->path != NULL && mkdir(folder->path, 0777) != 0; i++) {
    if (errno != EEXIST)
      return fail(folder, "cannot make the folder", folder->path);
    free(folder->path);
    folder->path = gradyn_format("%s-%d", path, i);
  }
  return folder->path != NULL ? probe(folder) : starve(folder);
}

gradyn_status gradyn_folder_within(gradyn_folder *folder, const char *name, char **path)
{
  *path = gradyn_format("%s/%s", folder->path, name);
  if (*path == NULL)
    return starve(folder);
  return make_folders(*path) == 0 ? GRADYN_OK : fail(folder, "cannot make the folder", *path);
}

/* Removes the journals of searches that start again. */
gradyn_status gradyn_folder_remove_journals(gradyn_folder *folder, const char *path)
{
  DIR *all = NULL;
  char why[256];
  gradyn_status status = gradyn_read_folder(path, &all, why, sizeof why);
  const struct dirent *entry = NULL;
  if (status != GRADYN_OK)
    (void)snprintf(folder->message, sizeof folder->message, "'%s' cannot be read: %s", path, why);
  while (status == GRADYN_OK && (entry = gradyn_read_entry(all)) != NULL) {
    const size_t length = strlen(entry->d_name);
    if (length <= 6 || strcmp(entry->d_name + length - 6, ".jsonl") != 0)
      continue;
    char *file = gradyn_format("%s/%s", path, entry->d_name);
    /* fails if another process uses a journal */
    status = file != NULL ? gradyn_journal_remove(file, folder->message, sizeof folder->message)
                          : starve(folder);
    free(file);
  }
  if (status == GRADYN_OK && errno != 0)
    status = fail(folder, "cannot read the folder", path);
  if (all != NULL)
    (void)closedir(all);
  return status;
}

gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed)
{
  /* results of an earlier study must not be mixed with new ones */
  for (size_t i = resumed ? STAY : 0; i < RESULTS; i++) {
    FREED char *path = gradyn_format("%s/%s", folder->path, results[i]);
    if (path == NULL)
      return starve(folder);
    if (unlink(path) != 0 && errno != ENOENT)
      return fail(folder, "cannot replace", path);
  }
  return GRADYN_OK;
}

static const char aside[] = "earlier";

/* Moves a file, if it exists, from one folder to another. stays: the file keeps its old name, too. */
static gradyn_status move(gradyn_folder *folder, const char *name, const char *from, const char *to,
                          bool stays)
{
  FREED char *old = gradyn_format("%s/%s%s", folder->path, from, name);
  FREED char *new = gradyn_format("%s/%s%s", folder->path, to, name);
  if (old == NULL || new == NULL)
    return starve(folder);
  const int moved = stays ? link(old, new) : rename(old, new);
  return moved == 0 || errno == ENOENT || (stays && errno == EEXIST)
             ? GRADYN_OK
             : fail(folder, "cannot put aside", old);
}

/* Fails if "earlier" is a link, which would lead outside the study. */
static gradyn_status check_aside(gradyn_folder *folder)
{
  struct stat about;
  FREED char *path = gradyn_format("%s/%s", folder->path, aside);
  if (path == NULL)
    return starve(folder);
  if (lstat(path, &about) != 0)
    return fail(folder, "cannot read", path);
  errno = ENOTDIR;
  return S_ISDIR(about.st_mode) ? GRADYN_OK : fail(folder, "no folder of this study:", path);
}

gradyn_status gradyn_folder_put_aside(gradyn_folder *folder)
{
  FREED char *path = NULL;
  FREED char *result = gradyn_format("%s/%s/result.json", folder->path, aside);
  GRADYN_TRY(gradyn_folder_within(folder, aside, &path));
  GRADYN_TRY(check_aside(folder));
  if (result == NULL)
    return starve(folder);
  if (access(result, F_OK) ==
      0) /* a killed run has left this result: the files in the study are newer */
    return GRADYN_OK;
  for (size_t i = 0; i < RESULTS; i++)
    GRADYN_TRY(move(folder, results[i], "", "earlier/", i < STAY));
  return GRADYN_OK;
}

gradyn_status gradyn_folder_take_back(gradyn_folder *folder)
{
  GRADYN_TRY(check_aside(folder));
  GRADYN_TRY(gradyn_folder_discard(folder, true));
  for (size_t i = 0; i < RESULTS; i++)
    GRADYN_TRY(move(folder, results[i], "earlier/", "", false));
  return gradyn_folder_forget_aside(folder);
}

gradyn_status gradyn_folder_forget_aside(gradyn_folder *folder)
{
  FREED char *path = gradyn_format("%s/%s", folder->path, aside);
  GRADYN_TRY(check_aside(folder));
  for (size_t i = 0; path != NULL && i < RESULTS; i++) {
    FREED char *file = gradyn_format("%s/%s", path, results[i]);
    if (file == NULL || (unlink(file) != 0 && errno != ENOENT && errno != ENOTDIR))
      return file == NULL ? starve(folder) : fail(folder, "cannot remove", file);
  }
  if (path == NULL)
    return starve(folder);
  return rmdir(path) == 0 || errno == ENOENT ? GRADYN_OK : fail(folder, "cannot remove", path);
}

/* Writes an object to a file, completely or not at all. */
gradyn_status gradyn_folder_json(gradyn_folder *folder, const char *name, json_t *root)
{
  gradyn_file file;
  json_auto_t *owned = root;
  if (owned == NULL)
    return starve(folder);
  GRADYN_TRY(gradyn_folder_begin(folder, &file, name));
  const gradyn_status status = gradyn_json_write(root, file.stream);
  if (status == GRADYN_NO_MEMORY)
    (void)starve(folder);
  return gradyn_folder_end(folder, &file, status);
}

/* Writes the rows so far to the file. After one failure nothing more is written, because rows after a gap
 * would mislead. */
static gradyn_status flush_history(gradyn_folder *folder)
{
  FILE *file = folder->history;
  errno = EIO; /* reason for a stream that failed earlier */
  if (file && fflush(file) == 0 && !ferror(file))
    return GRADYN_OK;
  gradyn_status status = fail(folder, "history.csv cannot be written in folder", folder->path);
  if (file)
    (void)fclose(file);
  folder->history = NULL;
  return status;
}

void gradyn_heading_parameters(FILE *file, const gradyn_evaluator *evaluator)
{
  for (size_t i = 0; i < gradyn_parameter_count(evaluator); i++) {
    const gradyn_parameter_info param = gradyn_parameter_at(evaluator, i);
    (void)fputc(',', file);
    gradyn_csv_heading(file, param.name, param.unit);
  }
}

void gradyn_heading_functionals(FILE *file, const gradyn_evaluator *evaluator)
{
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_info functional = gradyn_functional_at(evaluator, i);
    (void)fputc(',', file);
    gradyn_csv_heading(file, functional.name, functional.unit);
  }
}

gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator)
{
  char *path = gradyn_format("%s/history.csv", folder->path);
  if (path == NULL)
    return starve(folder);
  /* creates a new file, never through a link */
  FILE *file = folder->history = gradyn_file_grow(path);
  gradyn_status status = file ? GRADYN_OK : fail(folder, "cannot write", path);
  free(path);
  if (!file)
    return status;

  (void)fputs("evaluation,status,best,objective,violation,projected_gradient,steps,seconds [s]",
              file);
  gradyn_heading_parameters(file, evaluator);
  gradyn_heading_functionals(file, evaluator);
  (void)fputc('\n', file);
  return flush_history(folder);
}

/* Writes a row of the history. After a failed evaluation, its values are empty. */
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration)
{
  FILE *file = folder->history;
  bool ok = iteration->status == GRADYN_OK; /* a failed evaluation has no results */
  if (!file)
    return GRADYN_OK; /* a failure was reported before */
  (void)fprintf(file, "%ld,%s,%d", iteration->evaluation,
                gradyn_status_describe((int)iteration->status).name, iteration->best);
  const double judged[] = {iteration->objective, iteration->violation,
                           iteration->projected_gradient};
  gradyn_csv_numbers(file, ok ? judged : NULL, sizeof judged / sizeof judged[0]);
  (void)fprintf(file, ",%ld", iteration->steps);
  gradyn_csv_numbers(file, &iteration->seconds, 1);
  gradyn_csv_numbers(file, iteration->rho, gradyn_parameter_count(evaluator));
  gradyn_csv_numbers(file, ok ? iteration->psi : NULL, gradyn_functional_count(evaluator));
  (void)fputc('\n', file);
  return flush_history(folder);
}

gradyn_status gradyn_folder_end_history(gradyn_folder *folder)
{
  gradyn_status status = GRADYN_OK;
  /* a delayed write may fail here */
  if (folder->history && fclose(folder->history) != 0)
    status = fail(folder, "history.csv cannot be written in folder", folder->path);
  folder->history = NULL;
  return status;
}

void gradyn_folder_close(gradyn_folder *folder)
{
  (void)gradyn_folder_end_history(folder);
  free(folder->path);
  folder->path = NULL;
}
