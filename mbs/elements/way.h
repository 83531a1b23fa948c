/* The ways of a product with derivatives, and entries of blocks that are taken in each of them. */
#ifndef GRADYN_MBS_WAY_H
#define GRADYN_MBS_WAY_H

#include "core/linear/lanes.h"

/* Along, against, or along for two packs of columns, where each entry of rows, places and inputs has two
 * lanes: a constant of inlined calls. */
typedef enum mbs_way { MBS_ALONG, MBS_AGAINST, MBS_ALONG_TWICE } mbs_way;

/* The most lanes of an entry. */
enum { MBS_LANES = 2 };

/* Lanes of an entry. */
GRADYN_KERNEL int mbs_lanes(const mbs_way way)
{
  return way == MBS_ALONG_TWICE ? 2 : 1;
}

/* Entry i of an array. */
GRADYN_KERNEL gradyn_lanes *mbs_at(const mbs_way way, gradyn_lanes *array, int i)
{
  return array + mbs_lanes(way) * i;
}

/* Zeros in the first entries of an array. */
GRADYN_KERNEL void mbs_clear(const mbs_way way, int count, gradyn_lanes *array)
{
  for (int i = 0; i < mbs_lanes(way) * count; i++)
    array[i] = (gradyn_lanes){0};
}

/* kernel(way, ...) with the way as a constant, by MBS_PLAINLY; or, by MBS_BY_AXES, after the number of
 * axes. */
#define MBS_PLAINLY(m, kernel, ...) kernel(__VA_ARGS__)
#define MBS_BY_WAY(way, by, m, kernel, ...)                                                        \
  ((way) == MBS_AGAINST ? by(m, kernel, MBS_AGAINST, __VA_ARGS__)                                  \
   : (way) == MBS_ALONG ? by(m, kernel, MBS_ALONG, __VA_ARGS__)                                    \
                        : by(m, kernel, MBS_ALONG_TWICE, __VA_ARGS__))

/* One entry of a block. */
GRADYN_KERNEL void mbs_flow(const mbs_way way, double D, gradyn_lanes *r, gradyn_lanes *z)
{
  for (int h = 0; h < mbs_lanes(way); h++)
    if (way == MBS_AGAINST)
      z[h] += D * r[h];
    else
      r[h] += D * z[h];
}

/* The same where z is a place. */
GRADYN_KERNEL void mbs_move(const mbs_way way, double D, gradyn_lanes *r, gradyn_lanes *place)
{
  for (int h = 0; h < mbs_lanes(way); h++)
    if (way == MBS_AGAINST)
      place[h] -= D * r[h];
    else
      r[h] += D * place[h];
}

#endif
