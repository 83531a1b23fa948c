/* gradyn status, gradyn studies: how far studies have come, from their files.
 *
 * Nothing runs here: settings.json says what a study is, result.json how it ended, and journals
 * how many evaluations there are, which the best is, how long ago the last came, and whether
 * somebody holds their lock, that is works on them now. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/plain.h"
#include "cli/report.h"
#include "cli/table.h"
#include <gradyn/study.h>

/* What the files of a study tell. */
typedef struct standing {
  char problem[128], command[32];
  char state[64];   /* "at work", "stopped", or how its search ended */
  long evaluations; /* in the journals */
  double objective; /* the best one; NAN: none yet */
  double idle;      /* s since something was written; NAN: nothing was */
} standing;

/* Counts the evaluations of a journal: its lines but the first. */
static void look_at_journal(const char *path, standing *s, bool *busy)
{
  struct stat about;
  FILE *file = fopen(path, "r");
  if (!file)
    return;
  char *line = NULL;
  size_t size = 0;
  long lines = 0;
  /* lines are counted without being parsed */
  while (getline(&line, &size, file) > 0)
    lines++;
  free(line);
  s->evaluations += lines > 1 ? lines - 1 : 0;
  *busy = *busy || gradyn_journal_busy(path); /* a lock tells that somebody is at work */
  if (fstat(fileno(file), &about) == 0) {
    /* the youngest journal tells when something was written last */
    const double idle = difftime(time(NULL), about.st_mtime);
    s->idle = isnan(s->idle) || idle < s->idle ? idle : s->idle;
  }
  (void)fclose(file);
}

/* The same for all journals of a folder. */
static void look_at_journals(const char *folder, standing *s, bool *busy)
{
  DIR *all = opendir(folder);
  const struct dirent *entry = NULL;
  /* the journal of one search, or those of many */
  while (all && (entry = readdir(all)) != NULL) {
    const char *name = entry->d_name;
    const size_t length = strlen(name);
    /* journals that were put aside belong to earlier searches */
    if (length <= 6 || strcmp(name + length - 6, ".jsonl") != 0 ||
        strncmp(name, "journal-old", 11) == 0)
      continue;
    char *path = cli_text("%s/%s", folder, name);
    look_at_journal(path, s, busy);
    free(path);
  }
  if (all)
    (void)closedir(all);
}

/* The objective of the last row of history.csv that was the best one: columns 3 and 4. */
static void look_at_history(const char *folder, standing *s)
{
  char *path = cli_text("%s/history.csv", folder), *line = NULL;
  FILE *file = fopen(path, "r");
  size_t size = 0;
  free(path);
  while (file && getline(&line, &size, file) > 0) {
    int best = 0; /* the last best one counts */
    double objective = 0;
    /* columns: evaluation, status, best, objective */
    if (sscanf(line, "%*d,%*[^,],%d,%lf", &best, &objective) == 2 && best)
      s->objective = objective;
  }
  free(line);
  if (file)
    (void)fclose(file);
}

/* NULL: not there, or not readable yet. */
static json_t *load(const char *folder, const char *name)
{
  char *path = cli_text("%s/%s", folder, name);
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  free(path);
  return root;
}

/* For the terminal: control characters do not get there. */
static void copy(char *to, size_t size, const char *from)
{
  (void)snprintf(to, size, "%s", from ? from : "?");
  (void)cli_plain(to, false);
}

/* False: the folder is no study. */
static bool look(const char *folder, standing *s)
{
  *s = (standing){.objective = NAN, .idle = NAN};
  json_t *settings = load(folder, "settings.json"), *result = load(folder, "result.json");
  const char *command = json_string_value(json_object_get(settings, "command"));
  const bool found = command != NULL;
  bool busy = false;
  copy(s->problem, sizeof s->problem, json_string_value(json_object_get(settings, "problem")));
  copy(s->command, sizeof s->command, command);
  look_at_journals(folder, s, &busy);
  /* journals of studies of many searches lie in folders of their own */
  for (const char *const *name = (const char *const[]){"starts", "points", "front", NULL}; *name;
       name++) {
    char *path = cli_text("%s/%s", folder, *name);
    look_at_journals(path, s, &busy);
    free(path);
  }
  look_at_history(folder, s);
  const char *ending = json_string_value(json_object_get(result, "ending"));
  const json_t *objective = json_object_get(result, "objective");
  char *table = cli_text("%s/sweep.csv", folder);
  struct stat about;
  /* result.json is newer than the history */
  if (json_is_number(objective))
    s->objective = json_number_value(objective);
  if (!ending && result)
    ending = json_string_value(json_object_get(result, "status"));
  if (ending && strcmp(ending, "ok") == 0)
    ending = "done";
  if (json_integer_value(json_object_get(result, "missing")) > 0) /* points of a sweep */
    ending = "stopped";
  /* a running study first, whatever older results say */
  copy(s->state, sizeof s->state,
       busy                       ? "at work"
       : ending                   ? ending
       : stat(table, &about) == 0 ? "done"
                                  : "stopped");
  free(table);
  json_decref(settings);
  json_decref(result);
  return found;
}

