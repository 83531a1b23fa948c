/* Campaign: lost derivatives. Random oscillators as general equations, and random points with a random
 * constraint and random forces. build(), forces, residuals, functionals, guards and measures are sums of
 * random terms. In every second model, one term passes through an operation that loses derivatives, wholly
 * or in part: a double, creal(), a modulus, conj(), the fabs() or fmax() of real numbers, or a table of
 * real numbers. The other models have kinks, floor(), steps and tables that keep derivatives, floor() of
 * time and steep laws. Each loss must be reported, and nothing else. A loss below a millionth of the other
 * terms cannot be detected, nor one in a branch that no run enters; here terms have comparable sizes. Exit
 * status 1: a loss was not reported, or a term without loss was. */
#include "adjoint/method.h"
#include "tests/campaigns/campaign.h"
#include "tests/runs.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <gradyn/gradyn.h>

/* The operation that a term passes through. The first ones lose derivatives. */
typedef enum way {
  BY_DOUBLE,
  BY_MODULUS,
  BY_CONJ,
  BY_REAL_FABS,
  BY_REAL_FMAX,
  BY_REAL_TABLE,
  BY_HALF,
  LOSSES,
  BY_FABS = LOSSES,
  BY_FMAX,
  BY_FMIN,
  BY_COPYSIGN,
  BY_FLOOR,
  BY_NEAREST,
  BY_TABLE,
  BY_STEEP,
  BY_ROOT,
  WAYS,
  BY_NOTHING = WAYS
} way;

static const char *const way_name[] = {
    "double", "modulus",  "conj",  "real fabs", "real fmax", "real table", "half", "fabs",   "fmax",
    "fmin",   "copysign", "floor", "nearest",   "table",     "steep",      "root", "nothing"};

/* Where it is. */
typedef enum place {
  IN_BUILD,
  IN_RATE,
  IN_INTEGRAND,
  IN_TERMINAL,
  IN_GUARD,
  IN_CONSTRAINT,
  IN_MEASURE,
  PLACES
} place;

static const char *const place_name[] = {"build", "rate",       "integrand", "terminal",
                                         "guard", "constraint", "measure"};

enum { TERMS = 4 };

/* A sum of terms weight * g(slope z_k + shift), one of which passes through `by`. */
typedef struct sum {
  double weight[TERMS], slope[TERMS], shift[TERMS];
  int shape[TERMS];
} sum;

typedef struct discrete {
  bool equations, event, clock;
  place at;
  way by;
  int behind; /* the term */
  double level, width;
  sum sum[PLACES];
  const char *method, *sensitivity;
} discrete;

static const discrete *present;

/* x^2 between knots, with the slope that the number type keeps. */
static gradyn_scalar interpolate(double where, gradyn_scalar x, double width)
{
  const double low = floor(where / width) * width, high = low + width;
  return low * low + (x - low) * (low + high);
}

static gradyn_scalar behind(way by, gradyn_scalar x, double level, double width)
{
  const double real = creal(x);
  switch (by) {
  case BY_DOUBLE:
    return real;
  case BY_MODULUS:
    return cabs(x) + real / 3;
  case BY_CONJ:
    return conj(x);
  case BY_REAL_FABS:
    return fabs(real) + 0.2 * real;
  case BY_REAL_FMAX:
    return fmax(real, level) + 0.1 * real;
  case BY_REAL_TABLE:
    return creal(interpolate(real, x, width)) + 0.3 * real;
  case BY_HALF:
    return 0.5 * x + 0.5 * real;
  case BY_FABS:
    return fabs(x - level);
  case BY_FMAX:
    return fmax(x, level);
  case BY_FMIN:
    return fmin(x, level) + 0.2 * x;
  case BY_COPYSIGN:
    return copysign(x, level - x) + x;
  case BY_FLOOR:
    return x + width * floor(real / width);
  case BY_NEAREST:
    return x + sin(width * floor(real / width + 0.5));
  case BY_TABLE:
    return interpolate(real, x, width);
  case BY_STEEP:
    return x + tanh((x - level) / (1e-5 * width));
  case BY_ROOT:
    return sqrt((x - level) * (x - level) + 1e-12);
  default:
    return x;
  }
}

/* The sum for one user function at z [count]; term k reads z[k % count]. */
static gradyn_scalar total(place at, const gradyn_scalar z[], int count)
{
  const discrete *s = present;
  const sum *terms = &s->sum[at];
  gradyn_scalar value = 0;
  for (int k = 0; k < TERMS; k++) {
    const bool here = s->at == at && s->behind == k;
    const gradyn_scalar x = behind(here ? s->by : BY_NOTHING, z[k % count], s->level, s->width);
    const gradyn_scalar y = terms->slope[k] * x + terms->shift[k];
    value += terms->weight[k] * (terms->shape[k] == 0   ? y
                                 : terms->shape[k] == 1 ? sin(y)
                                                        : y / sqrt(1 + y * y));
  }
  return value;
}

