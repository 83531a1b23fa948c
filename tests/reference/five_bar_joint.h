/* The five-bar linkage in two angles: an independent reference for its functionals and gradients.
 *
 * Points A and B are fixed; the bars A-1, 1-2, 2-3, 3-B hang between them; gravity and two
 * spring-dampers, B-1 and B-2, act (Lopez Varela (2022), section 7.1). The unknowns are the
 * absolute angles of the bars A-1 and 1-2; point 3 follows from closing the loop 2-3-B. Every
 * number is complex, so that the derivative with respect to any of them comes by complex step. */
#ifndef FIVE_BAR_JOINT_H
#define FIVE_BAR_JOINT_H

#include <complex.h>

enum { FIVE_BAR_A1, FIVE_BAR_12, FIVE_BAR_23, FIVE_BAR_3B, FIVE_BAR_BARS };
enum { FIVE_BAR_B1, FIVE_BAR_B2, FIVE_BAR_SPRINGS };

typedef struct five_bar_data {
  double complex length[FIVE_BAR_BARS];         /* m */
  double complex mass[FIVE_BAR_BARS];           /* kg */
  double complex com[FIVE_BAR_BARS];            /* centre of mass from the first point, along, m */
  double complex inertia[FIVE_BAR_BARS];        /* about the centre of mass, kg m^2 */
  double complex k[FIVE_BAR_SPRINGS];           /* N/m */
  double complex c[FIVE_BAR_SPRINGS];           /* N s/m */
  double complex free_length[FIVE_BAR_SPRINGS]; /* m */
  double complex tension[FIVE_BAR_SPRINGS];     /* constant part of the tension, N */
  double complex gravity[2];                    /* x, y, m/s^2 */
  double complex A[2], B[2];                    /* x, y, m */
  double complex angle[2];                      /* initial absolute angles of A-1 and 1-2, rad */
  double complex rate[2];                       /* their initial rates, rad/s */
  double complex position[2];                   /* target of psi1: x, y of point 2, m */
  double complex velocity[2];                   /* target of psi2, m/s */
  double complex acceleration[2];               /* target of psi3, m/s^2 */
} five_bar_data;

/* States of the integration: the two angles, their rates, and the running integrals psi1..psi3. */
enum { FIVE_BAR_STATES = 7 };

/* Fills d with the mechanism of the source: exact lengths, uniform bars, 9.81 m/s^2, at rest. */
void five_bar_default(five_bar_data *d);

/* The integrals over [0, t_end] of |r2 - position|^2, |r2' - velocity|^2 and
 * |r2'' - acceleration|^2. */
void five_bar_joint(const five_bar_data *d, double t_end, double complex psi[3]);

/* The same with a chosen number of equal steps; leaves the whole final state. */
void five_bar_joint_march(const five_bar_data *d, double t_end, int steps,
                          double complex state[FIVE_BAR_STATES]);

/* Derivative of psi with respect to one number: member points into d, which is left unchanged. */
void five_bar_joint_derivative(five_bar_data *d, double complex *member, double t_end,
                               double derivative[3]);

/* The five numbers of eq. (7.20) in their order: the free lengths of the springs, and mass, centre
 * of mass and length of bar A-1. */
void five_bar_parameters(five_bar_data *d, double complex *member[5]);

/* Kinetic plus potential energy in a state, J. */
double complex five_bar_energy(const five_bar_data *d, const double complex state[]);

/* Positions of the points 1, 2, 3 in a state: r [3][2], m. */
void five_bar_points(const five_bar_data *d, const double complex state[], double complex r[3][2]);

#endif
