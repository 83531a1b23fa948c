/* A search over segments. */
#include "tests/optim/segments/searched.h"

gradyn_search in_segments(const gradyn_evaluator *ev, long count)
{
  gradyn_search search;
  gradyn_search_default(ev, &search);
  search.algorithm = "ipopt";
  search.segments = count;
  return search;
}