/* A force that changes in steps of time. */
static gradyn_scalar stairs(gradyn_scalar t)
{
  return present->clock ? 0.1 * floor(4 * creal(t)) : 0;
}

/* --- general equations -------------------------------------------------------------------------- */

static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar z[3] = {at->y[0], at->y[1], at->data[0]};
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] + 4 * at->y[0] + 0.2 * at->y[1] + total(IN_RATE, z, 3) + stairs(at->t);
  return GRADYN_OK;
}

static gradyn_status integrand(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *z = at->y ? at->y : at->vel + 2;
  *value = total(IN_INTEGRAND, z, 2);
  return GRADYN_OK;
}

static gradyn_status terminal(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *z = at->y ? at->y : at->pos + 2;
  *value = total(IN_TERMINAL, z, 2);
  return GRADYN_OK;
}

static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar z = (at->y ? at->y[0] : at->pos[2]) - 0.05;
  *value = z + 0.2 * behind(present->at == IN_GUARD ? present->by : BY_NOTHING, z, present->level,
                            present->width);
  return GRADYN_OK;
}

static void declare_functionals(gradyn_model *m)
{
  declare_integral(m, "integral", "", integrand);
  declare_end(m, "end", "", terminal);
  if (present->event)
    gradyn_event(m, &(gradyn_event_spec){"passage", .guard = {.terminal = guard},
                                         .direction = GRADYN_EITHER});
}

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar number = total(IN_BUILD, rho, 2);
  const gradyn_datum data[] = {{"strength", "", rho[2]}, {"number", "", number}};
  gradyn_state(m, "x", "m", 1 + 0.1 * number);
  gradyn_state(m, "v", "m/s", rho[1]);
  declare_equations(m, flow, data, 2);
  declare_functionals(m);
  return gradyn_build_status(m);
}

/* --- mechanisms --------------------------------------------------------------------------------- */

static gradyn_status force(const gradyn_at *at, gradyn_scalar f[])
{
  const gradyn_scalar z[4] = {at->vel[0], at->vel[1], at->pos[0], at->data[0]};
  const gradyn_scalar F = 0.3 * total(IN_RATE, z, 4) + stairs(at->t);
  f[0] = -F;
  f[1] = -0.2 * at->vel[1] + 0.5 * F;
  return GRADYN_OK;
}

/* (|r|^2 - L^2)/2 about the origin, L being a function of a datum. */
static gradyn_status constraint(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc;
  const gradyn_scalar L = 1 + 0.1 * sin(total(IN_CONSTRAINT, at->data, 1));
  *value = order == 0   ? (r[0] * r[0] + r[1] * r[1] - L * L) / 2
           : order == 1 ? r[0] * v[0] + r[1] * v[1]
                        : r[0] * a[0] + r[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  return GRADYN_OK;
}

FORMULA(formula, total(IN_MEASURE, at->of, 2))

static gradyn_status build_mechanism(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "bob", 0.8, -0.6);
  const gradyn_scalar number = total(IN_BUILD, rho, 2);
  const gradyn_datum strength = {"strength", "N", rho[2]}, length = {"length", "", rho[0]};
  gradyn_point_mass(m, "bob", p, 2 + sin(number));
  gradyn_gravity(m, 0, -9.81);
  gradyn_initial_velocity(m, p, 0.6 * rho[1], 0.8 * rho[1]);
  gradyn_custom_constraint(m, &(gradyn_custom_constraint_spec){.name = "bar",
                                                               .points = &p,
                                                               .point_count = 1,
                                                               .fn = constraint,
                                                               .data = &length,
                                                               .data_count = 1});
  declare_force(m, "pull", p, force, &strength, 1);
  const int of[2] = {gradyn_measure_point(m, "x", p, 0, GRADYN_X),
                     gradyn_measure_point(m, "vy", p, 1, GRADYN_Y)};
  const int measure = gradyn_measure_formula(
      m, &(gradyn_measure_formula_spec){
             .name = "mix", .unit = "", .formula = formula, .of = of, .count = 2});
  gradyn_functional(m, &(gradyn_functional_spec){"mixed", measure, .reduction = GRADYN_INTEGRAL});
  declare_functionals(m);
  return gradyn_build_status(m);
}

/* --- the campaign --------------------------------------------------------------------------------- */

