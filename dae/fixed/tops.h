/* Maxima over time of a march with fixed steps. */
#ifndef GRADYN_DAE_FIXED_TOPS_H
#define GRADYN_DAE_FIXED_TOPS_H

#include <gradyn/base.h>

struct gradyn_fixed;

/* The largest value of a function over a march, as the vertex of the parabola through three nodes,
 * or as the value at a node: by how much it changes with the values at these nodes, and with their
 * times. */
typedef struct gradyn_fixed_top {
  double t[3], g[3]; /* of the last nodes without a jump between them, the newest last */
  int known;         /* how many of them there are */
  double most;       /* the largest so far */
  int node;          /* the last one of the three that tell it */
  double weight[3];  /* of the values at node - 2, node - 1, node */
  double rate[3];    /* -p'(t) there, which go with weight to their times */
} gradyn_fixed_top;

/* Before the first node. */
void gradyn_fixed_clear_tops(struct gradyn_fixed *s);

/* Node k of a march, which step k - 1 has led to. */
gradyn_status gradyn_fixed_add_tops(struct gradyn_fixed *s, int k, const double *node);

/* How functional f changes with its function at node k, and *rate with the time of that node; of
 * others, whether their terminal part is taken there. */
double gradyn_fixed_terminal_weight(const struct gradyn_fixed *s, int f, int k, double *rate);

#endif
