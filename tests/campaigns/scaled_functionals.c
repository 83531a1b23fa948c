/* Campaign: do gradients of idas scale with their functionals? Random oscillators and pendulums. Some
 * functionals are multiplied by S from 1e-12 to 1e12, and states have units from 1e-9 to 1e9. The adjoint
 * of all must be S times the direct gradient of the unscaled model at a tighter tolerance. Exit status 1: a
 * gradient is wrong. */
#include "tests/campaigns/campaign.h"
#include "tests/runs.h"
#include "tests/random.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/gradyn.h>

enum { MOST_MASSES = 4, MOST_FUNCTIONALS = 4, PARAMETERS = 4 };

/* Accepted error relative to a gradient's largest entry; the tolerance of the runs is 1e-8. */
static const double allowed = 1e-5;

/* One model, which the residual reads. */
typedef struct discrete {
  bool pendulum;
  int masses, functionals;
  double k[MOST_MASSES], cubic, damping; /* 1/s^2, 1/s */
  double unit[2 * MOST_MASSES];          /* one SI unit of each state in the model's units */
  double scale[MOST_FUNCTIONALS], target[MOST_FUNCTIONALS];
  int kind[MOST_FUNCTIONALS], of[MOST_FUNCTIONALS];
  uint64_t seed;
} discrete;

static discrete draw(uint64_t seed)
{
  uint64_t r = seed;
  discrete s = {.pendulum = random_range(&r, 0, 1) < 0.3, .seed = seed};
  s.masses = 1 + (int)random_range(&r, 0, MOST_MASSES);
  s.functionals = 1 + (int)random_range(&r, 0, MOST_FUNCTIONALS);
  s.cubic = random_range(&r, 0, 2);
  s.damping = random_range(&r, 0, 0.5);
  for (int i = 0; i < s.masses; i++)
    s.k[i] = pow(10, random_range(&r, 0, 2));
  for (int i = 0; i < 2 * MOST_MASSES; i++)
    s.unit[i] = pow(10, random_range(&r, -9, 9));
  for (int f = 0; f < s.functionals; f++) {
    s.scale[f] = pow(10, random_range(&r, -12, 12));
    s.target[f] = random_range(&r, -1, 1);
    s.kind[f] = (int)random_range(&r, 0, 4);
    s.of[f] = (int)random_range(&r, 0, s.masses);
  }
  return s;
}

/* A row of masses between springs, in the model's units. Parameters change stiffness, damping, targets and
 * lengths. */
static gradyn_status row(const gradyn_at *at, gradyn_scalar F[])
{
  const discrete *s = at->user;
  int n = s->masses;
  gradyn_scalar x[MOST_MASSES + 2] = {0}, v[MOST_MASSES];
  for (int i = 0; i < n; i++) {
    x[i + 1] = at->y[2 * i] / creal(at->data[3 + 2 * i]);
    v[i] = at->y[2 * i + 1] / creal(at->data[4 + 2 * i]);
  }
  for (int i = 0; i < n; i++) {
    gradyn_scalar left = x[i + 1] - x[i], right = i + 1 < n ? x[i + 2] - x[i + 1] : 0;
    gradyn_scalar force = at->data[0] * (s->k[i] * left - (i + 1 < n ? s->k[i + 1] * right : 0)) +
                          at->data[1] * s->cubic * x[i + 1] * x[i + 1] * x[i + 1] +
                          at->data[2] * s->damping * v[i];
    F[2 * i] = at->yp[2 * i] / creal(at->data[3 + 2 * i]) - v[i];
    F[2 * i + 1] = at->yp[2 * i + 1] / creal(at->data[4 + 2 * i]) + force;
  }
  return GRADYN_OK;
}

/* Deviation of a mass (or of the pendulum's bob), linear or squared, times the scale. */
static gradyn_status deviation(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar y = at->pos ? at->pos[4] : at->y[2 * (int)creal(at->data[2])] / at->data[3];
  gradyn_scalar d = y - at->data[1];
  *value = at->data[0] * (creal(at->data[4]) > 0 ? d * d : d);
  return GRADYN_OK;
}

static const discrete *present; /* of the model being built */
static bool scaled;

