/* Files that appear completely or not at all, reading them again, and texts and JSON in them. */
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/csv_read.h"
#include "core/files/file.h"
#include "core/files/json.h"
#include "core/files/read.h"
#include "core/files/text.h"
#include "tests/folder.h"

static char folder[FOLDER_SIZE];
static char path[FOLDER_SIZE + 64];

BEFORE_TESTS(make_folder)
{
  assert_true(folder_create("files", folder));
}

/* Nothing is left in it. */
AFTER_TESTS(remove_folder)
{
  assert_int_equal(rmdir(folder), 0);
}

static const char *at(const char *name)
{
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Writes a file with the library's functions. */
static void write_text(const char *name, const char *text)
{
  gradyn_file file;
  assert_ok(gradyn_file_begin(&file, folder, name, NULL), file.message);
  assert_true(fputs(text, file.stream) >= 0);
  assert_ok(gradyn_file_end(&file, GRADYN_OK), file.message);
}

/* Messages received by the callback for files. */
static int begun, ended;

static void note_begin(gradyn_file *file)
{
  assert_int_equal(access(file->temporary, F_OK), 0);
  begun++;
}

static void note_end(gradyn_file *file)
{
  (void)file;
  ended++;
}

TEST(files_are_whole_or_not_there)
{
  static const gradyn_file_keeper keeper = {note_begin, note_end};
  gradyn_file file;
  assert_ok(gradyn_file_begin(&file, folder, "kept", &keeper), NULL);
  assert_true(begun == 1 && ended == 0);
  assert_int_equal(access(at("kept"), F_OK), -1); /* not before its end */
  assert_status(gradyn_file_end(&file, GRADYN_INTERRUPTED), GRADYN_INTERRUPTED, NULL);
  assert_true(begun == 1 && ended == 1);
  assert_int_equal(access(at("kept"), F_OK), -1);
  /* a missing folder: no file was begun, and the reason is reported */
  assert_status(gradyn_file_begin(&file, at("nowhere"), "kept", &keeper), GRADYN_IO, NULL);
  assert_says(file.message, "nowhere/kept");
  assert_status(gradyn_file_end(&file, GRADYN_IO), GRADYN_IO, NULL);
  assert_true(begun == 1 && ended == 1);
}

/* Two temporary files for one name, as a killed process may leave one. The file that ends last remains. */
TEST(existing_temporary_names_are_left)
{
  gradyn_file first, second;
  assert_ok(gradyn_file_begin(&first, folder, "twice", NULL), NULL);
  assert_ok(gradyn_file_begin(&second, folder, "twice", NULL), NULL);
  assert_string_not_equal(first.temporary, second.temporary);
  assert_ok(gradyn_file_end(&second, GRADYN_OK), second.message);
  assert_ok(gradyn_file_end(&first, GRADYN_OK), first.message);
  assert_int_equal(unlink(at("twice")), 0);
}

/* A missing file, one of another kind, a damaged one and a valid one have different results. */
TEST(what_is_read_is_told_apart)
{
  json_t *root;
  char why[256];
  FILE *file;
  assert_status(gradyn_read_json(at("none"), &root, why, sizeof why), GRADYN_NOT_FOUND, NULL);
  assert_status(gradyn_read_json(folder, &root, why, sizeof why), GRADYN_INVALID, NULL);
  assert_string_equal(why, "it is a folder");
  assert_int_equal(mkfifo(at("pipe"), 0600), 0);
  assert_status(gradyn_read_open(at("pipe"), &file, why, sizeof why), GRADYN_INVALID, NULL);
  assert_int_equal(unlink(at("pipe")), 0);
  write_text("text", "{\"a\": [1,");
  assert_status(gradyn_read_json(at("text"), &root, why, sizeof why), GRADYN_INVALID, NULL);
  assert_null(root);
  write_text("text", "{\"a\": [1, 2.5]}");
  assert_ok(gradyn_read_json(at("text"), &root, why, sizeof why), why);
  assert_int_equal(json_array_size(json_object_get(root, "a")), 2);
  json_decref(root);
  assert_int_equal(unlink(at("text")), 0);
}

/* A file longer than the block that is read at once. */
TEST(long_files_are_read_to_the_end)
{
  enum { MANY = 20000 };
  json_t *root = json_array();
  gradyn_file file;
  char why[256];
  for (int i = 0; i < MANY; i++)
    gradyn_json_append(&root, gradyn_json_number(i / 8.0));
  assert_ok(gradyn_file_begin(&file, folder, "long", NULL), NULL);
  assert_ok(gradyn_json_write(root, file.stream), NULL);
  assert_ok(gradyn_file_end(&file, GRADYN_OK), file.message);
  json_decref(root);
  assert_ok(gradyn_read_json(at("long"), &root, why, sizeof why), why);
  assert_int_equal(json_array_size(root), MANY);
  assert_true(json_number_value(json_array_get(root, MANY - 1)) == (MANY - 1) / 8.0);
  json_decref(root);
  assert_int_equal(unlink(at("long")), 0);
}

TEST(tables_are_thinned_by_rows_and_columns)
{
  const gradyn_csv_request request = {
      .most_cells = 6, .most_columns = 2, .least_rows = 3, .digits = 2};
  json_t *root;
  char why[256];
  write_text("table", "\"t, [s]\",x,y\n0,1.26,a b\n1,2,c\n2,-3.333,d\n3,4,e\n4,5,f\n5,6");
  assert_ok(gradyn_csv_read(at("table"), &request, &root, why, sizeof why), why);
  const json_t *columns = json_object_get(root, "columns");
  assert_int_equal(json_array_size(columns), 2);
  assert_string_equal(json_string_value(json_object_get(json_array_get(columns, 0), "name")),
                      "t, [s]");
  assert_string_equal(json_string_value(json_object_get(json_array_get(columns, 1), "values")),
                      "1.3 -3.3 5");
  assert_int_equal(json_integer_value(json_object_get(root, "rows_in_file")), 5);
  assert_int_equal(json_integer_value(json_object_get(root, "columns_in_file")), 3);
  assert_int_equal(json_integer_value(json_object_get(root, "torn")), 1);
  json_decref(root);
  write_text("table", "");
  assert_status(gradyn_csv_read(at("table"), &request, &root, why, sizeof why), GRADYN_INVALID,
                NULL);
  assert_string_equal(why, "it is empty");
  assert_int_equal(unlink(at("table")), 0);
}

TEST(texts_are_made_plain)
{
  char text[] = "a\nb\x1b[c\xff\xe2\x80\xae"
                "d\xc3\xa4";
  char again[sizeof text];
  memcpy(again, text, sizeof text);
  assert_string_equal(gradyn_plain(text, true), "a\nb?[c??d\xc3\xa4");
  assert_string_equal(gradyn_plain(again, false), "a?b?[c??d\xc3\xa4");
  /* characters that are not permitted in names: U+200E, U+200F, U+061C, U+2028, U+2029 */
  char marks[] = "\xe2\x80\x8e"
                 "1"
                 "\xe2\x80\x8f"
                 "2"
                 "\xd8\x9c"
                 "3"
                 "\xe2\x80\xa8"
                 "4"
                 "\xe2\x80\xa9";
  assert_string_equal(gradyn_plain(marks, true), "?1?2?3?4?");
  gradyn_text grown = {.at = NULL};
  for (int i = 0; i < 1000; i++)
    gradyn_text_add(&grown, "abc", 3);
  assert_true(grown.used == 3000 && strlen(grown.at) == 3000 && !grown.failed);
  free(grown.at);
}

/* A missing member gives no object. Bytes that are not valid UTF-8 are removed, also in keys. */
/* Texts of any length have the result of printf(). */
TEST(texts_of_any_length_are_formatted)
{
  for (int length = 0; length < 600; length++) {
    FREED char *text = gradyn_format("%*s", length, length > 0 ? "x" : "");
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    assert_true(length == 0 || text[length - 1] == 'x');
  }
}

TEST(json_is_upgraded_completely)
{
  json_t *root = json_object(), *array = json_array();
  gradyn_json_put(&root, "a\xff", gradyn_json_text("b\xff\xc3\xa4"));
  assert_string_equal(json_string_value(json_object_get(root, "a?")), "b?\xc3\xa4");
  gradyn_json_put(&root, "none", gradyn_json_number((double)NAN));
  assert_true(json_is_null(json_object_get(root, "none")));
  gradyn_json_put(&root, "no text", gradyn_json_text(NULL));
  assert_true(json_is_null(json_object_get(root, "no text")));
  gradyn_json_append(&array, NULL);
  assert_null(array);
  gradyn_json_append(&array, json_integer(1));
  assert_null(array);
  gradyn_json_put(&root, "array", array);
  assert_null(root);
  gradyn_json_put(&root, "more", json_integer(1));
  assert_null(root);
  assert_status(gradyn_json_write(root, stdout), GRADYN_NO_MEMORY, NULL);
}
