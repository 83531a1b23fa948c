/* Members of JSON files by their present names. */
#include "core/files/upgrade.h"

#include <stdio.h>
#include <string.h>

#include "core/base/message.h"
#include "core/files/read.h"

/* A member or a text of format 1. in: the member that contains the object, or the array of objects; "":
 * any. text: the value of member `in` changes, not the name of a member. */
typedef struct renaming {
  const char *in, *old, *now;
  bool text;
} renaming;

static const renaming table[] = {
    /* --- Written by scripts/compat.py from scripts/names.tsv --- */
    {"", "ending", "termination", false},
    {"", "recheck", "discretisation", false},
    {"recheck", "moved", "change", false},
    {"recheck", "moved_most", "changed_most", false},
    {"", "limits", "path_constraints", false},
    {"limits", "sides", "bounds", false},
    {"limits", "rows", "points", false},
    {"", "cuts", "segment_times", false},
    {"events", "time", "t", false},
    {"events", "which", "occurrence", false},
    {"events", "behind", "after", false},
    {"", "gaps", "defects", false},
    {"", "march", "options", false},
    {"links", "left", "reason", false},
    {"", "verdict", "stability", false},
    {"use", "limit", "path-constraint", true},
    {"state", "at work", "running", true},
    {"motion", "resting", "equilibrium", true},
    {"motion", "passing", "transient", true},
    /* --- End of the written part --- */
};

enum { COUNT = sizeof table / sizeof table[0] };

/* Renames the members of one object, which is in member `in`. */
static bool rename_members(json_t *object, const char *in)
{
  bool good = true;
  for (size_t i = 0; i < COUNT && good; i++) {
    const renaming *r = &table[i];
    json_t *value = json_object_get(object, r->text ? r->in : r->old);
    if (value == NULL)
      continue;
    if (r->text && json_is_string(value) && strcmp(json_string_value(value), r->old) == 0)
      good = json_object_set_new(object, r->in, json_string(r->now)) == 0;
    else if (!r->text && (r->in[0] == '\0' || strcmp(r->in, in) == 0))
      good = json_object_set(object, r->now, value) == 0 && json_object_del(object, r->old) == 0;
  }
  return good;
}

/* Renames inner members first: the table has the old names of the outer ones. */
static bool upgrade(json_t *value, const char *in)
{
  bool good = true;
  const char *key = NULL;
  json_t *member = NULL;
  size_t i = 0;
  json_object_foreach(value, key, member) if (strcmp(key, "settings") != 0)
      good = good && upgrade(member, key);
  json_array_foreach(value, i, member) good = good && upgrade(member, in);
  return good && (!json_is_object(value) || rename_members(value, in));
}

gradyn_status gradyn_upgrade(json_t *root)
{
  return upgrade(root, "") ? GRADYN_OK : GRADYN_NO_MEMORY;
}

gradyn_status gradyn_upgrade_read(const char *path, json_t **root, char why[], size_t size)
{
  GRADYN_TRY(gradyn_read_json(path, root, why, size));
  const json_t *found = json_object_get(*root, "format");
  const json_int_t format = json_is_integer(found) ? json_integer_value(found) : 1;
  gradyn_status status = GRADYN_OK;
  if (format > GRADYN_FILE_FORMAT) {
    (void)snprintf(why, size,
                   "its format is %lld; this version reads up to format %d. "
                   "Install a newer gradyn",
                   (long long)format, GRADYN_FILE_FORMAT);
    status = GRADYN_INVALID;
  } else if (format < GRADYN_FILE_FORMAT) {
    status = gradyn_upgrade(*root);
    if (status != GRADYN_OK)
      (void)snprintf(why, size, "out of memory");
  }
  if (status == GRADYN_OK)
    return GRADYN_OK;
  json_decref(*root);
  *root = NULL;
  return status;
}
