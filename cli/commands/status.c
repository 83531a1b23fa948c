/* gradyn status and gradyn studies: progress of studies, read from their files. gradyn report: pages of
 * studies.
 *
 * No simulation is run. settings.json has the kind of the study, and result.json its termination. Journals
 * give the number of evaluations and the time of the last one. A locked journal shows that a process is
 * working on the study. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/text/json.h"
#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/read.h"
#include "cli/base/report.h"
#include "cli/base/table.h"
#include "cli/text/reporter.h"
#include "optim/study/journal.h"

/* Data read from the files of a study. */
typedef struct standing {
  char problem[128], command[32];
  char state[64];   /* "running", "stopped", or the termination of its search */
  long evaluations; /* number of evaluations in the journals */
  double objective; /* best objective; NAN: there is none yet */
  double idle;      /* time since the last write, s; NAN: nothing was written */
  /* status of the first file that is damaged or cannot be read although it exists; why: the reason */
  gradyn_status unread;
  char why[512];
} standing;

/* Returns whether a file was read. Records the first one that exists and cannot be read; a missing file is
 * normal. */
static bool is_read(gradyn_status status, const char *path, const char *why, standing *s)
{
  if (status == GRADYN_OK || status == GRADYN_NOT_FOUND)
    return status == GRADYN_OK;
  if (s->unread == GRADYN_OK)
    (void)snprintf(s->why, sizeof s->why, "'%s' cannot be read: %s", path, why);
  s->unread = s->unread == GRADYN_OK ? status : s->unread;
  return false;
}

/* Checks a file for read errors and closes it. */
static void leave(FILE *file, const char *path, standing *s)
{
  if (ferror(file))
    (void)is_read(GRADYN_IO, path, strerror(errno), s);
  (void)fclose(file);
}

/* Counts the evaluations in a journal: all lines except the first. */
static void look_at_journal(const char *path, standing *s, bool *busy)
{
  struct stat about;
  FILE *file = NULL;
  char *line = NULL, why[256];
  size_t size = 0;
  long lines = 0;
  if (!is_read(cli_read_open(path, &file, why, sizeof why), path, why, s))
    return;
  /* lines are counted without being parsed */
  while (cli_read_line(file, &line, &size) > 0)
    lines++;
  free(line);
  s->evaluations += lines > 1 ? lines - 1 : 0;
  if (fstat(fileno(file), &about) == 0) {
    /* the journal that was written last gives the time since the last write */
    const double idle = difftime(time(NULL), about.st_mtime);
    s->idle = isnan(s->idle) || idle < s->idle ? idle : s->idle;
  }
  leave(file, path, s);
  errno = 0;
  *busy = gradyn_journal_busy(path) || *busy; /* a locked journal shows that a process is at work */
  if (errno != 0 && errno != EWOULDBLOCK)
    (void)is_read(errno == ENOENT ? GRADYN_NOT_FOUND : GRADYN_IO, path, strerror(errno), s);
}

/* Reads all journals of a folder. */
static void look_at_journals(const char *folder, standing *s, bool *busy)
{
  DIR *all = NULL;
  char why[256];
  const struct dirent *entry = NULL;
  if (!is_read(cli_read_folder(folder, &all, why, sizeof why), folder, why, s))
    return;
  /* one search has one journal, several searches have one each */
  while ((entry = gradyn_read_entry(all)) != NULL) {
    const char *name = entry->d_name;
    const size_t length = strlen(name);
    /* journals that were renamed belong to earlier searches */
    if (length <= 6 || strcmp(name + length - 6, ".jsonl") != 0 ||
        strncmp(name, "journal-old", 11) == 0)
      continue;
    char *path = cli_text("%s/%s", folder, name);
    look_at_journal(path, s, busy);
    free(path);
  }
  if (errno != 0)
    (void)is_read(GRADYN_IO, folder, strerror(errno), s);
  (void)closedir(all);
}

/* Reads the best objective from history.csv: the one in the last row whose column 3 marks it as best. */
static void look_at_history(const char *folder, standing *s)
{
  char *path = cli_text("%s/history.csv", folder), *line = NULL, why[256];
  FILE *file = NULL;
  size_t size = 0;
  if (is_read(cli_read_open(path, &file, why, sizeof why), path, why, s)) {
    while (cli_read_line(file, &line, &size) > 0) {
      int best = 0; /* the last row that is marked counts */
      double objective = 0;
      /* columns: evaluation, status, best, objective */
      if (sscanf(line, "%*d,%*[^,],%d,%lf", &best, &objective) == 2 && best)
        s->objective = objective;
    }
    leave(file, path, s);
  }
  free(line);
  free(path);
}

/* Reads a JSON file. NULL: it is missing or cannot be read. */
static json_t *load(const char *folder, const char *name, standing *s)
{
  char *path = cli_text("%s/%s", folder, name), why[256];
  json_t *root = NULL;
  (void)is_read(cli_read_json(path, &root, why, sizeof why), path, why, s);
  free(path);
  return root;
}

