/* Trees drawn at random: kinds of joints, branches, the frame on the parent, axes, positions, masses, initial
 * states, springs, drives, gears, friction, loops, cuts, events. Results in joint coordinates must equal
 * those in natural ones. */
#ifndef GRADYN_TESTS_MBS_TREE_DRAWN_H
#define GRADYN_TESTS_MBS_TREE_DRAWN_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/gradyn.h>

/* What comes of it. */
typedef enum drawn_outcome {
  DRAWN_SAME,
  DRAWN_REFUSED, /* there is no such motion in either coordinates, or none in joint ones, by name */
  DRAWN_STATUS,  /* one of them ends, the other does not */
  DRAWN_COORDINATES, /* what the motion is differs between coordinates */
  DRAWN_ROUTES,      /* derivatives along and against differ */
  DRAWN_DIFFERENCES, /* and those of runs do */
  DRAWN_OUTCOMES
} drawn_outcome;

/* In the plane: bodies on joints or free, rods that share points with each other and with bodies. */
typedef enum drawn_room { DRAWN_IN_SPACE, DRAWN_IN_PLANE } drawn_room;

/* Which tree, how it is run, and what of a functional's largest derivative may differ between coordinates and
 * between routes; with differences along a line through all data, and with values of other data, or not;
 * derivatives along by each datum, which is most of all work, or by the parameters only. */
typedef struct drawn_asked {
  drawn_room capacity;
  int seed;
  const char *method;
  double rtol, agree, routes;
  bool differences, each_along;
} drawn_asked;

/* Values and derivatives by all data of that tree in natural and in joint coordinates, by adjoint and, in
 * joint coordinates, by direct sensitivities. text [size]: what differs, or what refused. */
drawn_outcome drawn_compare(drawn_asked asked, char *text, size_t size);

/* Uniform in [-1, 1], the same on all machines; 0 ... count - 1. */
double drawn_noise(unsigned *seed);
int drawn_pick(unsigned *seed, int count);

/* The line through all numbers of a tree that its second parameter goes along. */
typedef struct drawn_line {
  gradyn_scalar along;
  unsigned seed;
} drawn_line;

/* value + along * a number at random, of the size of value. */
gradyn_scalar drawn_on(drawn_line *line, double value);

/* Two parameters, the mass and the position on that line; coordinates NULL: natural ones. The setting "seed"
 * selects the tree. */
gradyn_problem drawn_problem(drawn_room capacity, const char *coordinates);

/* Their build(), by the setting "seed". */
gradyn_status drawn_build_in_space(gradyn_model *m, const gradyn_scalar rho[]);
gradyn_status drawn_build_plane(gradyn_model *m, const gradyn_scalar rho[]);

#endif
