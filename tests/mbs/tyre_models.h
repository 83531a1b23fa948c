/* Common parts of the tests of tyres: data of one, and frames for its wheel and its road. */
#ifndef GRADYN_TESTS_MBS_TYRE_MODELS_H
#define GRADYN_TESTS_MBS_TYRE_MODELS_H

#include <gradyn/gradyn.h>

gradyn_tyre_spec tyre_numbers(int disc, int road, gradyn_scalar radius);
int tyre_frame(gradyn_model *m, const char *name, int body, gradyn_scalar x, gradyn_scalar y,
               gradyn_scalar z, const gradyn_scalar axis[3]);

#endif
