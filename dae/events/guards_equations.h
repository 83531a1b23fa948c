/* The functions of guards.h for general equations, by their formulas. */
#ifndef GRADYN_DAE_GUARDS_EQUATIONS_H
#define GRADYN_DAE_GUARDS_EQUATIONS_H

#include "dae/events/guards.h"

/* The system that gives algebraic states and rates, and arrays; of any stage gradyn_guards_clear() frees. */
gradyn_status gradyn_equations_guards_create(gradyn_guards *s);
gradyn_status gradyn_equations_guards_begin(gradyn_guards *s);

gradyn_status gradyn_equations_guard_value(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double *r);
gradyn_status gradyn_equations_guard_rate(gradyn_guards *s, const gradyn_functional_entry *f,
                                          double t, const double *y, double *rate);
/* out->y_bar [np], x_bar [nx] must be there. */
gradyn_status gradyn_equations_guard_gradient(gradyn_guards *s, const gradyn_functional_entry *f,
                                              double t, const double *y, double weight,
                                              const gradyn_gradient_out *out);
gradyn_status gradyn_equations_guard_scale(gradyn_guards *s, const gradyn_functional_entry *f,
                                           double t, const double *y, double scale[2]);

#endif
