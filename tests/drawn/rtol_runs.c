/* Runs and errors of the campaign `rtol`. */
#include "tests/drawn/rtol_runs.h"
#include "tests/runs.h"

#include <math.h>
#include <stdio.h>

/* Round-off of states of about 1. */
static const double nothing = 1e-15;

void rtol_place(const rtol_system *s, bool away, double rho[])
{
  for (int j = 0; j < s->parameters; j++)
    rho[j] = s->param[j].init * (away ? 1 + 0.03 * sin(3.0 * j + 1) : 1);
}

void rtol_ask(const rtol_system *s, const char *method, const char *way, double rtol, bool away,
              rtol_answer *a)
{
  const gradyn_problem problem = rtol_problem(s);
  double rho[COLLOCATION_PARAMETERS];
  run_local *ev;
  a->status = run_try(&ev, &problem, .method = method, .sensitivity = way, .rtol = rtol,
                      .evaluation_seconds = 20);
  for (int k = 0; k <= away && a->status == GRADYN_OK; k++) {
    rtol_place(s, k > 0, rho);
    a->status = gradyn_evaluator_gradient(ev, rho, a->psi, a->slope);
  }
  a->stated = gradyn_evaluator_statistics(ev).gradient_error;
  (void)snprintf(a->text, sizeof a->text, "%s",
                 a->status == GRADYN_OK ? gradyn_evaluator_warnings(ev)
                                        : gradyn_evaluator_message(ev));
}

void rtol_judge(const rtol_system *s, const double rho[], const collocation_result *exact,
                rtol_answer *a, double *value, double *gradient)
{
  double largest = 0;
  *value = *gradient = a->strict = 0;
  for (int j = 0; j < s->parameters; j++)
    largest = fmax(largest, fabs(rho[j]));
  for (int f = 0; f < s->functionals; f++) {
    double most = fmax(fabs(exact->psi[f]), 1e-6 * exact->extent[f]) / largest, off = 0, moves = 0,
           strict = 0;
    for (int j = 0; j < s->parameters; j++) {
      const double slope = exact->slope[f][j];
      most = fmax(most, fabs(slope));
      strict = fmax(strict, fabs(slope));
      moves = fmax(moves, fabs(slope * rho[j]));
      off = fmax(off, fabs(a->slope[f * s->parameters + j] - slope));
    }
    a->strict = fmax(a->strict, off > 0 ? off / strict : 0);
    *gradient = fmax(*gradient, off > nothing ? off / most : 0);
    moves = fmax(fmax(moves, fabs(exact->psi[f])), exact->extent[f] / 10);
    off = fabs(a->psi[f] - exact->psi[f]);
    *value = fmax(*value, off > nothing ? off / moves : 0);
  }
}
