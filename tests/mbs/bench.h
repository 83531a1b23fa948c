/* A bench for elements: a small model, a state that violates its constraints and in which nothing vanishes,
 * and comparison of every derivative of the mechanical interface with differences of eighth order. */
#ifndef GRADYN_TESTS_MBS_BENCH_H
#define GRADYN_TESTS_MBS_BENCH_H

#include <gradyn/gradyn.h>

#include "core/model/model.h"
#include "tests/support.h"

/* Derivatives that must not be zero for a comparison to mean anything. */
enum {
  BENCH_K_INERTIA = 1 << 0, /* of the residual's parts by q */
  BENCH_K_FORCE = 1 << 1,
  BENCH_K_CONSTRAINT = 1 << 2,
  BENCH_K_HELD = 1 << 3,
  BENCH_C_FORCE = 1 << 4,   /* by v */
  BENCH_M_INERTIA = 1 << 5, /* by a */
  BENCH_X_INERTIA = 1 << 6, /* by data */
  BENCH_X_FORCE = 1 << 7,
  BENCH_X_CONSTRAINT = 1 << 8,
  BENCH_X_HELD = 1 << 9,
  BENCH_R_TIME = 1 << 10,
  BENCH_PHI_Q0 = 1 << 11, /* of Phi, Phi', Phi'' by q */
  BENCH_PHI_Q1 = 1 << 12,
  BENCH_PHI_Q2 = 1 << 13,
  BENCH_PHI_X0 = 1 << 14, /* by data */
  BENCH_PHI_X1 = 1 << 15,
  BENCH_PHI_X2 = 1 << 16,
  BENCH_PHI_T0 = 1 << 17, /* by time */
  BENCH_PHI_T1 = 1 << 18,
  BENCH_PHI_T2 = 1 << 19,
  BENCH_PHI_Q = BENCH_PHI_Q0 | BENCH_PHI_Q1 | BENCH_PHI_Q2,
  BENCH_PHI_X = BENCH_PHI_X0 | BENCH_PHI_X1 | BENCH_PHI_X2,
  BENCH_PHI_T = BENCH_PHI_T0 | BENCH_PHI_T1 | BENCH_PHI_T2
};

enum { BENCH_STATES = 240, BENCH_DATA = 400, BENCH_NNZ = 4000 };

typedef struct bench {
  gradyn_problem problem;
  gradyn_model *model;
  gradyn_mech *mech;
  double t;               /* 0.7 s */
  double step;            /* of differences, 0.004 */
  double y[BENCH_STATES]; /* q, v, a, lam, multipliers of held rows; m, m/s, m/s^2, N */
  double x[BENCH_DATA];   /* data as built */
} bench;

/* Two bodies in space about which nothing is special, and a joint between them: its number. */
int bench_joined(gradyn_model *model, const char *name, gradyn_joint_kind kind, int body[2]);

/* Builds the model; q [n] is the state's position, NULL: near the built one (the other numbers are of
 * order 1). */
void bench_open(bench *b, gradyn_build_fn build, const double *q);
#define bench_local OWNED_UNTIL_END(bench_close) bench /* where its block ends */
void bench_close(bench *b);

/* The state, or the same with another y. */
gradyn_mech_state bench_state(const bench *b, const double *y, double t);

/* Compares every derivative; `present` are those that must not vanish. */
void bench_check_residual(bench *b, int present);
void bench_check_constraints(bench *b, int present);

/* Derivative at s = 0 of f [count], which may change the bench's y, x (bench_load) or t. */
typedef void (*bench_line)(bench *b, const void *what, double s, double *f);
void bench_difference(bench *b, bench_line line, const void *what, int count, double *slope);

/* Value of a functional's integrand, or else of its value at the end, at the bench's state. */
double bench_functional(bench *b, int functional);
/* Compares its derivatives; returns what is not zero: 1 by state, 2 by data, 4 by time. */
int bench_check_functional(bench *b, int functional);

/* Takes the bench's data with a step in one of them into use; datum -1: none. */
void bench_load(bench *b, int datum, double s);
/* Index of a datum by its name; fails if there is none. */
int bench_datum(const bench *b, const char *name);

#endif
