/* Campaigns: a trial for each seed, until the time or the number of trials is used up. */
#ifndef GRADYN_TESTS_CAMPAIGNS_CAMPAIGN_H
#define GRADYN_TESTS_CAMPAIGNS_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

/* What the command line asks for, campaign NAME [SECONDS [SEED [MOST]]], and where the campaign is. */
typedef struct campaign {
  double seconds; /* of processor time */
  uint64_t first; /* seed; trials have this one and those that follow */
  uint64_t most;  /* trials */
  uint64_t begun; /* of them */
} campaign;

/* Whether another trial is to be begun, and its seed. Prints what the last one has told. */
bool campaign_next(campaign *c, uint64_t *seed);

/* Each returns whether something was wrong, and tells about it. */
bool campaign_accuracy(campaign *c);
bool campaign_analyses(campaign *c);
bool campaign_check(campaign *c);
bool campaign_choice(campaign *c);
bool campaign_gradients(campaign *c);
bool campaign_hybrid(campaign *c);
bool campaign_linear_analyses(campaign *c);
bool campaign_lost_derivatives(campaign *c);
bool campaign_moving_knots(campaign *c);
bool campaign_near_equilibria(campaign *c);
bool campaign_no_false_alarms(campaign *c);
bool campaign_rtol(campaign *c);
bool campaign_scaled_functionals(campaign *c);
bool campaign_segments(campaign *c);
bool campaign_spatial(campaign *c);
bool campaign_spoilt_journals(campaign *c);
bool campaign_trees(campaign *c);
bool campaign_undeclared_jumps(campaign *c);
bool campaign_verdicts(campaign *c);

#endif
