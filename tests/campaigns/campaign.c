/* The program of all campaigns. Usage: campaign NAME [SECONDS [SEED [MOST]]], by default 600 s, seed 1 and
 * as many trials as the time permits. Exit status 1: a trial has found a fault. */
#include "tests/campaigns/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
  const char *name;
  bool (*run)(campaign *c);
} campaigns[] = {
    {"accuracy", campaign_accuracy},
    {"analyses", campaign_analyses},
    {"check", campaign_check},
    {"choice", campaign_choice},
    {"gradients", campaign_gradients},
    {"hybrid", campaign_hybrid},
    {"linear_analyses", campaign_linear_analyses},
    {"lost_derivatives", campaign_lost_derivatives},
    {"moving_knots", campaign_moving_knots},
    {"near_equilibria", campaign_near_equilibria},
    {"no_false_alarms", campaign_no_false_alarms},
    {"rtol", campaign_rtol},
    {"scaled_functionals", campaign_scaled_functionals},
    {"segments", campaign_segments},
    {"spatial", campaign_spatial},
    {"spoilt_journals", campaign_spoilt_journals},
    {"trees", campaign_trees},
    {"undeclared_jumps", campaign_undeclared_jumps},
    {"verdicts", campaign_verdicts},
};

bool campaign_next(campaign *c, uint64_t *seed)
{
  (void)fflush(stdout);
  if (c->begun == c->most || (double)clock() > c->seconds * CLOCKS_PER_SEC)
    return false;
  *seed = c->first + c->begun++;
  return true;
}

int main(int argc, char *argv[])
{
  campaign c = {.seconds = argc > 2 ? strtod(argv[2], NULL) : 600,
                .first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                .most = argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX};
  for (size_t i = 0; argc > 1 && i < sizeof campaigns / sizeof campaigns[0]; i++)
    if (strcmp(argv[1], campaigns[i].name) == 0) {
      (void)printf("from seed %" PRIu64 " on\n", c.first);
      return campaigns[i].run(&c);
    }
  (void)fprintf(stderr, "usage: campaign NAME [SECONDS [SEED [MOST]]]; names:\n");
  for (size_t i = 0; i < sizeof campaigns / sizeof campaigns[0]; i++)
    (void)fprintf(stderr, "  %s\n", campaigns[i].name);
  return 2;
}
