/* Decrease of violations from round to round. */
#ifndef GRADYN_OPTIM_HALVING_H
#define GRADYN_OPTIM_HALVING_H

#include <stdbool.h>

typedef struct gradyn_halving {
  double least; /* the last violation that was at most half of an earlier one; 0: none yet */
  int since;    /* number of rounds after it */
} gradyn_halving;

/* Takes in the largest violation of a round, > 0. */
void gradyn_halving_note(gradyn_halving *halving, double violation);

/* Whether another round may follow `round`: there are fewer than `most`; most 0: the violation has halved
 * recently. */
bool gradyn_halving_continues(const gradyn_halving *halving, long most, int round);

/* What to change if this has ended the rounds, after a list of findings; otherwise empty. */
const char *gradyn_halving_advice(const gradyn_halving *halving, long most, int round);

#endif
