/* Data of fits from files: tables with any kind of damage are refused with file and line. */
#include "tests/adjoint/fits/data_file.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "core/problems/fit.h"

static const char intact[] = "t [s],y,sd,case\n# first\n0,1,0.1,a\n\n0.5,1.5,0.2,a\n0.5,2.5e0,1,b\n"
                             "0.75,,1,a\n1,-1,2,a\n";

TEST(a_table_is_read_as_it_is)
{
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256];
  gradyn_fit_data data = {0};
  table_file_create(path);
  table_file_write(path, intact, strlen(intact));
  const gradyn_fit_spec spec = {.file = path, .deviation_column = "sd"};
  assert_int_equal(gradyn_fit_read(&spec, "y", "a", false, &data, message, sizeof message),
                   GRADYN_OK);
  assert_int_equal(data.count, 3);
  assert_true(data.times[1] == 0.5 && data.values[1] == 1.5 && data.deviations[1] == 0.2);
  assert_true(data.times[2] == 1 && data.values[2] == -1 && data.lines[2] == 8);
  gradyn_fit_data_clear(&data);
  /* if candidate times are read, a line without a value is included */
  assert_int_equal(gradyn_fit_read(&spec, "y", "a", true, &data, message, sizeof message),
                   GRADYN_OK);
  assert_int_equal(data.count, 4);
  assert_true(data.times[2] == 0.75 && isnan(data.values[2]) && data.deviations[2] == 1);
  gradyn_fit_data_clear(&data);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(gradyn_fit_read(&spec, "y", "a", false, &data, message, sizeof message),
                   GRADYN_NOT_FOUND);
  assert_non_null(strstr(message, path));
  gradyn_fit_data_clear(&data);
}

TEST(damaged_tables_are_refused_with_file_and_line)
{
  static const char bytes[] = ",\n\r\t #@.-+e0159nax[\"\0\xff\xc3";
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256], text[sizeof intact];
  const unsigned tables = support_thorough() ? 10000 : 2000;
  unsigned seed = 7, refused = 0;
  table_file_create(path);
  for (unsigned i = 0; i < tables; i++) {
    gradyn_fit_data data = {0};
    memcpy(text, intact, sizeof text);
    for (unsigned k = table_file_draw(&seed, 4); k < 4; k++)
      text[table_file_draw(&seed, sizeof text - 1)] =
          bytes[table_file_draw(&seed, sizeof bytes - 1)];
    table_file_write(path, text, 1 + table_file_draw(&seed, sizeof text - 1));
    const gradyn_fit_spec spec = {.file = path, .deviation_column = "sd"};
    const gradyn_status status = gradyn_fit_read(&spec, "y", "a", false, &data, message,
                                                 sizeof message);
    assert_true(status == GRADYN_OK || status == GRADYN_INVALID);
    if (status != GRADYN_OK) {
      refused++;
      assert_non_null(strstr(message, path));
    }
    for (size_t k = 0; k < data.count; k++)
      assert_true(isfinite(data.times[k]) && isfinite(data.values[k]));
    gradyn_fit_data_clear(&data);
  }
  assert_true(refused > tables / 4);
  assert_int_equal(unlink(path), 0);
}

typedef struct table {
  const char *text, *says; /* expected message, after the name of the file */
} table;

TEST(wrong_tables_are_refused_with_their_reason)
{
  static const gradyn_param params[] = {{"y0", "", .init = 1, GRADYN_UNBOUNDED}};
  static const table rows[] = {
      {"", ": the file is empty"},
      {"t,z,sd\n0,1,1\n", ":1: there is no heading \"y\""},
      {"time,y,sd\n0,1,1\n", ":1: there is no heading \"t\""},
      {"t,y,sd,y\n0,1,1,1\n", ":1: heading \"y\" occurs twice"},
      {"t,y,sd\n0,1\n", ":2: the line has 2 cells, but there are 3 headings"},
      {"t,y,sd\n0,nan,1\n", ":2: the datum is \"nan\""},
      {"t,y,sd\n0,one,1\n", ":2: the datum is \"one\""},
      {"t,y,sd\n\n,1,1\n", ":3: the time is missing"},
      {"t,y,sd\n0,1,1\n-1,1,1\n", ":3: the time is -1 s"},
      {"t,y,sd\n0.5,1,1\n0.4,1,1\n", ":3: the time is 0.4 s; times must be at least 0.5 s"},
      {"t,y,sd\n0.5,1,0\n", ":2: the deviation is 0"},
      {"t,y,sd\n0.5,1,\n", ":2: the deviation is nan"},
      {"t,y,sd\n0.5,1,1\n2,1,1\n", ":3: the time of datum y[1] is 2 s; the run ends at 1 s"},
      {"t,y,sd,case\n0.5,1,1,a\n", "the problem has no load cases"},
  };
  char path[FOLDER_SIZE];
  table_file_create(path);
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    const gradyn_problem problem = PROBLEM("of_file", data_file_build, params, .t_end = 1,
                                           .user = path);
    gradyn_evaluator *ev;
    const double rho[] = {1};
    double psi[4];
    table_file_write(path, rows[i].text, strlen(rows[i].text));
    gradyn_status status = run_try(&ev, .problem = &problem);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    assert_int_equal(status, GRADYN_INVALID);
    const char *at = strstr(gradyn_evaluator_message(ev), path);
    if (!at || !strstr(at, rows[i].says))
      fail_msg("row %zu: '%s' lacks '%s'", i, gradyn_evaluator_message(ev), rows[i].says);
    gradyn_evaluator_free(ev);
  }
  assert_int_equal(unlink(path), 0);
}

TEST(a_million_lines_are_refused)
{
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256];
  gradyn_fit_data data = {0};
  table_file_create(path);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("t,y\n", file);
  for (int k = 0; k < 1000000; k++)
    fputs("0,1\n", file);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(gradyn_fit_read(&(gradyn_fit_spec){.file = path}, "y", NULL, false, &data,
                                   message, sizeof message),
                   GRADYN_INVALID);
  assert_non_null(strstr(message, ":100002: there are more than 100000 data"));
  gradyn_fit_data_clear(&data);
  assert_int_equal(unlink(path), 0);
}
