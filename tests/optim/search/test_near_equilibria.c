/* Searches that begin at an equilibrium or close to it: the short form of the campaign. */
#include "tests/runs.h"

#include "tests/optim/near_equilibria.h"

enum { STARTS = 3 };

/* The searches must end at the optimum found from distant starts, without a failed trial point. Both
 * methods have the same gradients at the start, and take as many steps there as elsewhere. */
THOROUGH_TEST(equilibria_are_no_worse_than_other_starts)
{
  for (size_t i = 0; i < near_equilibria_count; i++) {
    const near_outcome far = near_equilibrium_search(i, "explicit", 0, true);
    assert_ok(far.status, far.reason);
    for (uint64_t seed = 1; seed <= STARTS; seed++) {
      if (!support_takes((int)(i + seed), 3))
        continue;
      const near_outcome out = near_equilibrium_search(i, run_adaptive[seed % 2], seed, true);
      if (out.status != GRADYN_OK || out.rejected > 0 || out.steps > 4 * far.steps ||
          !(out.apart < 1e-4) || !(fabs(out.objective - far.objective) < 1e-4 * far.objective))
        fail_msg("%s, start %d: objective %.9g of %.9g, %ld rejected, %ld steps of %ld, gradients "
                 "apart by %.1e: %s",
                 near_equilibria[i].name, (int)seed, out.objective, far.objective, out.rejected,
                 out.steps, far.steps, out.apart, out.reason);
    }
  }
}
