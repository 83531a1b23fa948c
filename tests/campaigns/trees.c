/* Campaign: trees and loops of bodies on joints of all kinds in space, and of bodies and rods in the plane.
 * They have random springs, drives, gears, friction, cut joints and events, in natural and in joint
 * coordinates. Values and derivatives with respect to all data are compared, by adjoint. In joint
 * coordinates also direct sensitivities along a line through all data and, for every twentieth tree, for
 * each datum. `explicit` is also compared with differences along another line, and with slightly changed
 * data. Six of ten trees run by `explicit` at 1e-11: to 1e-9 between coordinates and 1e-10 between direct
 * and adjoint. The others run by `explicit`, `radau` and `idas`, to 1e4 times their tolerance. Functionals
 * are squared differences from targets, so that none consists of round-off. Not compared: reactions of
 * redundant constraints, and derivatives that do not exist, since no run continues on either side (an event
 * sets a velocity that cannot change). Not varied: lengths of sliders that are zero, which mean that
 * moments have no effect. Exit status 1: any other disagreement. */
#include "tests/campaigns/campaign.h"
#include "tests/mbs/tree/drawn.h"

#include <stdio.h>

static const struct {
  const char *method;
  double rtol, agree, routes;
  bool differences;
} ways[] = {{"explicit", 1e-11, 1e-9, 1e-10, true},  {"explicit", 1e-11, 1e-9, 1e-10, true},
            {"explicit", 1e-11, 1e-9, 1e-10, true},  {"explicit", 1e-9, 1e-5, 1e-10, false},
            {"radau", 1e-10, 1e-6, 1e-6, false},     {"explicit", 1e-11, 1e-9, 1e-10, true},
            {"explicit", 1e-11, 1e-9, 1e-10, true},  {"explicit", 1e-11, 1e-9, 1e-10, true},
            {"explicit", 1e-12, 1e-8, 1e-10, false}, {"idas", 1e-9, 1e-5, 1e-5, false}};

static const char *const what[DRAWN_OUTCOMES] = {"alike",       "refused", "status",
                                                 "coordinates", "routes",  "differences"};

bool campaign_trees(campaign *c)
{
  long count[DRAWN_OUTCOMES] = {0};
  for (uint64_t given; campaign_next(c, &given);) {
    const int seed = (int)given, way = seed % 10;
    char text[600];
    const drawn_room capacity = seed / 10 % 3 == 2 ? DRAWN_IN_PLANE : DRAWN_IN_SPACE;
    const drawn_outcome out = drawn_compare((drawn_asked){.capacity = capacity,
                                                          .seed = seed,
                                                          .method = ways[way].method,
                                                          .rtol = ways[way].rtol,
                                                          .agree = ways[way].agree,
                                                          .routes = ways[way].routes,
                                                          .differences = ways[way].differences,
                                                          .each_along = seed % 20 == 7},
                                            text, sizeof text);
    count[out]++;
    if (out != DRAWN_SAME)
      (void)printf("tree %d in %s by %s at %g, %s: %s\n", seed,
                   capacity == DRAWN_IN_PLANE ? "the plane" : "space", ways[way].method,
                   ways[way].rtol, what[out], text);
  }
  long wrong = 0;
  for (int k = 0; k < DRAWN_OUTCOMES; k++) {
    (void)printf(" %ld %s", count[k], what[k]);
    wrong += k > DRAWN_REFUSED ? count[k] : 0;
  }
  (void)printf("\n");
  return wrong > 0;
}
