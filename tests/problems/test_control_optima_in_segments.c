/* The same in segments. */
#include "tests/problems/control_optima.h"
#include "tests/support.h"

TEST(segments_find_what_others_find)
{
  for (int i = 0; i < CONTROL_OPTIMA; i++)
    if (control_optima[i].segments > 0)
      control_find(&control_optima[i], "ipopt", control_optima[i].segments);
}
