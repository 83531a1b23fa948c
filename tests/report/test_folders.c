/* Study folders and their report, by a program that uses the public headers alone. */

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/folder.h"
#include "tests/runs.h"
#include "report/page/data.h"
#include <gradyn/gradyn.h>

typedef struct discrete {
  char place[FOLDER_SIZE], study[FOLDER_SIZE + 16];
  gradyn_registry *registry;
  gradyn_evaluator *evaluator;
  gradyn_trajectory *trajectory;
  double rho[8], psi[8];
  gradyn_study_folder *folder;
} discrete;

/* A short run of a problem that comes with gradyn, and a folder that does not exist yet. */
static void open_scene(discrete *s, const char *problem, double t_end)
{
  const gradyn_problem *found;
  *s = (discrete){.trajectory = gradyn_trajectory_create()};
  assert_non_null(folder_create("folders", s->place));
  (void)snprintf(s->study, sizeof s->study, "%s/deep/study", s->place);
  assert_ok(gradyn_registry_create(NULL, &s->registry), NULL);
  assert_ok(gradyn_registry_find(s->registry, problem, &found), NULL);
  s->evaluator = run_with(found, .t_end = t_end);
  run_initial(s->evaluator, s->rho);
}

static void close_scene(discrete *s)
{
  char command[FOLDER_SIZE + 16];
  gradyn_study_folder_close(s->folder);
  gradyn_trajectory_free(s->trajectory);
  gradyn_evaluator_free(s->evaluator);
  gradyn_registry_free(s->registry);
  (void)snprintf(command, sizeof command, "rm -r '%s'", s->place);
  assert_int_equal(system(command), 0);
}

static void simulate(discrete *s, const double *rho)
{
  assert_ok(gradyn_evaluator_simulate(s->evaluator, rho, s->psi, s->trajectory), NULL);
}

/* Reads a file of the study as one text, owned by the caller; NULL: there is none. */
static char *text_of(const discrete *s, const char *name)
{
  char path[2 * FOLDER_SIZE];
  struct stat about;
  (void)snprintf(path, sizeof path, "%s/%s", s->study, name);
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  assert_int_equal(fstat(fileno(file), &about), 0);
  char *text = calloc(1, (size_t)about.st_size + 1);
  assert_int_equal(fread(text, 1, (size_t)about.st_size, file), about.st_size);
  (void)fclose(file);
  return text;
}

static json_t *object_of(const discrete *s, const char *name)
{
  char *text = text_of(s, name);
  assert_non_null(text);
  json_t *root = json_loads(text, 0, NULL);
  free(text);
  assert_non_null(root);
  return root;
}

static long lines_of(const discrete *s, const char *name)
{
  FREED char *text = text_of(s, name);
  long lines = 0;
  assert_non_null(text);
  for (const char *c = text; *c; c++)
    lines += *c == '\n';
  return lines;
}

static bool exists(const discrete *s, const char *name)
{
  char *text = text_of(s, name);
  free(text);
  return text;
}

/* The member "value" of entry k in an array of objects. */
static double value_of(const json_t *root, const char *array, size_t k)
{
  return json_number_value(
      json_object_get(json_array_get(json_object_get(root, array), k), "value"));
}

TEST(a_simulation_is_kept_to_the_bit)
{
  discrete s;
  open_scene(&s, "bouncing-ball", 0);
  assert_ok(gradyn_study_folder_open(s.study, false, &s.folder), NULL);
  simulate(&s, s.rho);
  assert_ok(gradyn_study_folder_write_simulation(s.folder, s.evaluator, s.rho, s.psi, s.trajectory),
            gradyn_study_folder_message(s.folder));
  json_t *result = object_of(&s, "result.json"), *model = object_of(&s, "model.json");
  assert_string_equal(json_string_value(json_object_get(result, "problem")), "bouncing-ball");
  for (size_t i = 0; i < gradyn_functional_count(s.evaluator); i++)
    assert_true(value_of(result, "functionals", i) == s.psi[i]);
  for (size_t i = 0; i < gradyn_parameter_count(s.evaluator); i++)
    assert_true(value_of(result, "parameters", i) == s.rho[i]);
  assert_int_equal(lines_of(&s, "trajectory.csv"), gradyn_trajectory_read(s.trajectory).steps + 1);
  assert_int_equal(lines_of(&s, "invariants.csv"), gradyn_trajectory_read(s.trajectory).steps + 1);
  assert_int_equal(lines_of(&s, "events.csv"), gradyn_evaluator_statistics(s.evaluator).events + 1);
  assert_int_equal(json_array_size(json_object_get(model, "points")),
                   gradyn_evaluator_model_info(s.evaluator).drawn_points);
  json_decref(result);
  json_decref(model);
  close_scene(&s);
}

