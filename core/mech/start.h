/* Start and continuation of motions of a mechanical model. */
#ifndef GRADYN_CORE_MECH_START_H
#define GRADYN_CORE_MECH_START_H

#include <stdbool.h>
#include <stddef.h>

struct gradyn_mech;
struct gradyn_mech_state;

/* Guesses of motions that continue steadily, q' = L q + u. Writes the matrix L [n][n], by rows, of guess
 * number `which`, from 0, at a moving state with q, v, a. Then v = L q + u and, if the guess is right, a = L
 * v. false: there is no such guess. */
typedef bool gradyn_mech_carry(const struct gradyn_mech *mech, const struct gradyn_mech_state *at,
                               int which, double *L);

/* Positions q [n] and velocities v [n] in some coordinates. */
typedef struct gradyn_mech_place {
  double *q, *v;
} gradyn_mech_place;

/* Coordinates in which the initial state is solved (those of `mech`), and the conversion to coordinates of
 * the model (`own`). take() converts a state `at` of the solve to the model's coordinates, and along()
 * converts its change d. against() is the transpose of along() and overwrites the adjoints `to` of the
 * solve's coordinates. give() converts a state `at` of the model to the solve's coordinates. `to` may have
 * several equivalent values, for example angles; nearest() selects those nearest to `before`. name() and
 * unit() describe position i < n and velocity n + i of the solve. */
typedef struct gradyn_mech_origin {
  struct gradyn_mech *mech;
  void (*give)(struct gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to);
  void (*nearest)(const struct gradyn_mech *own, const gradyn_mech_place *before,
                  const gradyn_mech_place *to);
  void (*name)(const struct gradyn_mech *own, int i, char *buffer, size_t size);
  const char *(*unit)(const struct gradyn_mech *own, int i);
  void (*take)(struct gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to);
  void (*along)(struct gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *d,
                const gradyn_mech_place *to);
  void (*against)(struct gradyn_mech *own, const gradyn_mech_place *at,
                  const gradyn_mech_place *adjoints, const gradyn_mech_place *to);
} gradyn_mech_origin;

typedef struct gradyn_mech_begin {
  bool balanced; /* the motion starts in equilibrium */
  bool free;     /* neither equilibrium nor fixed initial conditions are imposed */
  /* [n], weights in the distance of the initial q, v from the given ones: 1, or 0 for coordinates that
   * follow from the others. NULL: all 1 */
  const double *nearness;
  gradyn_mech_origin origin; /* mech NULL: the start is solved in the model's own coordinates */
} gradyn_mech_begin;

#endif
