/* Robertson's kinetics by an independent integrator: Radau IIA of order 5 on two rate equations, with complex
 * numbers, so that derivatives come by complex step. A reference for gradyn's DAE. */
#ifndef ROBERTSON_RADAU_H
#define ROBERTSON_RADAU_H

#include <complex.h>

/* Species at the end time and the integral of the third one, G. */
enum { ROBERTSON_Y1, ROBERTSON_Y2, ROBERTSON_Y3, ROBERTSON_G, ROBERTSON_RESULTS };

/* Integrates from (1, 0, 0) to t_end with the rate constants p. */
void robertson_radau(const double complex p[3], double t_end,
                     double complex result[ROBERTSON_RESULTS]);

/* Results and their derivatives [ROBERTSON_RESULTS][3] with respect to p = 0.04, 1e4, 3e7. */
void robertson_reference(double t_end, double value[ROBERTSON_RESULTS], double *derivative);

#endif
