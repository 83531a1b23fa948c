/* Maxima over time for methods with error control. */
#ifndef GRADYN_ADJOINT_MAXIMA_H
#define GRADYN_ADJOINT_MAXIMA_H

#include "adjoint/evaluator/evaluator.h"

/* Simulates at the loaded data with the present method. psi [functionals] and trajectory may be NULL. With
 * psi, the run also locates the maxima over time. After an error psi is undefined. Errors are those of
 * runs. */
gradyn_status gradyn_maxima_simulate(gradyn_evaluator *ev, double *psi,
                                     gradyn_trajectory *trajectory);

/* Locates each maximum over time by a run at the loaded data. Its functional is then evaluated at this time
 * until other data are loaded: at a fixed time, at the start, at the end, or at one side of an event. Does
 * nothing without maxima, if their times are known, or with fixed steps, which locate maxima themselves.
 * Errors are those of runs. */
gradyn_status gradyn_place_maxima(gradyn_evaluator *ev);

/* Returns the event of the last run at exactly time t, s. Of several, the last one with `last`, otherwise
 * the first. NULL: none. The record belongs to the model's log, until the next run. */
const gradyn_event_record *gradyn_maxima_event_at(const gradyn_model *model, double t, bool last);

/* Returns a time just after a jump of a signal at t, s, and before t_end, s. A function evaluated there has
 * its value after the jump up to negligible errors. */
double gradyn_maxima_behind(double t, double t_end);

/* Corrects psi [functionals] for maxima at a knot of a signal, which are evaluated slightly after the knot.
 * psi may be NULL. */
void gradyn_maxima_correct_values(const gradyn_model *model, double *psi);
/* Adds to x_bar [functionals][nx] the derivatives of maxima at knots by the times of these knots. */
void gradyn_maxima_add_adjoints(const gradyn_model *model, double *x_bar);

/* Adds the derivatives of maxima at knots by the times of these knots, along directions, to gradient
 * [functionals][directions]. */
void gradyn_maxima_add_tangents(const gradyn_model *model, const gradyn_directions *directions,
                                double *gradient);

#endif
