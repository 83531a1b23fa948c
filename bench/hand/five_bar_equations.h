/* The five-bar linkage in natural coordinates, written out by hand for the raw-IDAS comparison: the
 * index-1 equations in semi-explicit form,
 *   q' = v,  v' = a,  M a + Phi_q^T lam - Q(q) = 0,  Phi_q a + (Phi_q v)_q v = 0,
 * with the rods' constraints Phi_k = (|d_k|^2 - L_k^2)/2, d_k the vector along rod k. */
#ifndef RAW_FIVE_BAR_EQUATIONS_H
#define RAW_FIVE_BAR_EQUATIONS_H

#include <stdbool.h>

enum {
  RAW_RODS = 4,
  RAW_Q = 6,                /* coordinates: points 1, 2, 3 */
  RAW_V = RAW_Q,            /* offset of v in y */
  RAW_A = 2 * RAW_Q,        /* offset of a */
  RAW_L = 3 * RAW_Q,        /* offset of lam */
  RAW_Y = RAW_L + RAW_RODS, /* unknowns y = (q, v, a, lam) */
  RAW_DIFFERENTIAL = RAW_A, /* the first ones are differential */
  RAW_KKT = RAW_Q + RAW_RODS,
  RAW_PARAMETERS = 5, /* Ls1, Ls2, mA1, rG, LA1 */
  RAW_FUNCTIONALS = 3
};

/* Numbers of the mechanism, SI units. */
typedef struct raw_data {
  double mass_A1, com_A1, inertia_A1, length_A1;
  double free_length[2];
  double M[3], M_next[2]; /* mass matrix, a number per point: diagonal, and point i with i + 1 */
  double load[3];         /* mass that gravity pulls at each point */
  double k, gravity;      /* gravity: along y */
} raw_data;

/* The nominal mechanism. */
void raw_fill(raw_data *d);

/* Vectors along the rods A1, 12, 23, 3B, and their first and second rates. */
typedef struct raw_rods {
  double r[RAW_RODS][2], v[RAW_RODS][2], a[RAW_RODS][2];
} raw_rods;

void raw_rods_from(const double y[RAW_Y], raw_rods *rods);

/* Differences along the rods of any field x given at the points; zero at the ground. */
void raw_differences(const double x[RAW_Q], double d[RAW_RODS][2]);

/* Unit vector from B to point i (0 or 1), tension, and stiffness S = d(tension u)/dr. */
typedef struct raw_spring {
  double u[2], tension, S[2][2];
} raw_spring;

void raw_spring_at(const raw_data *d, const double y[RAW_Y], int i, raw_spring *spring);

/* Partial derivatives of the force balance of point 1 (Ls2: point 2) with respect to parameters. */
void raw_balance_parameters(const raw_data *d, const double y[RAW_Y],
                            double R_p[RAW_PARAMETERS][2]);

/* x += M a */
void raw_mass_times(const raw_data *d, const double a[RAW_Q], double x[RAW_Q]);

/* Factors [M Phi_q^T; Phi_q 0] at the positions of y and solves it for x; overwrites x. */
bool raw_solve_kkt(const raw_data *d, const double y[RAW_Y], double x[][RAW_KKT], int count);

/* Consistent initial state and, if s is not NULL, its derivatives s [RAW_PARAMETERS]. */
bool raw_initial(const raw_data *d, double y[RAW_Y], double s[][RAW_Y]);

/* psi integrands of the point 2: |r2 - r20|^2, |v2|^2, |a2|^2 */
void raw_integrands(const double y[RAW_Y], double g[RAW_FUNCTIONALS]);

/* Derivative of integrand f with respect to position (f = 0), velocity (1), acceleration (2) of
 * point 2: all that it depends on. */
void raw_integrand_gradients(const double y[RAW_Y], double g_y[RAW_FUNCTIONALS][2]);

#endif
