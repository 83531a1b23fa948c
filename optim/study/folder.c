/* The folder of a study.
 *
 * Its files go through core/files/file.h: each is whole. The exception is the history, which grows
 * by a line at a time so that it can be followed. */
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
#include <gradyn/study.h>

/* Keeps the reason, by errno. */
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

/* Out of memory. */
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
  if (file->message[0] != '\0') /* otherwise whoever wrote has told why */
    (void)snprintf(folder->message, sizeof folder->message, "%s", file->message);
  return status;
}

/* Creates a folder and its parents; existing ones are fine. */
static int make_folders(const char *folder)
{
  char *path = gradyn_format("%s", folder);
  int result = 0;
  if (path == NULL) {
    errno = ENOMEM;
    return -1;
  }
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
static gradyn_status probe(gradyn_folder *folder)
{
  gradyn_file file;
  if (gradyn_file_begin(&file, folder->path, "probe", folder->keeper) != GRADYN_OK)
    return fail(folder, "no file can be written in folder", folder->path);
  (void)gradyn_file_end(&file, GRADYN_IO); /* removes it again */
  return GRADYN_OK;
}

/* Whether a folder has something of a study; where there is no memory to tell, too, and errno is ENOMEM. */
static bool holds_study(const char *folder)
{
  static const char *const name[] = {"settings.json", "history.csv", "journal.jsonl",
                                     "result.json"};
  bool found = false;
  for (size_t i = 0; i < sizeof name / sizeof name[0] && !found; i++) {
    struct stat about;
    char *path = gradyn_format("%s/%s", folder, name[i]);
    errno = 0;
    /* not through links: they are somebody else's; what cannot be told is not to be replaced */
    if (path == NULL)
      errno = ENOMEM;
    else if (lstat(path, &about) == 0)
      found = S_ISREG(about.st_mode);
    found = found || (errno != 0 && errno != ENOENT && errno != ENOTDIR);
    free(path);
  }
  return found;
}

gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper)
{
  *folder = (gradyn_folder){.path = gradyn_format("%s", path), .keeper = keeper};
  if (folder->path == NULL)
    return starve(folder);
  if (!replace && holds_study(path)) {
    (void)snprintf(folder->message, sizeof folder->message, "'%s' holds a study already", path);
    return errno == ENOMEM ? starve(folder) : GRADYN_INVALID;
  }
  if (make_folders(path) != 0) /* before the first result, not after */
    return fail(folder, "cannot make the folder", path);
  return probe(folder);
}

gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper)
{
  *folder = (gradyn_folder){.path = gradyn_format("%s", path), .keeper = keeper};
  /* mkdir() decides who has a name */
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

/* Journals of searches that begin anew. */
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
    /* journals that others work on refuse, and the study with them */
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

/* What a run leaves, settings first. */
static const char *const results[] = {"settings.json",
                                      "guess.csv", /* first: the only ones that can stay */
                                      "history.csv",
                                      "trajectory_initial.csv",
                                      "trajectory_final.csv",
                                      "trajectory_segments.csv",
                                      "segments.json",
                                      "result.json",
                                      "model_initial.json",
                                      "model_final.json",
                                      "costates.csv",
                                      "costates_final.csv",
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
enum { RESULTS = sizeof results / sizeof results[0], STAY = 2 };

/* Files that would contradict the new ones. */
gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed)
{
  /* what an earlier study has left must not stand beside the new one */
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

/* Moves a file, if it is there, from one folder to another; one that stays has a second name there. */
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

/* A link there would lead out of the study. */
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
  if (access(result, F_OK) == 0) /* of a run that was killed: what stands in the folder is newer */
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

/* An object as a file of its own, complete or not at all. */
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

/* What fails once has failed for good: rows behind a gap would mislead. */
static gradyn_status flush_history(gradyn_folder *folder)
{
  FILE *file = folder->history;
  errno = EIO; /* for a stream that failed earlier */
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

/* The table that grows with the search: a row for each evaluation. */
gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator)
{
  char *path = gradyn_format("%s/history.csv", folder->path);
  if (path == NULL)
    return starve(folder);
  /* never through a link: the file is new */
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

/* A row; where the evaluation failed, its values are empty. */
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration)
{
  FILE *file = folder->history;
  bool ok = iteration->status == GRADYN_OK; /* otherwise the point has no results */
  if (!file)
    return GRADYN_OK; /* its end has been told */
  (void)fprintf(file, "%ld,%s,%d", iteration->evaluation,
                gradyn_status_name((int)iteration->status), iteration->best);
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
  /* a write that was put off may fail here */
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
