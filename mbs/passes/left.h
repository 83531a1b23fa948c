/* Parts of a tree beside its links: what solves with masses need, and rows of constraints that are left. */
#ifndef GRADYN_MBS_PASSES_LEFT_H
#define GRADYN_MBS_PASSES_LEFT_H

#include "core/linear/lanes.h"
#include "mbs/elements/lists.h"

/* An entry of the natural mass matrix. */
typedef struct tree_entry {
  int row, col, at;
} tree_entry;

/* What solves with the mass matrix need. */
typedef struct tree_masses {
  bool composite; /* no inertia belongs to two bodies */
  int *at;        /* [n] a coordinate's own mass in the natural mass matrix */
  int *alone;     /* [alones] coordinates that are no joint's */
  int alones;
  tree_entry *entry; /* [entries] of what is on no tree, those not zero with the present data */
  int entries;
  int kept;                 /* numbers of all links in factors */
  double heaviest;          /* entry of the natural mass matrix, with the present data */
  struct tree_share *share; /* [links] of factors in the making */
  gradyn_lanes *six;        /* [6 links] */
} tree_masses;

/* A coordinate of a joint that is left, which has no mass, and the row that ties it. */
typedef struct tree_pair {
  int z, row;
} tree_pair;

/* Rows that are left, in groups of four, side by side: of which links, and their loads. */
typedef struct tree_on_top {
  tree_pair *pair; /* [pairs] */
  int pairs;
  gradyn_lanes *rate; /* [pairs] of solves */
  int groups;
  int *start, *path;  /* [groups + 1] where a group's links begin, leaves first */
  gradyn_lanes *load; /* [natural n + n] zeros between calls; see tree_load_at() */
  double *value;      /* [n] likewise */
} tree_on_top;

/* What the mechanism in natural coordinates has of these while links stand in the place of the others. */
typedef struct tree_aside {
  mbs_lists lists;
  mbs_attached attached;
  bool places_active;
} tree_aside;

/* Constraints of the motion in natural coordinates that links replace. */
typedef struct tree_left {
  int rows;        /* of the motion that are left; behind them stand those of Euler parameters */
  int *replaced;   /* [natural m] by which link; -1: it is left */
  mbs_lists lists; /* of elements, without those */
  mbs_attached attached; /* points that these see; the first of all */
  bool places;           /* they see ground points or such */
  tree_aside all;        /* what stands aside while these do */
  tree_on_top on_top;
  struct tree_readings
      *readings; /* see readings.c; NULL: no force reads multipliers of the replaced ones */
} tree_left;

#endif
