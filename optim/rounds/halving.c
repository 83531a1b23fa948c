/* Decides whether rounds continue: they do while the violation halves. Rounds that add points converge at
 * least linearly. */
#include "optim/rounds/halving.h"

/* Rounds end if the largest violation has not halved in this number of rounds. */
enum { MOST_IDLE = 3 };

void gradyn_halving_note(gradyn_halving *halving, double violation)
{
  const bool halved = !(halving->least > 0) || violation <= halving->least / 2;
  halving->since = halved ? 0 : halving->since + 1;
  halving->least = halved ? violation : halving->least;
}

bool gradyn_halving_continues(const gradyn_halving *halving, long most, int round)
{
  return most > 0 ? round < most : halving->since < MOST_IDLE;
}

const char *gradyn_halving_advice(const gradyn_halving *halving, long most, int round)
{
  if (gradyn_halving_continues(halving, most, round))
    return "";
  return most > 0 ? ", the number that --path-rounds allows: increase it"
                  : "; the violation has not halved in three rounds: give the constraint a larger "
                    "grid or tolerance, or set --path-rounds";
}
