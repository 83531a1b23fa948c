/* Shared parts of declaring functions: errors, memory, names.
 *
 * Users do not check the results of declarations in build(). A fault is therefore recorded in the model,
 * and build() continues with harmless numbers. Arrays grow by doubling during the first build(). Later
 * builds only advance cursors. */
#include "core/model/declare.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/names.h"

/* Adds the message on a measure without a name; rest and args: what follows the name. */
static void add_unnamed(gradyn_model *model, const char *rest, va_list args)
{
  char text[512];
  (void)vsnprintf(text, sizeof text, rest, args);
  gradyn_message_add(&model->message, "a measure without a name%s", text);
}

/* Collects errors instead of returning them, so that the user sees all faults of a model at once. */
void gradyn_build_error(gradyn_model *model, const char *format, ...)
{
  if (!model)
    return;
  model->failed = true;
  if (model->exhausted)
    return; /* further faults are consequences of the missing memory */
  va_list args;
  va_start(args, format);
  /* formats such as "%s: ..." and "%s.mass ..." begin with the name of a declaration. The user may not have
   * given a name, and measures without a column have an empty one */
  const bool begins = strncmp(format, "%s:", 3) == 0 || strncmp(format, "%s.", 3) == 0;
  const char *first = begins ? va_arg(args, const char *) : "a name";
  if (!first)
    gradyn_message_add(&model->message, "a declaration has no name: it is NULL");
  else if (!*first)
    add_unnamed(model, format + 2, args);
  va_end(args);
  if (!first || !*first)
    return;
  va_start(args, format);
  gradyn_message_vadd(&model->message, format, args);
  va_end(args);
}

void gradyn_model_no_memory(gradyn_model *model, const char *what)
{
  gradyn_build_error(model, "out of memory for %s", what);
  model->exhausted = true;
}

/* Appends an item to a list. On failure the old array remains valid and belongs to the list. */
void *gradyn_model_append(gradyn_model *model, void *list, int *count, size_t size,
                          const void *item)
{
  const size_t used = (size_t)*count;
  void *array;
  memcpy(&array, list, sizeof array);
  /* capacities are powers of two, so the count alone determines when to grow */
  if (!(used & (used - 1))) {
    void *larger = realloc(array, (used == 0 ? 1 : 2 * used) * size);
    if (!larger) {
      gradyn_model_no_memory(model, "one more declaration");
      return NULL;
    }
    memcpy(list, &larger, sizeof larger);
    array = larger;
  }
  ++*count;
  return memcpy((char *)array + used * size, item, size);
}

/* Refuses names that cannot appear in column heads, messages and file names. */
void gradyn_model_check_name(gradyn_model *model, const char *name)
{
  const char *fault = gradyn_name_fault(name);
  if (!fault)
    return;
  char quoted[100], said[256];
  gradyn_name_quote(name, quoted, sizeof quoted);
  (void)snprintf(said, sizeof said, "the name \"%s\" %s", quoted, fault);
  /* one message for each name */
  if (!model->failed || !strstr(model->message.text, said))
    gradyn_build_error(model, "%s", said);
}

/* Whether model and specification exist. The message names the function that received NULL instead of a
 * specification. */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function)
{
  if (model && !spec)
    gradyn_build_error(model, "%s: the specification is NULL", function);
  return model && spec;
}

bool gradyn_model_named(gradyn_model *model, const char *name, const char *what)
{
  if (model && !(name && *name))
    gradyn_build_error(model, "%s has no name", what);
  return model && name && *name;
}

/* Copies a name, because users may form names in buffers of their own. */
char *gradyn_model_copy_name(gradyn_model *model, const char *name)
{
  gradyn_model_check_name(model, name ? name : "");
  size_t size = strlen(name ? name : "") + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, name ? name : "", size);
  else
    gradyn_model_no_memory(model, name ? name : "a name");
  return copy;
}

/* Forms a name. The k-th name of a later build() is the k-th of the first one. Its pointer must not change,
 * because names are recognised by address. Later builds therefore do not form names. */