static void functionals(gradyn_model *m)
{
  const discrete *s = present;
  for (int f = 0; f < s->functionals; f++) {
    char name[16];
    (void)snprintf(name, sizeof name, "f%d", f);
    gradyn_datum data[] = {{"scale", "", scaled ? s->scale[f] : 1},
                           {"target", "", s->target[f]},
                           {"of", "", s->of[f]},
                           {"unit", "", scaled ? s->unit[2 * s->of[f]] : 1},
                           {"square", "", s->kind[f] % 2}};
    gradyn_custom_functional_spec spec = {name, "", .data = data, .data_count = 5};
    *(s->kind[f] / 2 ? &spec.terminal : &spec.integrand) = deviation;
    gradyn_custom_functional(m, &spec);
  }
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const discrete *s = present;
  gradyn_end_time(m, 2 * rho[3]);
  if (s->pendulum) {
    int O = gradyn_ground_point(m, "O", 0, 0), bob = gradyn_point(m, "bob", rho[0], 0);
    gradyn_rod(m, &(gradyn_rod_spec){"rod", O, bob, .length = rho[0], .mass = 1});
    gradyn_initial_velocity(m, bob, 0, rho[2]);
    gradyn_gravity(m, 0, -9.81 * rho[1]);
    functionals(m);
    return gradyn_build_status(m);
  }
  static const char *const names[] = {"x0", "v0", "x1", "v1", "x2", "v2", "x3", "v3"};
  gradyn_datum data[3 + 2 * MOST_MASSES] = {
      {"stiff", "", rho[0]}, {"cubic", "", rho[1]}, {"damping", "", rho[2]}};
  for (int i = 0; i < 2 * s->masses; i++) {
    double unit = scaled ? s->unit[i] : 1;
    gradyn_state(m, names[i], names[i], unit * (i % 2 ? 0 : i == 0 ? rho[0] : 0.3));
    data[3 + i] = (gradyn_datum){names[i], names[i], unit};
  }
  gradyn_equations(m, &(gradyn_equations_spec){.residual = row,
                                               .data = data,
                                               .data_count = 3 + 2 * s->masses,
                                               .user = (void *)(uintptr_t)s});
  functionals(m);
  return gradyn_build_status(m);
}

/* Computes all functionals and their gradients [functionals][PARAMETERS]. */
static gradyn_status gradient_of(const discrete *s, bool with_scales, const char *sensitivity,
                                 double rtol, double *psi, double *gradient)
{
  static const gradyn_param params[PARAMETERS] = {{"a", "", .init = 1, GRADYN_UNBOUNDED},
                                                  {"b", "", .init = 1, GRADYN_UNBOUNDED},
                                                  {"c", "", .init = 1, GRADYN_UNBOUNDED},
                                                  {"d", "", .init = 1, GRADYN_UNBOUNDED}};
  static const gradyn_problem problem = PROBLEM("scaled", build, params, .t_end = 2);
  const double rho[PARAMETERS] = {1, 1, 1, 1};
  run_local *ev;
  present = s;
  scaled = with_scales;
  gradyn_status status = run_try(&ev, &problem, .method = "idas", .rtol = rtol,
                                 .sensitivity = sensitivity);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  if (status != GRADYN_OK)
    (void)printf("seed %llu: %s\n", (unsigned long long)s->seed, gradyn_evaluator_message(ev));
  return status;
}

/* Largest error of functional f's gradient, relative to its largest entry. */
static double deviation_of(const double *gradient, double scale, const double *expected, int f)
{
  double size = 0, error = 0;
  for (int j = 0; j < PARAMETERS; j++) {
    int at = f * PARAMETERS + j;
    size = fmax(size, fabs(expected[at]));
    error = fmax(error, fabs(gradient[at] / scale - expected[at]));
  }
  return size > 0 ? error / size : 0;
}

/* The largest error of a case's gradients, divided by the accepted one: some hundred tolerances, ten times
 * the error of the direct unscaled gradient at the same tolerance, and the relative error of the functional
 * itself. The latter matters if a squared deviation nearly vanishes. HUGE_VAL: a run failed. */
static double try_scene(const discrete *s)
{
  double expected[MOST_FUNCTIONALS * PARAMETERS], gradient[MOST_FUNCTIONALS * PARAMETERS];
  double plain[MOST_FUNCTIONALS * PARAMETERS];
  double psi[3][MOST_FUNCTIONALS];
  if (gradient_of(s, false, "direct", 1e-11, psi[0], expected) != GRADYN_OK ||
      gradient_of(s, false, "direct", 1e-8, psi[1], plain) != GRADYN_OK ||
      gradient_of(s, true, "adjoint", 1e-8, psi[2], gradient) != GRADYN_OK)
    return HUGE_VAL;
  double worst = 0;
  for (int f = 0; f < s->functionals; f++) {
    double inherent = deviation_of(plain, 1, expected, f);
    double moved = s->kind[f] % 2 ? fabs(psi[2][f] / s->scale[f] / psi[0][f] - 1) : 0;
    worst = fmax(worst, deviation_of(gradient, s->scale[f], expected, f) /
                            (allowed + 10 * inherent + moved));
  }
  return worst;
}

bool campaign_scaled_functionals(campaign *c)
{
  long faults = 0;
  double worst = 0;
  for (uint64_t seed; campaign_next(c, &seed);) {
    const discrete s = draw(seed);
    double error = try_scene(&s);
    if (error > 1) {
      faults++;
      (void)printf("seed %llu: error %.2g times what is allowed\n", (unsigned long long)seed,
                   error);
    } else {
      worst = fmax(worst, error);
    }
  }
  (void)printf("%llu models: %ld wrong, largest error of the others %.2g of what is allowed\n",
               (unsigned long long)c->begun, faults, worst);
  return faults > 0;
}
