/* Evaluations of all load cases: each case in its own evaluator, in several threads if requested. */
#ifndef GRADYN_ADJOINT_GRADIENT_CASES_H
#define GRADYN_ADJOINT_GRADIENT_CASES_H

#include "adjoint/evaluator/cases.h"

/* gradyn_evaluator_simulate() for an evaluator of all load cases. rho [parameters] and psi [functionals]
 * are those of all cases; the trajectory is that of the first case. Errors: the status of a case that
 * fails, whose name begins the message. Results are then undefined. */
gradyn_status gradyn_cases_simulate(gradyn_evaluator *ev, const double rho[], double psi[],
                                    gradyn_trajectory *trajectory);

/* gradyn_evaluator_gradient() for an evaluator of all load cases; rho [p], psi [f] and gradient [f][p] are
 * those of all cases. Errors: the status of a case that fails. */
gradyn_status gradyn_cases_gradient(gradyn_evaluator *ev, const double rho[], double psi[],
                                    double gradient[]);

/* gradyn_evaluator_gradient_selected() for an evaluator of all load cases; requested [f], rho [p], psi [f]
 * and gradient [f][p] are those of all cases. Errors: the status of a case that fails. */
gradyn_status gradyn_cases_gradient_selected(gradyn_evaluator *ev, const bool requested[],
                                             const double rho[], double psi[], double gradient[]);

/* gradyn_end_gradient() for an evaluator of all load cases; start and rho [p], psi [f] and gradient [f][p]
 * are those of all cases. Errors: the status of a case that fails. */
gradyn_status gradyn_cases_end_gradient(gradyn_evaluator *ev, const double *start,
                                        double optimality, const double rho[], double psi[],
                                        double gradient[]);

/* gradyn_slope() for an evaluator of all load cases; rho and line [p], psi and slope [f] are those of all
 * cases. Errors: the status of a case that fails. */
gradyn_status gradyn_cases_slope(gradyn_evaluator *ev, const double rho[], const double line[],
                                 double psi[], double slope[]);

/* gradyn_evaluator_extremes() for an evaluator of all load cases; extreme [functionals] of all cases.
 * Errors: the status of a case that fails. */
gradyn_status gradyn_cases_extremes(gradyn_evaluator *ev, const double rho[],
                                    gradyn_extreme extreme[]);

#endif
