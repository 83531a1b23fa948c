/* Campaign: does gradyn_check() raise false alarms, and does it miss errors? Random mechanisms over six
 * decades of size and mass by all methods, every other one with an error of a millionth planted in a
 * derivative.
 * Usage: campaign check [SECONDS [SEED [MECHANISMS]]], by default 600 s, seed 1, 1000 mechanisms.
 * Exit status 1 if there was a false alarm or a missed error. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/mechanisms.h"
#include "tests/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CAPACITY = 200 };

static const char *const methods[] = {"ali3p", "variational", "idas"};
static const char *const fault_name[] = {"none", "Phi'", "Phi''", "build()", "functional"};

typedef struct tally {
  long healthy, alarms, planted, missed, failed;
} tally;

static void draw(uint64_t seed, bool planted)
{
  uint64_t random = seed;
  int fault = 1 + mechanism_choice(&random, MECHANISM_FAULTS - 1);
  mechanism_drawn = (mechanism){.seed = seed,
                                .metre = mechanism_decades(&random, 1e-3, 1e3),
                                .kilogram = mechanism_decades(&random, 1e-3, 1e3),
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
  gradyn_options options = run_options(&problem);
  options.method = method;
  options.step = problem.t_end / 200;
  gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  for (int j = 0; j < MECHANISM_PARAMETERS; j++)
    rho[j] = 1;
  if (status == GRADYN_OK)
    status = gradyn_check(ev, rho, item, CAPACITY, &count);
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

CAMPAIGN(check)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000;
  const time_t began = time(NULL);
  tally t = {0};
  for (uint64_t k = 0; k < count; k++) {
    if (difftime(time(NULL), began) > seconds)
      break;
    draw(first + k, k % 2 == 1);
    check(methods[(first + k) / 2 % 3], &t);
    (void)fflush(stdout);
  }
  (void)printf("seed %llu: %ld healthy, %ld false alarms; %ld planted, %ld missed; %ld failed\n",
               (unsigned long long)first, t.healthy, t.alarms, t.planted, t.missed, t.failed);
  return t.alarms > 0 || t.missed > 0;
}
