/* Campaign: random mechanisms in space, see spatial_draw.c, with friction and without. Values of idas,
 * ali3p, variational and explicit are compared with each other, gradients direct against adjoint and
 * against differences of runs. Disagreements are printed with their seed, and at the end the numbers of
 * what was drawn and left out, with reasons. Exit status 1: a disagreement. */
#include "adjoint/method.h"
#include "tests/campaigns/campaign.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/drawn/spatial_draw.h"
#include "tests/runs.h"

enum { FUNCTIONALS = 2, NUMBERS = FUNCTIONALS * SPATIAL_PARAMETERS, REASONS = 40, RARE = 8 };

static const double step = 2e-3;
static const double initial[SPATIAL_PARAMETERS] = {1, 1, 1, 1, 1};

/* Reasons for runs that were left out: the beginning of each message. */
static struct {
  char text[72];
  long count;
} reasons[REASONS];

static struct {
  long mechanisms, rigid, values, pairs, slopes, wrong, warned;
  double value, pair, slope; /* worst that is right */
  long joints[SPATIAL_KINDS], laws[3], bodies, loops, gears, drives, controllers;
} counts;

/* Whether a run had a warning, such as of steps too long for derivatives, since this was cleared. */
static bool warned;

static void blame(const char *what, const char *method, double off, const char *said)
{
  counts.wrong++;
  printf("seed %llu: %s of %s off by %.2e %s\n", (unsigned long long)spatial_seed, what, method,
         off, said ? said : "");
  (void)fflush(stdout);
}

/* Counts a disagreement, unless a warning had announced it. */
static void accuse(const char *what, const char *method, double off, const char *said)
{
  if (warned)
    counts.warned++;
  else
    blame(what, method, off, said);
}

/* Counts a refusal by its method and message, without the numbers in it. */
static void note(const char *method, const char *said)
{
  char text[72];
  size_t end = (size_t)snprintf(text, sizeof text, "%s: ", method);
  for (; *said && *said != '\n' && end < sizeof text - 1; said++)
    if (*said < '0' || *said > '9')
      text[end++] = *said;
  text[end] = '\0';
  for (int i = 0; i < REASONS; i++)
    if (reasons[i].count == 0 || i == REASONS - 1 || strcmp(reasons[i].text, text) == 0) {
      memcpy(reasons[i].text, text, sizeof text);
      reasons[i].count++;
      return;
    }
}

static long steps; /* of the last run */

/* CPU time in s by method: of runs, then of gradients. */
static const char *const methods[] = {"ali3p", "variational", "idas", "explicit", "radau"};
enum { METHODS = 5 };
static double spent[METHODS][2];

