/* Collects the data of a report page from the files of studies.
 *
 * A study is a folder with any of the known files. Each file is read if it exists, thinned to fit a page,
 * and stored under its own key. Damaged files are noted on the page and are no failure. A folder without
 * any of the files is not a study. */
#include "report/page/data.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/files/csv_read.h"
#include "core/files/json.h"
#include "core/files/read.h"
#include "core/files/upgrade.h"
#include "core/files/text.h"
#include "report/page/assets.h"

/* Largest numbers of table cells on a page. The cells of all trajectories together take about 3 MB. */
enum {
  TRAJECTORY_CELLS = 280000,
  HISTORY_CELLS = 60000,
  COSTATE_COLUMNS = 64, /* columns of states and costates */
  INVARIANT_CELLS = 12000,
  SWEEP_CELLS = 280000,
  START_CELLS = 60000,
  ESTIMATE_CELLS = 60000,
  ESTIMATE_COLUMNS = 129 /* columns of time, states and their standard deviations */
};

/* A study while its files are read. */
typedef struct gathering {
  const char *folder;
  json_t *study, *notes;
  gradyn_report *report; /* borrowed */
  size_t cells;          /* largest number of cells of each trajectory */
  bool any;              /* true: a file of the study was found */
} gathering;

/* Adds a note for readers of the page. */
static void note(gathering *g, const char *file, const char *what)
{
  char *text = gradyn_format("%s: %s", file, what);
  gradyn_json_append(&g->notes, text ? gradyn_json_text(text) : NULL);
  free(text);
}

/* Reports that memory is exhausted. */
static void starve(gathering *g)
{
  g->report->status = GRADYN_NO_MEMORY;
}

/* Reports GRADYN_IO for a file that exists but cannot be read. The page is written without the file. */
static void blame(gathering *g, const char *file, const char *why)
{
  gradyn_report *report = g->report;
  note(g, file, why);
  if (report->status == GRADYN_OK) {
    report->status = GRADYN_IO;
    (void)snprintf(report->message, sizeof report->message, "'%s/%s' cannot be read: %s", g->folder,
                   file, why);
  }
  g->any = true;
}

/* Handles the status of a file. Missing files are normal, because studies differ. */
static void judge(gathering *g, const char *name, gradyn_status status, const char *why)
{
  if (status == GRADYN_NO_MEMORY)
    starve(g);
  else if (status == GRADYN_IO)
    blame(g, name, why);
  else if (status == GRADYN_INVALID)
    note(g, name, why);
}

/* Reads a JSON file. `read` is gradyn_upgrade_read() for files of the study, otherwise gradyn_read_json().
 * NULL: the file is missing, or damaged, which is noted. */
static json_t *load_with(gathering *g, const char *name,
                         gradyn_status (*read)(const char *path, json_t **root, char why[],
                                               size_t size))
{
  char why[256];
  json_t *root = NULL;
  char *path = gradyn_format("%s/%s", g->folder, name);
  gradyn_status status = path ? read(path, &root, why, sizeof why) : GRADYN_NO_MEMORY;
  free(path);
  if (status == GRADYN_OK && !json_is_object(root)) {
    json_decref(root);
    root = NULL;
    status = GRADYN_INVALID;
    (void)snprintf(why, sizeof why, "no object");
  }
  judge(g, name, status, why);
  g->any = g->any || root;
  return root;
}

static json_t *load_json(gathering *g, const char *name)
{
  return load_with(g, name, gradyn_upgrade_read);
}

/* Moves the columns of a table into the array of all columns. */
static void set_apart(gathering *g, json_t *table)
{
  size_t j;
  json_t *column, **columns = &g->report->columns;
  json_array_foreach(json_object_get(table, "columns"), j, column)
  {
    gradyn_json_append(columns, json_incref(json_object_get(column, "values")));
    if (json_object_set_new(column, "values",
                            json_integer((json_int_t)json_array_size(*columns) - 1)) != 0)
      starve(g);
  }
}

/* Reads a table. NULL: the file is missing, or damaged, which is noted. */
static json_t *load_csv(gathering *g, const char *name, const gradyn_csv_request *request)
{
  char why[256];
  json_t *table = NULL;
  char *path = gradyn_format("%s/%s", g->folder, name);
  judge(g, name, path ? gradyn_csv_read(path, request, &table, why, sizeof why) : GRADYN_NO_MEMORY,
        why);
  free(path);
  set_apart(g, table);
  g->any = g->any || table;
  return table;
}

