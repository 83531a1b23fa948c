/* Friction in spatial revolute joints (journal bearings) by the Brown-McPhee law, with derivatives written
 * by hand. Robots have such friction in each joint, and each stage evaluates it several times. */
#ifndef GRADYN_MBS_JOURNAL_H
#define GRADYN_MBS_JOURNAL_H

#include "mbs/elements/formula.h"

/* Data of friction, in this order. The kind of joint and the law determine which of these data an element
 * has. */
enum {
  STILL,
  KINETIC,
  TRANSITION,
  VISCOUS,
  SMOOTHING,
  PRESSURE,
  RADIUS,
  THRUST_RADIUS,
  LENGTH,
  OFFSET,
  WIDTH,
  STIFFNESS,
  DAMPING,
  DWELL,
  NUMBERS,
  JOURNAL_NUMBERS = WIDTH /* number of data with this joint and law, the first ones */
};

/* Functions of mbs_element_ops (element.h) for journal friction. The element's points are the angle and the
 * three directions of frame a. The 5 multipliers are those of the joint's constraints x, y, z, xz, yz. */

/* Sets f [local] at the state `at` with the friction's data z [inputs]; only f[0], the torque on the angle,
 * N m, is not 0. Returns GRADYN_OK. */
gradyn_status mbs_journal_force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f);

/* Sets f_pos and, unless NULL, f_vel [local][local] to the derivatives of mbs_journal_force() by positions
 * and velocities. Returns GRADYN_OK. */
gradyn_status mbs_journal_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_pos, double *f_vel);

/* Sets f_z [inputs][local] to the derivatives of mbs_journal_force() by the data z. Returns GRADYN_OK. */
gradyn_status mbs_journal_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_z);

/* Sets f_lam [5][local] to the derivatives of mbs_journal_force() by the multipliers. Returns GRADYN_OK. */
gradyn_status mbs_journal_lam(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *f_lam);

/* The function `rub` of mbs_element_ops: sets f [1] to the torque about the angle, N m, and f_lam [5] to
 * its derivative by the multipliers. *kept has intermediate results for these positions and velocities; the
 * function computes them unless kept->known is set. Returns GRADYN_OK. */
gradyn_status mbs_journal_rub(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, mbs_kept *kept, double *f, double *f_lam);

#define MBS_JOURNAL_OPS(of)                                                                        \
  .formula = of, .force = mbs_journal_force, .force_state = mbs_journal_state,                     \
  .force_input = mbs_journal_input, .force_lam = mbs_journal_lam, .rub = mbs_journal_rub

#endif
