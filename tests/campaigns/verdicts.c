/* Campaign: how often is "optimal" false, and how often is an optimum called less? Searches with
 * default settings over the problems with known optima, from random starts.
 * Usage: campaign verdicts [SECONDS [SEED [STARTS]]], by default 600 s, seed 1, 20 starts each.
 * Then the searches that are easily misjudged, once each.
 * Exit status 1 if a verdict is false, or more than 10 % of optima are called less. */
#include "tests/campaigns/campaign.h"
#include "tests/optim/known_optima.h"
#include "tests/optim/pathological.h"

#include <time.h>

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

/* How many of the searches that are easily misjudged are. */
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

CAMPAIGN(verdicts)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const uint64_t starts = argc > 3 ? strtoull(argv[3], NULL, 10) : 20;
  const clock_t began = clock();
  tally all = {0};
  (void)printf("seed %llu, %llu starts\n%-28s %8s %8s %8s %8s %10s\n", (unsigned long long)seed,
               (unsigned long long)starts, "problem", "searches", "optima", "false", "less",
               "evaluations");
  for (size_t i = 0; i < known_optima_count; i++) {
    tally own = {0};
    for (uint64_t k = 0; k < starts; k++) {
      if ((double)(clock() - began) > seconds * CLOCKS_PER_SEC)
        break;
      const known_verdict verdict = known_optimum_search(&known_optima[i], seed * 1000003 + k);
      add(&own, &verdict);
      add(&all, &verdict);
      if (verdict.said != verdict.is)
        (void)printf("  start %llu: objective %.9g, distance %.2g: %s\n", (unsigned long long)k,
                     verdict.objective, verdict.distance, verdict.reason);
    }
    print(known_optima[i].name, &own);
  }
  print("all", &all);
  const long wrong = misjudged();
  (void)printf("misjudged: %ld of %zu\n", wrong, pathological_count);
  return all.false_optimal > 0 || wrong > 0 || all.called_less * 10 > all.searches;
}
