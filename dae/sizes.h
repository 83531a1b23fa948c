/* Natural sizes of the states of a model, from which absolute tolerances follow that suit a mechanism of
 * micrometres as well as one of kilometres, and equations in any unit. */
#ifndef GRADYN_DAE_SIZES_H
#define GRADYN_DAE_SIZES_H

#include "core/model.h"

/* Absolute tolerances that nobody has given, as parts of rtol and of the sizes that they are for. */
#define GRADYN_ABSOLUTE_SHARE 0.01

/* size [ny] > 0 of every state, from a consistent state y at the beginning of a run to t_end, with rates
 * yp (of general equations; zero where they are not known) and their rates ypp (NULL: not known). Of
 * mechanisms: positions have the extent of the mechanism's points, directions 1, velocities what
 * accelerations bring about over that extent or the run takes for it. Of general equations: a state's own
 * value; where it is zero, a hundredth of what its rate makes of it in the time in which other states change,
 * what the rate makes of it until it has died away, if that is less, or the smallest of the states of its
 * unit. */
gradyn_status gradyn_state_sizes(gradyn_model *model, const double *y, const double *yp,
                                 const double *ypp, double t_end, double *size);

/* Whether the sizes of general equations need ypp: some state is zero. */
bool gradyn_sizes_need_more(const gradyn_model *model, const double *y);

#endif
