/* A knife edge under the centre of mass of a body on an inclined plane, whose motion is known: it turns
 * evenly, phi = h + w t, and with the direction ahead (cos phi, sin phi) and the speed s(t) to the left it
 * goes ahead by
 *     u' = g_x cos phi + g_y sin phi + w s,
 * while the edge takes the force m (u w + s' - g.n) to the left. With s = 0 it draws a cycloid (Neimark and
 * Fufaev, Dynamics of nonholonomic systems). */
#ifndef GRADYN_TESTS_ROLLING_MODELS_H
#define GRADYN_TESTS_ROLLING_MODELS_H

#include <gradyn/gradyn.h>

enum {
  SKATE_MASS,
  SKATE_INERTIA,
  SKATE_X,
  SKATE_Y,
  SKATE_HEADING,
  SKATE_TURNING,
  SKATE_AHEAD,
  SKATE_GX,
  SKATE_GY,
  SKATE_SIDE, /* s = side + growth t + swing sin(3 t + 0.5) */
  SKATE_GROWTH,
  SKATE_SWING,
  SKATE_PARAMETERS
};
enum { SKATE_END_X, SKATE_END_Y, SKATE_VX, SKATE_VY, SKATE_ENERGY, SKATE_FORCE, SKATE_FUNCTIONALS };

/* Free: s = 0 whatever the last parameters say. */
extern const gradyn_problem skate_free, skate_driven;

/* A sled and its trailer, bodies in space on a joint, each with a blade off its centre, one of them driven,
 * and a particle on a spring that goes towards the trailer as a user's function has it. */
enum { TRAIL_PARAMETERS = 9, TRAIL_FUNCTIONALS = 6 };
extern const gradyn_problem rolling_trail;

/* A sled that slides freely, comes down on its edge where it passes a line, and bounces off a wall: modes and
 * impacts, in both of which the edge takes an impulse. */
enum { HITS_PARAMETERS = 7, HITS_FUNCTIONALS = 5 };
extern const gradyn_problem rolling_hits;

/* Functionals of a skate at parameters, in complex numbers. */
void skate_free_formula(const double _Complex p[], double _Complex psi[]);
void skate_driven_formula(const double _Complex p[], double _Complex psi[]);

#endif
