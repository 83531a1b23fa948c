/* Contents of the page for each file of a study: present, damaged or unreadable, and the part that was
 * read. */
#include "tests/support.h"

#include <stdio.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/folder.h"
#include "report/page/data.h"
#include <gradyn/gradyn.h>

static char place[FOLDER_SIZE];

/* Path of a file in the folder; valid until the second next call. */
static const char *at(const char *name)
{
  static char path[2][2 * FOLDER_SIZE];
  static int last;
  last = 1 - last;
  (void)snprintf(path[last], sizeof path[last], "%s/%s", place, name);
  return path[last];
}

static void empty_place(void)
{
  char command[FOLDER_SIZE + 16];
  (void)snprintf(command, sizeof command, "rm -rf '%s'/*", place);
  assert_int_equal(system(command), 0);
}

BEFORE_TESTS(make_place)
{
  assert_non_null(folder_create("page", place));
}

AFTER_TESTS(remove_place)
{
  empty_place();
  assert_int_equal(rmdir(place), 0);
}

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(at(name), "w");
  assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Creates a link to itself, which nobody can open. */
static void write_loop(const char *name)
{
  assert_int_equal(symlink(name, at(name)), 0);
}

/* Reads one of the page's two blocks of JSON. */
static json_t *block(const char *page, const char *id)
{
  char open[64];
  (void)snprintf(open, sizeof open, "<script type=\"application/json\" id=\"%s\">", id);
  const char *begin = strstr(page, open);
  assert_non_null(begin);
  begin += strlen(open);
  const char *end = strchr(begin, '<'); /* no text of a study can end the block */
  assert_non_null(end);
  assert_int_equal(strncmp(end, "</script>", 9), 0);
  json_t *root = json_loadb(begin, (size_t)(end - begin), 0, NULL);
  assert_non_null(root);
  return root;
}

/* The page's own scripts occur once, in order, after those of other projects. There is no other script,
 * since nothing is drawn in space. */
static void check_scripts(const char *page)
{
  static const char open[] = "<script>/* ", *const ours[] = {"base.js */", "main.js */"};
  const char *last = NULL;
  int found[2] = {0};
  for (const char *at = page; (at = strstr(at, open)) != NULL; last = at) {
    at += strlen(open);
    for (int k = 0; k < 2; k++)
      found[k] += strncmp(at, ours[k], strlen(ours[k])) == 0;
    assert_true(found[0] == 1 || strncmp(at, "chart", 5) == 0);
  }
  assert_true(found[0] == 1 && found[1] == 1 && strncmp(last, ours[1], strlen(ours[1])) == 0);
}

/* Makes the page of these folders; the report must have this status and message. */
static json_t *show(const char *const folder[], size_t count, gradyn_status status,
                    const char *says, json_t **columns)
{
  gradyn_report *report;
  FREED char *page = NULL;
  size_t size;
  assert_status(gradyn_report_create(folder, count, NULL, &report), status, NULL);
  assert_says(gradyn_report_message(report), says);
  FILE *file = open_memstream(&page, &size);
  assert_non_null(file);
  const bool printed = status == GRADYN_OK || status == GRADYN_IO;
  assert_status(gradyn_report_print(report, file), printed ? GRADYN_OK : GRADYN_INVALID, NULL);
  assert_int_equal(fclose(file), 0);
  gradyn_report_free(report);
  json_t *root = printed ? block(page, "data") : NULL;
  if (printed)
    check_scripts(page);
  if (columns)
    *columns = block(page, "columns");
  return root;
}

static json_t *show_place(gradyn_status status, const char *says)
{
  const char *const folder[] = {place};
  return show(folder, 1, status, says, NULL);
}

/* Entry k of an array, and its member `key`. */
static json_t *get(json_t *root, const char *array, size_t k, const char *key)
{
  return json_object_get(json_array_get(json_object_get(root, array), k), key);
}

static const char *const files[] = {
    "settings.json",    "result.json",          "history.csv",
    "sweep.csv",        "starts.csv",           "model.json",
    "trajectory.csv",   "model_initial.json",   "trajectory_initial.csv",
    "model_final.json", "trajectory_final.csv", "plot_own.json",
    "invariants.csv"};

/* Each file alone: an unreadable one is an error that names it, a damaged one a note; the page is made in
 * both cases. */
