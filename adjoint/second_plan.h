/* Second derivatives of an evaluator: the choice of differences by displaced stages, and memory. */
#ifndef GRADYN_ADJOINT_SECOND_PLAN_H
#define GRADYN_ADJOINT_SECOND_PLAN_H

#include "adjoint/directions.h"
#include "core/linear/arena.h"

/* As adjoint/gradient/second.c chooses them, for all later products of an evaluator. */
typedef struct gradyn_second_plan {
  bool contracted; /* the last block was summed over stages: no differences of sweeps */
  bool known;      /* the next two follow from an earlier product */
  int last;        /* the last distance is the first one over 2^last */
  int order;       /* of the extrapolation */
  double error;    /* largest estimated error of a product, or of a block, relative to it */
} gradyn_second_plan;

/* Memory of a product or block, which the next one uses again. */
typedef struct gradyn_second_memory {
  gradyn_arena arena;            /* of all arrays */
  gradyn_directions line, along; /* one direction; all, in the space of data */
} gradyn_second_memory;

#endif
