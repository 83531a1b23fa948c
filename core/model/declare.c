/* What declaring functions have in common: errors, room, names.
 *
 * Declarations come as calls from build(), of which nobody checks the result: what is wrong is
 * noted in the model, the first of it as its message, and the rest of build() goes on with
 * numbers that do no harm. Arrays grow by doubling while the structure is being declared; a
 * sealed model only counts along. */
#include "core/model/declare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/names.h"

/* Collected, not returned: build() goes on, and the user sees all faults of a model at once. */
void gradyn_build_error(gradyn_model *model, const char *format, ...)
{
  if (!model)
    return;
  model->failed = true;
  if (model->exhausted)
    return; /* whatever is missing now is missing for want of memory */
  va_list args;
  va_start(args, format);
  gradyn_message_vadd(&model->message, format, args);
  va_end(args);
}

void gradyn_model_no_memory(gradyn_model *model, const char *what)
{
  gradyn_build_error(model, "out of memory for %s", what);
  model->exhausted = true;
}

/* The array with room for entry `count`, which is zero; NULL leaves the old array to its owner. */
void *gradyn_model_append(gradyn_model *model, void *list, int *count, size_t size,
                          const void *item)
{
  const size_t used = (size_t)*count;
  void *array;
  memcpy(&array, list, sizeof array);
  if (!(used & (used - 1))) { /* capacities are powers of two: the count alone tells when to grow */
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

/* Names go into column heads, messages and file names: what would break these is refused here. */
void gradyn_model_check_name(gradyn_model *model, const char *name)
{
  const char *fault = gradyn_name_fault(name);
  if (!fault)
    return;
  char quoted[100];
  gradyn_name_quote(name, quoted, sizeof quoted);
  /* named in full already: one message for one name */
  if (model->failed && strstr(model->message.text, quoted))
    return;
  gradyn_build_error(model, "the name \"%s\" %s", quoted, fault);
}

/* A specification is data of the user: NULL is told with the function that was given it. */
bool gradyn_model_given(gradyn_model *model, const void *spec, const char *function)
{
  if (model && !spec)
    gradyn_build_error(model, "%s is given NULL instead of a specification", function);
  return model && spec;
}

bool gradyn_model_named(gradyn_model *model, const char *name, const char *what)
{
  if (model && !(name && *name))
    gradyn_build_error(model, "%s has no name", what);
  return model && name && *name;
}

/* Copied, since users form names in buffers of their own; "" for none. */
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

/* The k-th name formed in a build() is the k-th of the first one: later calls form nothing, so
 * that the pointer, by which names are recognised, stays the same. */
const char *gradyn_name(gradyn_model *model, const char *format, ...)
{
  if (!model)
    return "";
  int k = model->names.cursor++;
  if (k < model->names.count)
    return model->names.name[k];
  if (model->finalised)
    /* the caller compares counts with those of the first call */
    return "one more"; /* than before, of what it names: that will be told */
  if (!gradyn_model_named(model, format, "the format of a name"))
    return "";
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  /* measured first, since a copy of the list is consumed by each use */
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

/* Whether the pointer is one of the names formed last, and so lives as long as the model. */
bool gradyn_model_formed(const gradyn_model *model, const char *name)
{
  /* a name that was just formed stands at the end of the list; older ones are not asked about */
  enum { RECENT = 8 };
  for (int k = model->names.count - 1; k >= 0 && k >= model->names.count - RECENT; k--)
    if (model->names.name[k] == name)
      return true;
  return false;
}
