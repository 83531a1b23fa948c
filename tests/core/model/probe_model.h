/* Models made by a build function alone, for tests of declarations. */
#ifndef GRADYN_TESTS_CORE_PROBE_MODEL_H
#define GRADYN_TESTS_CORE_PROBE_MODEL_H

#include "core/model/model.h"

/* Creates a model whose problem, with the setting "extra", is freed with it. */
gradyn_status probe_create_with(gradyn_build_fn build, const gradyn_scalar *rho, double t_end,
                                const gradyn_setting_choice *choice, gradyn_model **model);
gradyn_status probe_create(gradyn_build_fn build, const gradyn_scalar *rho, gradyn_model **model);
void probe_destroy(gradyn_model *model);

/* Fails the test unless the model's message contains the text. */
void probe_assert_says(const gradyn_model *model, const char *text);

/* Index of a datum by name; fails the test if there is none. */
int probe_datum(const gradyn_model *model, const char *name);

#endif
