/* Probing where a search has ended: conditions of first order hold at maxima and saddles too, and
 * where an objective falls without end, ever less steeply. */
#ifndef GRADYN_OPTIM_PROBE_H
#define GRADYN_OPTIM_PROBE_H

#include "optim/program/span.h"
#include "optim/search/trials.h"

/* Evaluations of one probe. */
enum { GRADYN_PROBE_MOST = 10 };

/* What it has shown. */
typedef enum gradyn_probed {
  GRADYN_PROBED_HOLDS,     /* nothing lower was seen */
  GRADYN_PROBED_LOWER,     /* a lower point was found, which is the best one now */
  GRADYN_PROBED_UNBOUNDED, /* longer and longer steps fall ever more */
  GRADYN_PROBED_INFIMUM    /* they fall for ever, by ever less */
} gradyn_probed;

/* How the objective is at x + s d. */
typedef struct gradyn_probe_step {
  bool known;    /* it could be evaluated */
  bool feasible; /* there */
  bool lower;    /* feasible, and lower by more than the threshold: the best point now */
  bool clipped;  /* a bound has cut off a part that matters */
  double fall;   /* of the objective where feasible, of the Lagrangian elsewhere */
} gradyn_probe_step;

/* Memory of a probe, and what the last one has seen. */
typedef struct gradyn_probe {
  gradyn_trials *trials; /* borrowed */
  size_t n, m;           /* of the judge: with the slack variable and the pieces of a maximum */
  double *x;             /* [n], the end of the search, in units */
  double *r;             /* [n], gradient of the Lagrangian there, of parameters alone */
  double *along;         /* [n], displacement of the last point evaluated */
  double *r_there;       /* [n], gradient of the Lagrangian at it, likewise */
  double *there;         /* [n], scratch */
  double *across;        /* [n], from x to the lowest point across a way to infinity */
  double *travel;        /* [n], from the start to the end */
  double *wide;          /* [n], units of parameters whose own are too small; 0: they are not */
  double *multiplier;    /* [m], of rows and pieces as they come */
  gradyn_span *span;     /* of gradients of what is active */
  double *row_factor;    /* [m], by which rows were multiplied there */
  size_t *active;        /* [m], what is active */
  double *change;        /* [m], that is wanted of it */
  double *krylov;        /* [4][n], directions along which curvature is measured */
  double *rho;           /* [parameters] */
  bool *fixed;           /* [n], at a bound */
  size_t active_count;
  double objective;   /* at the end of the search */
  double lagrangian;  /* there, scaled */
  double threshold;   /* a fall that counts */
  double length;      /* of the travel, in units */
  int left;           /* evaluations */
  bool far;           /* on a way to infinity: the best point stays, constraints are restored */
  bool blocked;       /* a constraint has ended the way to infinity */
  bool by_slope;      /* what was lower lies down the slope */
  size_t parameter;   /* that moves most along the last direction downhill, of all parameters */
  gradyn_arena arena; /* of all arrays */
} gradyn_probe;

/* How far the best point is from the start, in units of the parameters. */
double gradyn_probe_travel(const gradyn_probe *probe);

/* The first step to infinity along a direction in which the search has come so far: what it has come along
 * others, perhaps in tiny units, says nothing of it. */
double gradyn_probe_first_step(double come);

bool gradyn_probe_allocate(gradyn_probe *probe, gradyn_trials *trials);
void gradyn_probe_clear(gradyn_probe *probe);

/* Probes the best point of a search that began at an objective of `initial`: longer and longer steps along
 * its way and down its gradient, then curvatures of the Lagrangian along free directions, then whether its
 * way leads to an infimum at infinity. With `doubtful` set, falls that the tolerance of values explains
 * count too. */
gradyn_probed gradyn_probe_end(gradyn_probe *probe, double initial, bool doubtful);

/* Evaluates x + s d, on a way to infinity beside what is lowest across; where the Lagrangian falls and
 * constraints are violated, they are restored first. */
gradyn_probe_step gradyn_probe_try(gradyn_probe *probe, const double d[], double s);

#endif
