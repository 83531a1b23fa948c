/* Maxima over time of methods that choose their steps. */
#ifndef GRADYN_ADJOINT_MAXIMA_H
#define GRADYN_ADJOINT_MAXIMA_H

#include "adjoint/evaluator/evaluator.h"

/* Simulates by the method in force, finds where each maximum over time is, and has it taken there until other
 * data are loaded: at an instant that stays, at the start, at the end, or at one side of an event. Nothing to
 * do where that is known, without such functionals, and with fixed steps, which find them on their way. */
gradyn_status gradyn_place_maxima(gradyn_evaluator *ev);

/* The event of the last run at a time, the first or the last of several; NULL: none. */
const gradyn_event_record *gradyn_maxima_event_at(const gradyn_model *model, double t, bool last);

/* The time behind a jump at t, s, of which the g on that side is taken: as little later as makes no
 * difference, and before t_end. */
double gradyn_maxima_behind(double t, double t_end);

/* What a run leaves out of maxima at knots: that values psi [functionals], which may be NULL, were taken a
 * little behind; that knots move, for x_bar [functionals][nx] and a gradient [functionals][directions]. */
void gradyn_maxima_bring_back(const gradyn_model *model, double *psi);
void gradyn_maxima_ride_back(const gradyn_model *model, double *x_bar);
void gradyn_maxima_ride_along(const gradyn_model *model, const gradyn_directions *directions,
                              double *gradient);

#endif
