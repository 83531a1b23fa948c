/* Parts of a tree besides its links: working space of solves with masses, and the remaining constraints. */
#ifndef GRADYN_MBS_PASSES_LEFT_H
#define GRADYN_MBS_PASSES_LEFT_H

#include "core/linear/lanes.h"
#include "mbs/elements/lists.h"

/* An entry of the natural mass matrix. */
typedef struct tree_entry {
  int row, col, at;
} tree_entry;

/* Data and working space of solves with the mass matrix. */
typedef struct tree_masses {
  bool composite; /* each inertia belongs to one body */
  int *at;        /* [n] a coordinate's own mass in the natural mass matrix */
  int *alone;     /* [alones] coordinates that belong to no joint of the tree */
  int alones;
  tree_entry *entry; /* [entries] nonzero masses outside the tree, with the present data */
  int entries;
  int kept;                 /* number of factors of all links */
  double heaviest;          /* largest entry of the natural mass matrix, with the present data */
  struct tree_share *share; /* [links] inertias during factorisation */
  gradyn_lanes *six;        /* [6 links] */
} tree_masses;

/* A massless coordinate of a remaining joint, and the constraint that determines it. */
typedef struct tree_pair {
  int z, row;
} tree_pair;

/* Remaining constraints in groups of four lanes: links on their paths, and their loads. */
typedef struct tree_on_top {
  tree_pair *pair; /* [pairs] */
  int pairs;
  gradyn_lanes *rate; /* [pairs] used by solves */
  int groups;
  int *start, *path;  /* [groups + 1] first link of a group in path, leaves first */
  gradyn_lanes *load; /* [natural n + n] zero between calls; see tree_load_at() */
  double *value;      /* [n] zero between calls */
} tree_on_top;

/* Lists of the natural mechanism while the tree's lists replace them. */
typedef struct tree_aside {
  mbs_lists lists;
  mbs_attached attached;
  bool places_active;
} tree_aside;

/* Constraints of the natural mechanism that links replace, and the remaining ones. */
typedef struct tree_left {
  int rows;        /* remaining constraints of the motion; constraints of Euler parameters follow */
  int *replaced;   /* [natural m] link that replaces a constraint; -1: it remains */
  mbs_lists lists; /* elements without the replaced constraints */
  mbs_attached attached; /* attached points that these elements use; the first offset of all */
  bool positions;        /* the elements in these lists use ground or attached points */
  tree_aside all;        /* the replaced lists, while these are in use */
  tree_on_top on_top;
  /* forces that depend on replaced multipliers, see readings.c; NULL: none */
  struct tree_readings *readings;
} tree_left;

#endif
