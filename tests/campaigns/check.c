/* Campaign: does gradyn_evaluator_check() raise false alarms, and does it miss errors? Random mechanisms
 * over six decades of size and mass by all methods. In every other one a relative error of 1e-6 is planted
 * in a derivative. Exit status 1: a false alarm or a missed error. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/mechanisms.h"
#include "tests/runs.h"
#include "tests/random.h"

#include <stdio.h>

enum { CAPACITY = 200 };

static const char *const methods[] = {"ali3p", "variational", "idas"};
static const char *const fault_name[] = {"none", "Phi'", "Phi''", "build()", "functional"};

typedef struct tally {
  long healthy, alarms, planted, missed, failed;
} tally;

static void draw(uint64_t seed, bool planted)
{
  uint64_t random = seed;
  int fault = 1 + random_choice(&random, MECHANISM_FAULTS - 1);
  mechanism_drawn = (mechanism){.seed = seed,
                                .metre = random_decades(&random, 1e-3, 1e3),
                                .kilogram = random_decades(&random, 1e-3, 1e3),
                                .fault = planted ? (mechanism_fault)fault : FAULT_NONE,
                                .planted = 1e-6};
}

static void report(const char *what, const char *method, const char *text, double error,
                   double tolerance)
{
  (void)printf("%s: seed %llu, %s, %.3g m, %.3g kg, fault %s: %s (%.2e, at most %.1e)\n", what,
               (unsigned long long)mechanism_drawn.seed, method, mechanism_drawn.metre,
               mechanism_drawn.kilogram, fault_name[mechanism_drawn.fault], text, error, tolerance);
}

/* Checks one mechanism by one method. */
static void check(const char *method, tally *t)
{
  const gradyn_problem problem = mechanism_problem();
  const bool planted = mechanism_drawn.fault != FAULT_NONE;
  run_local *ev;
  gradyn_check_item item[CAPACITY];
  double rho[MECHANISM_PARAMETERS];
  size_t count = 0;
  gradyn_status status = run_try(&ev, &problem, .method = method, .step = problem.t_end / 200);
  for (int j = 0; j < MECHANISM_PARAMETERS; j++)
    rho[j] = 1;
  if (status == GRADYN_OK)
    status = gradyn_evaluator_check(ev, rho, NULL, item, CAPACITY, &count);
  t->healthy += !planted && count > 0;
  t->planted += planted && count > 0;
  if (status != GRADYN_OK && status != GRADYN_CHECK_FAILED) {
    t->failed++;
    report("fails", method, gradyn_evaluator_message(ev), 0, 0);
  } else if (!planted && status != GRADYN_OK) {
    t->alarms++;
    report("FALSE ALARM", method, item[count - 1].name, item[count - 1].error,
           item[count - 1].tolerance);
  } else if (planted && status == GRADYN_OK) {
    t->missed++;
    report("MISSED", method, item[count - 1].name, item[count - 1].error,
           item[count - 1].tolerance);
  }
}

bool campaign_check(campaign *c)
{
  tally t = {0};
  for (uint64_t seed; campaign_next(c, &seed);) {
    draw(seed, seed % 2 == 0);
    check(methods[seed / 2 % 3], &t);
  }
  (void)printf("%ld healthy, %ld false alarms; %ld planted, %ld missed; %ld failed\n", t.healthy,
               t.alarms, t.planted, t.missed, t.failed);
  return t.alarms > 0 || t.missed > 0;
}
