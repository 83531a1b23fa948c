/* The block as a mechanism, and an independent integration of it: classical Runge-Kutta steps in complex
 * numbers, divided at kinks. */
#include "tests/adjoint/friction/rubbing_block.h"

#include <complex.h>

#include "tests/declare.h"
#include "tests/support.h"

enum { COEFFICIENT, SPRING, PULL };

static const gradyn_param params[RUBBING_PARAMETERS] = {
    {"coefficient", "", .init = 0.3, GRADYN_UNBOUNDED},
    {"spring", "N/m", .init = 60, GRADYN_UNBOUNDED},
    {"pull", "N", .init = 9, GRADYN_UNBOUNDED}};

static const gradyn_setting settings[] = {
    {"law", "of friction", 0, 0, RUBBING_LAWS - 1},
    {"functional", "the only one", 0, 0, RUBBING_FUNCTIONALS - 1}};

/* kg, m/s^2, m/s; N; 1/m, s/m, s; s */
static const double mass = 2, gravity = 9.81, transition = 0.05, smoothing = 0.05, stiffness = 2e3,
                    damping = 15, dwell = 0.3, speed = 0.4, t_end = 0.9;

/* Ratio of the largest friction coefficient to that of sliding. */
static const double still = 1.4;

/* --- the model ------------------------------------------------------------------------------------- */

/* Friction mu_k m g, in proportion to the velocity below the transition velocity. */
FORMULA(bent, -at->data[0] * mass * gravity *
                  (fabs(creal(at->vel[0])) < transition ? at->vel[0] / transition
                   : creal(at->vel[0]) > 0              ? 1
                                                        : -1))

static void rub(gradyn_model *m, const gradyn_scalar rho[], gradyn_joint_id guide,
                gradyn_coordinate_id slide, int law)
{
  if (law == RUBBING_BENT)
    gradyn_custom_force(
        m, &(gradyn_custom_force_spec){.name = "friction",
                                       .points = (const gradyn_variable_id[]){slide},
                                       .point_count = 1,
                                       .fn = bent,
                                       .data = &(gradyn_datum){"coefficient", "", rho[COEFFICIENT]},
                                       .data_count = 1});
  else
    gradyn_joint_friction(
        m, &(gradyn_joint_friction_spec){.name = "friction",
                                         .joint = guide,
                                         .law = law ? GRADYN_GONTHIER : GRADYN_BROWN_MCPHEE,
                                         .still = still * rho[COEFFICIENT],
                                         .kinetic = rho[COEFFICIENT],
                                         .transition = transition,
                                         .smoothing = smoothing,
                                         .stiffness = law ? stiffness : 0,
                                         .damping = law ? damping : 0,
                                         .dwell = law ? dwell : 0});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "functional");
  const int body = declare_body(m, "block", mass, 0.03, 0, 0);
  const int guide = declare_joint(m, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL,
                                  VECTOR(1, 0));
  const int slide = gradyn_joint_coordinate(m, guide, GRADYN_SLIDE);
  gradyn_gravity(m, rho[PULL] / mass, -gravity);
  gradyn_fix_initial_joint(m, "start", slide, 0, speed);
  gradyn_joint_spring(m, &(gradyn_joint_spring_spec){"spring", slide, .k = rho[SPRING]});
  rub(m, rho, guide, slide, gradyn_setting_value(m, "law"));
  const int measure = gradyn_measure_joint(m, "measure", slide, which == RUBBING_MAXIMUM);
  if (which == RUBBING_END)
    gradyn_functional(m, &(gradyn_functional_spec){"psi", measure, .reduction = GRADYN_AT_END});
  else if (which == RUBBING_INTEGRAL)
    gradyn_functional(
        m, &(gradyn_functional_spec){"psi", measure, .reduction = GRADYN_SQUARE_INTEGRAL});
  else
    gradyn_functional(
        m, &(gradyn_functional_spec){"psi", measure, .reduction = GRADYN_MAXIMUM, .scale = 1});
  return gradyn_build_status(m);
}

const gradyn_problem rubbing_block = PROBLEM("rubbing", build, params, .settings = settings,
                                             .setting_count = 2, .t_end = t_end);

/* --- the same by itself ------------------------------------------------------------------------------ */

enum { STEPS = 40000, S = 0, V, SQUARES, BRISTLE, DWELL, STATES, KINKS = 2 };

typedef struct motion {
  rubbing_law law;
  const double complex *rho;
  bool beyond[KINKS]; /* the side of each kink on which the motion is */
} motion;

/* Functions of the state whose sign changes at the kinks. */
static void sides(const motion *m, const double complex *y, double complex out[KINKS]);

/* Coefficient of friction; *rate: rates of y[BRISTLE] and y[DWELL]. `limit`: amount by which the bristles
 * exceed their limit. */
static double complex gonthier(const motion *m, const double complex *y, double complex rate[2],
                               double complex *limit)
{
  const double small = 1e-3 * transition;
  const double complex v = y[V], mu = m->rho[COEFFICIENT], z = y[BRISTLE], w = y[DWELL];
  const double complex share = cexp(-v * v / (transition * transition));
  rate[0] = share * v +
            (1 - share) * (mu * v / csqrt(v * v + small * small) - stiffness * z) / damping;
  rate[1] = (share - w) / (m->beyond[0] ? dwell : damping / stiffness);
  const double complex force = stiffness * z + damping * rate[0], most = mu * (1 + (still - 1) * w),
                       size = creal(force) < 0 ? -force : force;
  *limit = size - most;
  return m->beyond[1] ? most * (force / size) : force;
}

