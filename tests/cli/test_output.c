/* Output of the command: CSV, tables, JSON. */
#include "tests/support.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/files/csv.h"
#include "cli/base/json.h"
#include "cli/base/table.h"

/* Opens a stream into memory; its text is at *state after closing. */
typedef struct memory {
  char *text;
  size_t size;
  FILE *file;
} memory;

static void begin(memory *m)
{
  *m = (memory){NULL, 0, NULL};
  m->file = open_memstream(&m->text, &m->size);
  assert_non_null(m->file);
}

static void assert_written(memory *m, const char *expected)
{
  assert_int_equal(fclose(m->file), 0);
  assert_string_equal(m->text, expected);
  free(m->text);
}

TEST(test_headings_are_quoted_where_they_must)
{
  memory m;
  begin(&m);
  gradyn_csv_heading(m.file, "2.x", "m");
  gradyn_csv_heading(m.file, ",count", "");
  gradyn_csv_heading(m.file, "the \"end\"", "s");
  assert_written(&m, "2.x [m]\",count\"\"the \"\"end\"\" [s]\"");
}

TEST(test_numbers_read_back_exactly)
{
  static const double value[] = {0.1, -1.0 / 3, 6.02214076e23, 5e-324, 0};
  for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
    memory m;
    begin(&m);
    gradyn_csv_number(m.file, value[i]);
    assert_int_equal(fclose(m.file), 0);
    assert_true(strtod(m.text, NULL) == value[i]);
    free(m.text);
  }
}

TEST(test_csv_spells_what_is_not_finite)
{
  memory m;
  begin(&m);
  gradyn_csv_number(m.file, (double)NAN);
  gradyn_csv_number(m.file, -(double)NAN);
  gradyn_csv_number(m.file, -(double)INFINITY);
  assert_written(&m, "nannan-inf");
}

TEST(test_tables_are_aligned)
{
  cli_table table = {.align = "lrl"};
  memory m;
  cli_table_add(&table, "name|value|unit");
  cli_table_add(&table, "%s|%.3g|%s", "a|b", 10.5, "kg"); /* a text may contain the separator */
  cli_table_add(&table, "%s", "longer");
  cli_table_add(&table, "%d|", 2);
  begin(&m);
  cli_table_print(&table, "> ", m.file);
  assert_written(&m, "> name    value  unit\n"
                     "> a|b      10.5  kg\n"
                     "> longer      2\n");
}

TEST(test_a_table_without_rows_is_not_printed)
{
  cli_table table = {.align = "l"};
  memory m;
  cli_table_add(&table, "head");
  begin(&m);
  cli_table_print(&table, "", m.file);
  assert_written(&m, "");
}

TEST(test_json_numbers)
{
  const double value[] = {0.1, (double)NAN, (double)INFINITY, -2};
  memory m;
  json_t *root = cli_json_begin("gradient", NULL, GRADYN_NOT_ASSEMBLED);
  cli_json_put(root, "values", cli_json_numbers(value, 4));
  cli_json_put(root, "bad text", cli_json_text("a\xff"));
  begin(&m);
  cli_json_write(root, m.file);
  assert_int_equal(fclose(m.file), 0);

  json_t *back = json_loads(m.text, 0, NULL);
  assert_non_null(back);
  assert_string_equal(json_string_value(json_object_get(back, "command")), "gradient");
  assert_string_equal(json_string_value(json_object_get(back, "status")), "not-assembled");
  assert_string_equal(json_string_value(json_object_get(back, "bad text")), "a?");
  json_t *array = json_object_get(back, "values");
  assert_int_equal(json_array_size(array), 4);
  assert_close(json_real_value(json_array_get(array, 0)), 0.1, 0, 0);
  assert_true(json_is_null(json_array_get(array, 1)) && json_is_null(json_array_get(array, 2)));
  assert_close(json_real_value(json_array_get(array, 3)), -2, 0, 0);
  json_decref(back);
  free(m.text);
}

/* The allocation of jansson that fails next; 0: none. */
static long failing;

static void *sparing(size_t size)
{
  return failing > 0 && --failing == 0 ? NULL : malloc(size);
}

/* Writes an object in a child process while allocation k of jansson fails, which may end the process.
 * Stores the output in text [size] and returns the exit status. */
static int write_sparingly(long k, char *text, size_t size)
{
  FILE *file = tmpfile();
  int state = 0;
  assert_non_null(file);
  const pid_t child = fork();
  if (child == 0) {
    json_t *root = cli_json_begin("gradient", NULL, GRADYN_OK);
    cli_json_put(root, "a name that is long enough to need more room", json_integer(1));
    cli_json_put(root, "deeper", json_pack("[{s: [i, i]}]", "numbers", 1, 2));
    (void)close(STDERR_FILENO);
    failing = k;
    cli_json_write(root, file);
    (void)fclose(file);
    _exit(0);
  }
  assert_true(child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state));
  rewind(file);
  text[fread(text, 1, size - 1, file)] = '\0';
  (void)fclose(file);
  return WEXITSTATUS(state);
}

TEST(test_an_object_is_written_whole_or_not_at_all)
{
  char whole[1024], text[1024];
  int failures = 0;
  json_set_alloc_funcs(sparing, free);
  assert_int_equal(write_sparingly(0, whole, sizeof whole), 0);
  for (long k = 1; k < 50; k++) {
    if (write_sparingly(k, text, sizeof text) == 0) {
      assert_string_equal(text, whole);
    } else {
      assert_string_equal(text, "");
      failures++;
    }
  }
  assert_true(failures > 0);
  json_set_alloc_funcs(malloc, free);
}
