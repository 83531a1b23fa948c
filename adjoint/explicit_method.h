/* What the method `auto` asks of the explicit one beside what all methods offer. */
#ifndef GRADYN_ADJOINT_EXPLICIT_METHOD_H
#define GRADYN_ADJOINT_EXPLICIT_METHOD_H

#include <gradyn/status.h>

/* Simulates once; GRADYN_STEP_LIMIT early if more than `most` steps are foreseen. self: an object of
 * gradyn_explicit_method. */
gradyn_status gradyn_explicit_trial(void *self, long most);

#endif