TEST(files_that_cannot_be_read_are_named)
{
  for (size_t k = 0; k < GRADYN_COUNT(files); k++) {
    const bool table = strstr(files[k], ".csv");
    for (int damaged = 0; damaged < 2; damaged++) {
      char says[4 * FOLDER_SIZE];
      const char *const broken = table ? "" : k % 2 ? "[1]" : "{";
      if (damaged)
        write_text("result.json", "{}"); /* so that the folder contains a study */
      if (strcmp(files[k], "invariants.csv") == 0)
        write_text("model.json", "{}"); /* so that the study contains a run */
      if (damaged)
        write_text(files[k], broken);
      else
        write_loop(files[k]);
      if (damaged && strcmp(files[k], "result.json") == 0)
        write_text("settings.json", "{}");
      (void)snprintf(says, sizeof says, damaged ? "%.0s%.0s" : "'%s/%s' cannot be read: ", place,
                     files[k]);
      json_t *root = show_place(damaged ? GRADYN_OK : GRADYN_IO, says);
      json_t *notes = get(root, "studies", 0, "notes");
      assert_int_equal(json_array_size(notes), 1);
      const char *note = json_string_value(json_array_get(notes, 0));
      assert_int_equal(strncmp(note, files[k], strlen(files[k])), 0);
      assert_int_equal(strncmp(note + strlen(files[k]), ": ", 2), 0);
      json_decref(root);
      empty_place();
    }
  }
}

/* Of two failures, the first one is the reason. */
TEST(the_first_failure_is_reported)
{
  write_loop("result.json");
  write_loop("history.csv");
  json_t *root = show_place(GRADYN_IO, "result.json' cannot be read");
  assert_int_equal(json_array_size(get(root, "studies", 0, "notes")), 2);
  json_decref(root);
  empty_place();
}

/* Texts stay unchanged, even if they look like markup. */
TEST(texts_are_kept)
{
  static const char text[] = "</script><!-- & \\\\ \\\" \\u00e9 --><script>&amp;<<>>";
  static const char kept[] = "</script><!-- & \\ \" \xc3\xa9 --><script>&amp;<<>>";
  char object[256];
  (void)snprintf(object, sizeof object, "{\"problem\": \"%s\", \"z\": 0.123456789012}", text);
  write_text("settings.json", object);
  write_text("plot_b.json", "{\"is\": \"b\"}");
  write_text("plot_a.json", "{\"is\": \"a\"}");
  write_text("plot_c.txt", "{}");
  write_text("complot_c.json", "{}");
  json_t *root = show_place(GRADYN_OK, ""), *settings = get(root, "studies", 0, "settings");
  assert_string_equal(json_string_value(json_object_get(settings, "problem")), kept);
  assert_true(json_number_value(json_object_get(settings, "z")) == 0.123456789012);
  json_t *plots = get(root, "studies", 0, "plots");
  assert_int_equal(json_array_size(plots), 2);
  for (size_t k = 0; k < 2; k++)
    assert_int_equal(json_string_value(json_object_get(json_array_get(plots, k), "is"))[0],
                     k ? 'b' : 'a');
  assert_string_equal(json_string_value(get(root, "studies", 0, "folder")), place);
  assert_string_equal(json_string_value(json_object_get(root, "gradyn")), gradyn_version());
  assert_true(json_is_false(json_object_get(root, "running")));
  assert_true(json_string_length(json_object_get(root, "made")) == strlen("2000-01-01 00:00:00"));
  const char *name;
  json_t *licence, *licences = json_object_get(root, "licences");
  assert_true(json_object_size(licences) > 0);
  json_object_foreach(licences, name, licence)
      assert_true(strstr(json_string_value(licence), "Copyright") && strlen(name) > 0);
  json_decref(root);
  empty_place();
}

