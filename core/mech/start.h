/* How the motions of a mechanical model begin, and go on. */
#ifndef GRADYN_CORE_MECH_START_H
#define GRADYN_CORE_MECH_START_H

#include <stdbool.h>

struct gradyn_mech;
struct gradyn_mech_state;

/* Motions that may go on as they are, q' = L q + u: L [n][n] row by row of guess number `which` at a state
 * that moves, with v = L q + u and, if it is one, a = L v. False: there is no such guess. */
typedef bool gradyn_mech_carry(const struct gradyn_mech *mech, const struct gradyn_mech_state *at,
                               int which, double *L);

/* Places and rates in some coordinates. */
typedef struct gradyn_mech_place {
  double *q, *v;
} gradyn_mech_place;

/* Coordinates in which the initial state is solved, and how the model's own follow from them: at a place
 * there, and what they change by; transposed, bars of the place there are overwritten. */
typedef struct gradyn_mech_origin {
  struct gradyn_mech *mech;
  void (*take)(struct gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to);
  void (*along)(struct gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *d,
                const gradyn_mech_place *to);
  void (*against)(struct gradyn_mech *own, const gradyn_mech_place *at,
                  const gradyn_mech_place *adjoints, const gradyn_mech_place *to);
} gradyn_mech_origin;

typedef struct gradyn_mech_begin {
  bool balanced; /* in equilibrium */
  bool free;     /* neither that, nor what is held, counts */
  /* [n] what counts in the distance of the initial q, v from those that are given: 1, or 0 for coordinates
   * that follow from the others; NULL: 1 */
  const double *nearness;
  gradyn_mech_origin origin; /* no mech: the start is solved in the model's own coordinates */
} gradyn_mech_begin;

#endif
