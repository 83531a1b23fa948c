/* Trees drawn at random: kinds of joints, branches, which frame is on the parent, axes, places, starts,
 * springs, friction, what closes loops. Joint coordinates must be to them what natural ones are. */
#ifndef GRADYN_TESTS_MBS_TREE_DRAWN_H
#define GRADYN_TESTS_MBS_TREE_DRAWN_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/gradyn.h>

/* What is compared, one after the other. */
typedef enum drawn_outcome {
  DRAWN_SAME,
  DRAWN_REFUSED, /* there is no such motion in either coordinates, or none in joint ones, by name */
  DRAWN_APART    /* told in text */
} drawn_outcome;

/* In the plane: bodies on joints or free, rods that share points with each other and with bodies. */
typedef enum drawn_room { DRAWN_IN_SPACE, DRAWN_IN_PLANE } drawn_room;

/* Values and derivatives by all data of tree number `seed`, by a method with that tolerance, in natural and
 * in joint coordinates, by adjoint and, in joint coordinates, by direct sensitivities: equal to 1e4 rtol of
 * their functional's largest. text [size]: what is not, or what refused. */
drawn_outcome drawn_compare(drawn_room room, int seed, const char *method, double rtol, char *text,
                            size_t size);

/* Uniform in [-1, 1], the same on all machines; 0 ... count - 1. */
double drawn_noise(unsigned *seed);
int drawn_pick(unsigned *seed, int count);

/* Of one parameter, the mass; coordinates NULL: natural ones. The setting "seed" tells which tree. */
gradyn_problem drawn_problem(drawn_room room, const char *coordinates);

/* The build() of those in the plane, by the setting "seed". */
gradyn_status drawn_build_plane(gradyn_model *m, const gradyn_scalar rho[]);

#endif
