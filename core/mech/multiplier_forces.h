/* Multiplier-dependent forces of models whose own factors exclude them. These forces act on few
 * coordinates, with values tau. They depend on few numbers w, which are linear in accelerations and
 * multipliers:
 *
 *     M a + Phi_q^T lam = Q_0 + E tau(w),      w = w_0 + W (a; lam).
 *
 * E consists of unit columns, and Q_0 are all other forces. Only a small system for tau must be solved in
 * addition. */
#ifndef GRADYN_CORE_MULTIPLIER_FORCES_H
#define GRADYN_CORE_MULTIPLIER_FORCES_H

#include "core/linear/pattern.h"
#include "core/mech/state.h"
#include <gradyn/base.h>

struct gradyn_mech;

typedef struct gradyn_mech_readings {
  int loads;     /* number of entries of tau; 0: the model does not provide this */
  const int *at; /* [loads], coordinates on which the entries of tau act */
  int numbers;   /* number of entries of w */
  /* [loads][numbers], which entries of tau depend on which entries of w; owned by the model */
  gradyn_pattern by;
  /* Sets the state, copied, for the functions below. Also computes r [n] = -Q_0 and w [numbers] = w_0 there;
   * r NULL: neither, and w may be NULL. Errors of this and of load(): those of residual() in mech.h. */
  gradyn_status (*begin)(struct gradyn_mech *mech, const gradyn_mech_state *at, double *r,
                         double *w);
  /* w [numbers] = W y, y [n + m]; f: the factors of the model at this state. */
  void (*along)(struct gradyn_mech *mech, const double *f, const gradyn_lanes *y, gradyn_lanes *w);
  /* y [n + m] = W^T w, overwritten. */
  void (*against)(struct gradyn_mech *mech, const double *f, const gradyn_lanes *w,
                  gradyn_lanes *y);
  /* tau [loads] at w [numbers], and slope [by.nnz], its derivatives by w in pattern `by`. Positions and
   * velocities must be those of begin(). */
  gradyn_status (*load)(struct gradyn_mech *mech, const gradyn_mech_state *at, const double *w,
                        double *tau, double *slope);
} gradyn_mech_readings;

/* Sizes of the model's own factors: the count of their numbers (0: not provided), and the number of leading
 * constraint rows that are solved in addition. */
typedef struct gradyn_mech_factors {
  int numbers, rows;
  gradyn_mech_readings readings; /* the forces that these factors exclude */
} gradyn_mech_factors;

#endif
