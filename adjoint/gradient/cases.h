/* Evaluations of all load cases: each case in its own evaluator, in several threads if requested. */
#ifndef GRADYN_ADJOINT_GRADIENT_CASES_H
#define GRADYN_ADJOINT_GRADIENT_CASES_H

#include "adjoint/evaluator/cases.h"

/* As the functions of the same names without "cases", for an evaluator of all load cases; arrays are those
 * of all cases. The trajectory is that of the first case. If a case fails, the message begins with its
 * name. */
gradyn_status gradyn_cases_simulate(gradyn_evaluator *ev, const double rho[], double psi[],
                                    gradyn_trajectory *trajectory);
gradyn_status gradyn_cases_gradient(gradyn_evaluator *ev, const double rho[], double psi[],
                                    double gradient[]);
gradyn_status gradyn_cases_gradient_selected(gradyn_evaluator *ev, const bool requested[],
                                             const double rho[], double psi[], double gradient[]);
gradyn_status gradyn_cases_end_gradient(gradyn_evaluator *ev, const double *start,
                                        double optimality, const double rho[], double psi[],
                                        double gradient[]);
gradyn_status gradyn_cases_slope(gradyn_evaluator *ev, const double rho[], const double line[],
                                 double psi[], double slope[]);
gradyn_status gradyn_cases_extremes(gradyn_evaluator *ev, const double rho[],
                                    gradyn_extreme extreme[]);

#endif
