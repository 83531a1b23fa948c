/* Campaign: trees and loops of bodies on joints of all kinds, in space, and of bodies and rods in the plane,
 * drawn at random, in natural and in joint coordinates, by `explicit`, `radau` and `idas` in turn: values,
 * and derivatives by all data by adjoint and by direct sensitivities, must agree.
 * Usage: campaign trees [SECONDS [SEED [TREES]]], by default 600 s, from tree number 1 on, 10000 of them.
 * Exit status 1 if something else happens. */
#include "tests/campaigns/campaign.h"
#include "tests/mbs/tree/drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

CAMPAIGN(trees)
{
  static const struct {
    const char *method;
    double rtol;
  } ways[] = {{"explicit", 1e-12}, {"explicit", 1e-9}, {"radau", 1e-10}, {"idas", 1e-9}};
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const int first = argc > 2 ? atoi(argv[2]) : 1;
  const int trees = argc > 3 ? atoi(argv[3]) : 10000;
  const clock_t began = clock();
  long count[3] = {0};
  for (int k = 0; k < trees; k++) {
    const int way = k % 4;
    char text[600];
    if ((double)(clock() - began) > seconds * CLOCKS_PER_SEC)
      break;
    const drawn_room room = k / 4 % 2 ? DRAWN_IN_PLANE : DRAWN_IN_SPACE;
    const drawn_outcome out = drawn_compare(room, first + k, ways[way].method, ways[way].rtol, text,
                                            sizeof text);
    count[out]++;
    if (out == DRAWN_APART)
      (void)printf("tree %d in %s by %s at %g: %s\n", first + k,
                   room == DRAWN_IN_PLANE ? "the plane" : "space", ways[way].method, ways[way].rtol,
                   text);
  }
  (void)printf("from tree %d on: %ld alike, %ld refused, %ld apart\n", first, count[DRAWN_SAME],
               count[DRAWN_REFUSED], count[DRAWN_APART]);
  return count[DRAWN_APART] > 0;
}
