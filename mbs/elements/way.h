/* Directions of products with derivatives, and products with one entry of a block in each direction. */
#ifndef GRADYN_MBS_WAY_H
#define GRADYN_MBS_WAY_H

#include "core/linear/lanes.h"

/* Tangent product; transposed product; tangent product for two groups of four columns, where each entry of
 * rows, positions and inputs has two groups of lanes. A constant of inlined calls. */
typedef enum mbs_way { MBS_ALONG, MBS_AGAINST, MBS_ALONG_TWICE } mbs_way;

/* largest number of groups of lanes of an entry */
enum { MBS_LANES = 2 };

/* Returns the number of groups of lanes of an entry. */
GRADYN_KERNEL int mbs_lanes(const mbs_way way)
{
  return way == MBS_ALONG_TWICE ? 2 : 1;
}

/* Returns the address of entry i of an array, whose entries have mbs_lanes(way) lanes. */
GRADYN_KERNEL gradyn_lanes *mbs_at(const mbs_way way, gradyn_lanes *array, int i)
{
  return array + mbs_lanes(way) * i;
}

/* Sets the first `count` entries of an array to zero. */
GRADYN_KERNEL void mbs_clear(const mbs_way way, int count, gradyn_lanes *array)
{
  for (int i = 0; i < mbs_lanes(way) * count; i++)
    array[i] = (gradyn_lanes){0};
}

/* Calls kernel(way, ...) with the direction as a constant: by MBS_PLAINLY, or by MBS_BY_AXES, which puts
 * the number of axes before it. */
#define MBS_PLAINLY(m, kernel, ...) kernel(__VA_ARGS__)
#define MBS_BY_WAY(way, by, m, kernel, ...)                                                        \
  ((way) == MBS_AGAINST ? by(m, kernel, MBS_AGAINST, __VA_ARGS__)                                  \
   : (way) == MBS_ALONG ? by(m, kernel, MBS_ALONG, __VA_ARGS__)                                    \
                        : by(m, kernel, MBS_ALONG_TWICE, __VA_ARGS__))

/* Multiplies by one entry D of a block: adds D z to r or, transposed, D r to z; mbs_lanes(way) lanes
 * each. */
GRADYN_KERNEL void mbs_flow(const mbs_way way, double D, gradyn_lanes *r, gradyn_lanes *z)
{
  for (int h = 0; h < mbs_lanes(way); h++)
    if (way == MBS_AGAINST)
      z[h] += D * r[h];
    else
      r[h] += D * z[h];
}

/* Multiplies by one entry D of a block with respect to a position: adds D position to r or, transposed,
 * subtracts D r from position. */
GRADYN_KERNEL void mbs_move(const mbs_way way, double D, gradyn_lanes *r, gradyn_lanes *position)
{
  for (int h = 0; h < mbs_lanes(way); h++)
    if (way == MBS_AGAINST)
      position[h] -= D * r[h];
    else
      r[h] += D * position[h];
}

#endif
