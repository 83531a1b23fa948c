/* Mechanisms with multiplier-dependent forces, and one of them as an ordinary differential equation. */
#ifndef GRADYN_TESTS_FRICTION_MODELS_H
#define GRADYN_TESTS_FRICTION_MODELS_H

#include <gradyn/gradyn.h>

/* A block on a moving incline that a spring presses on it, with smooth friction by Brown and McPhee from
 * the multiplier of its guide; the force leans out of the incline by an angle, so that it changes that
 * multiplier. Functionals: position and speed along the incline at the end, the integral of lam^2. */
extern const gradyn_problem friction_block;
enum { FRICTION_FUNCTIONALS = 3, FRICTION_PARAMETERS = 5 };

/* A slider-crank with friction in its guide, a bearing that reads the forces of both bars, and a drag on a
 * point attached to one of them that reads two. */
extern const gradyn_problem friction_crank;

/* A hanging chain of 16 links; friction in each joint reads the force of the link above. */
extern const gradyn_problem friction_chain;

/* The block beside a table on three equal legs in a row, one more than it needs; setting "reads": which
 * multiplier friction reads, 0 the block's, 1 that of a leg. */
extern const gradyn_problem friction_table;

/* A block whose friction pushes it against its guide; parameter: how much of it. At 1 it locks. Setting
 * "smooth": 0 the force is linear in the multiplier, 1 in its smooth size. */
extern const gradyn_problem friction_locked;

/* The functionals of the block by the classical Runge-Kutta method in one dimension. */
void friction_block_reference(const double rho[], int steps, double psi[FRICTION_FUNCTIONALS]);

#endif
