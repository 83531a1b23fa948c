/* What the command writes: CSV, tables, JSON. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

#include "cli/csv.h"
#include "cli/json.h"
#include "cli/table.h"

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

static void test_headings_are_quoted_where_they_must(void **state)
{
  memory m;
  (void)state;
  begin(&m);
  cli_csv_heading(m.file, "2.x", "m");
  cli_csv_heading(m.file, ",count", "");
  cli_csv_heading(m.file, "the \"end\"", "s");
  assert_written(&m, "2.x [m]\",count\"\"the \"\"end\"\" [s]\"");
}

static void test_numbers_read_back_exactly(void **state)
{
  static const double value[] = {0.1, -1.0 / 3, 6.02214076e23, 5e-324, 0};
  (void)state;
  for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
    memory m;
    begin(&m);
    cli_csv_number(m.file, value[i]);
    assert_int_equal(fclose(m.file), 0);
    assert_true(strtod(m.text, NULL) == value[i]);
    free(m.text);
  }
}

static void test_csv_spells_what_is_not_finite(void **state)
{
  memory m;
  (void)state;
  begin(&m);
  cli_csv_number(m.file, (double)NAN);
  cli_csv_number(m.file, -(double)NAN);
  cli_csv_number(m.file, -(double)INFINITY);
  assert_written(&m, "nannan-inf");
}

static void test_tables_are_aligned(void **state)
{
  static const char *const cell[] = {"name", "value", "unit", "a", "10.5", "kg", "longer", "2", ""};
  cli_table table = {.align = "lrl"};
  memory m;
  (void)state;
  for (size_t i = 0; i < sizeof cell / sizeof cell[0]; i++)
    cli_table_add(&table, "%s", cell[i]);
  begin(&m);
  cli_table_print(&table, "> ", m.file);
  assert_written(&m, "> name    value  unit\n"
                     "> a        10.5  kg\n"
                     "> longer      2\n");
}

static void test_a_table_without_rows_is_not_printed(void **state)
{
  cli_table table = {.align = "l"};
  memory m;
  (void)state;
  cli_table_add(&table, "head");
  begin(&m);
  cli_table_print(&table, "", m.file);
  assert_written(&m, "");
}

static void test_json_numbers(void **state)
{
  const double value[] = {0.1, (double)NAN, (double)INFINITY, -2};
  memory m;
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_headings_are_quoted_where_they_must),
      cmocka_unit_test(test_numbers_read_back_exactly),
      cmocka_unit_test(test_csv_spells_what_is_not_finite),
      cmocka_unit_test(test_tables_are_aligned),
      cmocka_unit_test(test_a_table_without_rows_is_not_printed),
      cmocka_unit_test(test_json_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