/* Of one study. */
static json_t *standing_json(const char *folder, const standing *s)
{
  json_t *item = json_object();
  cli_json_put(item, "folder", cli_json_text(folder));
  cli_json_put(item, "problem", cli_json_text(s->problem));
  cli_json_put(item, "command", cli_json_text(s->command));
  cli_json_put(item, "state", cli_json_text(s->state));
  cli_json_put(item, "evaluations", json_integer(s->evaluations));
  cli_json_put(item, "objective", cli_json_number(s->objective));
  cli_json_put(item, "idle_s", cli_json_number(s->idle));
  return item;
}

/* gradyn status: how far a study has come, also while it is going on. */
int cli_status(const cli_options *options)
{
  standing s;
  const char *folder = options->problem;
  if (!look(folder, &s)) {
    char *text = cli_text("'%s' is no study: it has no settings.json of a run or a sweep", folder);
    const int result = cli_report(options->print.json, "status", NULL, GRADYN_NOT_FOUND, text);
    free(text);
    return result;
  }
  if (options->print.json) {
    json_t *root = cli_json_begin("status", NULL, GRADYN_OK), *more = standing_json(folder, &s);
    /* the members of both in one object */
    (void)json_object_update(root, more);
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
    (void)printf("\n'gradyn resume %s' goes on", folder);
  (void)putchar('\n');
  return CLI_DONE;
}

/* For qsort. */
static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the study in a folder to the table and to the array, if it is one. */
static void list(const char *parent, const char *name, cli_table *table, json_t *array)
{
  standing s;
  char *folder = strcmp(parent, ".") == 0 ? cli_text("%s", name) : cli_text("%s/%s", parent, name);
  /* folders that are no studies are passed over */
  if (look(folder, &s)) {
    char shown[256];
    copy(shown, sizeof shown, folder);
    cli_table_add(table, "%s", shown);
    cli_table_add(table, "%s", s.problem);
    cli_table_add(table, "%s", s.command);
    cli_table_add(table, "%s", s.state);
    cli_table_add(table, "%ld", s.evaluations);
    if (isnan(s.objective))
      cli_table_add(table, "-");
    else
      cli_table_add(table, "%.10g", s.objective);
    cli_json_append(array, standing_json(folder, &s));
  }
  free(folder);
}

/* gradyn studies: all studies of a folder. */
int cli_studies(const cli_options *options)
{
  static const char *const head[] = {"study", "problem",     "command",
                                     "state", "evaluations", "objective"};
  const char *folder = options->problem ? options->problem : ".";
  DIR *all = opendir(folder);
  if (!all) {
    char *text = cli_text("the folder '%s' cannot be read", folder);
    const int result = cli_report(options->print.json, "studies", NULL, GRADYN_NOT_FOUND, text);
    free(text);
    return result;
  }
  /* folders are sorted before they are shown */
  char **name = NULL;
  size_t count = 0;
  const struct dirent *entry = NULL;
  while ((entry = readdir(all)) != NULL) {
    if (entry->d_name[0] == '.') /* hidden: files in the making */
      continue;
    name = cli_grow(name, count + 1, sizeof(void *));
    name[count++] = cli_text("%s", entry->d_name);
  }
  (void)closedir(all);
  /* readdir() has no order */
  if (count > 0)
    qsort(name, count, sizeof(void *), by_name);
  /* a row and an object for each */
  cli_table table = {.align = "llllrr"};
  json_t *root = cli_json_begin("studies", NULL, GRADYN_OK), *array = json_array();
  for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
    cli_table_add(&table, "%s", head[i]);
  for (size_t i = 0; i < count; i++) {
    list(folder, name[i], &table, array);
    free(name[i]);
  }
  free(name);
  if (json_array_size(array) == 0 && !options->print.json)
    (void)printf("no studies in '%s'\n", folder);
  cli_json_put(root, "studies", array);
  cli_table_print(&table, "", options->print.json ? stderr : stdout);
  if (options->print.json)
    cli_json_print(root);
  else
    json_decref(root);
  return CLI_DONE;
}
