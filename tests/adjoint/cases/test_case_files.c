/* Load cases from files: tables with any kind of damage are refused with file and line. */
#include "tests/adjoint/cases/oscillators.h"
#include "tests/table_file.h"

#include <stdio.h>
#include <unistd.h>

static const char intact[] =
    "case,mass [kg],weight\n# loads\nempty,1,3\n\nhalf,1.5,\nfull,2.5,1e0\n";

TEST(a_table_is_read_as_it_is)
{
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256];
  gradyn_cases *cases;
  table_file_create(path);
  table_file_write(path, intact, strlen(intact));
  assert_int_equal(gradyn_cases_read(path, &cases, message, sizeof message), GRADYN_OK);
  assert_int_equal(cases->count, 3);
  assert_int_equal(cases->column_count, 2);
  assert_string_equal(cases->columns[0], "mass");
  assert_string_equal(cases->names[1], "half");
  assert_true(cases->values[2] == 1.5 && isnan(cases->values[3]) && cases->values[5] == 1);
  assert_int_equal(cases->lines[1], 5);
  assert_string_equal(cases->source, path);
  gradyn_cases_free(cases);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(gradyn_cases_read(path, &cases, NULL, 0), GRADYN_NOT_FOUND);
  assert_null(cases);
  assert_int_equal(gradyn_cases_read(NULL, &cases, NULL, 0), GRADYN_INVALID);
  assert_int_equal(gradyn_cases_read(path, NULL, NULL, 0), GRADYN_INVALID);
  gradyn_cases_free(NULL);
}

TEST(damaged_tables_are_refused_with_file_and_line)
{
  static const char bytes[] = ",\n\r\t #@.-+e0159nax[\"\0\xff\xc3";
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256], text[sizeof intact];
  const unsigned tables = support_thorough() ? 10000 : 2000;
  unsigned seed = 7, refused = 0;
  table_file_create(path);
  for (unsigned i = 0; i < tables; i++) {
    gradyn_cases *cases;
    memcpy(text, intact, sizeof text);
    for (unsigned k = table_file_draw(&seed, 4); k < 4; k++)
      text[table_file_draw(&seed, sizeof text - 1)] =
          bytes[table_file_draw(&seed, sizeof bytes - 1)];
    table_file_write(path, text, 1 + table_file_draw(&seed, sizeof text - 1));
    const gradyn_status status = gradyn_cases_read(path, &cases, message, sizeof message);
    assert_true(status == GRADYN_OK || status == GRADYN_INVALID);
    assert_true((status == GRADYN_OK) == (cases != NULL));
    if (status != GRADYN_OK) {
      refused++;
      assert_non_null(strstr(message, path));
    }
    for (size_t row = 0; cases && row < cases->count; row++)
      assert_true(cases->names[row][0] != '\0');
    gradyn_cases_free(cases);
  }
  assert_true(refused > tables / 4);
  assert_int_equal(unlink(path), 0);
}
