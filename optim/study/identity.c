/* Description of everything on which a result depends, and comparison of two descriptions.
 *
 * The bits of a result depend on the problem with its numbers, parameters and functionals, on the search,
 * and on the options of the run. They also depend on compilers, libraries and processor registers. The
 * header of a journal has all of these. When a search is resumed, differences are reported but permitted,
 * because an evaluation is repeated and compared (replay.c). The repetition does not use the libraries that
 * only an optimiser uses. A search by Ipopt is therefore resumed only with the same libraries. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "optim/study/identity.h"

#include <errno.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_version.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/base/loaded.h"
#include "core/files/json.h"
#include "core/linear/lanes.h"
#include "optim/drivers/algorithms.h"
#include "optim/study/account.h"
#include "optim/study/journal.h"
#include "optim/study/options.h"

/* --- Describing ------------------------------------------------------------------------------- */

/* Describes the parameters: names, bounds, scales, start, and which are free. */
static json_t *parameters(const gradyn_objective *objective, const gradyn_search *search,
                          const double rho0[])
{
  json_t *array = json_array();
  for (size_t i = 0; i < objective->parameter_count; i++) {
    const gradyn_parameter_info *info = &objective->parameters[i];
    const bool varied = search->vary != NULL ? search->vary[i] : !info->fixed;
    json_t *item = json_object();
    gradyn_json_put(&item, "name", gradyn_json_text(info->name));
    gradyn_json_put(&item, "declared", gradyn_journal_number(info->init));
    gradyn_json_put(&item, "lower", gradyn_journal_number(info->lower));
    gradyn_json_put(&item, "upper", gradyn_journal_number(info->upper));
    gradyn_json_put(&item, "scale", gradyn_journal_number(info->scale));
    gradyn_json_put(&item, "start", gradyn_journal_number(rho0[i]));
    /* varied: the list of the search replaces the choice of the problem */
    gradyn_json_put(&item, "varied", json_boolean(varied));
    gradyn_json_append(&array, item);
  }
  return array;
}

/* Describes the functionals: names and uses. */
static json_t *functionals(const gradyn_objective *objective)
{
  json_t *array = json_array();
  for (size_t i = 0; i < objective->functional_count; i++) {
    const gradyn_functional_info *info = &objective->functionals[i];
    json_t *item = json_object();
    gradyn_json_put(&item, "name", gradyn_json_text(info->name));
    gradyn_json_put(&item, "use", json_integer((json_int_t)info->use));
    gradyn_json_put(&item, "weight", gradyn_journal_number(info->weight));
    gradyn_json_put(&item, "bound", gradyn_journal_number(info->bound));
    gradyn_json_put(&item, "tolerance", gradyn_journal_number(info->tolerance));
    gradyn_json_append(&array, item);
  }
  return array;
}

/* Describes the options of the search, which determine its points. */
static json_t *searching(const gradyn_search *search)
{
  json_t *item = json_object();
  gradyn_account_search(&item, search);
  if (search->objective == NULL)
    gradyn_json_put(&item, "objective", json_null());
  return item;
}

/* Functions of LAPACK and BLAS: the address of a function identifies its library. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dscal_(const int *n, const double *alpha, double *x, const int *incx);

/* Adds the file of the library that contains a function; "?" if it is not known. */
static void put_library(json_t **build, const char *name, const void *address)
{
  const char *file = gradyn_loaded_from(address);
  errno = 0;
  char *path = file != NULL ? realpath(file, NULL) : NULL;
  /* a library whose file was replaced has no path, which is permitted; a lack of memory is a failure */
  const bool starved = path == NULL && errno == ENOMEM;
  gradyn_json_put(build, name, starved ? NULL : gradyn_json_text(path != NULL ? path : "?"));
  free(path);
}

/* Adds the libraries of LAPACK and BLAS, and their number of threads if it is known. */
static void put_lapack(json_t **build)
{
  /* only the addresses of the functions are used */
  void (*const factor)(const int *, const int *, double *, const int *, int *, int *) = dgetrf_;
  void (*const scale)(const int *, const double *, double *, const int *) = dscal_;
  void *address = NULL;
  memcpy(&address, &factor, sizeof address);
  put_library(build, "lapack", address);
  memcpy(&address, &scale, sizeof address);
  put_library(build, "blas", address);
  int (*threads)(void) = NULL;
  /* with several threads, OpenBLAS sums in another order */
  void *symbol = gradyn_loaded_function("openblas_get_num_threads");
  memcpy(&threads, &symbol, sizeof threads);
  gradyn_json_put(build, "lapack_threads", json_integer(threads != NULL ? threads() : 1));
}

/* Adds the libraries that only this algorithm uses. Their file names contain versions. lacks() loads the
 * libraries if necessary. */
