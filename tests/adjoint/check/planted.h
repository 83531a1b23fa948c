/* Errors planted in derivatives, which gradyn_evaluator_check() must find. */
#ifndef GRADYN_TESTS_PLANTED_H
#define GRADYN_TESTS_PLANTED_H

#include "adjoint/check/check.h"
#include "mbs/mechanism/assembly.h"
#include "tests/mbs/terms_models.h"

/* Relative size of what is planted. */
#define PLANTED 1e-6

/* Runs the check of a scene's mechanism (functionals: of its functionals) at its random state. Returns how
 * many items fail; *named: whether one of them contains both texts (NULL: any). */
int planted_check(terms_scene *s, bool functionals, const char *who, const char *what, bool *named);

#endif
