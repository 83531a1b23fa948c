/* The torque on a rod between two points, as a function of the rod's angular velocity. */
#ifndef GRADYN_MBS_TORQUE_H
#define GRADYN_MBS_TORQUE_H

#include "mbs/elements/inputs.h"

extern const mbs_element_ops mbs_torque_ops;

enum { MBS_TORQUE, MBS_TORQUE_DAMPING, MBS_TORQUE_DATA };

/* Returns tau = torque u - c omega, N m. z: data of the torque; u: its signal, 1 without one; omega:
 * angular velocity, rad/s. */
static inline double mbs_torque_at(const double *z, double u, double omega)
{
  return z[MBS_TORQUE] * u - z[MBS_TORQUE_DAMPING] * omega;
}

/* Returns d tau/d omega, N m s. */
static inline double mbs_torque_slope(const double *z)
{
  return -z[MBS_TORQUE_DAMPING];
}
/* Returns d tau/d omega, N m s, and sets by to the derivatives of tau by the data of the torque. u: signal,
 * 1 without one; omega: angular velocity, rad/s. */
static inline double mbs_torque_slopes(const double *z, double u, double omega,
                                       double by[MBS_TORQUE_DATA])
{
  by[MBS_TORQUE] = u;
  by[MBS_TORQUE_DAMPING] = -omega;
  return mbs_torque_slope(z);
}

/* Returns whether a force is such a torque, without signal or time, in all modes and on no attached point. */
static inline bool mbs_is_plain_torque(const mbs_element *e)
{
  return e->ops == &mbs_torque_ops && e->signal_count == 0 && mbs_plain_inputs(e) &&
         e->modes.bits == 0 && !e->weight;
}

#endif
