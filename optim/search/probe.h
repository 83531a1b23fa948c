/* Probe of the end of a search. The first-order conditions are also satisfied at maxima and saddle
 * points. They are nearly satisfied where an objective decreases forever, less and less steeply. */
#ifndef GRADYN_OPTIM_PROBE_H
#define GRADYN_OPTIM_PROBE_H

#include "optim/program/span.h"
#include "optim/search/trials.h"

/* Largest number of evaluations of one part of a probe, except towards an infimum. */
enum { GRADYN_PROBE_MOST = 10 };

/* Result of a probe. */
typedef enum gradyn_probed {
  GRADYN_PROBED_HOLDS,     /* no lower point was found */
  GRADYN_PROBED_LOWER,     /* a lower point was found, and is the best point now */
  GRADYN_PROBED_UNBOUNDED, /* the objective decreases by more and more along longer steps */
  GRADYN_PROBED_INFIMUM    /* the objective decreases forever, by less and less */
} gradyn_probed;

/* Evaluation of the point x + s d. */
typedef struct gradyn_probe_step {
  bool known;    /* the point was evaluated without error, within the limit of evaluations */
  bool feasible; /* there */
  bool lower;    /* feasible, and lower by more than the threshold: it is the best point now */
  bool clipped;  /* a bound has cut off a relevant part of the step */
  /* not scaled: decrease of the objective at feasible points, of the Lagrangian elsewhere */
  double fall;
} gradyn_probe_step;

/* Memory of a probe, and results of the last one. */
typedef struct gradyn_probe {
  gradyn_trials *trials; /* borrowed */
  /* variables and constraints, including the slack variable and the pieces of a maximum */
  size_t n, m;
  double *x;       /* [n], end of the search, in units */
  double *r;       /* [n], gradient of the Lagrangian at x with respect to the parameters */
  double *along;   /* [n], displacement of the last point evaluated */
  double *r_there; /* [n], gradient of the Lagrangian at that point */
  double *there;   /* [n], scratch memory */
  /* [n], from x to the minimum in the directions across one that leads to infinity */
  double *across;
  double *travel; /* [n], displacement from the start to the end */
  /* [n], larger units for parameters with units that are too small; 0: no change */
  double *wide;
  double *multiplier; /* [m], multipliers of unscaled constraints and of pieces */
  gradyn_span *span;  /* span of the gradients of active constraints */
  double *row_factor; /* [m], scaling factors of the constraints at x */
  size_t *active;     /* [m], indices of active constraints */
  double *change;     /* [m], required changes of these constraints */
  double *krylov;     /* [4][n], directions along which curvature is measured */
  double *rho;        /* [parameters] */
  bool *fixed;        /* [n], at a bound */
  size_t active_count;
  double objective;  /* at the end of the search */
  double lagrangian; /* at the end of the search, scaled */
  double threshold;  /* smallest decrease that counts */
  double length;     /* length of travel, in units */
  int left;          /* evaluations that remain */
  /* the probe follows a direction to infinity: the best point is not replaced, and constraints are
   * restored */
  bool far;
  bool blocked; /* a constraint has ended this direction */
  /* the lower point was found along the gradient or the direction of the search */
  bool by_slope;
  /* parameter that moves most along the last downhill direction, as index of all parameters */
  size_t parameter;
  gradyn_arena arena; /* memory of all arrays */
} gradyn_probe;

/* Returns the distance of the best point of the trials from the start of the search, in units of the
 * parameters. */
double gradyn_probe_travel(const gradyn_probe *probe);

/* Returns the length of the first step of a search for an infimum, in units: a quarter of |come|, at least a
 * quarter. come: distance that the search has moved in this direction, in units. */
double gradyn_probe_first_step(double come);

/* Allocates the arrays of a probe for trials, which are allocated already and must outlive the probe. Returns
 * false if memory is out. Clear the probe in any case. */
bool gradyn_probe_allocate(gradyn_probe *probe, gradyn_trials *trials);
/* Frees the members, not the trials; not to be repeated. */
void gradyn_probe_clear(gradyn_probe *probe);

/* Probes the best point of the trials, which must be filled, for a search that began with the objective
 * `initial`. First, larger steps are tried for parameters with small units. Steps of increasing length then
 * follow the direction of the search and the negative gradient. Then curvatures of the Lagrangian along
 * free directions are measured. Finally the probe checks whether the direction of the search leads to an
 * infimum at infinity. Each part has its own limit of evaluations, GRADYN_PROBE_MOST before the last part.
 * doubtful: decreases within the tolerance of values count as well. Returns what was found. If memory is
 * out, the search is marked as broken, and the result is GRADYN_PROBED_HOLDS. */
gradyn_probed gradyn_probe_end(gradyn_probe *probe, double initial, bool doubtful);

/* Evaluates the point x + s d + probe->across, moved into the bounds. d [n] is in units of the variables;
 * probe->across is zero unless probe->far. If constraints are violated there and the Lagrangian has
 * decreased, first moves back onto the constraints, by further evaluations. Returns the results at the last
 * point. */
gradyn_probe_step gradyn_probe_try(gradyn_probe *probe, const double d[], double s);

#endif
