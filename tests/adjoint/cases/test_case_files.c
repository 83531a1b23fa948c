/* Load cases from files: damaged tables are refused with file and line, whatever the damage. */
#include "tests/adjoint/cases/oscillators.h"
#include "tests/folder.h"

#include <stdio.h>
#include <unistd.h>

static const char intact[] =
    "case,mass [kg],weight\n# loads\nempty,1,3\n\nhalf,1.5,\nfull,2.5,1e0\n";

/* Writes a file of `size` bytes. */
static void write_file(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* A file of its own for the test. */
static void name_file(char path[FOLDER_SIZE])
{
  (void)snprintf(path, FOLDER_SIZE, "%s/gradyn-cases-XXXXXX", folder_parent());
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(close(descriptor), 0);
}

TEST(a_table_is_read_as_it_is)
{
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256];
  gradyn_cases *cases;
  name_file(path);
  write_file(path, intact, strlen(intact));
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

static unsigned drawn(unsigned *seed, unsigned count)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % count;
}

TEST(damaged_tables_are_refused_with_file_and_line)
{
  static const char bytes[] = ",\n\r\t #@.-+e0159nax[\"\0\xff\xc3";
  char path[FOLDER_SIZE], message[FOLDER_SIZE + 256], text[sizeof intact];
  const unsigned tables = support_thorough() ? 10000 : 2000;
  unsigned seed = 7, refused = 0;
  name_file(path);
  for (unsigned i = 0; i < tables; i++) {
    gradyn_cases *cases;
    memcpy(text, intact, sizeof text);
    for (unsigned k = drawn(&seed, 4); k < 4; k++)
      text[drawn(&seed, sizeof text - 1)] = bytes[drawn(&seed, sizeof bytes - 1)];
    write_file(path, text, 1 + drawn(&seed, sizeof text - 1));
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
