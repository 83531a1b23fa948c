/* Stiff problems (tests/adjoint/stiff_set.h) as y' = f(t, y), for other programs without algebraic states,
 * which are eliminated. The amplifier, whose rates enter with a singular matrix, has no such form. */
#ifndef GRADYN_BENCH_STIFF_RATES_H
#define GRADYN_BENCH_STIFF_RATES_H

#include "tests/adjoint/stiff_set.h"

enum { STIFF_ODES = STIFF_AMPLIFIER };

/* Number of states after the elimination. */
int stiff_rates_count(int problem);

const char *stiff_rates_name(int problem);
double stiff_rates_end_time(int problem);

/* Initial values [stiff_rates_count()], and published end values. */
const double *stiff_rates_start(int problem);
const double *stiff_rates_end(int problem);

/* f [stiff_rates_count()]. */
void stiff_rates(int problem, double t, const double y[], double f[]);

#endif
