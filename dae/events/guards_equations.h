/* The functions of guards.h for general equations. Guards are users' formulas; states are [ny]. */
#ifndef GRADYN_DAE_GUARDS_EQUATIONS_H
#define GRADYN_DAE_GUARDS_EQUATIONS_H

#include "dae/events/guards.h"

/* Creates s->system, which computes algebraic states and rates, and the arrays; s->model must be set. Call
 * gradyn_guards_clear() in any case. Errors: GRADYN_NO_MEMORY; failures of the equations. */
gradyn_status gradyn_equations_guards_create(gradyn_guards *s);

/* Starts a run: computes the initial state s->y, its rates s->yp and the natural sizes s->size, all [ny].
 * Errors: GRADYN_UNSUPPORTED, rates enter the equations with a singular matrix; failures of the equations. */
gradyn_status gradyn_equations_guards_begin(gradyn_guards *s);

/* Sets *r to the value of a formula f at t, s, and y [ny], without the sign of its event. Errors: failures
 * of the formula and of the equations. */
gradyn_status gradyn_equations_guard_value(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double *r);

/* Sets *rate to the time derivative of a formula f along the motion, r_y y' + r_t, at t, s, and y [ny].
 * Errors: failures of the formula and of the equations. */
gradyn_status gradyn_equations_guard_rate(gradyn_guards *s, const gradyn_functional_entry *f,
                                          double t, const double *y, double *rate);

/* Adds weight times the derivatives of a formula f at t, s, and y [ny] to out->y_bar [np], by differential
 * states, x_bar [nx] and *t_bar. y_bar and x_bar must not be NULL. Errors: failures of the formula and of
 * the equations. */
gradyn_status gradyn_equations_guard_gradient(gradyn_guards *s, const gradyn_functional_entry *f,
                                              double t, const double *y, double weight,
                                              const gradyn_gradient_out *out);

/* Sets scale [2] to the natural sizes of a formula f and of its rate at t, s, and y [ny]: derivatives by
 * states times sizes of the states and of their rates, plus the derivative by time times the end time, or
 * once. Errors: failures of the formula and of the equations. */
gradyn_status gradyn_equations_guard_scale(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double scale[2]);

#endif