static double complex coefficient(const motion *m, const double complex *y, double complex rate[2])
{
  double complex limit;
  rate[0] = rate[1] = 0;
  if (m->law == RUBBING_GONTHIER)
    return gonthier(m, y, rate, &limit);
  if (m->law == RUBBING_BENT)
    return m->rho[COEFFICIENT] * (m->beyond[0] ? 1 : m->beyond[1] ? -1 : y[V] / transition);
  const double complex s = y[V] / transition, bump = s * s / 4 + 0.75;
  return m->rho[COEFFICIENT] * (ctanh(4 * s) + (still - 1) * s / (bump * bump));
}

static void sides(const motion *m, const double complex *y, double complex out[KINKS])
{
  double complex rate[2];
  out[0] = out[1] = -1;
  if (m->law == RUBBING_GONTHIER) {
    out[0] = cexp(-y[V] * y[V] / (transition * transition)) - y[DWELL];
    (void)gonthier(m, y, rate, &out[1]);
  } else if (m->law == RUBBING_BENT) {
    out[0] = y[V] - transition;
    out[1] = -y[V] - transition;
  }
}

static void rates(const motion *m, const double complex *y, double complex *f)
{
  const double load = mass * gravity,
               normal = m->law == RUBBING_BENT ? load : hypot(load, smoothing);
  const double complex mu = coefficient(m, y, f + BRISTLE);
  f[S] = y[V];
  f[V] = (m->rho[PULL] - m->rho[SPRING] * y[S] - mu * normal) / mass;
  f[SQUARES] = y[S] * y[S];
}

/* The classical Runge-Kutta method. */
static void step(const motion *m, double complex h, const double complex *y, double complex *out)
{
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double complex k[STATES] = {0}, trial[STATES], sum[STATES];
  memcpy(sum, y, sizeof sum);
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < STATES; j++)
      trial[j] = y[j] + at[i] * h * k[j];
    rates(m, trial, k);
    for (int j = 0; j < STATES; j++)
      sum[j] += weight[i] * h * k[j];
  }
  memcpy(out, sum, sizeof sum);
}

/* Fraction of a step at which a function is zero: by bisection, then one Newton step. */
typedef double complex function(const motion *m, const double complex *y, int which);

static double complex side(const motion *m, const double complex *y, int which)
{
  double complex all[KINKS];
  sides(m, y, all);
  return all[which];
}

static double complex acceleration(const motion *m, const double complex *y, int which)
{
  double complex f[STATES];
  (void)which;
  rates(m, y, f);
  return f[V];
}

static double complex root(const motion *m, function *g, int which, double complex h,
                           const double complex *y, double complex *there)
{
  const bool rises = creal(g(m, y, which)) < 0;
  double from = 0, to = creal(h), beside = 0.1 * creal(h);
  for (int i = 0; i < 60; i++) {
    const double middle = (from + to) / 2;
    step(m, middle, y, there);
    *((creal(g(m, there, which)) < 0) == rises ? &from : &to) = middle;
  }
  step(m, from + beside, y, there);
  double complex slope = g(m, there, which);
  step(m, from - beside, y, there);
  slope = (slope - g(m, there, which)) / (2 * beside);
  step(m, from, y, there);
  const double complex at = from - g(m, there, which) / slope;
  step(m, at, y, there);
  return at;
}

/* One step, divided at the kinks in it. */
static void pass(motion *m, double complex h, double complex *y)
{
  double complex end[STATES], there[STATES], out[KINKS];
  for (int cuts = 0; cuts < 4; cuts++) {
    int first = -1;
    double complex part = h;
    step(m, h, y, end);
    sides(m, end, out);
    for (int k = 0; k < KINKS; k++) {
      if ((creal(out[k]) > 0) == m->beyond[k])
        continue;
      const double complex here = root(m, side, k, h, y, there);
      part = first < 0 || creal(here) < creal(part) ? here : part;
      first = first < 0 || creal(here) <= creal(part) ? k : first;
    }
    if (first < 0)
      break;
    step(m, part, y, there);
    memcpy(y, there, sizeof there);
    m->beyond[first] = !m->beyond[first];
    h -= part;
  }
  memcpy(y, end, sizeof end);
}

static double complex run(motion m, rubbing_functional functional)
{
  double complex y[STATES] = {[V] = speed}, before[STATES], there[STATES], out[KINKS], most = speed;
  y[DWELL] = 1; /* as bristles start */
  sides(&m, y, out);
  for (int k = 0; k < KINKS; k++)
    m.beyond[k] = creal(out[k]) > 0;
  for (int i = 0; i < STEPS; i++) {
    memcpy(before, y, sizeof y);
    const motion entered = m;
    pass(&m, t_end / STEPS, y);
    if (creal(acceleration(&entered, before, 0)) > 0 && creal(acceleration(&m, y, 0)) < 0) {
      (void)root(&entered, acceleration, 0, t_end / STEPS, before, there);
      most = creal(there[V]) > creal(most) ? there[V] : most;
    }
  }
  return functional == RUBBING_END ? y[S] : functional == RUBBING_INTEGRAL ? y[SQUARES] : most;
}

double rubbing_exact(rubbing_law law, rubbing_functional functional,
                     const double rho[RUBBING_PARAMETERS], double gradient[RUBBING_PARAMETERS])
{
  const double tiny = 1e-30;
  double value = 0;
  for (int j = 0; j < RUBBING_PARAMETERS; j++) {
    double complex moved[RUBBING_PARAMETERS];
    for (int k = 0; k < RUBBING_PARAMETERS; k++)
      moved[k] = rho[k] + (k == j ? tiny * _Complex_I : 0);
    const double complex psi = run((motion){.law = law, .rho = moved}, functional);
    gradient[j] = cimag(psi) / tiny;
    value = creal(psi);
  }
  return value;
}