/* Adds a member, unless its value is NULL. */
static void put_if(json_t **object, const char *key, json_t *value)
{
  if (value)
    gradyn_json_put(object, key, value);
}

/* --- Runs: a trajectory with its model ---------------------------------------------------------- */

/* Returns how many columns the drawing needs: time and coordinates. */
static size_t needed_columns(const json_t *model)
{
  json_int_t coordinates = json_integer_value(json_object_get(model, "coordinates"));
  /* the number is limited, because a damaged model must not cause a table of any size */
  return coordinates > 0 && coordinates < 1000000 ? (size_t)coordinates + 1 : 2;
}

/* Adds a run: its model, trajectory, invariants and costates. */
static void add_run(gathering *g, json_t **runs, const char *suffix, const char *label)
{
  char name[64];
  /* the names of all files of a run have the same suffix */
  (void)snprintf(name, sizeof name, "model%s.json", suffix);
  json_t *model = load_json(g, name);
  (void)snprintf(name, sizeof name, "trajectory%s.csv", suffix);
  json_t *trajectory = load_csv(g, name,
                                &(gradyn_csv_request){.most_cells = g->cells,
                                                      .most_columns = needed_columns(model),
                                                      .least_rows = 100,
                                                      .digits = 6});
  /* without both files, there is no such run */
  if (!trajectory && !model)
    return;
  json_t *run = json_object();
  gradyn_json_put(&run, "label", json_string(label));
  gradyn_json_put(&run, "file", json_string(name));
  put_if(&run, "model", model);
  put_if(&run, "trajectory", trajectory);
  (void)snprintf(name, sizeof name, "invariants%s.csv", suffix);
  put_if(&run, "invariants",
         load_csv(
             g, name,
             &(gradyn_csv_request){
                 .most_cells = INVARIANT_CELLS, .most_columns = 6, .least_rows = 2, .digits = 10}));
  (void)snprintf(name, sizeof name, "costates%s.csv", suffix);
  put_if(&run, "costates",
         load_csv(g, name,
                  &(gradyn_csv_request){.most_cells = g->cells,
                                        .most_columns = COSTATE_COLUMNS,
                                        .least_rows = 100,
                                        .digits = 8}));
  gradyn_json_append(runs, run);
}

/* --- Plots that other programs add to the study: plot_*.json ------------------------------------ */

/* Filter for scandir(). */
static int is_plot(const struct dirent *entry)
{
  const char *end = strrchr(entry->d_name, '.');
  return strncmp(entry->d_name, "plot_", 5) == 0 && end && strcmp(end, ".json") == 0;
}

static void add_plots(gathering *g)
{
  struct dirent **entry = NULL;
  /* sorted by name, so that the order depends on the study only */
  int found = scandir(g->folder, &entry, is_plot, alphasort);
  json_t *plots = json_array();
  if (found < 0 && errno == ENOMEM)
    starve(g);
  else if (found < 0 && errno != ENOENT && errno != ENOTDIR)
    blame(g, "plot_*.json", strerror(errno));
  for (int i = 0; i < found; i++) {
    json_t *plot = load_with(g, entry[i]->d_name, gradyn_read_json);
    if (plot)
      gradyn_json_append(&plots, plot);
    free(entry[i]);
  }
  free(entry);
  gradyn_json_put(&g->study, "plots", plots);
}

/* --- Studies ------------------------------------------------------------------------------------ */

/* Reads the table of a sweep. If it is too large, columns of gradients are omitted before rows. */
static json_t *load_sweep(gathering *g)
{
  const json_t *settings = json_object_get(g->study, "settings");
  const json_t *result = json_object_get(g->study, "result");
  /* columns that are kept: point, status, parameters, functionals */
  const size_t columns = 2 + json_array_size(json_object_get(settings, "parameters")) +
                         json_array_size(json_object_get(result, "functionals"));
  return load_csv(g, "sweep.csv",
                  &(gradyn_csv_request){.most_cells = SWEEP_CELLS,
                                        .most_columns = columns,
                                        .least_rows = SIZE_MAX,
                                        .digits = 10});
}

