/* Evaluations of all load cases: each case in its own evaluator, in several threads if requested. */
#ifndef GRADYN_ADJOINT_GRADIENT_CASES_H
#define GRADYN_ADJOINT_GRADIENT_CASES_H

#include "adjoint/evaluator/cases.h"

/* Computes psi [functionals] of all load cases at rho [parameters]; *trajectory, unless NULL, is that of
 * the first case. Errors: the status of a case that fails, whose name begins the message. Results are then
 * undefined. */
gradyn_status gradyn_cases_simulate(gradyn_evaluator *ev, const double rho[], double psi[],
                                    gradyn_trajectory *trajectory);

/* Computes psi [f] of all load cases at rho [p], and their gradient [f][p]. Errors: the status of a case
 * that fails; results are then undefined. */
gradyn_status gradyn_cases_gradient(gradyn_evaluator *ev, const double rho[], double psi[],
                                    double gradient[]);

/* Computes psi [f] of all load cases at rho [p], and their gradient [f][p], for an optimiser: only rows
 * that requested [f] marks are computed, requested NULL: all; other rows are undefined. Errors: the status
 * of a case that fails. */
gradyn_status gradyn_cases_gradient_selected(gradyn_evaluator *ev, const bool requested[],
                                             const double rho[], double psi[], double gradient[]);

/* Computes psi [f] of all load cases at rho [p], the end of a search from start [p], and their gradient
 * [f][p]. Errors below a tenth of `optimality` give no warning. Errors: the status of a case that fails. */
gradyn_status gradyn_cases_end_gradient(gradyn_evaluator *ev, const double *start,
                                        double optimality, const double rho[], double psi[],
                                        double gradient[]);

/* Computes psi [f], or NULL, of all load cases at rho [p], and slope [f], their derivatives along line [p];
 * see gradyn_slope(). Errors: the status of a case that fails. */
gradyn_status gradyn_cases_slope(gradyn_evaluator *ev, const double rho[], const double line[],
                                 double psi[], double slope[]);

/* Computes extreme [functionals] at rho [parameters], each functional in the run of its own load case; see
 * gradyn_evaluator_extremes(). All members are NAN for functionals that combine cases. Errors: the status of
 * a case that fails. */
gradyn_status gradyn_cases_extremes(gradyn_evaluator *ev, const double rho[],
                                    gradyn_extreme extreme[]);

#endif
