/* Maxima over time for methods with error control. */
#ifndef GRADYN_ADJOINT_MAXIMA_H
#define GRADYN_ADJOINT_MAXIMA_H

#include "adjoint/evaluator/evaluator.h"

/* Simulates with the present method: psi [functionals] and trajectory may be NULL. With psi, maxima over time
 * are located in this run. Errors are those of runs. */
gradyn_status gradyn_maxima_simulate(gradyn_evaluator *ev, double *psi,
                                     gradyn_trajectory *trajectory);

/* Locates each maximum over time by a run. Its functional is then evaluated there until other data are
 * loaded: at a fixed time, at the start, at the end, or at one side of an event. Nothing happens if the times
 * are known, without such functionals, and with fixed steps, which locate maxima themselves. Errors are those
 * of runs. */
gradyn_status gradyn_place_maxima(gradyn_evaluator *ev);

/* Returns the event of the last run at time t, s: the first or the last of several; NULL: none. */
const gradyn_event_record *gradyn_maxima_event_at(const gradyn_model *model, double t, bool last);

/* Returns a time after a jump at t, s, but before t_end, for the function on this side. It is so close that
 * the result does not change. */
double gradyn_maxima_behind(double t, double t_end);

/* Corrections of maxima at knots. bring_back(): psi [functionals], or NULL: values were evaluated slightly
 * after the knot. ride_back(), ride_along(): knots move, for x_bar [functionals][nx] and for a gradient
 * [functionals][directions]. */
void gradyn_maxima_bring_back(const gradyn_model *model, double *psi);
void gradyn_maxima_ride_back(const gradyn_model *model, double *x_bar);
void gradyn_maxima_ride_along(const gradyn_model *model, const gradyn_directions *directions,
                              double *gradient);

#endif