static void add_time(const char *method, bool gradient, clock_t begin)
{
  for (int i = 0; i < METHODS; i++)
    if (strcmp(method, methods[i]) == 0)
      spent[i][gradient] += (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static bool run(const char *method, const char *sensitivity, double h, const double *rho,
                double *psi, double *gradient)
{
  gradyn_evaluator *ev;
  const clock_t begin = clock();
  gradyn_status status = run_try(&ev, &spatial_problem, .method = method,
                                 .sensitivity = sensitivity, .rtol = 1e-9, .evaluation_seconds = 5,
                                 .step = gradyn_method_find(method)->rtol > 0 ? -1 : h);
  if (status == GRADYN_OK)
    status = gradient ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL);
  if (status != GRADYN_OK)
    note(method, gradyn_evaluator_message(ev));
  else
    steps = gradyn_evaluator_statistics(ev).steps;
  if (status == GRADYN_OK && *gradyn_evaluator_warnings(ev)) {
    warned = true;
    note(method, gradyn_evaluator_warnings(ev));
  }
  gradyn_evaluator_free(ev);
  add_time(method, gradient != NULL, begin);
  return status == GRADYN_OK;
}

/* Compares psi of a fixed-step method with an adaptive one. The tolerance is twice the change by the last
 * halving of the step. If this is small by chance, or friction changes its direction within a step, further
 * halvings decide. coarse: psi at the first step. */
static void compare_values(const char *method, const double *coarse, const double *exact)
{
  enum { HALVINGS = 5 };
  double psi[HALVINGS + 1][FUNCTIONALS], h = step;
  memcpy(psi[0], coarse, sizeof psi[0]);
  for (int k = 0; k <= HALVINGS; k++, h /= 2) {
    double worst = 0, allowed = 2e-6;
    if (k > 0 && !run(method, "adjoint", h, initial, psi[k], NULL))
      return;
    for (int f = 0; f < FUNCTIONALS && k > 0; f++) {
      worst = fmax(worst, fabs(psi[k][f] - exact[f]));
      allowed = fmax(allowed, 2 * fabs(psi[k][f] - psi[k - 1][f]));
    }
    if (k > 0 && worst <= allowed) {
      counts.values += FUNCTIONALS;
      counts.value = fmax(counts.value, worst);
      return;
    }
    if (k == HALVINGS)
      blame("value", method, worst, NULL);
  }
}

/* Compares direct and adjoint gradients, relative to the largest derivative, and psi. */
static bool compare_gradients(const char *method, double allowed, double *psi, double *gradient)
{
  double other[NUMBERS], size = 1e-3, worst = 0;
  warned = false;
  if (!run(method, "direct", step, initial, psi, gradient) ||
      !run(method, "adjoint", step, initial, psi, other))
    return false;
  for (int i = 0; i < NUMBERS; i++)
    size = fmax(size, fabs(gradient[i]));
  for (int i = 0; i < NUMBERS; i++)
    worst = fmax(worst, fabs(gradient[i] - other[i]) / size);
  counts.pairs += NUMBERS;
  if (!(worst <= allowed))
    accuse("adjoint", method, worst, NULL);
  else if (allowed < 1e-8)
    counts.pair = fmax(counts.pair, worst);
  return true;
}

/* Compares psi of an adaptive method with the reference. */
static void compare_adaptive(const char *method, const double *exact)
{
  double psi[FUNCTIONALS], gradient[NUMBERS], worst = 0;
  if (!compare_gradients(method, 1e-6, psi, gradient))
    return;
  for (int f = 0; f < FUNCTIONALS; f++)
    worst = fmax(worst, fabs(psi[f] - exact[f]) / (1 + fabs(exact[f])));
  counts.values += FUNCTIONALS;
  if (worst <= 1e-6)
    counts.value = fmax(counts.value, worst);
  else
    blame("value", method, worst, NULL);
}

/* Derivatives with respect to parameter j by Richardson differences of runs with the same steps, and their
 * error estimate. false: steps had to be divided, so that psi jumps. */
static bool differences(int j, double h, double slope[FUNCTIONALS], double error[FUNCTIONALS])
{
  double psi[4][FUNCTIONALS], moved[SPATIAL_PARAMETERS];
  for (int k = 0; k < 4; k++) {
    memcpy(moved, initial, sizeof moved);
    moved[j] += (k % 2 ? -1 : 1) * (k / 2 + 1) * h;
    if (!run("ali3p", "adjoint", step, moved, psi[k], NULL))
      return false;
    if (steps != lround(spatial_problem.t_end / step)) {
      note("differences", "steps were divided or moved");
      return false;
    }
  }
  for (int f = 0; f < FUNCTIONALS; f++) {
    double near = (psi[0][f] - psi[1][f]) / (2 * h), far = (psi[2][f] - psi[3][f]) / (4 * h);
    slope[f] = near + (near - far) / 3;
    error[f] = 1e-6 + 0.1 * fabs(near - far);
  }
  return true;
}

/* Friction may change its direction within a small change of a parameter. If wide differences disagree,
 * narrow ones decide. */
static void compare_slopes(const double *gradient)
{
  const int j = (int)(spatial_seed % SPATIAL_PARAMETERS);
  double slope[FUNCTIONALS], error[FUNCTIONALS], worst = 0, h = 2e-3;
  bool right = false;
  for (int k = 0; k < 3 && !right; k++, h /= 10) {
    if (!differences(j, h, slope, error))
      return;
    right = true;
    worst = 0;
    for (int f = 0; f < FUNCTIONALS; f++) {
      double off = fabs(slope[f] - gradient[f * SPATIAL_PARAMETERS + j]);
      right = right && off <= error[f];
      worst = fmax(worst, off);
    }
  }
  counts.slopes += FUNCTIONALS;
  if (right)
    counts.slope = fmax(counts.slope, worst);
  else
    accuse("slope", "ali3p", worst, spatial_problem.params[j].name);
}

static void add_parts(void)
{
  const spatial_parts *p = &spatial_built;
  for (int k = 0; k < SPATIAL_KINDS; k++)
    counts.joints[k] += p->joints[k];
  for (int k = 0; k < 3; k++)
    counts.laws[k] += p->laws[k];
  counts.bodies += p->bodies;
  counts.loops += p->loops;
  counts.gears += p->gears;
  counts.drives += p->drives;
  counts.controllers += p->controllers;
}

static void try_one(void)
{
  double exact[FUNCTIONALS], psi[2][FUNCTIONALS], gradient[NUMBERS];
  counts.mechanisms++;
  const bool marched = compare_gradients("ali3p", 1e-9, psi[0], gradient);
  add_parts();
  if (spatial_built.freedom == 0) {
    counts.rigid++;
    return;
  }
  /* Gonthier's law has kinks, across which differences are not accurate */
  if (marched && spatial_seed % 2 == 0 && spatial_built.laws[GRADYN_GONTHIER] == 0)
    compare_slopes(gradient);
  const bool varied = !spatial_rough() && compare_gradients("variational", 1e-9, psi[1], gradient);
  const bool rare = spatial_seed % RARE == 0;
  if (!(rare ? compare_gradients("idas", 1e-5, exact, gradient)
             : run("idas", "adjoint", 0, initial, exact, NULL)))
    return;
  if (marched)
    compare_values("ali3p", psi[0], exact);
  if (varied)
    compare_values("variational", psi[1], exact);
  /* bristles are stiff: explicit needs thousands of steps */
  if (rare && spatial_built.laws[GRADYN_LUGRE] + spatial_built.laws[GRADYN_GONTHIER] == 0)
    compare_adaptive("explicit", exact);
  if (rare)
    compare_adaptive("radau", exact);
}

static void report(void)
{
  static const char *const kinds[SPATIAL_KINDS] = {
      "fixed",     "revolute", "prismatic",     "cylindrical",    "screw", "spherical",
      "universal", "planar",   "point-on-line", "point-on-plane", "length"};
  printf("%ld mechanisms, %ld of them rigid: %ld bodies, %ld loops, %ld "
         "gears, %ld drives, %ld controllers; friction %ld, %ld, %ld\njoints:",
         counts.mechanisms, counts.rigid, counts.bodies, counts.loops, counts.gears, counts.drives,
         counts.controllers, counts.laws[0], counts.laws[1], counts.laws[2]);
  for (int k = 0; k < SPATIAL_KINDS; k++)
    printf(" %ld %s", counts.joints[k], kinds[k]);
  printf("\n%ld values (worst %.1e), %ld derivatives direct against adjoint (worst %.1e), %ld "
         "against differences (worst %.1e), %ld wrong, %ld disagreements warned of\n",
         counts.values, counts.value, counts.pairs, counts.pair, counts.slopes, counts.slope,
         counts.wrong, counts.warned);
  for (int i = 0; i < METHODS; i++)
    printf("%s %s: runs %.1f s, gradients %.1f s", i ? ";" : "processor time,", methods[i],
           spent[i][0], spent[i][1]);
  printf("\n");
  for (int i = 0; i < REASONS && reasons[i].count > 0; i++)
    printf("left out %ld times: %s\n", reasons[i].count, reasons[i].text);
}

bool campaign_spatial(campaign *c)
{
  while (campaign_next(c, &spatial_seed))
    try_one();
  report();
  return counts.wrong > 0;
}
