/* Saddle systems for tests of the Schur complement. */
#ifndef GRADYN_TESTS_CORE_SADDLES_H
#define GRADYN_TESTS_CORE_SADDLES_H

#include "core/linear/schur.h"

enum { MOST = 32 };

/* A system with n coordinates and m constraints: M by entries, tridiagonal; rows of J with two entries
 * or, the last one, with all. */
typedef struct saddle {
  int n, m;
  gradyn_pattern dyn, jac;
  double M[MOST * MOST], J[MOST * MOST];
  gradyn_schur schur;
} saddle;

/* The i-th of some numbers between -1 and 1. */
double saddle_number(int i);

/* Makes a system and factorises it, or releases it. */
void open_saddle(saddle *s, int n, int m);
void close_saddle(saddle *s);

/* The same with masses of points, alike along so many axes, of which n is a multiple. */
void open_saddle_of_points(saddle *s, int n, int m, int axes);

/* b = [M J^T; J 0] x */
void saddle_multiply(const saddle *s, const double *x, double *b);

/* Sizes (n, m) with kernels of their own, and others. */
enum { SADDLE_SIZES = 17 };
extern const int saddle_sizes[SADDLE_SIZES][2];

#endif
