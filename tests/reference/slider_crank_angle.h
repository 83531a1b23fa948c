/* The spatial slider-crank in its crank's angle, by hand, in complex numbers, so that derivatives come by
 * complex step: an independent computation of the numbers of the problem spatial-slider-crank. */
#ifndef GRADYN_TESTS_REFERENCE_SLIDER_CRANK_ANGLE_H
#define GRADYN_TESTS_REFERENCE_SLIDER_CRANK_ANGLE_H

enum { SLIDER_CRANK_FUNCTIONALS = 3, SLIDER_CRANK_PARAMETERS = 4 };

/* (7.30) of the thesis over 5 s, value [FUNCTIONALS], and their derivatives by (7.32), slope
 * [FUNCTIONALS][PARAMETERS], at rho = (mass of the slider, stiffness, damping, free length); `steps` of an
 * extrapolated midpoint rule of order 10. */
void slider_crank_reference(const double rho[SLIDER_CRANK_PARAMETERS], int steps,
                            double value[SLIDER_CRANK_FUNCTIONALS],
                            double slope[SLIDER_CRANK_FUNCTIONALS * SLIDER_CRANK_PARAMETERS]);

/* Where the slider is at a time, m. */
double slider_crank_place(const double rho[SLIDER_CRANK_PARAMETERS], double time);

#endif
