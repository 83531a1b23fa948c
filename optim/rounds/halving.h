/* Decides when rounds end, by the decrease of the largest violation from round to round. Initialise the
 * struct with zeros. */
#ifndef GRADYN_OPTIM_HALVING_H
#define GRADYN_OPTIM_HALVING_H

#include <stdbool.h>

typedef struct gradyn_halving {
  double least; /* the last violation that was at most half of an earlier one; 0: none yet */
  int since;    /* number of rounds after it */
} gradyn_halving;

/* Takes the largest violation of a round, > 0, in any unit that is the same in all rounds. Call it once a
 * round. */
void gradyn_halving_note(gradyn_halving *halving, double violation);

/* Returns whether another round may follow `round` (1, 2, ...). With most > 0, round < most decides. With
 * most 0, the violation must have halved in one of the last three rounds. */
bool gradyn_halving_continues(const gradyn_halving *halving, long most, int round);

/* Returns advice to the user for the end of a message if gradyn_halving_continues() with the same `most`
 * and `round` is false; otherwise "". Static text. */
const char *gradyn_halving_advice(const gradyn_halving *halving, long most, int round);

#endif
