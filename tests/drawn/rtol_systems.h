/* Random systems of two to eight states, stiff and not stiff, for the campaign `rtol`: as a problem of the
 * library and as one of the reference. */
#ifndef GRADYN_TESTS_CAMPAIGNS_RTOL_SYSTEMS_H
#define GRADYN_TESTS_CAMPAIGNS_RTOL_SYSTEMS_H

#include "tests/drawn/collocation.h"

#include <gradyn/gradyn.h>

typedef enum rtol_kind {
  RTOL_LINEAR,      /* stable, its eigenvalues from -0.1 to -10 */
  RTOL_STIFF,       /* the same to -1e6 */
  RTOL_VAN_DER_POL, /* one to four of them, coupled, with damping from 0.1 to 30 */
  RTOL_PREY,        /* Lotka and Volterra */
  RTOL_CHEMISTRY,   /* mass action, with rates over nine decades */
  RTOL_DUFFING,     /* oscillators in a row that a signal drives */
  RTOL_NETWORK,     /* decays coupled by tanh */
  RTOL_STIFF_NETWORK,
  RTOL_KINDS
} rtol_kind;

enum { RTOL_NUMBERS = 110, RTOL_KNOTS = 6, RTOL_REACTIONS = 8 };

typedef struct rtol_functional {
  bool integral, end, square;
  int state;
  double from; /* what is subtracted from the state */
} rtol_functional;

typedef struct rtol_system {
  rtol_kind kind;
  int states, parameters, functionals;
  bool algebraic; /* the last state is */
  double t_end;
  int count;                   /* numbers: initial values, coefficients of the kind, knots */
  double number[RTOL_NUMBERS]; /* at the initial parameters */
  double mirror[COLLOCATION_STATES];
  int reaction[RTOL_REACTIONS][4]; /* species that react, the second or -1, and their products */
  int reactions;
  int knots, first_knot; /* 0: no signal */
  gradyn_signal_kind signal;
  int moved[COLLOCATION_PARAMETERS]; /* numbers that the parameters are, times a weight */
  double weight[COLLOCATION_PARAMETERS];
  gradyn_param param[COLLOCATION_PARAMETERS];
  rtol_functional functional[COLLOCATION_FUNCTIONALS];
} rtol_system;

/* Draws system number `seed`. */
void rtol_draw(unsigned long seed, rtol_system *system);

const char *rtol_name(rtol_kind kind);

/* Its problem; the system must outlive it, one at a time. */
gradyn_problem rtol_problem(const rtol_system *system);

/* The same for the reference at rho; times [RTOL_KNOTS + 1]. */
collocation_problem rtol_reference(const rtol_system *system, const double rho[],
                                   long double times[]);

/* Rates of the system, of algebraic states residuals, at numbers [count]; u: its signal. */
void rtol_rates(const rtol_system *system, const collocation_number number[], collocation_number u,
                long double t, const collocation_number y[], collocation_number f[]);

#endif