static sum draw_sum(uint64_t *r)
{
  sum s;
  for (int k = 0; k < TERMS; k++) {
    s.weight[k] = (random_choice(r, 2) ? 1 : -1) * random_range(r, 0.3, 1.5);
    s.slope[k] = (random_choice(r, 2) ? 1 : -1) * random_range(r, 0.5, 1.5);
    s.shift[k] = random_range(r, -0.5, 0.5);
    s.shape[k] = random_choice(r, 3);
  }
  return s;
}

static discrete draw(uint64_t seed)
{
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p", "variational"};
  static const char *const routes[] = {"adjoint", "direct"};
  uint64_t r = seed;
  const bool lost = seed % 2 == 1;
  discrete s = {
      .equations = random_choice(&r, 2) == 0, .event = random_choice(&r, 3) == 0, .clock = !lost};
  do {
    s.at = (place)random_choice(&r, PLACES);
    s.by = (way)(lost ? random_choice(&r, LOSSES) : LOSSES + random_choice(&r, WAYS - LOSSES));
    /* not combined: stairs in constraints or residuals, which no method integrates; guards pass zero with a
     * rate */
  } while (
      (s.equations && s.at >= IN_CONSTRAINT) ||
      (s.at == IN_GUARD && s.by != BY_DOUBLE && s.by != BY_HALF && s.by != BY_FMAX &&
       s.by != BY_FABS) ||
      ((s.at == IN_RATE || s.at == IN_CONSTRAINT) && (s.by == BY_FLOOR || s.by == BY_NEAREST)));
  s.event = s.event || s.at == IN_GUARD;
  s.clock = s.clock && !s.event && random_choice(&r, 3) == 0;
  s.behind = s.at == IN_CONSTRAINT ? 0 : random_choice(&r, TERMS);
  s.level = random_range(&r, -0.4, 0.4);
  s.width = random_range(&r, 0.05, 0.3);
  for (int k = 0; k < PLACES; k++)
    s.sum[k] = draw_sum(&r);
  /* events of equations need idas; steps in time need fixed steps or a method that supports them */
  s.method = s.equations ? methods[s.event ? 2 : random_choice(&r, 3)]
                         : methods[random_choice(&r, 5)];
  s.sensitivity = routes[random_choice(&r, 2)];
  return s;
}

/* Returns the status of a gradient; message [size]. */
static gradyn_status differentiate(const discrete *s, char *message, size_t size)
{
  static const gradyn_param params[] = {{"a", "", .init = 0.6, .lower = -2, .upper = 2},
                                        {"b", "", .init = 0.3, .lower = -2, .upper = 2},
                                        {"c", "", .init = 0.8, .lower = -2, .upper = 2}};
  const gradyn_problem problem = PROBLEM("random", s->equations ? build_equations : build_mechanism,
                                         params, .t_end = 1.3);
  const double rho[3] = {0.6, 0.3, 0.8};
  double psi[4], gradient[12];
  run_local *ev;
  present = s;
  const bool adaptive = gradyn_method_find(s->method)->rtol > 0;
  gradyn_status status = run_try(&ev, &problem, .method = s->method, .sensitivity = s->sensitivity,
                                 .rtol = adaptive ? 1e-6 : 0, .step = adaptive ? 0 : 0.01,
                                 .evaluation_seconds = 10 /* s, since some runs would not end */);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  (void)snprintf(message, size, "%s", gradyn_evaluator_message(ev));
  return status;
}

bool campaign_lost_derivatives(campaign *c)
{
  long losses = 0, others = 0, silent = 0, false_alarms = 0, failed = 0;
  char message[2048];
  for (uint64_t seed; campaign_next(c, &seed);) {
    const discrete s = draw(seed);
    const gradyn_status status = differentiate(&s, message, sizeof message);
    const bool told = status == GRADYN_INVALID &&
                      strstr(message, "is not complex-differentiable") != NULL;
    const bool lost = s.by < LOSSES;
    /* runs that fail for another reason, such as a grazing event, are not counted */
    failed += status != GRADYN_OK && !told;
    losses += lost && (status == GRADYN_OK || told);
    others += !lost && (status == GRADYN_OK || told);
    silent += lost && status == GRADYN_OK;
    false_alarms += !lost && told;
    if ((lost && status == GRADYN_OK) || (!lost && told) || (status != GRADYN_OK && !told))
      (void)printf("seed %llu, %s by %s, %s in %s: %s: %s\n", (unsigned long long)seed,
                   s.equations ? "equations" : "mechanism", s.method, way_name[s.by],
                   place_name[s.at],
                   told ? "called lost" : gradyn_status_describe((int)status).name, message);
  }
  (void)printf("%ld systems with losses, %ld of them silent; %ld without, %ld of them called lost; "
               "%ld failed otherwise\n",
               losses, silent, others, false_alarms, failed);
  return silent > 0 || false_alarms > 0;
}
