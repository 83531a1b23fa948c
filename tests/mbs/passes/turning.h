/* Closed forms of freely turning bodies: a point, a point on an axis of the body, rotation and energy. */
#ifndef GRADYN_TESTS_MBS_PASSES_TURNING_H
#define GRADYN_TESTS_MBS_PASSES_TURNING_H

#include "tests/runs.h"

enum { POINT, TIP = POINT + 3, RATE = TIP + 3, ENERGY = RATE + 3, FUNCTIONALS };

gradyn_scalar turning_dot(const gradyn_scalar a[3], const gradyn_scalar b[3]);
/* x turned about a unit vector by an angle. */
void turning_turn(const gradyn_scalar axis[3], gradyn_scalar angle, gradyn_scalar x[3]);
/* The functionals above of a body: a point in it, one on its axis, its rotation, energy. */
void turning_see(gradyn_model *m, int body, const double at[3], const double tip[3]);
/* A w + (C - A) (w.e) e of a body with that axis. */
void turning_momentum(const double w[3], const double e[3], double A, double C, double L[3]);

#endif
