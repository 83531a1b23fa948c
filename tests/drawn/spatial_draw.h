/* Random mechanisms in space for the campaign: trees of bodies with joints of all kinds, loops closed by
 * joints, gears, drives, springs, controllers and friction on joint coordinates. */
#ifndef GRADYN_TESTS_CAMPAIGNS_SPATIAL_DRAW_H
#define GRADYN_TESTS_CAMPAIGNS_SPATIAL_DRAW_H

#include <stdint.h>

#include <gradyn/gradyn.h>

enum { SPATIAL_PARAMETERS = 5, SPATIAL_KINDS = GRADYN_CONSTANT_LENGTH + 1 };

/* What a seed has made. */
typedef struct spatial_parts {
  int joints[SPATIAL_KINDS], laws[3];
  int bodies, loops, gears, drives, controllers, freedom;
} spatial_parts;

extern uint64_t spatial_seed; /* of what spatial_problem builds */
extern spatial_parts spatial_built;
extern const gradyn_problem spatial_problem;

static inline bool spatial_rough(void)
{
  return spatial_built.laws[0] + spatial_built.laws[1] + spatial_built.laws[2] > 0;
}

#endif