static void put_driver(json_t **build, const gradyn_algorithm *algorithm)
{
  const gradyn_driver *driver = algorithm->driver;
  (void)driver->lacks(algorithm);
  if (driver->version != NULL)
    gradyn_json_put(build, driver->name, gradyn_json_text(driver->version));
  for (size_t i = 0; i < driver->library_count; i++)
    put_library(build, driver->library[i].name,
                gradyn_loaded_function(driver->library[i].function));
}

/* Describes the compilers, libraries and registers that are used. */
static json_t *building(const gradyn_search *search)
{
  json_t *item = json_object();
  int major = 0, minor = 0, bugfix = 0;
  char version[64];
  nlopt_version(&major, &minor, &bugfix);
  (void)snprintf(version, sizeof version, "%d.%d.%d", major, minor, bugfix);
  /* compilers affect round-off */
  gradyn_json_put(&item, "compiler", gradyn_json_text(__VERSION__));
  gradyn_json_put(&item, "nlopt", gradyn_json_text(version));
  if (SUNDIALSGetVersion(version, (int)sizeof version) != 0)
    strcpy(version, "?");
  gradyn_json_put(&item, "sundials", gradyn_json_text(version));
  /* gradyn gives the same bits with 256-bit registers; libraries may not */
  gradyn_json_put(&item, "registers", gradyn_json_text(gradyn_lanes_registers()));
  put_lapack(&item);
  const gradyn_algorithm *algorithm = search->algorithm != NULL
                                          ? gradyn_algorithm_find(search->algorithm)
                                          : NULL;
  if (algorithm != NULL)
    put_driver(&item, algorithm);
  return item;
}

