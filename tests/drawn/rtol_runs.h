/* Runs of the systems of the campaign `rtol`, and their errors. */
#ifndef GRADYN_TESTS_CAMPAIGNS_RTOL_RUNS_H
#define GRADYN_TESTS_CAMPAIGNS_RTOL_RUNS_H

#include "tests/drawn/rtol_systems.h"

typedef struct rtol_answer {
  gradyn_status status;
  double psi[COLLOCATION_FUNCTIONALS];
  double slope[COLLOCATION_FUNCTIONALS * COLLOCATION_PARAMETERS];
  double stated;  /* error of the gradient */
  double strict;  /* the true one over the largest component alone, whatever is next to nothing */
  char text[300]; /* warnings, or the message */
} rtol_answer;

/* The initial parameters, or some next to them; rho [parameters]. */
void rtol_place(const rtol_system *system, bool away, double rho[]);

/* The gradient there, away behind one at the initial parameters. */
void rtol_ask(const rtol_system *system, const char *method, const char *way, double rtol,
              bool away, rtol_answer *answer);

/* The largest relative errors of all functionals. Those of gradients are taken over their largest component,
 * but no less than the relative change of the value by the largest parameter, as the library does, and than
 * 1e-6 of what the functional reaches on the way; those of values over the value, what a relative change of a
 * parameter makes of it, or a tenth of what the functional reaches. */
void rtol_judge(const rtol_system *system, const double rho[], const collocation_result *exact,
                rtol_answer *answer, double *value, double *gradient);

#endif
