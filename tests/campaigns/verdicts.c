/* Campaign: how often is the result "optimal" or "infimum" false, and how often is an optimum not called
 * optimal? Searches with default settings over the problems with known optima, by default from 20 random
 * starts each. The same number of minima, infima at infinity and ends without multipliers, by a random
 * algorithm and factor. Then once each the searches that are easily misjudged. Exit status 1: a result is
 * false, or more than 10 % of optima are not called optimal. */
#include "tests/campaigns/campaign.h"
#include "tests/optim/endings.h"
#include "tests/optim/known_optima.h"
#include "tests/optim/pathological.h"
#include "tests/random.h"

#include <stdlib.h>

enum { STARTS = 20 };

typedef struct tally {
  long searches, optima, false_optimal, called_less, evaluations;
} tally;

static void add(tally *t, const known_verdict *verdict)
{
  t->searches++;
  t->optima += verdict->is;
  t->false_optimal += verdict->said && !verdict->is;
  t->called_less += verdict->is && !verdict->said;
  t->evaluations += verdict->evaluations;
}

static void print(const char *name, const tally *t)
{
  (void)printf("%-28s %8ld %8ld %8ld %8ld %10.1f\n", name, t->searches, t->optima, t->false_optimal,
               t->called_less, t->searches ? (double)t->evaluations / (double)t->searches : 0);
}

/* Returns how many of the difficult searches have a false result. */
static long misjudged(void)
{
  long count = 0;
  for (size_t i = 0; i < pathological_count; i++) {
    const pathological_verdict v = pathological_search(&pathological_problems[i]);
    count += !v.truthful;
    (void)printf("%-28s %s%5ld evaluations, objective %.9g: %s\n", pathological_problems[i].name,
                 v.truthful ? "" : "MISJUDGED ", v.evaluations, v.objective, v.reason);
  }
  return count;
}

/* Runs one search of each case and counts the results. */
static void judge_endings(uint64_t seed, tally kinds[])
{
  uint64_t state = seed * 7919;
  for (size_t i = 0; i < ending_case_count; i++) {
    const size_t k = (size_t)(random_unit(&state) * (ENDING_ALGORITHMS + 2));
    const ending_search how = {.algorithm = k < ENDING_ALGORITHMS ? ending_algorithms[k] : NULL,
                               .factor = pow(10, 12 * random_unit(&state) - 6),
                               .seed = seed * 1000 + i + 1};
    const ending_case *c = &ending_cases[i];
    const ending_verdict v = ending_judge(c, how);
    tally *t = &kinds[c->kind];
    t->searches++;
    t->optima += v.is;
    t->false_optimal += !v.truthful;
    t->called_less += !v.whole;
    t->evaluations += v.evaluations;
    if (!v.truthful || !v.whole)
      (void)printf("%s%s (row %zu) by %s, factor %.3g, start %llu: objective %.9g after %ld: %s\n",
                   v.truthful ? "" : "FALSE ", c->name, i,
                   how.algorithm ? how.algorithm : "default", how.factor,
                   (unsigned long long)how.seed, v.objective, v.evaluations, v.reason);
  }
}

/* Prints the results by kind of end; returns whether one is false. */
static bool print_kinds(const tally kinds[])
{
  static const char *const names[] = {"minima", "infima", "without multipliers"};
  long wrong = 0;
  for (size_t i = 0; i < 3; i++) {
    print(names[i], &kinds[i]);
    wrong += kinds[i].false_optimal + (kinds[i].called_less * 10 > kinds[i].searches);
  }
  return wrong > 0;
}

bool campaign_verdicts(campaign *c)
{
  c->most = c->most == UINT64_MAX ? STARTS : c->most;
  tally all = {0}, kinds[3] = {{0}}, *own = calloc(known_optima_count, sizeof *own);
  for (uint64_t seed; own != NULL && campaign_next(c, &seed);) {
    judge_endings(seed, kinds);
    for (size_t i = 0; i < known_optima_count; i++) {
      const known_verdict verdict = known_optimum_search(&known_optima[i], seed);
      add(&own[i], &verdict);
      add(&all, &verdict);
      if (verdict.said != verdict.is)
        (void)printf("%s from start %llu: objective %.9g, distance %.2g: %s\n",
                     known_optima[i].name, (unsigned long long)seed, verdict.objective,
                     verdict.distance, verdict.reason);
    }
  }
  (void)printf("%-28s %8s %8s %8s %8s %10s\n", "problem", "searches", "optima", "false", "less",
               "evaluations");
  for (size_t i = 0; own != NULL && i < known_optima_count; i++)
    print(known_optima[i].name, &own[i]);
  print("all", &all);
  free(own);
  const bool endings = print_kinds(kinds);
  const long wrong = misjudged();
  (void)printf("misjudged: %ld of %zu\n", wrong, pathological_count);
  return endings || all.false_optimal > 0 || wrong > 0 || all.called_less * 10 > all.searches;
}
