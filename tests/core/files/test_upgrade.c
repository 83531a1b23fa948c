/* Files of format 1: after reading, their members have the present names. */
#include "tests/support.h"

#include <unistd.h>

#include <jansson.h>

#include "core/files/json_read.h"
#include "core/files/upgrade.h"
#include "tests/folder.h"

static char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];

BEFORE_TESTS(make_folder)
{
  assert_true(folder_create("upgrade", folder));
  (void)snprintf(path, sizeof path, "%s/text", folder);
}

AFTER_TESTS(remove_folder)
{
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void write_text(const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  (void)fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static const struct {
  const char *old, *now;
} cases[] = {
    {"{\"ending\": \"optimal\"}", "{\"termination\": \"optimal\"}"},
    {"{\"points\": [{\"ending\": \"stopped\", \"limit\": 1}]}",
     "{\"points\": [{\"termination\": \"stopped\", \"limit\": 1}]}"},
    {"{\"recheck\": {\"moved\": 2, \"moved_most\": \"x\", \"step\": 1}}",
     "{\"discretisation\": {\"change\": 2, \"changed_most\": \"x\", \"step\": 1}}"},
    {"{\"limits\": {\"rounds\": 1, \"sides\": [], \"rows\": [{\"t\": 1}]}}",
     "{\"path_constraints\": {\"rounds\": 1, \"bounds\": [], \"points\": [{\"t\": 1}]}}"},
    {"{\"events\": [{\"time\": 1, \"which\": 2}], \"time\": {\"simulate_s\": 1}}",
     "{\"events\": [{\"t\": 1, \"occurrence\": 2}], \"time\": {\"simulate_s\": 1}}"},
    {"{\"functionals\": [{\"use\": \"limit\", \"name\": \"limit\"}]}",
     "{\"functionals\": [{\"use\": \"path-constraint\", \"name\": \"limit\"}]}"},
    /* names of settings belong to the problem; members of other tables keep their name */
    {"{\"settings\": {\"ending\": 1, \"limits\": 2}}",
     "{\"settings\": {\"ending\": 1, \"limits\": 2}}"},
    {"{\"table\": {\"rows\": 3, \"moved\": 1}}", "{\"table\": {\"rows\": 3, \"moved\": 1}}"},
    /* a file of the present format is not changed, whatever names it has */
    {"{\"format\": 2, \"ending\": 1}", "{\"format\": 2, \"ending\": 1}"},
};

TEST(old_members_get_the_present_names)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    json_t *root = NULL, *wanted = json_loads(cases[i].now, 0, NULL);
    char why[128] = "";
    write_text(cases[i].old);
    assert_ok(gradyn_upgrade_read(path, &root, why, sizeof why), why);
    if (!json_equal(root, wanted))
      fail_msg("%s is read as another value than %s", cases[i].old, cases[i].now);
    json_decref(root);
    json_decref(wanted);
  }
}

TEST(a_newer_format_is_refused)
{
  json_t *root = NULL;
  char why[128] = "";
  write_text("{\"format\": 3}");
  assert_status(gradyn_upgrade_read(path, &root, why, sizeof why), GRADYN_INVALID, NULL);
  assert_null(root);
  assert_says(why, "its format is 3; this version reads up to format 2");
}
