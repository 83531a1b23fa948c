/* A mechanism as an explicit system: parts shared by evaluation and derivatives. */
#ifndef GRADYN_DAE_RATES_MECH_H
#define GRADYN_DAE_RATES_MECH_H

#include "dae/start/initial.h"
#include "dae/linear/projection.h"
#include "dae/linear/readings.h"
#include "dae/systems/rates.h"
#include "dae/linear/singular_path.h"

/* z = (q, v). A stage contains y = (q, v, a, lam), of which z' = (v, a) is a part, then the factors of the
 * projection. An arrival stores q - q* [n], nu [m], v - v* [n], tau [m]. (q*, v*) is the end of the step and
 * (q, v) its projection onto the constraints:
 *
 *   M (q - q*) + Phi_q^T nu = 0,   Phi(q) = 0;      M (v - v*) + Phi_q^T tau = 0,   Phi'(q, v) = 0. */
typedef struct gradyn_rates_mech {
  gradyn_rates base;
  gradyn_mech *mech;
  int n, m;
  gradyn_initial initial;
  gradyn_projection projection;
  /* small system of multiplier-dependent forces, if the mechanism provides it */
  gradyn_multiplier_forces readings;
  gradyn_singular_path path;
  int *position;                    /* [2 n] identity: z is the beginning of y */
  double *b;                        /* [n + m] workspace */
  gradyn_lanes *x, *b_lanes, *term; /* [n + m] entries of up to two lanes each; workspace */
  double t;                         /* s; this and the next: of the last linearise() */
  const double *stage;              /* borrowed */
  gradyn_arena arena;               /* owns the arrays above */
} gradyn_rates_mech;

/* Functions of gradyn_rates_ops, which states shapes of lanes. base: a gradyn_rates_mech. */

/* Computes the effects of data changes that are equal at all times: ready [readies], for `columns` changes
 * *d. */
void gradyn_rates_mech_ready(gradyn_rates *base, int columns, const gradyn_rates_change *d,
                             gradyn_lanes *ready);

/* Prepares the derivatives of a stage [record] at t, s: restores its stored factors or makes them again.
 * The stage is borrowed until the next call. Errors: failures of the mechanism's functions; those of
 * gradyn_projection_restore(). */
gradyn_status gradyn_rates_mech_linearise(gradyn_rates *base, double t, const double *stage);

/* Sets dstage [seen] to the change of the stage for dz [nz] and *d, in `columns` lanes; dz may be the
 * beginning of dstage. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_rates_mech_tangent(gradyn_rates *base, int columns, const gradyn_lanes *dz,
                                        const gradyn_rates_change *d, gradyn_lanes *dstage);

/* Transpose of gradyn_rates_mech_tangent() in `columns` lanes: sets z_bar [nz] from stage_bar [seen], which
 * is overwritten; *x_bar and t_bar, unless NULL, are added to. Errors: failures of the mechanism's
 * functions. */
gradyn_status gradyn_rates_mech_transposed(gradyn_rates *base, int columns, gradyn_lanes *stage_bar,
                                           gradyn_lanes *z_bar, const gradyn_rates_sums *x_bar,
                                           gradyn_lanes *t_bar);

/* Adds the intermediate sums kept [sums] of transposed() to the adjoints of data, lanes [nx], and sets them
 * to zero. */
void gradyn_rates_mech_settle(gradyn_rates *base, gradyn_lanes *kept, gradyn_lanes *lanes);

/* Applies the derivative of the projection at the end of a step to dz [nz] in place, in `columns` lanes,
 * for the changes *d of data and time. The stage there must have been linearised. moved [base->moved]:
 * numbers that arrive() has written. Errors: GRADYN_SINGULAR, nonholonomic rows depend on other rows;
 * failures of the mechanism's functions. */
gradyn_status gradyn_rates_mech_arrive_tangent(gradyn_rates *base, int columns, const double *moved,
                                               const gradyn_rates_change *d, gradyn_lanes *dz);

/* Transpose of gradyn_rates_mech_arrive_tangent(): z_bar [nz] in place; moved [base->moved]: numbers that
 * arrive() has written; x_bar [columns][nx] and t_bar, unless NULL, are added to. Errors: GRADYN_SINGULAR,
 * nonholonomic rows depend on other rows; failures of the mechanism's functions. */
gradyn_status gradyn_rates_mech_arrive_transposed(gradyn_rates *base, int columns,
                                                  const double *moved, gradyn_lanes *z_bar,
                                                  double *x_bar, gradyn_lanes *t_bar);

#endif
