/* The flexible pendulum by the variational scheme, written for this beam alone in complex arithmetic: an
 * independent computation of the derivatives of the discrete scheme, by complex step through the whole
 * integration. */
#ifndef VARIATIONAL_PENDULUM_H
#define VARIATIONAL_PENDULUM_H

#include <complex.h>
#include <stdbool.h>

enum { PENDULUM_ELEMENTS = 8 }; /* at most */

typedef struct pendulum_data {
  double complex width, density, young; /* of the square section, m; kg/m^3; Pa */
  double length, gravity;               /* m, m/s^2 */
  int elements;
  bool full; /* full strain and curvature instead of the force for small strains */
} pendulum_data;

/* The pendulum of Ebrahimi et al. (2018), section 6.1. */
pendulum_data pendulum_default(void);

/* Deflection of the tip after each `every` of the steps h, [steps / every], m. */
void variational_pendulum(const pendulum_data *d, double h, int steps, int every,
                          double complex deflection[]);

#endif