json_t *gradyn_identity(const gradyn_objective *objective, const gradyn_evaluator *evaluator,
                        const gradyn_search *search, const double rho0[])
{
  json_t *root = json_object();
  /* version, problem and options describe the computation, all others its tools */
  gradyn_json_put(&root, "gradyn", gradyn_json_text(gradyn_version()));
  if (evaluator != NULL) {
    gradyn_json_put(&root, "problem", gradyn_json_text(evaluator->problem->name));
    gradyn_json_put(&root, "settings", gradyn_account_settings(evaluator));
    gradyn_json_put(&root, "options", gradyn_options_identity(&evaluator->options));
    if (gradyn_evaluator_model_info(evaluator).cases > 0)
      gradyn_json_put(&root, "cases", gradyn_account_cases(evaluator));
  }
  gradyn_json_put(&root, "search", searching(search));
  gradyn_json_put(&root, "parameters", parameters(objective, search, rho0));
  gradyn_json_put(&root, "functionals", functionals(objective));
  gradyn_json_put(&root, "build", building(search));
  return root;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* Writes a value as a short text to buffer [size], and returns it. */
static const char *show(const json_t *value, char *buffer, size_t size)
{
  /* in the form in which users write it */
  if (json_is_string(value))
    (void)snprintf(buffer, size, "%s", json_string_value(value));
  else if (json_is_number(value))
    (void)snprintf(buffer, size, "%.17g", json_number_value(value));
  else
    (void)snprintf(buffer, size, "%s",
                   json_is_true(value)    ? "on"
                   : json_is_false(value) ? "off"
                   : json_is_null(value)  ? "not set"
                                          : "missing");
  return buffer;
}

static void compare(const char *path, const json_t *then, const json_t *now,
                    gradyn_message *message);

/* Compares two arrays, entry by entry. */
static void compare_arrays(const char *path, const json_t *then, const json_t *now,
                           gradyn_message *message)
{
  const size_t count = json_array_size(then);
  if (count != json_array_size(now))
    gradyn_message_add(message, "the number of %s was %zu and is %zu", path, count,
                       json_array_size(now));
  /* entries are named by their member `name`, if they have one */
  for (size_t i = 0; i < count && i < json_array_size(now); i++) {
    const json_t *item = json_array_get(then, i);
    const char *name = json_string_value(json_object_get(item, "name"));
    char longer[256];
    (void)snprintf(longer, sizeof longer, "%s %s", path, name != NULL ? name : "");
    compare(longer, item, json_array_get(now, i), message);
  }
}

/* Compares two values, and reports each number or text in them that differs, with its path. */
static void compare(const char *path, const json_t *then, const json_t *now,
                    gradyn_message *message)
{
  char was[128], is[128], longer[256];
  const char *key = NULL;
  json_t *value = NULL;
  /* new members are not compared: the old version did not know them */
  if (json_is_object(then) && json_is_object(now)) {
    json_object_foreach((json_t *)then, key, value)
    {
      (void)snprintf(longer, sizeof longer, "%s%s%s", path, *path != '\0' ? "." : "", key);
      compare(longer, value, json_object_get(now, key), message);
    }
    return;
  }
  /* the members of an object are reported one by one, other values as a whole */
  if (json_is_array(then) && json_is_array(now))
    compare_arrays(path, then, now, message);
  else if (!json_equal(then, now))
    gradyn_message_add(message, "%s was %s and is %s", path, show(then, was, sizeof was),
                       show(now, is, sizeof is));
}

/* Whether a member describes only the file, not the search. */
static bool of_the_file(const char *key)
{
  return strcmp(key, "sum") == 0 || strcmp(key, "journal") == 0 ||
         strcmp(key, "parameter_count") == 0 || strcmp(key, "functional_count") == 0;
}

void gradyn_identity_compare(const json_t *then, const json_t *now, gradyn_message *message)
{
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach((json_t *)then, key, value) if (!of_the_file(key))
      compare(key, value, json_object_get(now, key), message);
}

/* Checks that the parameters, or functionals, have the same names. */
static gradyn_status check_names(const char *kind, const json_t *then, const json_t *now,
                                 gradyn_message *message)
{
  const json_t *a = json_object_get(then, kind), *b = json_object_get(now, kind);
  /* also in the same order, because numbers in rho and psi have no names */
  for (size_t i = 0; i < json_array_size(b); i++) {
    const char *was = json_string_value(json_object_get(json_array_get(a, i), "name"));
    const char *is = json_string_value(json_object_get(json_array_get(b, i), "name"));
    if (was == NULL || is == NULL || strcmp(was, is) != 0)
      return gradyn_fail(message, GRADYN_INVALID,
                         "the journal belongs to another problem: %s %zu was %s and is %s", kind,
                         i + 1, was != NULL ? was : "missing", is != NULL ? is : "missing");
  }
  return GRADYN_OK;
}

/* Checks that an optimiser with libraries of its own has the same ones as before. */
static gradyn_status check_libraries(const json_t *then, const json_t *now, gradyn_message *message)
{
  const char *const common[] = {"blas", "lapack", "lapack_threads"};
  enum { COMMON = sizeof common / sizeof common[0] };
  const json_t *was = json_object_get(then, "build"), *is = json_object_get(now, "build");
  const char *name = json_string_value(
      json_object_get(json_object_get(now, "search"), "algorithm"));
  const json_t *before = json_object_get(json_object_get(then, "search"), "algorithm");
  const gradyn_algorithm *algorithm = name != NULL ? gradyn_algorithm_find(name) : NULL;
  if (algorithm == NULL || algorithm->driver->library_count == 0 ||
      strcmp(name, json_is_string(before) ? json_string_value(before) : "") != 0)
    return GRADYN_OK;
  for (size_t i = 0; i < COMMON + 1 + algorithm->driver->library_count; i++) {
    char old[128], new[128];
    const char *key = i < COMMON    ? common[i]
                      : i == COMMON ? algorithm->driver->name
                                    : algorithm->driver->library[i - COMMON - 1].name;
    const json_t *a = json_object_get(was, key), *b = json_object_get(is, key);
    if (a != NULL && !json_equal(a, b))
      return gradyn_fail(message, GRADYN_INVALID,
                         "journal: written by %s with %s %s, here %s; another library changes the "
                         "iterates. Resume with the same library",
                         name, key, show(a, old, sizeof old), show(b, new, sizeof new));
  }
  return GRADYN_OK;
}

/* Checks that the warm start is the same. */
static gradyn_status check_warm_start(const json_t *then, const json_t *now,
                                      gradyn_message *message)
{
  const json_t *was = json_object_get(json_object_get(then, "search"), "warm_start"),
               *is = json_object_get(json_object_get(now, "search"), "warm_start");
  if (was == is || json_equal(was, is))
    return GRADYN_OK;
  return gradyn_fail(
      message, GRADYN_INVALID,
      "the journal belongs to a search with %s warm start: begin this search in the same way",
      was == NULL  ? "no"
      : is == NULL ? "a"
                   : "another");
}

gradyn_status gradyn_identity_check(const json_t *then, const json_t *now, gradyn_message *message)
{
  const char *was = json_string_value(json_object_get(then, "problem"));
  const char *is = json_string_value(json_object_get(now, "problem"));
  /* if a name is missing, the other tests decide */
  if (was != NULL && is != NULL && strcmp(was, is) != 0)
    return gradyn_fail(message, GRADYN_INVALID, "the journal belongs to problem %s, not to %s", was,
                       is);
  /* all other differences may be harmless: the repeated evaluation decides */
  GRADYN_TRY(check_names("parameters", then, now, message));
  GRADYN_TRY(check_names("functionals", then, now, message));
  GRADYN_TRY(check_warm_start(then, now, message));
  return check_libraries(then, now, message);
}
