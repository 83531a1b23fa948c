/* Campaign: trees and loops of bodies on joints of all kinds, in space, and of bodies and rods in the plane,
 * drawn at random with springs, drives, gears, friction, what is cut and what happens, in natural and in
 * joint coordinates: values and derivatives by all data by adjoint; in joint coordinates by direct
 * sensitivities, too, along a line through all data and, of every twentieth tree, by each of them, which
 * takes twenty times as long; by `explicit` also beside differences along another such line, and with all
 * data a little off. Six of ten run by `explicit` at 1e-11, to 1e-9 between coordinates and 1e-10 between
 * routes, the others by `explicit`, `radau` and `idas` to 1e4 times their tolerance.
 * Squares are taken of what is off some target, so that no functional has round-off for a size. Not compared:
 * reactions where rows depend on others; derivatives by data by which there are none, since no run goes on
 * either side (an event sets what cannot move); not moved: lengths of sliders that are zero, which say that
 * moments are not borne.
 * Exit status 1 if something else happens. */
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
