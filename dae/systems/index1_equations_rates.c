/* Rates and algebraic states of general equations for given differential states: Newton's method with
 * B = [F_yd' + F_yd P, F_ya]. Convergence is judged by the size of its steps. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dae/systems/index1_equations.h"

enum {
  MOST_ITERATIONS = 50,
  ROUND_OFFS = 16 /* round-off of an equation's sum of terms, in units of DBL_EPSILON */
};

/* Fails if column d of F_yd' P is not zero. */
static gradyn_status check_constant(gradyn_equations_system *s, int d)
{
  int n = s->base.ny, np = s->base.np;
  /* F_yd' P = 0 must hold throughout the run, which means that the null space is constant */
  for (int k = 0; k < n; k++) {
    double sum = 0, most = 0;
    for (int j = 0; j < np; j++) {
      double entry = s->F_yp[s->differential[j] * n + k];
      sum += entry * s->P[d * np + j]; /* entry k of column d */
      most = fmax(most, fabs(entry));
    }
    if (fabs(sum) > 1e-9 * most)
      return gradyn_fail(&s->base.model->message, GRADYN_UNSUPPORTED,
                         "the matrix dF/dy' is singular and not constant (equation %d, near the "
                         "state %s, at t = %g s). Only a constant matrix may be singular",
                         k, s->e->unknown[s->differential[d]].name, s->t);
  }
  return GRADYN_OK;
}

/* Computes the rates P y_d' from the time derivative F_y y' + F_t = 0 of the equations in the range of B P.
 * The integrator needs these rates from the first step on. */
static gradyn_status combined_rates(gradyn_equations_system *s, double t, double *y, double *yp)
{
  int n = s->base.ny;
  gradyn_equations_system_divide_states(s, yp); /* (1 - P) y_d' */
  for (int d = 0; d < s->base.np; d++)
    yp[s->differential[d]] = s->v[d];
  GRADYN_TRY(gradyn_equations_system_evaluate(s, t, y, yp, false));
  for (int d = 0; d < s->base.np; d++)
    GRADYN_TRY(check_constant(s, d));
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  GRADYN_TRY(gradyn_equations_by_time(s->e, s->b));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s->b[k] += s->F_y[i * n + k] * yp[i]; /* F_y y' + F_t */
  gradyn_equations_system_solve(s, s->b);
  gradyn_equations_system_divide_states(s, s->b);
  for (int d = 0; d < s->base.np; d++)
    yp[s->differential[d]] -= s->null[d]; /* P y_d' = -P B^-1 (F_y y' + F_t) */
  return GRADYN_OK;
}

/* Sets *met if F is zero up to the round-off of its terms, sum |F_y y| + |F_y' y'|. If equations nearly
 * depend on each other, this round-off changes y by more than round-off of y. */
static gradyn_status meet_round_off(gradyn_equations_system *s, double t, const double *y,
                                    const double *yp, bool *met)
{
  const int n = s->base.ny;
  GRADYN_TRY(gradyn_equations_residual(s->e, t, y, yp, s->b));
  memset(s->column, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) {
    const int first = s->J ? s->J->start[i] : i * n, end = s->J ? s->J->start[i + 1] : first + n;
    for (int k = first; k < end; k++)
      s->column[s->J ? s->J->row[k] : k - first] += fabs(s->F_y[k] * y[i]) +
                                                    (s->id[i] != 0 ? fabs(s->F_yp[k] * yp[i]) : 0);
  }
  *met = true;
  for (int k = 0; k < n; k++)
    *met = *met && fabs(s->b[k]) <= ROUND_OFFS * DBL_EPSILON * s->column[k];
  return GRADYN_OK;
}

/* Takes a step of Newton's method in y_d', y_a and P y_d with the present factors. *step: its size relative
 * to 1 + |y|. */
static gradyn_status take_step(gradyn_equations_system *s, double t, double *y, double *yp,
                               double *step)
{
  *step = 0;
  GRADYN_TRY(gradyn_equations_residual(s->e, t, y, yp, s->b));
  gradyn_equations_system_solve(s, s->b);
  gradyn_equations_system_divide_states(s, s->b);
  for (int i = 0, d = 0; i < s->base.ny; i++) {
    double *unknown = s->id[i] != 0 ? &yp[i] : &y[i];
    double change = s->id[i] != 0 ? s->v[d] : s->b[i];
    *unknown -= change;
    *step = fmax(*step, fabs(change) / (1 + fabs(*unknown)));
    if (s->id[i] == 0)
      continue;
    y[i] -= s->null[d]; /* P y_d are unknowns too */
    *step = fmax(*step, fabs(s->null[d++]) / (1 + fabs(y[i])));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_equations_system_rates(gradyn_equations_system *s, double t, double *y,
                                            double *yp, double serving, bool *held)
{
  double last = HUGE_VAL, step;
  bool serves = *held;
  gradyn_equations_system_point(s, t, y, yp);
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    if (!serves) {
      GRADYN_TRY(gradyn_equations_system_evaluate(s, t, y, yp, true));
      GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
    }
    GRADYN_TRY(take_step(s, t, y, yp, &step));
    /* converged, or round-off is reached */
    bool met = step < 1e-15 || (step < 1e-9 && step >= last);
    serves = serving > 0 && step <= serving * last;
    *held = *held && (serves || met);
    if (!met && step > 0.5 * last) {
      /* slower than Newton's method near a solution: perhaps F is round-off already */
      GRADYN_TRY(gradyn_equations_system_evaluate(s, t, y, yp, false));
      GRADYN_TRY(meet_round_off(s, t, y, yp, &met));
    }
    if (met)
      return s->base.combined > 0 ? combined_rates(s, t, y, yp) : GRADYN_OK;
    last = step;
  }
  return gradyn_fail(&s->base.model->message, GRADYN_NOT_ASSEMBLED,
                     "no consistent values of the algebraic states were found at t = %g s (last "
                     "relative change %.2g): give better guesses",
                     t, last);
}
