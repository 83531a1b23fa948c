/* Gradients of the undivided motion from those of its segments. */
#ifndef GRADYN_TESTS_OPTIM_CHAINED_H
#define GRADYN_TESTS_OPTIM_CHAINED_H

#include "tests/runs.h"

#include "adjoint/gradient/limited.h"
#include "optim/segments/segments.h"

/* d psi/d rho to total [count][p] of `count` functionals from `first` on, with the cuts such that gaps stay
 * as they are: psi_rho - psi_w (gap_w)^-1 gap_rho. */
void chained_gradient(const gradyn_segments *s, const double *gradient, size_t first, size_t count,
                      double *total);

/* Values and gradients by way of the cuts are those of one run, in so many segments with so many states at a
 * cut. The guess is interpolated; gaps close as each start goes where the part before has ended. */
/* Evaluates the objective; gradient [functionals with samples][parameters] gets all entries. */
void chained_evaluate(gradyn_segments *s, bool all, const double x[], double *psi,
                      double *gradient);

void chained_compare(const run_setup *setup, long count, size_t states);
/* The same cut as a search says, and with rows of limits at [rows], places of the motion of one run. */
void chained_compare_for(const run_setup *setup, const gradyn_search *search, size_t states);
void chained_compare_held(const run_setup *setup, const gradyn_search *search, size_t states,
                          const gradyn_limit_at at[], size_t rows);

/* Rows of a side of a limit on both sides of every event of a run, at its start, between, and at its end:
 * row [CHAINED_ROWS]; returns how many. */
enum { CHAINED_ROWS = 24 };
size_t chained_rows(const run_setup *setup, size_t side, gradyn_limit_at row[]);

/* Derivatives of all functionals, gaps and `rows` rows of limits, info [rows], by unknowns from `first` up to
 * `behind` at x are those of differences of order 4; x is as before afterwards. */
typedef struct chained_step {
  double h, rtol, atol;
} chained_step;
void chained_slopes(gradyn_segments *s, double x[], size_t first, size_t behind, chained_step step,
                    const gradyn_functional_info info[], size_t rows);

/* The same of all parameters and unknowns, a little beside the guess. */
void chained_differ(const run_setup *setup, const gradyn_search *search, const gradyn_limit_at at[],
                    size_t rows);

#endif
