/* Derivatives of the stages of an explicit method. */
#ifndef GRADYN_ADJOINT_EXPLICIT_STAGES_H
#define GRADYN_ADJOINT_EXPLICIT_STAGES_H

#include "adjoint/onestep/direct.h"
#include "dae/explicit/explicit.h"

extern const gradyn_onestep_derivatives gradyn_explicit_derivatives;

#endif