const char *gradyn_format_name(gradyn_model *model, const char *format, ...)
{
  if (!model)
    return "";
  int k = model->names.cursor++;
  if (k < model->names.count)
    return model->names.name[k];
  if (model->finalised)
    /* The caller compares the counts with those of the first build(). */
    return "one more"; /* the count of the named elements has changed as well, which is reported */
  if (!gradyn_model_named(model, format, "the format of a name"))
    return "";
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  /* the length first: each use consumes a copy of the argument list */
  int length = vsnprintf(NULL, 0, format, args);
  char *name = length < 0 ? NULL : malloc((size_t)length + 1);
  if (name)
    (void)vsnprintf(name, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  if (!name)
    gradyn_model_no_memory(model, "a name");
  else if (gradyn_model_append(model, &model->names.name, &model->names.count, sizeof name, &name))
    return name;
  free(name);
  return "";
}

/* A name found in the list lives as long as the model. */
bool gradyn_model_formed(const gradyn_model *model, const char *name)
{
  /* callers pass names that were just formed, which are at the end of the list */
  enum { RECENT = 8 };
  for (int k = model->names.count - 1; k >= 0 && k >= model->names.count - RECENT; k--)
    if (model->names.name[k] == name)
      return true;
  return false;
}

/* The number of an element by its name, "kind" or "kind-7"; 0: it has another name. */
static int number_of(const char *name, const char *kind)
{
  const size_t length = strlen(kind);
  if (strncmp(name, kind, length) != 0)
    return 0;
  const char *rest = name + length;
  char *end = NULL;
  if (*rest == '\0')
    return 1;
  const long number = *rest == '-' ? strtol(rest + 1, &end, 10) : 0;
  return number > 1 && number < INT_MAX && *end == '\0' ? (int)number : 0;
}

const char *gradyn_own_name(gradyn_model *model, const char *name, const char *kind)
{
  if (name || !model)
    return name ? name : kind;
  int last = 0;
  /* from the last name backwards; in a later build() the name exists already */
  for (int k = model->names.count - 1; !model->finalised && k >= 0 && last == 0; k--)
    last = number_of(model->names.name[k], kind);
  return last == 0 ? gradyn_format_name(model, "%s", kind)
                   : gradyn_format_name(model, "%s-%d", kind, last + 1);
}

int gradyn_index(gradyn_model *model, const char *element, const char *kind, int id, int count)
{
  const char *own = element ? element : "a declaration";
  const int first = gradyn_first_id(model);
  if (id >= first && id - first < count)
    return id - first;
  const bool left_out = id == 0 && first == 1;
  if (left_out && !model->failed)
    gradyn_build_error(model, "%s: no %s is given (its number is 0); numbers count from 1", own,
                       kind);
  else if (!left_out)
    gradyn_build_error(model, "%s: %s %d has not been declared (there are %d)", own, kind, id,
                       count);
  return -1;
}

gradyn_status gradyn_build_status(gradyn_model *model)
{
  if (!model)
    return GRADYN_INVALID;
  if (model->exhausted)
    return GRADYN_NO_MEMORY;
  return model->failed ? GRADYN_INVALID : GRADYN_OK;
}

void *gradyn_user(const gradyn_model *model)
{
  return model && model->problem ? model->problem->user : NULL;
}

/* Settings select the structure; parameters change numbers only. */
int gradyn_setting_value(gradyn_model *model, const char *name)
{
  if (!gradyn_model_named(model, name, "a setting that build() asks for"))
    return 0;
  /* a choice of the user overrides the default of the problem */
  for (size_t i = 0; i < model->settings.count; i++)
    if (strcmp(model->settings.choice[i].name, name) == 0)
      return model->settings.choice[i].value;
  for (size_t i = 0; i < model->problem->setting_count; i++)
    if (strcmp(model->problem->settings[i].name, name) == 0)
      return model->problem->settings[i].init;
  gradyn_build_error(model, "build() asks for the setting '%s', which the problem does not have",
                     name);
  return 0;
}
