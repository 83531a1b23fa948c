/* Rates from residuals, which are f(t, y) - y' and, of an algebraic state, g(y) - itself. */
#include "bench/stiff/rates.h"

#include <complex.h>

int stiff_rates_count(int problem)
{
  return stiff_set[problem].states - stiff_set[problem].algebraic;
}

const char *stiff_rates_name(int problem)
{
  return stiff_set[problem].name;
}

double stiff_rates_end_time(int problem)
{
  return stiff_set[problem].t_end;
}

const double *stiff_rates_start(int problem)
{
  return stiff_set[problem].start;
}

const double *stiff_rates_end(int problem)
{
  return stiff_set[problem].end;
}

void stiff_rates(int problem, double t, const double y[], double f[])
{
  const stiff_problem *p = &stiff_set[problem];
  const int count = stiff_rates_count(problem);
  gradyn_scalar state[STIFF_STATES] = {0}, rate[STIFF_STATES] = {0}, F[STIFF_STATES];
  const gradyn_scalar data[STIFF_PARAMETERS] = {p->parameter[0], p->parameter[1]};
  const gradyn_at at = {.t = t, .y = state, .yp = rate, .data = data};
  for (int i = 0; i < count; i++)
    state[i] = y[i];
  if (p->algebraic > 0) {
    (void)p->residual(&at, F);
    for (int i = count; i < p->states; i++)
      state[i] = F[i];
  }
  (void)p->residual(&at, F);
  for (int i = 0; i < count; i++)
    f[i] = creal(F[i]);
}