/* Copies a text, and replaces control characters in it for the terminal. */
static void copy(char *to, size_t size, const char *from)
{
  (void)snprintf(to, size, "%s", from ? from : "?");
  (void)gradyn_plain(to, false);
}

/* Reads the journals of the command of the study. Those of another command in the same folder are ignored. */
static void look_at_all_journals(const char *folder, const char *command, standing *s, bool *busy)
{
  static const struct {
    const char *command, *journals;
  } kept[] = {{"run", ""}, {"run", "/starts"}, {"sweep", "/points"}, {"pareto", "/front"}};
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    if (!command || strcmp(command, kept[k].command) != 0)
      continue;
    char *path = cli_text("%s%s", folder, kept[k].journals);
    look_at_journals(path, s, busy);
    free(path);
  }
}

/* Reads the files of a study. GRADYN_NOT_FOUND: the folder is no study. After another failure, *s has the
 * data that could be read. */
static gradyn_status look(const char *folder, standing *s)
{
  *s = (standing){.objective = NAN, .idle = NAN};
  json_t *settings = load(folder, "settings.json", s), *result = load(folder, "result.json", s);
  const char *command = json_string_value(json_object_get(settings, "command"));
  const bool found = command != NULL;
  bool busy = false;
  copy(s->problem, sizeof s->problem, json_string_value(json_object_get(settings, "problem")));
  copy(s->command, sizeof s->command, command);
  look_at_all_journals(folder, command, s, &busy);
  look_at_history(folder, s);
  const char *ending = json_string_value(json_object_get(result, "termination"));
  const json_t *objective = json_object_get(result, "objective");
  char *table = cli_text("%s/sweep.csv", folder);
  struct stat about;
  /* the objective in result.json is newer than that in the history */
  if (json_is_number(objective))
    s->objective = json_number_value(objective);
  if (!ending && result)
    ending = json_string_value(json_object_get(result, "status"));
  if (ending && strcmp(ending, "ok") == 0)
    ending = "done";
  /* a sweep whose result lacks points has not ended */
  if (json_integer_value(json_object_get(result, "missing")) > 0)
    ending = "stopped";
  const bool tabled = stat(table, &about) == 0;
  if (!tabled && errno != ENOENT && errno != ENOTDIR)
    (void)is_read(GRADYN_IO, table, strerror(errno), s);
  /* if a journal is locked, a process is running, whatever older results state */
  copy(s->state, sizeof s->state, busy ? "running" : ending ? ending : tabled ? "done" : "stopped");
  free(table);
  json_decref(settings);
  json_decref(result);
  return s->unread != GRADYN_OK ? s->unread : found ? GRADYN_OK : GRADYN_NOT_FOUND;
}

/* Returns the object that describes one study. */
static json_t *standing_json(const char *folder, const standing *s)
{
  json_t *item = json_object();
  cli_json_put(item, "folder", cli_json_text(folder));
  cli_json_put(item, "problem", cli_json_text(s->problem));
  cli_json_put(item, "command", cli_json_text(s->command));
  cli_json_put(item, "state", cli_json_text(s->state));
  cli_json_put(item, "evaluations", json_integer(s->evaluations));
  cli_json_put(item, "objective", gradyn_json_number(s->objective));
  cli_json_put(item, "idle_s", gradyn_json_number(s->idle));
  return item;
}

/* gradyn status: shows the progress of a study, also while it is running. */
int cli_status(const cli_options *options)
{
  standing s;
  const char *folder = options->problem;
  const gradyn_status status = look(folder, &s);
  if (status != GRADYN_OK) {
    char *text = status == GRADYN_NOT_FOUND
                     ? cli_text("'%s' is no study: it has no settings.json of a run or a sweep",
                                folder)
                     : cli_text("%s", s.why);
    const int result = cli_report(options->print.json, "status", NULL, status, text);
    free(text);
    return result;
  }
  if (options->print.json) {
    json_t *root = cli_json_begin("status", NULL, GRADYN_OK), *more = standing_json(folder, &s);
    /* joins the members of both objects */
    if (json_object_update(root, more) != 0)
      cli_no_memory();
    json_decref(more);
    cli_json_print(root);
    return CLI_DONE;
  }
  (void)printf("%s of %s: %s\n%ld evaluations in the journals", s.command, s.problem, s.state,
               s.evaluations);
  if (!isnan(s.idle))
    (void)printf(", the last one %.0f s ago", s.idle);
  if (!isnan(s.objective))
    (void)printf("\nbest objective %.10g", s.objective);
  if (strcmp(s.state, "stopped") == 0)
    (void)printf("\n'gradyn resume %s' continues", folder);
  (void)putchar('\n');
  return CLI_DONE;
}

/* Order for qsort(). */
static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the study in a folder to the table and the array; other folders are ignored. If the study cannot be
 * read, reports the reason and returns the status. */
