/* Published problems of optimal control, in one piece. */
#include "tests/problems/control/control_optima.h"
#include "tests/support.h"

TEST(one_piece_finds_published_results)
{
  for (int i = 0; i < CONTROL_OPTIMA; i++)
    if (support_takes(i, 3))
      control_find(&control_optima[i], NULL, 0);
}
