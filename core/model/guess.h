/* Guesses of states over time, as build() declares them. */
#ifndef GRADYN_CORE_GUESS_H
#define GRADYN_CORE_GUESS_H

#include "core/model/model_parts.h"

/* Finds the states of all guesses in the finalised model. In joint coordinates, slots are indices of
 * positions and velocities in the coordinates of the start (gradyn_mech_origin). GRADYN_INVALID: a state
 * does not exist, or has two guesses. */
gradyn_status gradyn_guesses_finalise(gradyn_model *model);
void gradyn_guesses_free(gradyn_model *model);

/* The guess of the state with index slot; NULL: none. */
const gradyn_guessed *gradyn_guess_of(const gradyn_model *model, int slot);

#endif
