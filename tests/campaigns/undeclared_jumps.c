/* Campaign: are jumps of the equations reported, and nothing else? Random systems (abrupt_systems.c) by all
 * methods and sensitivities; half of them have jumps. If forces jump as states move, a gradient without a
 * warning must agree with differences of values: the run does not meet the jump, or the jump is too small
 * to matter. Systems with kinks, linear tables, jumps in time, steep laws, roots and unstable motions must
 * have no warning. Exit status 1: a wrong gradient has no warning, or a right one has one. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/abrupt_systems.h"
#include "tests/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Accepted error of a gradient without a warning, relative to its largest component: with error control,
 * and with fixed steps, whose gradients at jumps in time or kinks have their own errors. */
static const double slight[2] = {2e-3, 2e-2};

typedef struct tally {
  int runs[2], told[2], failed, wrong;
  double worst; /* largest error of gradients without a warning in systems with jumps */
} tally;

static gradyn_status make(const gradyn_problem *problem, const abrupt_way *way, double rtol,
                          gradyn_evaluator **ev)
{
  return run_try(ev, problem, .method = way->method, .sensitivity = way->sensitivity,
                 .step = way->share > 0 ? way->share * problem->t_end : -1,
                 .rtol = rtol > 0 ? rtol : -1, .evaluation_seconds = 20);
}

/* Difference quotients of values, by the explicit method at a tight tolerance; false: they do not exist. */
static bool take_quotients(const gradyn_problem *problem, double *quotient)
{
  const double step = 2e-5;
  run_local *ev;
  bool good = make(problem, &abrupt_ways[0], 1e-11, &ev) == GRADYN_OK;
  for (int j = 0; j < ABRUPT_PARAMETERS && good; j++) {
    double side[2][ABRUPT_FUNCTIONALS];
    for (int k = 0; k < 2 && good; k++) {
      double rho[ABRUPT_PARAMETERS] = {1, 1, 1};
      rho[j] += k ? step : -step;
      good = gradyn_evaluator_simulate(ev, rho, side[k], NULL) == GRADYN_OK;
    }
    for (int f = 0; f < ABRUPT_FUNCTIONALS; f++)
      quotient[f * ABRUPT_PARAMETERS + j] = (side[1][f] - side[0][f]) / (2 * step);
  }
  return good;
}

/* The largest difference of gradients, relative to the largest component of their functional. */
static double differ(const double *a, const double *b)
{
  double worst = 0;
  for (int f = 0; f < ABRUPT_FUNCTIONALS; f++) {
    double most = 0, apart = 0;
    for (int j = f * ABRUPT_PARAMETERS; j < (f + 1) * ABRUPT_PARAMETERS; j++) {
      most = fmax(most, fabs(b[j]));
      apart = fmax(apart, fabs(a[j] - b[j]));
    }
    worst = fmax(worst, apart / most);
  }
  return worst;
}

static void examine(unsigned long seed, abrupt_law law, tally *t)
{
  const abrupt_system system = abrupt_draw(seed, law);
  const gradyn_problem problem = abrupt_problem(&system);
  const bool jumps = law <= ABRUPT_LAST_JUMP;
  for (size_t w = 0; w < ABRUPT_WAYS; w++) {
    const double rho[ABRUPT_PARAMETERS] = {1, 1, 1};
    double psi[ABRUPT_FUNCTIONALS], gradient[ABRUPT_FUNCTIONALS * ABRUPT_PARAMETERS];
    double quotient[ABRUPT_FUNCTIONALS * ABRUPT_PARAMETERS];
    gradyn_evaluator *ev;
    if (!(system.mechanism ? abrupt_ways[w].mechanical : abrupt_ways[w].general))
      continue;
    gradyn_status status = make(&problem, &abrupt_ways[w], 0, &ev);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    const bool told = status == GRADYN_OK && gradyn_evaluator_findings(ev).jumps > 0;
    const char *text = gradyn_evaluator_warnings(ev);
    const char *fault = NULL;
    t->failed += status != GRADYN_OK;
    t->runs[jumps] += status == GRADYN_OK;
    t->told[jumps] += told;
    if (told && !jumps)
      fault = "warned of";
    if (status == GRADYN_OK && !told && jumps && take_quotients(&problem, quotient)) {
      const double apart = differ(gradient, quotient);
      t->worst = fmin(1, fmax(t->worst, apart));
      fault = apart > slight[abrupt_ways[w].share > 0] ? "silent" : NULL;
      if (fault)
        printf("gradient off by %.1e\n", apart);
    }
    if (fault) {
      t->wrong++;
      printf("seed %lu, %s as %s, %s %s%s: %s %s\n", seed, abrupt_name(law),
             system.mechanism ? "mechanism" : "equations", abrupt_ways[w].method,
             abrupt_ways[w].sensitivity, abrupt_ways[w].share > 0 ? " with fixed steps" : "", fault,
             text);
    }
    gradyn_evaluator_free(ev);
  }
}

bool campaign_undeclared_jumps(campaign *c)
{
  const uint64_t jumps = ABRUPT_LAST_JUMP + 1;
  tally t = {0};
  for (uint64_t seed; campaign_next(c, &seed);) {
    examine(seed, (abrupt_law)(seed % jumps), &t);
    examine(seed, (abrupt_law)(jumps + seed % (ABRUPT_LAWS - jumps)), &t);
  }
  printf(
      "%d gradients with jumps, %d told, silent ones off by %.1e at most; %d without, %d told; %d "
      "runs failed; %d wrong\n",
      t.runs[1], t.told[1], t.worst, t.runs[0], t.told[0], t.failed, t.wrong);
  return t.wrong > 0;
}
