/* Options in study files: recorded ones are read again, and options without a meaning are not recorded. */
#include "tests/support.h"

#include <math.h>
#include <string.h>

#include "optim/study/options.h"

/* Options with a different value for each. */
static gradyn_options whole(void)
{
  return (gradyn_options){.method = "ali3p",
                          .sensitivity = "differences",
                          .rtol = 1,
                          .atol = 2,
                          .rtol_sens = 3,
                          .step = 4,
                          .integrator = "hht",
                          .integrator_parameter = -0.25,
                          .penalty = 6,
                          .projection_penalty = 7,
                          .quadrature = 8,
                          .order = 9,
                          .memory = 10,
                          .t_end = 11,
                          .baumgarte_alpha = 12,
                          .baumgarte_beta = 13,
                          .staggered = true,
                          .perturbation = 15,
                          .max_steps = 16,
                          .evaluation_seconds = 17};
}

/* A member of an identity as a number; texts and switches are converted. */
static double number_of(const json_t *root, const char *key)
{
  const json_t *value = json_object_get(root, key);
  assert_non_null(value);
  return json_number_value(value);
}

TEST(identity_has_every_option)
{
  static const char *const key[] = {"rtol",
                                    "atol",
                                    "rtol_sens",
                                    "step",
                                    "penalty",
                                    "projection_penalty",
                                    "quadrature",
                                    "order",
                                    "memory",
                                    "t_end",
                                    "baumgarte_alpha",
                                    "baumgarte_beta",
                                    "perturbation",
                                    "max_steps",
                                    "evaluation_seconds"};
  static const double value[] = {1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17};
  gradyn_options march = whole();
  json_t *root = gradyn_options_identity(&march);
  for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
    assert_close(number_of(root, key[i]), value[i], 0, 0);
  assert_close(number_of(root, "integrator_parameter"), -0.25, 0, 0);
  assert_string_equal(json_string_value(json_object_get(root, "method")), "ali3p");
  assert_true(json_is_true(json_object_get(root, "staggered")));
  /* all but who cancels */
  assert_int_equal(json_object_size(root), 20);
  json_decref(root);
  march.integrator = NULL;
  march.step = HUGE_VAL;
  root = gradyn_options_identity(&march);
  assert_true(json_is_null(json_object_get(root, "integrator")));
  assert_string_equal(json_string_value(json_object_get(root, "step")), "inf");
  json_decref(root);
}

TEST(recorded_options_are_restored)
{
  const gradyn_options march = whole();
  gradyn_options again = {.quadrature = 0.5, .memory = 1, .evaluation_seconds = 2};
  json_t *root = json_object();
  gradyn_options_report(&root, &march);
  gradyn_options_recall(root, &again);
  assert_string_equal(again.method, "ali3p");
  assert_string_equal(again.sensitivity, "differences");
  assert_string_equal(again.integrator, "hht");
  const double told[] = {again.rtol,          again.atol,
                         again.rtol_sens,     again.step,
                         again.penalty,       again.projection_penalty,
                         again.t_end,         again.baumgarte_alpha,
                         again.perturbation,  again.integrator_parameter,
                         again.baumgarte_beta};
  const double want[] = {1, 2, 3, 4, 6, 7, 11, 12, 15, -0.25, 13};
  assert_close_array(told, want, 11, 0, 0);
  assert_true(again.staggered && again.order == 9 && again.max_steps == 16);
  /* options of other methods, or without an effect on results, are not recorded */
  assert_true(again.quadrature == 0.5 && again.memory == 1 && again.evaluation_seconds == 2);
  assert_string_equal(json_string_value(json_object_get(root, "differences")), "forward");
  assert_null(json_object_get(root, "t_end"));
  json_decref(root);
}

TEST(what_is_off_is_not_told)
{
  const gradyn_options plain = {.method = "variational",
                                .sensitivity = "adjoint",
                                .perturbation = 1,
                                .integrator_parameter = 0.8};
  const gradyn_options tolerant = {.method = "idas", .sensitivity = "differences", .rtol = 1e-3};
  json_t *root = json_object();
  gradyn_options_report(&root, &plain);
  assert_int_equal(json_object_size(root), 4); /* method, sensitivity, staggered, quadrature */
  assert_close(number_of(root, "quadrature"), 0, 0, 0);
  json_decref(root);
  root = json_object();
  gradyn_options_report(&root, &tolerant);
  assert_true(json_is_null(json_object_get(root, "atol")));
  assert_close(number_of(root, "rtol_sens"), 1e-3, 0, 0);
  assert_string_equal(json_string_value(json_object_get(root, "differences")), "central");
  assert_null(json_object_get(root, "quadrature"));
  assert_null(json_object_get(root, "perturbation"));
  json_decref(root);
}

/* A member with a wrong type leaves the option unchanged. */
TEST(non_options_are_not_recorded)
{
  gradyn_options march = whole();
  json_t *root = json_pack("{s:i, s:s, s:f, s:f, s:i, s:n}", "method", 1, "rtol", "1e-3",
                           "max_steps", 2.5, "order", 5.5, "staggered", 0, "atol");
  assert_non_null(root);
  gradyn_options_recall(root, &march);
  assert_string_equal(march.method, "ali3p");
  assert_true(march.rtol == 1 && march.atol == 2 && march.max_steps == 16 && march.order == 9);
  assert_true(march.staggered);
  json_decref(root);
}