/* Reads the files of one study into an object. */
static json_t *gather(gathering *g)
{
  json_t *runs = json_array();
  g->study = json_object();
  g->notes = json_array();
  /* any file may be missing */
  gradyn_json_put(&g->study, "folder", gradyn_json_text(g->folder));
  put_if(&g->study, "settings", load_json(g, "settings.json"));
  put_if(&g->study, "result", load_json(g, "result.json"));
  put_if(&g->study, "history",
         load_csv(g, "history.csv",
                  &(gradyn_csv_request){.most_cells = HISTORY_CELLS,
                                        .most_columns = 8,
                                        .least_rows = 2000,
                                        .digits = 10}));
  /* results of several searches or points */
  put_if(&g->study, "sweep", load_sweep(g));
  put_if(
      &g->study, "starts",
      load_csv(g, "starts.csv",
               &(gradyn_csv_request){
                   .most_cells = START_CELLS, .most_columns = 11, .least_rows = 2, .digits = 8}));
  /* states along a run, before and after the data of each time are used */
  static const char *const filtered[] = {"predicted", "estimates"};
  for (size_t k = 0; k < 2; k++) {
    char *name = gradyn_format("%s.csv", filtered[k]);
    if (!name)
      starve(g);
    else
      put_if(&g->study, filtered[k],
             load_csv(g, name,
                      &(gradyn_csv_request){.most_cells = ESTIMATE_CELLS,
                                            .most_columns = ESTIMATE_COLUMNS,
                                            .least_rows = 100,
                                            .digits = 8}));
    free(name);
  }
  /* trajectories before, during and after a search */
  add_run(g, &runs, "", "run");
  add_run(g, &runs, "_initial", "before");
  add_run(g, &runs, "_segments", "in segments");
  add_run(g, &runs, "_final", "after");
  gradyn_json_put(&g->study, "runs", runs);
  put_if(&g->study, "segments", load_json(g, "segments.json"));
  add_plots(g);
  gradyn_json_put(&g->study, "notes", g->notes);
  return g->study;
}

/* Adds the licences of embedded libraries. */
static void put_licences(json_t **root)
{
  json_t *licences = json_object();
  for (size_t i = 0; i < gradyn_asset_count; i++)
    if (gradyn_assets[i].kind == GRADYN_ASSET_LICENCE)
      gradyn_json_put(&licences, gradyn_assets[i].name,
                      gradyn_json_text((const char *)gradyn_assets[i].bytes));
  gradyn_json_put(root, "licences", licences);
}

/* Adds the time of the report, as local time. */
static void put_time(json_t **root)
{
  char text[64] = "";
  struct tm local;
  time_t now = time(NULL);
  if (localtime_r(&now, &local))
    (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  gradyn_json_put(root, "made", json_string(text));
}

/* Reports why a folder has no data for a page. */
static gradyn_status refuse(gradyn_report *report, const char *folder)
{
  DIR *there = NULL;
  char why[256];
  const gradyn_status status = gradyn_read_folder(folder, &there, why, sizeof why);
  const bool unread = status == GRADYN_IO || status == GRADYN_NO_MEMORY;
  if (unread)
    (void)snprintf(report->message, sizeof report->message, "'%s' cannot be read: %s", folder, why);
  else
    (void)snprintf(report->message, sizeof report->message,
                   there ? "'%s' holds no study: no settings.json, result.json or "
                           "trajectory"
                         : "'%s' is no folder",
                   folder);
  if (there)
    (void)closedir(there);
  return unread ? status : GRADYN_NOT_FOUND;
}

gradyn_status gradyn_report_gather(gradyn_report *report, const char *const folder[], size_t count,
                                   const char *running)
{
  json_t **root = &report->studies, *studies = json_array();
  *root = json_object();
  report->columns = json_array();
  gradyn_json_put(root, "gradyn", json_string(gradyn_version()));
  gradyn_json_put(root, "running", running ? gradyn_json_text(running) : json_false());
  put_time(root);
  bool any = true;
  size_t i = 0;
  for (; i < count && any; i++) {
    /* each study gets an equal part of the cells, and each of its two runs half of this part */
    gathering g = {.folder = folder[i], .report = report, .cells = TRAJECTORY_CELLS / (2 * count)};
    gradyn_json_append(&studies, gather(&g));
    any = g.any;
  }
  gradyn_json_put(root, "studies", studies);
  put_licences(root);
  if (report->status == GRADYN_NO_MEMORY || !*root || !report->columns) {
    (void)snprintf(report->message, sizeof report->message, "out of memory");
    return report->status = GRADYN_NO_MEMORY;
  }
  return any ? report->status : (report->status = refuse(report, folder[i - 1]));
}
