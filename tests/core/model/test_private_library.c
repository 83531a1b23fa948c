/* The library is loaded with RTLD_LOCAL, as interpreters of other languages do. Problems in shared objects
 * must still find its functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include <gradyn/gradyn.h>

/* Pointers to the used functions, found by their names. */
static struct library {
  void *handle;
  gradyn_status (*registry_create)(const gradyn_registry_spec *spec, gradyn_registry **out);
  gradyn_status (*registry_find)(gradyn_registry *registry, const char *name,
                                 const gradyn_problem **problem);
  const char *(*registry_message)(const gradyn_registry *registry);
  void (*registry_free)(gradyn_registry *registry);
  void (*options_default)(const gradyn_problem *problem, gradyn_options *options);
  gradyn_status (*evaluator_create)(const gradyn_problem *problem, const gradyn_options *options,
                                    const gradyn_setting_choice *settings, size_t setting_count,
                                    gradyn_evaluator **out);
  gradyn_status (*simulate)(gradyn_evaluator *evaluator, const double rho[], double psi[],
                            gradyn_trajectory *trajectory);
  void (*evaluator_free)(gradyn_evaluator *evaluator);
} gradyn;

static void find(const char *name, void *function)
{
  void *found = dlsym(gradyn.handle, name);
  assert_non_null(found);
  memcpy(function, &found, sizeof found);
}

static void open_library(void)
{
  gradyn.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (gradyn.handle == NULL)
    fail_msg("%s", dlerror());
  /* the symbols must not be global, which is the condition of this test */
  assert_null(dlsym(RTLD_DEFAULT, "gradyn_state"));
  find("gradyn_registry_create", &gradyn.registry_create);
  find("gradyn_registry_find", &gradyn.registry_find);
  find("gradyn_registry_message", &gradyn.registry_message);
  find("gradyn_registry_free", &gradyn.registry_free);
  find("gradyn_options_default", &gradyn.options_default);
  find("gradyn_evaluator_create", &gradyn.evaluator_create);
  find("gradyn_evaluator_simulate", &gradyn.simulate);
  find("gradyn_evaluator_free", &gradyn.evaluator_free);
}

/* Simulates a problem from a file. */
static void use(const char *path)
{
  gradyn_registry *registry = NULL;
  const gradyn_problem *problem = NULL;
  gradyn_options options = {.struct_size = sizeof options};
  gradyn_evaluator *evaluator = NULL;
  const double rho[] = {0.5, 1, 2, 0, 0.5, 1};
  double psi[2] = {0};
  assert_int_equal(gradyn.registry_create(NULL, &registry), GRADYN_OK);
  if (gradyn.registry_find(registry, path, &problem) != GRADYN_OK)
    fail_msg("%s", gradyn.registry_message(registry));
  gradyn.options_default(problem, &options);
  assert_int_equal(gradyn.evaluator_create(problem, &options, NULL, 0, &evaluator), GRADYN_OK);
  assert_int_equal(gradyn.simulate(evaluator, rho, psi, NULL), GRADYN_OK);
  /* (0.5 - 3)^2 + (1 + 1)^2 + (2 - 1)^2 + (0 - 0.5)^2 + (1 - 0.5)^2 */
  assert_true(fabs(psi[0] - 11.75) < 1e-8);
  gradyn.evaluator_free(evaluator);
  gradyn.registry_free(registry);
}

static void one_that_names_the_library_leaves_it_private(void **state)
{
  (void)state;
  open_library();
  use(LINKED_PROBLEM);
  /* a library loaded later must not see gradyn's symbols, nor its LAPACK */
  assert_null(dlsym(RTLD_DEFAULT, "gradyn_state"));
  assert_null(dlsym(RTLD_DEFAULT, "dgetrf_"));
}

static void problems_find_a_library_that_is_private(void **state)
{
  (void)state;
  use(PROBLEM);
  assert_int_equal(dlclose(gradyn.handle), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_that_names_the_library_leaves_it_private),
      cmocka_unit_test(problems_find_a_library_that_is_private),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
