/* Recorded options of a study, for a program that resumes it. */
#include <stdio.h>
#include <string.h>

#include "adjoint/method.h"
#include "core/base/owned.h"
#include "core/files/upgrade.h"
#include "core/files/text.h"
#include "optim/drivers/algorithms.h"
#include "optim/study/account.h"
#include <gradyn/study.h>

static const char *text_of(const json_t *settings, const char *key)
{
  return json_string_value(json_object_get(settings, key));
}

/* Reads a number into *value if it is recorded. */
static void take_number(const json_t *settings, const char *key, double *value)
{
  const json_t *found = json_object_get(settings, key);
  if (json_is_number(found))
    *value = json_number_value(found);
}

/* Returns the recorded coordinates. Older studies do not record them and use natural ones. */
static const char *coordinates_of(const json_t *settings)
{
  const char *name = text_of(settings, "coordinates");
  return name && strcmp(name, "joint") == 0 ? "joint" : "natural";
}

/* Reads the options of the runs. The method remains unnamed if it is the default. Returns false if there is
 * no such method. */
static bool take_options(const json_t *settings, gradyn_options *options)
{
  const char *name = text_of(settings, "method");
  const gradyn_method *method = name ? gradyn_method_find(name) : NULL;
  if (method && (!options->method || strcmp(options->method, name) != 0))
    options->method = method->name;
  options->coordinates = coordinates_of(settings);
  options->step = 0; /* a step is recorded only for a method with fixed steps */
  take_number(settings, "step", &options->step);
  take_number(settings, "rtol", &options->rtol);
  take_number(settings, "atol", &options->atol);
  return method || !name;
}

/* Reads algorithms and tolerances. Returns false if there is no such algorithm. */
static bool take_search(const json_t *settings, gradyn_search *search)
{
  const char *name = text_of(settings, "algorithm"), *then = text_of(settings, "then");
  const gradyn_algorithm *first = name ? gradyn_algorithm_find(name) : NULL;
  const gradyn_algorithm *second = then ? gradyn_algorithm_find(then) : NULL;
  if (first) {
    search->algorithm = first->name;
    search->then = second ? second->name : NULL;
  }
  take_number(settings, "ftol", &search->ftol);
  take_number(settings, "xtol", &search->xtol);
  take_number(settings, "optimality", &search->optimality);
  return (first || !name) && (second || !then);
}

gradyn_status gradyn_study_read_settings(const char *folder, gradyn_options *options,
                                         gradyn_search *search, char message[], size_t size)
{
  char why[256];
  const char *fault = search ? gradyn_search_fault(search) : NULL;
  if (!fault && options && options->struct_size != sizeof *options)
    fault = "gradyn_options: struct_size is not that of this gradyn. Fill it by "
            "gradyn_options_default()";
  if (fault) {
    (void)snprintf(message, size, "%s", fault);
    return GRADYN_INVALID;
  }
  json_auto_t *settings = NULL;
  FREED char *path = folder ? gradyn_format("%s/settings.json", folder) : NULL;
  if (!path) {
    (void)snprintf(message, size, folder ? "out of memory" : "the folder is NULL");
    return folder ? GRADYN_NO_MEMORY : GRADYN_INVALID;
  }
  const gradyn_status status = gradyn_upgrade_read(path, &settings, why, sizeof why);
  if (status != GRADYN_OK) {
    (void)snprintf(message, size, "'%s' cannot be read: %s", path, why);
    return status;
  }
  if ((!options || take_options(settings, options)) && (!search || take_search(settings, search)))
    return GRADYN_OK;
  (void)snprintf(message, size,
                 "'%s' names a method or an algorithm that this version does not have", path);
  return GRADYN_INVALID;
}
