/* Differences of second derivatives by displaced stages. */
#ifndef GRADYN_ADJOINT_SECOND_PLAN_H
#define GRADYN_ADJOINT_SECOND_PLAN_H

#include <stdbool.h>

/* As adjoint/gradient/second.c chooses them, for all later products of an evaluator. */
typedef struct gradyn_second_plan {
  bool known;   /* the next two follow from an earlier product */
  int last;     /* the last distance is the first one over 2^last */
  int order;    /* of the extrapolation */
  double error; /* largest estimated error of a product, or asymmetry of a block, relative to it */
} gradyn_second_plan;

#endif
