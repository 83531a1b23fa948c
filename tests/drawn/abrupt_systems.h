/* Random systems with discontinuities: forces and tables that jump as states move. Others have right
 * gradients: kinks, jumps in time, steep laws. As general equations and as mechanisms with a custom force. */
#ifndef GRADYN_TESTS_CAMPAIGNS_ABRUPT_SYSTEMS_H
#define GRADYN_TESTS_CAMPAIGNS_ABRUPT_SYSTEMS_H

#include <gradyn/gradyn.h>

/* What is abrupt. */
typedef enum abrupt_law {
  ABRUPT_STEP,    /* a force from a place on */
  ABRUPT_PRELOAD, /* a spring from a place on, with its preload */
  ABRUPT_NEAREST, /* the nearest number of a table */
  ABRUPT_DRIVE,   /* a force that jumps with the sign of a velocity, along it */
  ABRUPT_LAST_JUMP = ABRUPT_DRIVE,
  ABRUPT_CORNER,   /* a stop that begins without a preload */
  ABRUPT_SQUARE,   /* |z| z */
  ABRUPT_LINEAR,   /* between the numbers of a table */
  ABRUPT_CLOCK,    /* a force from a time on */
  ABRUPT_SAMPLED,  /* the nearest number of a table by time */
  ABRUPT_STEEP,    /* tanh(z/1e-6) */
  ABRUPT_ROOT,     /* sqrt |z| with the sign of z */
  ABRUPT_HERTZ,    /* z^1.5 from zero on */
  ABRUPT_UNSTABLE, /* nothing but a pendulum that is upright */
  ABRUPT_LAWS
} abrupt_law;

enum { ABRUPT_PARAMETERS = 3, ABRUPT_FUNCTIONALS = 2 };

/* Draws system number `seed` with that law. */
typedef struct abrupt_system {
  abrupt_law law;
  bool mechanism;
  double data[16];
} abrupt_system;

abrupt_system abrupt_draw(unsigned long seed, abrupt_law law);

/* Its problem; the system must outlive it, one at a time. */
gradyn_problem abrupt_problem(const abrupt_system *system);

const char *abrupt_name(abrupt_law law);

/* How they are run: by methods, with steps, by routes to gradients. */
typedef struct abrupt_way {
  const char *method, *sensitivity;
  double share; /* of the run, a step */
  bool general, mechanical;
} abrupt_way;
enum { ABRUPT_WAYS = 11 };
extern const abrupt_way abrupt_ways[ABRUPT_WAYS];

#endif
