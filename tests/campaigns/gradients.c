/* Campaign: gradients and values of random mechanisms in the plane and in space by all methods. Direct and
 * adjoint are compared with each other and with differences. Values are compared with runs of another
 * method with a quarter of the step. Disagreements of runs with a warning are counted separately. Exit
 * status 1: a wrong number has no warning. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/linear/differences.h"
#include "tests/runs.h"
#include "tests/random.h"

enum { P = MECHANISM_PARAMETERS, MOST = 20, STEPS = 100 };

typedef struct variant {
  const char *method, *integrator;
  double parameter;
} variant;

static const variant variants[] = {{"ali3p", NULL, 0},     {"variational", NULL, 0},
                                   {"idas", NULL, 0},      {"ali3p", "newmark", 0.6},
                                   {"ali3p", "hht", -0.1}, {"ali3p", "generalised-alpha", 0.8},
                                   {"radau", NULL, 0}};

typedef struct tally {
  long compared, failed, warned, looked_closer, routes, differences, values;
} tally;

/* A line through the parameters. */
typedef struct line {
  gradyn_evaluator *ev;
  double rho[P], direction[P];
  bool warned; /* a run has a warning: differences over divided steps are invalid */
} line;

static gradyn_status along(void *user, double s, double *psi)
{
  line *l = user;
  double rho[P];
  for (int j = 0; j < P; j++)
    rho[j] = l->rho[j] + s * l->direction[j];
  const gradyn_status status = gradyn_evaluator_simulate(l->ev, rho, psi, NULL);
  l->warned = l->warned || *gradyn_evaluator_warnings(l->ev);
  return status;
}

static gradyn_status create(const gradyn_problem *problem, const variant *v,
                            const char *sensitivity, double steps, gradyn_evaluator **out)
{
  return run_try(out, problem, .method = v->method, .sensitivity = sensitivity,
                 .integrator = v->integrator, .integrator_parameter = v->parameter,
                 .step = problem->t_end / steps, .rtol = 1e-9);
}

static void report(const char *what, const variant *v, const char *functional, double a, double b)
{
  (void)printf("%s: seed %llu, %s%s%s: %s %.12g and %.12g\n", what,
               (unsigned long long)mechanism_drawn.seed, v->method, v->integrator ? " " : "",
               v->integrator ? v->integrator : "", functional, a, b);
}

/* Size to which errors of a functional are relative: its largest derivative, a millionth of its value, or a
 * minimum. The minimum is for mechanisms at rest, whose energies are squares of round-off, and whose
 * velocities by idas are of the size of its tolerance. */
static double size_of(const variant *v, const double *gradient, double psi)
{
  const double nothing = v->method[0] == 'i' ? 1e-3 : 1e-5;
  return fmax(fmax(largest_of(gradient, P), 1e-6 * fabs(psi)), nothing);
}

/* A distance has no derivative at zero. */
static bool is_kink(const gradyn_evaluator *ev, size_t f, double psi)
{
  return strcmp(gradyn_functional_at(ev, f).name, "deflection") == 0 && fabs(psi) < 1e-9;
}

/* Adjoint against direct. */
static void compare_routes(const variant *v, gradyn_evaluator *ev, const double *psi,
                           const double *adjoint, const double *direct, tally *t)
{
  double tolerance = v->method[0] == 'i' ? 1e-4 : 1e-8;
  for (size_t f = 0; f < gradyn_functional_count(ev); f++) {
    double scale = size_of(v, direct + f * P, psi[f]);
    for (size_t j = 0; j < P && !is_kink(ev, f, psi[f]); j++) {
      double a = adjoint[f * P + j], d = direct[f * P + j];
      if (fabs(a - d) <= tolerance * scale)
        continue;
      t->routes++;
      report("ROUTES", v, gradyn_functional_at(ev, f).name, a, d);
      break;
    }
  }
}

/* Derivatives along a line by differences of order 8; false: a run fails. */
static bool take_slopes(line *l, int nf, double h, double *slope)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double psi[MOST];
  memset(slope, 0, (size_t)nf * sizeof *slope);
  for (int i = 0; i < 8; i++) {
    const double sign = i % 2 ? -1 : 1;
    if (along(l, sign * (1 + i / 2) * h, psi) != GRADYN_OK)
      return false;
    for (int f = 0; f < nf; f++)
      slope[f] += sign * weight[i / 2] * psi[f] / h;
  }
  return true;
}

/* Amount by which the difference between slope and gradient exceeds the tolerance; negative: they agree. */
static double excess(const variant *v, const line *l, const double *gradient, double psi,
                     double slope)
{
  const bool by_errors = v->method[0] == 'i';
  double sum = 0, least = by_errors ? 1e-3 : 1e-6;
  for (int j = 0; j < P; j++)
    sum += gradient[j] * l->direction[j];
  /* with error control, psi changes by its tolerance of 1e-9 over distances of 1e-2, since steps depend on
   * parameters */
  const double moved = by_errors ? 1e-7 * fabs(psi) : 0;
  return fabs(sum - slope) - least * size_of(v, gradient, psi) - moved;
}

/* Returns whether differences of eight runs already confirm the adjoint, as in most cases. */
static bool is_plain(const variant *v, line *l, int nf, const double *psi, const double *gradient)
{
  double slope[MOST];
  bool right = take_slopes(l, nf, v->method[0] == 'i' ? 1e-2 : 2e-3, slope) && !l->warned;
  for (int f = 0; f < nf && right; f++)
    right = excess(v, l, gradient + f * P, psi[f], slope[f]) <= 0;
  return right;
}

