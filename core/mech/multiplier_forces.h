/* Forces that read multipliers, of models whose own factors leave these forces out. They load few
 * coordinates, tau of them, by few numbers w, which are linear in accelerations and multipliers:
 *     M a + Phi_q^T lam = Q_0 + E tau(w),      w = w_0 + W (a; lam),
 * E being unit columns and Q_0 all other forces, so that a small system of tau is all that is to be solved
 * besides. */
#ifndef GRADYN_CORE_MULTIPLIER_FORCES_H
#define GRADYN_CORE_MULTIPLIER_FORCES_H

#include "core/linear/pattern.h"
#include "core/mech/state.h"
#include <gradyn/status.h>

struct gradyn_mech;

typedef struct gradyn_mech_readings {
  int loads;         /* [loads] of tau; 0: the model offers nothing of this */
  const int *at;     /* [loads] these coordinates */
  int numbers;       /* [numbers] of w */
  gradyn_pattern by; /* [loads][numbers] which of tau depend on which of w; the model's own */
  /* Takes the place of a state, for the functions below; with r [n] = -Q_0 there, and w_0, unless
   * these are NULL. */
  gradyn_status (*begin)(struct gradyn_mech *mech, const gradyn_mech_state *at, double *r,
                         double *w);
  /* w = W y, y [n + m]; f: the model's own factors there. */
  void (*along)(struct gradyn_mech *mech, const double *f, const gradyn_lanes *y, gradyn_lanes *w);
  /* y = W^T w. */
  void (*against)(struct gradyn_mech *mech, const double *f, const gradyn_lanes *w,
                  gradyn_lanes *y);
  /* tau, and its slopes by w in the order of `by`; places and velocities are those of begin(). */
  gradyn_status (*load)(struct gradyn_mech *mech, const gradyn_mech_state *at, const double *w,
                        double *tau, double *slope);
} gradyn_mech_readings;

/* Sizes of a model's own factors: their numbers, 0 if it offers none, and the rows of the motion, the first
 * ones, that are solved for on top of them. */
typedef struct gradyn_mech_factors {
  int numbers, rows;
  gradyn_mech_readings readings; /* of forces that these leave out */
} gradyn_mech_factors;

#endif
