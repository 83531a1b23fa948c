/* The five-bar linkage in natural coordinates and complex arithmetic, for independent programs of discrete
 * schemes. Coordinates: x, y of the points 1, 2, 3; constraints: (|r|^2/L - L)/2 for the rods A-1, 1-2, 2-3,
 * 3-B. Linear systems are solved by LU without conjugation, with pivots chosen by real parts, so that
 * everything is an analytic function of the data. */
#ifndef FIVE_BAR_NATURAL_H
#define FIVE_BAR_NATURAL_H

#include "tests/reference/five_bar_joint.h"

enum { NATURAL_N = 6, NATURAL_M = 4, NATURAL_SIZE = NATURAL_N + NATURAL_M };

typedef struct natural_state {
  double complex q[NATURAL_N], v[NATURAL_N], a[NATURAL_N], lam[NATURAL_M];
} natural_state;

typedef double complex natural_matrix[NATURAL_SIZE][NATURAL_SIZE];

/* S x = b by elimination; x replaces b, S is lost. */
void natural_solve(natural_matrix S, double complex b[NATURAL_SIZE]);

/* S += factor times the mass matrix; and the constraint Jacobian in both off-diagonal blocks. */
void natural_add_mass(const five_bar_data *d, double complex factor, natural_matrix S);
void natural_add_jacobian(const five_bar_data *d, const double complex q[NATURAL_N],
                          natural_matrix S);

/* R = M a + Phi_q^T lam - Q and Phi. */
void natural_residual(const five_bar_data *d, const natural_state *x,
                      double complex rest[NATURAL_SIZE]);

/* Newton's matrix aq M + vq C + K with the Jacobian beside it. */
void natural_newton_matrix(const five_bar_data *d, const natural_state *x, double complex aq,
                           double complex vq, natural_matrix S);

/* Phi'' without the part of the accelerations. */
void natural_centripetal(const five_bar_data *d, const double complex v[NATURAL_N],
                         double complex phi[NATURAL_M]);

/* Accelerations and multipliers from q and v. */
void natural_accelerate(const five_bar_data *d, natural_state *x);

/* Consistent initial state. */
void natural_start(const five_bar_data *d, natural_state *x);

/* Largest real or imaginary part. */
double natural_largest(const double complex x[], int count, int imaginary);

/* psi1..psi3 += weight times the integrands. */
void natural_integrands(const five_bar_data *d, const natural_state *x, double complex weight,
                        double complex psi[3]);

#endif