/* Callback of a search that writes its evaluations into the study. */
static bool watch(const gradyn_iteration *iteration, void *user)
{
  discrete *s = user;
  assert_ok(gradyn_study_folder_write_iteration(s->folder, s->evaluator, iteration), NULL);
  return true;
}

/* Three rods: black, coloured, and with the default colour. */
static gradyn_status build_rods(gradyn_model *model, const gradyn_scalar rho[])
{
  const int pivot = gradyn_ground_point(model, "pivot", 0, 0);
  static const char *const name[] = {"black", "coloured", "plain"};
  for (int k = 0; k < 3; k++) {
    const int bob = gradyn_point(model, name[k], rho[0], k);
    gradyn_rod(model, &(gradyn_rod_spec){name[k], pivot, bob,
                                         .length = csqrt(rho[0] * rho[0] + k * k), .mass = 1});
  }
  gradyn_draw_colour(model, "black", 0);
  gradyn_draw_colour(model, "coloured", 0x0a1b2c);
  gradyn_functional(
      model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", pivot, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(colours_of_drawings_are_kept)
{
  static const gradyn_param length = {"length", "m", .init = 1, GRADYN_UNBOUNDED};
  static const gradyn_problem rods = {GRADYN_PROBLEM_SIZES, .name = "rods",      .params = &length,
                                      .param_count = 1,     .build = build_rods, .t_end = 0.01};
  static const char *const expected[] = {"#000000", "#0a1b2c", NULL};
  discrete s;
  open_scene(&s, "bouncing-ball", 0);
  gradyn_evaluator_free(s.evaluator);
  s.evaluator = run_with(&rods, .t_end = 0.01);
  run_initial(s.evaluator, s.rho);
  assert_ok(gradyn_study_folder_open(s.study, false, &s.folder), NULL);
  simulate(&s, s.rho);
  assert_ok(gradyn_study_folder_write_simulation(s.folder, s.evaluator, s.rho, s.psi, s.trajectory),
            gradyn_study_folder_message(s.folder));
  json_t *model = object_of(&s, "model.json"), *shapes = json_object_get(model, "drawables");
  assert_int_equal(json_array_size(shapes), 3);
  for (size_t k = 0; k < 3; k++) {
    const char *colour = json_string_value(json_object_get(json_array_get(shapes, k), "colour"));
    assert_true(expected[k] ? colour && strcmp(colour, expected[k]) == 0 : colour == NULL);
  }
  json_decref(model);
  close_scene(&s);
}

TEST(a_search_is_kept)
{
  discrete s;
  gradyn_search_result result;
  open_scene(&s, "five-bar", 0.05);
  gradyn_search search = run_search(s.evaluator);
  search.max_evaluations = 4;
  search.verify_discretisation = false;
  search.on_iteration = watch;
  search.user = &s;
  assert_ok(gradyn_study_folder_open(s.study, false, &s.folder), NULL);
  assert_ok(gradyn_study_folder_begin(s.folder, s.evaluator, &search, s.rho), NULL);
  simulate(&s, s.rho);
  assert_ok(gradyn_study_folder_write_motion(s.folder, s.evaluator, &search, s.rho, s.trajectory,
                                             GRADYN_STUDY_INITIAL),
            NULL);
  const gradyn_status status = gradyn_optimise(s.evaluator, &search, s.rho, &result);
  /* a second search is refused, and the history of the first one stays */
  assert_status(gradyn_study_folder_begin(s.folder, s.evaluator, &search, s.rho), GRADYN_INVALID,
                NULL);
  assert_says(gradyn_study_folder_message(s.folder), "the folder has a search already");
  simulate(&s, result.rho);
  assert_ok(gradyn_study_folder_write_motion(s.folder, s.evaluator, &search, result.rho,
                                             s.trajectory, GRADYN_STUDY_FINAL),
            NULL);
  assert_ok(gradyn_study_folder_end(s.folder, s.evaluator, &search, s.rho, &result, status), NULL);

  json_t *root = object_of(&s, "result.json"), *settings = object_of(&s, "settings.json");
  json_t *final = object_of(&s, "model_final.json"), *initial = object_of(&s, "model_initial.json");
  assert_int_equal(lines_of(&s, "history.csv"), result.evaluations + 1);
  assert_true(json_number_value(json_object_get(root, "objective")) == result.objective);
  assert_string_equal(json_string_value(json_object_get(root, "status")),
                      gradyn_status_describe((int)status).name);
  assert_true(value_of(root, "parameters", 0) == result.rho[0]);
  assert_true(value_of(settings, "parameters", 0) == s.rho[0]);
  assert_int_equal(json_integer_value(json_object_get(settings, "max_evaluations")), 4);
  assert_null(json_object_get(settings, "status"));
  /* sensitivities are written for the result only, because they cost a gradient */
  assert_non_null(json_object_get(final, "sensitivity"));
  assert_null(json_object_get(initial, "sensitivity"));
  json_decref(root);
  json_decref(settings);
  json_decref(final);
  json_decref(initial);
  gradyn_search_result_clear(&result);
  close_scene(&s);
}

/* A folder with a study is refused unless it is to be replaced; then all of its files are removed. */
TEST(a_study_is_not_replaced_by_chance)
{
  discrete s;
  gradyn_study_folder *other;
  open_scene(&s, "five-bar", 0.05);
  gradyn_search search = run_search(s.evaluator);
  assert_ok(gradyn_study_folder_open(s.study, false, &s.folder), NULL);
  assert_ok(gradyn_study_folder_begin(s.folder, s.evaluator, &search, s.rho), NULL);
  assert_status(gradyn_study_folder_open(s.study, false, &other), GRADYN_INVALID, NULL);
  assert_says(gradyn_study_folder_message(other), "holds a study already");
  gradyn_study_folder_close(other);
  assert_true(exists(&s, "settings.json") && exists(&s, "history.csv"));
  assert_ok(gradyn_study_folder_open(s.study, true, &other), NULL);
  gradyn_study_folder_close(other);
  assert_false(exists(&s, "settings.json") || exists(&s, "history.csv"));
  /* a file of another program that has the name of a study's file */
  char path[2 * FOLDER_SIZE];
  (void)snprintf(path, sizeof path, "%s/trajectory.csv", s.study);
  FILE *foreign = fopen(path, "w");
  assert_true(foreign && fclose(foreign) == 0);
  assert_status(gradyn_study_folder_open(s.study, false, &other), GRADYN_INVALID, NULL);
  assert_says(gradyn_study_folder_message(other), "has a file trajectory.csv");
  gradyn_study_folder_close(other);
  assert_true(exists(&s, "trajectory.csv"));
  /* a file is no folder */
  (void)snprintf(s.study, sizeof s.study, "%s/file", s.place);
  FILE *file = fopen(s.study, "w");
  assert_true(file && fclose(file) == 0);
  assert_status(gradyn_study_folder_open(s.study, true, &other), GRADYN_IO, NULL);
  assert_says(gradyn_study_folder_message(other), s.study);
  gradyn_study_folder_close(other);
  close_scene(&s);
}

/* The page contains what the files contain; it is complete or does not exist. */
TEST(the_page_shows_the_stored_files)
{
  discrete s;
  gradyn_report *report;
  char path[2 * FOLDER_SIZE];
  open_scene(&s, "five-bar", 0.05);
  const char *const shown[] = {s.study};
  assert_status(gradyn_report_create(shown, 1, NULL, &report), GRADYN_NOT_FOUND, NULL);
  assert_says(gradyn_report_message(report), "is no folder");
  assert_status(gradyn_report_print(report, stdout), GRADYN_INVALID, NULL);
  (void)snprintf(path, sizeof path, "%s/page.html", s.place);
  assert_status(gradyn_report_write(report, path), GRADYN_INVALID, NULL);
  assert_int_equal(access(path, F_OK), -1);
  gradyn_report_free(report);

  assert_ok(gradyn_study_folder_open(s.study, false, &s.folder), NULL);
  simulate(&s, s.rho);
  assert_ok(gradyn_study_folder_write_simulation(s.folder, s.evaluator, s.rho, s.psi, s.trajectory),
            NULL);
  char message[1024];
  assert_ok(gradyn_study_report(shown, 1, "half \"of\" it", path, message, sizeof message), NULL);
  assert_string_equal(message, "");
  (void)snprintf(path, sizeof path, "%s/nowhere/page.html", s.place);
  assert_status(gradyn_study_report(shown, 1, NULL, path, message, sizeof message), GRADYN_IO,
                NULL);
  assert_says(message, path);
  (void)snprintf(s.study, sizeof s.study, "%s", s.place);
  char *page = text_of(&s, "page.html");
  assert_non_null(page);
  assert_says(page, "\"running\":\"half \\\"of\\\" it\"");
  assert_says(page, "\"problem\":\"five-bar\"");
  assert_says(page, "\"rows_in_file\":");
  assert_says(page, "</html>");
  free(page);
  close_scene(&s);
}
