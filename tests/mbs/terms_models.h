/* Models with every kind of datum of mechanisms, and random states for them: common parts of the tests of
 * products with several vectors at once. */
#ifndef GRADYN_TESTS_MBS_TERMS_MODELS_H
#define GRADYN_TESTS_MBS_TERMS_MODELS_H

#include <stdint.h>

#include "core/linear/lanes.h"
#include "core/model/model.h"
#include "tests/support.h"

enum { TERMS = 3 };

typedef struct terms_model {
  const char *name;
  gradyn_build_fn build;
  int idle; /* data that change nothing, initial values aside */
} terms_model;

/* The second one is called "driven". */
enum { TERMS_DRIVEN = 1 };
extern const terms_model terms_models[];
extern const int terms_model_count;

/* Times from which on the constraint product of the model "driven" is not a number, s, and its force
 * fails instead. */
enum { TERMS_NO_NUMBER = 4, TERMS_FAILURE = 5 };

/* A rod of 0.8 m that turns about the ground. */
gradyn_status terms_pendulum(gradyn_model *model, const gradyn_scalar rho[]);
/* Models with attached points everywhere. */
gradyn_status terms_carried(gradyn_model *model, const gradyn_scalar rho[]);
gradyn_status terms_carried_3d(gradyn_model *model, const gradyn_scalar rho[]);

/* Adds a force between two points that reads the multipliers of two constraints. */
void terms_friction(gradyn_model *model, bool space, int a, int b, const char *const reads[2]);

/* Small models with beams, and with bodies. */
gradyn_status terms_beams(gradyn_model *model, const gradyn_scalar rho[]);
gradyn_status terms_beams_3d(gradyn_model *model, const gradyn_scalar rho[]);
gradyn_status terms_bodies(gradyn_model *model, const gradyn_scalar rho[]);
/* A wheel, a knife edge, a user's row of velocities, a tyre. */
gradyn_status terms_rolling(gradyn_model *model, const gradyn_scalar rho[]);

/* A model with random states off its constraints: the formulas hold anywhere. All of them share t and
 * q, as those of a step do; v, a and lam differ. */
typedef struct terms_scene {
  gradyn_problem problem;
  gradyn_model *model;
  gradyn_mech *mech;
  int n, m, nx;
  uint64_t seed;
  double *state; /* q [n], then v [n], a [n], lam [m] of each state: m, m/s, m/s^2, N */
  gradyn_mech_state node, at[TERMS];
  int terms, size; /* of what is asked for at once; size: n + m */
  gradyn_mech_term term[TERMS];
} terms_scene;

void terms_open(terms_scene *s, gradyn_build_fn build);
void terms_open_in(terms_scene *s, gradyn_build_fn build, const char *coordinates);
#define terms_local OWNED_UNTIL_END(terms_close) terms_scene /* closed where its block ends */
void terms_close(terms_scene *s);

/* Takes new random numbers for all states, and a new time from -0.3 to 2.3 s, so that signals, which
 * last from 0 to 2 s, are also looked at before and after. */
void terms_shake(terms_scene *s);

/* Random numbers between -1 and 1. */
double terms_random(terms_scene *s);
void terms_fill(terms_scene *s, int count, double *x);

/* Allocated arrays of random numbers, or zeros, to be released with free(); fail the test without memory. */
double *terms_numbers(terms_scene *s, int count);
double *terms_zeros(int count);
gradyn_lanes *terms_lanes(terms_scene *s, int count);

/* What is asked for at once, at new random states. */
typedef struct terms_look {
  int terms, parts[TERMS], order[TERMS];
} terms_look;
void terms_ask(terms_scene *s, const terms_look *look);

/* rhs [terms][size] += derivatives times dx [columns][nx], at once; and the same term by term and column by
 * column, to rhs [columns][terms][size]. */
void terms_at_once(terms_scene *s, int columns, const double *dx, gradyn_lanes *rhs);
void terms_one_by_one(terms_scene *s, int columns, const double *dx, double *rhs);

/* x_bar [columns][nx] -= mu [terms][size] times derivatives, at once; and x_bar += mu
 * [columns][terms][size] times derivatives, term by term. */
void terms_at_once_transposed(terms_scene *s, int columns, gradyn_lanes *mu, double *x_bar);
void terms_one_by_one_transposed(terms_scene *s, int columns, const double *mu, double *x_bar);

/* Compares count numbers, the tolerance 1e-12 relative to the largest of the expected ones. */
void terms_compare(int count, const double *actual, const double *expected);

#endif
