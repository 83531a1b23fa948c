/* Kinks of rates that the sweeps of a gradient meet. */
#ifndef GRADYN_ADJOINT_ONESTEP_KINKS_H
#define GRADYN_ADJOINT_ONESTEP_KINKS_H

#include "adjoint/onestep/direct.h"

/* Before a sweep. Only a run that chooses its steps by the tolerances asked for is watched; repetitions leave
 * what it has met. */
void gradyn_onestep_kinks_begin(gradyn_onestep_sweeps *s);

/* After the stages of a step: s->z are the bars, or the changes, of the state where it starts. */
gradyn_status gradyn_onestep_kinks_against(gradyn_onestep_sweeps *s, int k);
gradyn_status gradyn_onestep_kinks_along(gradyn_onestep_sweeps *s,
                                         const gradyn_direct_position *at);

/* Whether errors of the gradient by kinks may be larger than rtol. */
bool gradyn_onestep_kinks_matter(const gradyn_onestep_sweeps *s, double rtol);

#endif