/* Studies keep their order; a missing one fails the page, by name. */
TEST(several_studies)
{
  const char *const folder[] = {place, place, "/nowhere"};
  write_text("trajectory_final.csv", "t [s],x [m]\n0,1\n");
  write_text("invariants_final.csv", "t [s],E [J]\n0,7\n");
  write_text("model_initial.json", "{\"coordinates\": 1}");
  json_t *columns, *root = show(folder, 2, GRADYN_OK, "", &columns);
  assert_int_equal(json_array_size(json_object_get(root, "studies")), 2);
  for (size_t k = 0; k < 2; k++) {
    json_t *runs = get(root, "studies", k, "runs");
    assert_int_equal(json_array_size(runs), 2);
    const json_t *before = json_array_get(runs, 0), *after = json_array_get(runs, 1);
    assert_string_equal(json_string_value(json_object_get(before, "label")), "before");
    assert_string_equal(json_string_value(json_object_get(after, "label")), "after");
    assert_string_equal(json_string_value(json_object_get(before, "file")),
                        "trajectory_initial.csv");
    assert_string_equal(json_string_value(json_object_get(after, "file")), "trajectory_final.csv");
    assert_null(json_object_get(before, "invariants"));
    json_t *table = json_object_get(after, "invariants");
    assert_string_equal(json_string_value(get(table, "columns", 1, "name")), "E [J]");
    const json_int_t number = json_integer_value(get(table, "columns", 1, "values"));
    assert_string_equal(json_string_value(json_array_get(columns, (size_t)number)), "7");
  }
  json_decref(columns);
  json_decref(root);
  assert_null(show(folder, 3, GRADYN_NOT_FOUND, "'/nowhere' is no folder", NULL));
  empty_place();
  assert_null(show(folder, 1, GRADYN_NOT_FOUND, "holds no study", NULL));
}

/* A table of increasing numbers, and a model with a given number of coordinates. */
static void write_table(const char *name, int columns, int rows, int coordinates)
{
  char model[32];
  (void)snprintf(model, sizeof model, "{\"coordinates\": %d}", coordinates);
  write_text("model.json", model);
  FILE *file = fopen(at(name), "w");
  assert_non_null(file);
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j < columns; j++)
      (void)fprintf(file, "%s%d%s", i == 0 ? "c" : "", i + j, j + 1 < columns ? "," : "\n");
  assert_int_equal(fclose(file), 0);
}

/* Long tables lose rows at equal distances, wide ones columns; the first and the last row stay. */
TEST(tables_are_thinned)
{
  static const struct {
    const char *file;
    int columns, rows, kept, most_cells, studies;
    int coordinates; /* number stated in the model; a million is not accepted */
  } table[] = {{"history.csv", 4, 29800, 4, 60000, 1, 0},
               {"history.csv", 40, 2000, 8, 60000, 1, 0},
               {"sweep.csv", 5, 100000, 2, 280000, 1, 0},
               {"sweep.csv", 2, 278000, 2, 280000, 1, 0},
               {"starts.csv", 4, 29800, 4, 60000, 1, 0},
               {"starts.csv", 13, 4600, 13, 60000, 1, 0},
               {"invariants.csv", 4, 5950, 4, 12000, 1, 0},
               {"trajectory.csv", 3, 93000, 3, 140000, 1, 0},
               {"trajectory.csv", 3, 46500, 3, 70000, 2, 0},
               {"trajectory.csv", 1500, 150, 2, 140000, 1, 0},
               {"trajectory.csv", 1500, 150, 1500, 140000, 1, 999999},
               {"trajectory.csv", 1500, 150, 2, 140000, 1, 1000000}};
  for (size_t k = 0; k < GRADYN_COUNT(table); k++) {
    const bool drawn = table[k].file[0] == 't' || table[k].file[0] == 'i';
    write_table(table[k].file, table[k].columns, table[k].rows, table[k].coordinates);
    const char *const folder[] = {place, place};
    json_t *columns, *root = show(folder, (size_t)table[k].studies, GRADYN_OK, "", &columns);
    char key[32];
    (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(table[k].file, "."), table[k].file);
    json_t *found = drawn ? json_object_get(json_array_get(get(root, "studies", 0, "runs"), 0), key)
                          : get(root, "studies", 0, key);
    const long rows = (long)json_integer_value(json_object_get(found, "rows"));
    assert_int_equal(json_integer_value(json_object_get(found, "rows_in_file")), table[k].rows);
    assert_int_equal(json_array_size(json_object_get(found, "columns")), table[k].kept);
    const long all = (long)table[k].rows * table[k].kept, most = table[k].most_cells;
    assert_in_range(rows * table[k].kept, all <= most ? all : most - most / 20, most);
    const char *values = json_string_value(
        json_array_get(columns, (size_t)json_integer_value(get(found, "columns", 1, "values"))));
    char last[16];
    (void)snprintf(last, sizeof last, " %d", table[k].rows + 1);
    assert_int_equal(strncmp(values, "2 ", 2), 0);
    assert_string_equal(values + strlen(values) - strlen(last), last);
    long blanks = 0;
    for (const char *c = values; *c; c++)
      blanks += *c == ' ';
    assert_int_equal(blanks, rows - 1);
    json_decref(columns);
    json_decref(root);
    empty_place();
  }
}
