/* Energies and dissipations of the ANCF beam element from the definitions, in complex numbers, for
 * derivatives by complex step. Coordinates [4 dim] of the element, shape functions in x, curvature by cross
 * products: a formulation that is independent of that of the element. */
#ifndef GRADYN_TESTS_MBS_ANCF_REFERENCE_H
#define GRADYN_TESTS_MBS_ANCF_REFERENCE_H

#include <complex.h>
#include <stdbool.h>

enum { REFERENCE_DIM = 3, REFERENCE_MAX = 12, REFERENCE_DATA = 5 };

typedef double complex scalar;

/* State of an element and its data in the order l, E, A, I, eta. */
typedef struct reference {
  int dim;
  bool full;
  scalar u[REFERENCE_MAX], v[REFERENCE_MAX], data[REFERENCE_DATA];
} reference;

/* Value and derivatives 0, 1, 2 by x of a field at x. [3], the third is 0 in the plane */
void reference_field(const reference *r, const scalar *u, scalar x, int derivative, scalar *field);

/* eps and kappa^2 at x. */
void reference_strain(const reference *r, scalar x, scalar *eps, scalar *kappa2);

scalar reference_energy(const reference *r);

/* D, of which minus the derivative by v is the damping force. */
scalar reference_dissipation(const reference *r);

/* int (omega.t)^2 |k|^2 E I eta dx: the power that damping takes from a spin about the tangent
 * (full) or the chord (linear). */
scalar reference_spin_loss(const reference *r, const double omega[3]);

/* Force of the element: complex step of the above for the full model; for the linear one, whose
 * axial force is no gradient, -E A eps int S'^T S' dx u instead. */
void reference_force(const reference *r, double *f);

#endif
