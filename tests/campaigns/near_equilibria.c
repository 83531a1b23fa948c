/* Campaign: searches of twelve problems from random starts at equilibria and near them, by `idas`,
 * `explicit`, `radau` and `auto` in turn. Each must end at the optimum that searches from distant starts
 * find, without a failed trial point. Gradients at the start must agree between `idas` and `explicit` to
 * 1e-4 of their size, or to ten times the error in a warning. A search must take at most four times the
 * steps of those from distant starts. Exit status 1: one of these fails. */
#include "tests/campaigns/campaign.h"
#include "tests/optim/near_equilibria.h"

#include <math.h>
#include <stdio.h>

bool campaign_near_equilibria(campaign *c)
{
  static const char *const methods[] = {"idas", "explicit", "radau", "auto"};
  long done = 0, wrong = 0, most = 0;
  double apart = 0;
  near_outcome far[16];
  for (size_t i = 0; i < near_equilibria_count; i++)
    far[i] = near_equilibrium_search(i, "idas", 0, true);
  for (uint64_t seed; campaign_next(c, &seed);) {
    const size_t i = seed % near_equilibria_count;
    const char *method = methods[seed / near_equilibria_count % GRADYN_COUNT(methods)];
    const near_outcome out = near_equilibrium_search(i, method, seed, true);
    const double off = fabs(out.objective - far[i].objective) / far[i].objective;
    done++;
    apart = fmax(apart, out.apart);
    most = out.steps > most ? out.steps : most;
    if (out.status == GRADYN_OK && out.rejected == 0 && off < 1e-4 &&
        out.apart < fmax(1e-4, 10 * out.told) && out.steps <= 4 * far[i].steps)
      continue;
    wrong++;
    (void)printf("%s by %s, start %llu: %s, objective %.9g of %.9g, %ld rejected, gradients apart "
                 "by %.1e, %ld steps of %ld: %s\n",
                 near_equilibria[i].name, method, (unsigned long long)seed,
                 gradyn_status_describe((int)out.status).name, out.objective, far[i].objective,
                 out.rejected, out.apart, out.steps, far[i].steps, out.reason);
  }
  (void)printf("%ld searches, %ld wrong; gradients apart by %.1e at most, %ld steps at "
               "most\n",
               done, wrong, apart, most);
  return wrong > 0;
}