/* Compares the adjoint with differences on a line. If simple differences disagree, adaptive ones with an
 * error estimate decide. */
static void compare_differences(const variant *v, line *l, const double *psi,
                                const double *gradient, tally *t)
{
  int nf = (int)gradyn_functional_count(l->ev);
  gradyn_differences d;
  if (is_plain(v, l, nf, psi, gradient) || gradyn_differences_create(nf, &d) != GRADYN_OK)
    return;
  t->looked_closer++;
  gradyn_status status = gradyn_measure_noise(&d, nf, along, l, 1e-6, d.noise);
  if (status == GRADYN_OK)
    status = gradyn_differentiate(&d, nf, along, l, 0.02, 8, d.noise);
  for (int f = 0; f < nf && status == GRADYN_OK && !l->warned; f++) {
    const double off = excess(v, l, gradient + f * P, psi[f], d.slope[f]);
    if (off <= 30 * d.error[f] || d.kink[f] || is_kink(l->ev, (size_t)f, psi[f]))
      continue;
    t->differences++;
    report("DIFFERENCES", v, gradyn_functional_at(l->ev, (size_t)f).name, off, d.slope[f]);
  }
  gradyn_differences_clear(&d);
}

/* psi at rho with a quarter of the step, by ali3p and variational; false: one of the runs fails. */
static bool run_finely(const gradyn_problem *problem, const double *rho, double fine[2][MOST])
{
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < 2 && status == GRADYN_OK; k++) {
    run_local *ev;
    status = create(problem, &variants[k], "adjoint", STEPS * 4, &ev);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, rho, fine[k], NULL);
  }
  return status == GRADYN_OK;
}

/* Compares values with runs of a quarter of the step by ali3p and variational. If these agree to a
 * hundredth, the value must be accurate to two fifths, since its error is about sixteen times theirs. A
 * value that is small by chance is compared relative to its derivatives. */
static void compare_values(const variant *v, const line *l, const double *psi,
                           const double *gradient, double fine[2][MOST], tally *t)
{
  for (size_t f = 0; f < gradyn_functional_count(l->ev); f++) {
    double size = fmax(fabs(fine[0][f]), fabs(fine[1][f])) + largest_of(gradient + f * P, P);
    if (fabs(fine[0][f] - fine[1][f]) > 0.01 * size ||
        fabs(psi[f] - fine[0][f]) <= 0.4 * size + 1e-9)
      continue;
    t->values++;
    report("VALUE", v, gradyn_functional_at(l->ev, f).name, psi[f], fine[0][f]);
  }
}

/* Tests one variant on a line through rho. fine: psi at rho of finer runs; NULL: there are none. */
static void try_variant(const gradyn_problem *problem, const variant *v, const line *on,
                        double fine[2][MOST], tally *t)
{
  run_local *adjoint, *direct;
  double psi[MOST], again[MOST];
  static double by_adjoint[MOST * P], by_direct[MOST * P];
  line l = *on;
  gradyn_status status = create(problem, v, "adjoint", STEPS, &adjoint);
  gradyn_status other = create(problem, v, "direct", STEPS, &direct);
  l.ev = adjoint;
  if (status == GRADYN_OK && other == GRADYN_OK) {
    status = gradyn_evaluator_gradient(adjoint, l.rho, psi, by_adjoint);
    other = gradyn_evaluator_gradient(direct, l.rho, again, by_direct);
  }
  if (status != GRADYN_OK || other != GRADYN_OK) {
    t->failed++;
  } else if (*gradyn_evaluator_warnings(adjoint) || *gradyn_evaluator_warnings(direct)) {
    t->warned++;
  } else {
    t->compared++;
    compare_routes(v, adjoint, psi, by_adjoint, by_direct, t);
    compare_differences(v, &l, psi, by_adjoint, t);
    if (!v->integrator && fine) /* other integrators have damping of first order in the step */
      compare_values(v, &l, psi, by_adjoint, fine, t);
  }
}

/* One mechanism at random parameters. */
static void try_mechanism(const gradyn_problem *problem, uint64_t seed, tally *t)
{
  uint64_t random = seed;
  double fine[2][MOST] = {{0}};
  line l = {.warned = false};
  for (int j = 0; j < P; j++) {
    l.rho[j] = random_range(&random, 0.9, 1.1);
    l.direction[j] = random_range(&random, -1, 1);
  }
  const bool known = run_finely(problem, l.rho, fine);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    try_variant(problem, &variants[i], &l, known ? fine : NULL, t);
}

bool campaign_gradients(campaign *c)
{
  tally t = {0};
  for (uint64_t seed; campaign_next(c, &seed);) {
    mechanism_drawn = (mechanism){.seed = seed, .metre = 1, .kilogram = 1};
    const gradyn_problem problem = mechanism_problem();
    try_mechanism(&problem, seed, &t);
  }
  (void)printf(
      "%llu mechanisms: %ld gradients compared, %ld runs failed, %ld warned of, "
      "%ld times simple differences did not decide; wrong: %ld adjoint or direct, %ld beside "
      "differences, %ld values\n",
      (unsigned long long)c->begun, t.compared, t.failed, t.warned, t.looked_closer, t.routes,
      t.differences, t.values);
  return t.routes + t.differences + t.values > 0;
}
