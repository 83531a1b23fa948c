/* How the motions of a mechanical model begin. */
#ifndef GRADYN_CORE_MECH_START_H
#define GRADYN_CORE_MECH_START_H

#include <stdbool.h>

struct gradyn_mech;

/* Coordinates in which the initial state is solved, the model's own being some of them. */
typedef struct gradyn_mech_origin {
  struct gradyn_mech *mech;
  const int *at; /* [n] which of them the model's coordinates are */
} gradyn_mech_origin;

typedef struct gradyn_mech_begin {
  bool balanced; /* in equilibrium */
  bool free;     /* neither that, nor what is held, counts */
} gradyn_mech_begin;

#endif
