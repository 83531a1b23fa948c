/* A mass on a vertical rail that meets one event, in closed form: the motion is a sequence of polynomials.
 * The mass flies under gravity and a force that grows with time, or is fixed. The rail exerts a force that
 * depends on the velocity, so that reactions jump where velocities do. */
#ifndef GRADYN_TESTS_ADJOINT_FLIGHTS_H
#define GRADYN_TESTS_ADJOINT_FLIGHTS_H

#include <complex.h>

typedef enum flights_kind {
  FLIGHTS_BOUNCE,
  FLIGHTS_LANDING,
  FLIGHTS_LIFT_OFF,   /* where the floor would have to pull */
  FLIGHTS_TIMED_LIFT, /* at a time */
  FLIGHTS_MAP,
  FLIGHTS_RESET,   /* a bounce whose restitution depends on the approach, and on time and place */
  FLIGHTS_CAPTURE, /* held where it is at a time */
  FLIGHTS_KNOT,    /* a force jumps at a time */
  FLIGHTS_END,     /* nothing but the end time */
  FLIGHTS_ENDED,   /* the run ends at a level */
  FLIGHTS_KEPT,    /* a bounce as a kinematic jump, without impulse */
  FLIGHTS_KINDS
} flights_kind;

/* Parameters: height m, velocity m/s, gravity m/s^2, growth N/s, restitution or weight of the map, level m,
 * time s, jump of the force N, shift of the map m or loss with speed s/(10 m), coupling N s/m, end time s. */
enum {
  FLIGHTS_HEIGHT,
  FLIGHTS_VELOCITY,
  FLIGHTS_GRAVITY,
  FLIGHTS_GROWTH,
  FLIGHTS_SHARE,
  FLIGHTS_LEVEL,
  FLIGHTS_TIME,
  FLIGHTS_JUMP,
  FLIGHTS_COUPLING,
  FLIGHTS_END_TIME,
  FLIGHTS_PARAMETERS
};

/* Functionals; the last four of kinds that have an event. */
enum {
  FLIGHTS_END_Y,
  FLIGHTS_END_V,
  FLIGHTS_OF_Y,     /* integral of y^2 */
  FLIGHTS_OF_V,     /* of v^2 */
  FLIGHTS_OF_A,     /* of a^2 */
  FLIGHTS_OF_RAIL,  /* of the square of the rail's multiplier */
  FLIGHTS_OF_FLOOR, /* of the multiplier of what holds; 0 without it */
  FLIGHTS_MEASURE,  /* of (measured v - 1/2)^2 */
  FLIGHTS_IMPULSE,
  FLIGHTS_EVENT_TIME,
  FLIGHTS_BEFORE, /* t v + rail's multiplier before the event, and after it */
  FLIGHTS_AFTER,
  FLIGHTS_FUNCTIONALS
};

static const double flights_mass = 1.3, flights_side = 0.7; /* kg, N/s */

/* Of all functionals of a kind. */
void flights_solve(flights_kind kind, const double _Complex p[], double _Complex result[]);

#endif
