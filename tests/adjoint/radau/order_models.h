/* Models whose motions are known independently, for the order and the accuracy of the method radau. */
#ifndef GRADYN_TESTS_ADJOINT_RADAU_ORDER_MODELS_H
#define GRADYN_TESTS_ADJOINT_RADAU_ORDER_MODELS_H

#include <gradyn/gradyn.h>

#include "tests/reference/schemes/radau_complex.h"
#include "tests/support.h"

enum { ORDER_RESULTS = RADAU_COMPLEX_STATES + 1, ORDER_PARAMETERS = 3 };

/* General equations; functionals are their states at the end and the integral. */
typedef struct order_equations {
  const char *name;
  radau_complex_system system;
  int algebraic; /* the last so many states are */
  double t_end, start[RADAU_COMPLEX_STATES], parameter[ORDER_PARAMETERS];
  support_formula exact;
} order_equations;

/* Two linear equations with eigenvalues -1 and -1e6 and both motions at the start; Prothero and Robinson's,
 * with -1e6; a circuit with a diode, a node without capacitor, and a capacitor between two others, whose
 * matrix of rates is singular; y' = -p y with the algebraic state a^3 + a = q y, which comes to rest with
 * it. */
extern const order_equations order_stiff, order_prothero_robinson, order_circuit, order_cubic;

/* The problem; one at a time. */
gradyn_problem order_declare(const order_equations *e);

/* A pendulum, a point on a massless rod: position, velocity, acceleration along x and the multiplier, which
 * is the rod's force, at the end, and the integral of the latter; and the same by its angle, with many
 * short steps. */
enum { PENDULUM_X, PENDULUM_V, PENDULUM_A, PENDULUM_FORCE, PENDULUM_IMPULSE };
extern const gradyn_problem order_pendulum;
void order_pendulum_exact(const double complex p[], double complex result[]);

#endif
