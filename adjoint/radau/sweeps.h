/* Derivatives of the discrete steps of Radau IIA. With W_i, V_i, Q_i the slopes of r by w, by the last and by
 * the first part of z at stage i, and B = h A,
 *     sum_j (delta_ij W_i + B_ij V_i + (B^2)_ij Q_i) dw_j = -(r_x dx + r_t dt_i + r_z dZ_i at dw = 0),
 * and the transpose of that. */
#ifndef GRADYN_ADJOINT_RADAU_SWEEPS_H
#define GRADYN_ADJOINT_RADAU_SWEEPS_H

#include "adjoint/onestep/direct.h"
#include "dae/radau/radau.h"

extern const gradyn_onestep_derivatives gradyn_radau_derivatives;

#endif