static gradyn_status list(const char *parent, const char *name, cli_table *table, json_t *array)
{
  standing s;
  char *folder = strcmp(parent, ".") == 0 ? cli_text("%s", name) : cli_text("%s/%s", parent, name);
  gradyn_status status = look(folder, &s);
  /* a folder that this user may not open does not count as a study */
  if (status == GRADYN_IO && access(folder, R_OK | X_OK) != 0)
    status = GRADYN_NOT_FOUND;
  if (status != GRADYN_OK && status != GRADYN_NOT_FOUND) {
    (void)snprintf(s.state, sizeof s.state, "unreadable");
    (void)cli_report(false, NULL, NULL, status, s.why);
  }
  /* folders that are no studies are skipped */
  if (status != GRADYN_NOT_FOUND) {
    char shown[256];
    copy(shown, sizeof shown, folder);
    cli_table_add(table, "%s|%s|%s|%s|%ld", shown, s.problem, s.command, s.state, s.evaluations);
    if (isnan(s.objective))
      cli_table_add(table, "-");
    else
      cli_table_add(table, "%.10g", s.objective);
    cli_json_append(array, standing_json(folder, &s));
  }
  free(folder);
  return status == GRADYN_NOT_FOUND ? GRADYN_OK : status;
}

/* gradyn studies: lists all studies of a folder. */
int cli_studies(const cli_options *options)
{
  const char *folder = options->problem ? options->problem : ".";
  DIR *all = NULL;
  char why[256];
  gradyn_status status = cli_read_folder(folder, &all, why, sizeof why);
  if (status != GRADYN_OK) {
    char *text = cli_text("the folder '%s' cannot be read: %s", folder, why);
    const int result = cli_report(options->print.json, "studies", NULL, status, text);
    free(text);
    return result;
  }
  /* collects the names first, to sort them */
  char **name = NULL;
  size_t count = 0;
  const struct dirent *entry = NULL;
  while ((entry = gradyn_read_entry(all)) != NULL) {
    if (entry->d_name[0] == '.') /* hidden folders are temporary */
      continue;
    name = cli_grow(name, count + 1, sizeof(void *));
    name[count++] = cli_text("%s", entry->d_name);
  }
  /* the studies found before this failure are shown */
  if (errno != 0) {
    status = GRADYN_IO;
    (void)cli_report(false, NULL, NULL, status, strerror(errno));
  }
  (void)closedir(all);
  /* readdir() returns names in no order */
  if (count > 0)
    qsort(name, count, sizeof(void *), by_name);
  /* each study is a row of the table and an object */
  cli_table table = {.align = "llllrr"};
  json_t *array = json_array();
  cli_table_add(&table, "study|problem|command|state|evaluations|objective");
  for (size_t i = 0; i < count; i++) {
    const gradyn_status listed = list(folder, name[i], &table, array);
    status = status == GRADYN_OK ? listed : status;
    free(name[i]);
  }
  free(name);
  if (json_array_size(array) == 0 && !options->print.json)
    (void)printf("no studies in '%s'\n", folder);
  /* status: that of the first study that could not be read */
  json_t *root = cli_json_begin("studies", NULL, status);
  cli_json_put(root, "studies", array);
  cli_table_print(&table, "", options->print.json ? stderr : stdout);
  if (options->print.json)
    cli_json_print(root);
  else
    json_decref(root);
  return cli_exit_status(status);
}

/* --- gradyn report ----------------------------------------------------------------------------- */

/* Prints where the page is. */
static void tell(const cli_options *options, const char *path)
{
  if (options->print.json) {
    json_t *root = cli_json_begin("report", NULL, GRADYN_OK), *studies = json_array();
    for (size_t i = 0; i < options->study_count; i++)
      cli_json_append(studies, cli_json_text(options->study[i]));
    cli_json_put(root, "studies", studies);
    cli_json_put(root, "report", cli_json_text(path));
    cli_json_print(root);
  } else {
    cli_say(stdout, "report: %s\n", path);
  }
}

/* gradyn report: writes the page of one study, or of several studies side by side. */
int cli_make_report(const cli_options *options)
{
  char message[512];
  /* the page of one study is in its folder, that of several in the current folder */
  const bool one = options->study_count == 1;
  const char *in = options->out ? options->out : one ? options->study[0] : ".";
  const char *name = one ? "report.html" : "comparison.html";
  gradyn_folder folder = {.path = NULL};
  gradyn_status status = GRADYN_OK;
  if (options->out) {
    /* this folder has only the page, but it may contain other studies */
    status = cli_study_open(&folder, options->out, true);
    (void)snprintf(message, sizeof message, "%s", folder.message);
  }
  if (status == GRADYN_OK)
    status = cli_reporter_write((const char *const *)options->study, options->study_count, NULL, in,
                                name, message, sizeof message);
  gradyn_folder_close(&folder);
  if (status != GRADYN_OK)
    return cli_report(options->print.json, "report", NULL, status, message);

  char *path = cli_text("%s/%s", in, name);
  tell(options, path);
  if (options->folder.open) /* opened after the page is complete */
    cli_reporter_open(path);
  free(path);
  return CLI_DONE;
}
