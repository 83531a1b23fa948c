/* Maxima over time of a run with fixed steps. */
#ifndef GRADYN_DAE_FIXED_TOPS_H
#define GRADYN_DAE_FIXED_TOPS_H

#include <gradyn/base.h>

struct gradyn_fixed;

/* The largest value of a function over a run: the vertex of a parabola through three consecutive nodes, or
 * the value at one node; with its derivatives by the values and times of these nodes. */
typedef struct gradyn_fixed_top {
  double t[3], g[3]; /* the last nodes without a jump between them, newest last: times, s; values */
  int known;         /* number of these nodes */
  double most;       /* largest value so far */
  int node;          /* the last of the three nodes of this value */
  double weight[3];  /* derivatives by the values at node - 2, node - 1, node */
  double rate[3];    /* -p'(t) at these nodes; times weight: derivatives by their times */
} gradyn_fixed_top;

/* Resets s->top [nf], the maxima over time of all functionals, before a run. */
void gradyn_fixed_reset_maxima(struct gradyn_fixed *s);

/* Updates s->top by the values of the functions of maxima at node k, from 0. Call it for each node in the
 * order of time. node [record]: the stored node k of the scheme. Errors: those of the functions and the
 * scheme. */
gradyn_status gradyn_fixed_update_maxima(struct gradyn_fixed *s, int k, const double *node);

/* Returns the derivative of maximum f, from 0, before its outer function, by the value of its function at
 * node k; *rate: by the time of this node. */
double gradyn_fixed_top_weight(const struct gradyn_fixed *s, int f, int k, double *rate);

#endif
