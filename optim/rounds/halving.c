/* Rounds continue while the violation halves. Rounds that add points converge at least linearly. */
#include "optim/rounds/halving.h"

/* Rounds end if the largest violation has not halved in this number of rounds. */
enum { MOST_IDLE = 3 };

void gradyn_halving_note(gradyn_halving *halving, double violation)
{
  const bool halved = !(halving->least > 0) || violation <= halving->least / 2;
  halving->since = halved ? 0 : halving->since + 1;
  halving->least = halved ? violation : halving->least;
}

bool gradyn_halving_continues(const gradyn_halving *halving)
{
  return halving->since < MOST_IDLE;
}
