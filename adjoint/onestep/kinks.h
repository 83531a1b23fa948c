/* Detects kinks of the rates in the sweeps of a gradient. */
#ifndef GRADYN_ADJOINT_ONESTEP_KINKS_H
#define GRADYN_ADJOINT_ONESTEP_KINKS_H

#include "adjoint/onestep/sweeps.h"

/* Prepares the detection of kinks of the rates in a sweep. Only a run that chooses its steps by the
 * requested tolerances is tested; repetitions keep its result. */
void gradyn_onestep_kinks_begin(gradyn_onestep_sweeps *s);

/* Adjoint sweep: examines step k. Call it after the stages of step k, when s->b.z has the adjoints of the
 * state at its start. Errors: failures of the rates. */
gradyn_status gradyn_onestep_kinks_against(gradyn_onestep_sweeps *s, int k);
/* Direct sweep: examines the step `at`. Call it after its stages, when s->b.z has the changes of the state at
 * its start. Errors: failures of the rates. */
gradyn_status gradyn_onestep_kinks_along(gradyn_onestep_sweeps *s,
                                         const gradyn_onestep_position *at);

/* Returns whether kinks of the rates that the last sweep has found may cause relative errors of the
 * gradient above rtol. */
bool gradyn_onestep_kinks_matter(const gradyn_onestep_sweeps *s, double rtol);

#endif
