/* Results of gradyn_evaluator_check(), for tests. */
#ifndef GRADYN_TESTS_CHECKED_H
#define GRADYN_TESTS_CHECKED_H

#include <gradyn/gradyn.h>

typedef struct checked {
  gradyn_check_item item[400];
  size_t count;
  int wrong, kinks,
      left; /* items that fail, those of them that are kinks, items with something left out */
} checked;

/* Checks at the initial parameters. The test fails unless something is wrong as expected, with the worst. */
void checked_run(gradyn_evaluator *evaluator, bool wrong, checked *out);

/* The same with an evaluator of its own; method NULL: that of the problem. */
void checked_problem(const gradyn_problem *problem, const char *method, bool wrong, checked *out);

/* The first item whose name begins so and whose route contains that (NULL: any); NULL: there is none. */
const gradyn_check_item *checked_find(const checked *c, const char *name, const char *route);

#endif
