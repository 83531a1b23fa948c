/* Every reduction of every kind of measure, with all methods: values and gradients against formulas of the
 * same integrand by complex step, and refused declarations. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

#include <complex.h>

enum { LENGTH, MASS, FORCE, TARGET, SCALE, PARAMETERS };

static const gradyn_param params[] = {[LENGTH] = {"length", "m", .init = 0.9, GRADYN_UNBOUNDED},
                                      [MASS] = {"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED},
                                      [FORCE] = {"force", "N", .init = 0.7, GRADYN_UNBOUNDED},
                                      [TARGET] = {"target", "", .init = -0.2, GRADYN_UNBOUNDED},
                                      [SCALE] = {"scale", "", .init = 1.7, GRADYN_UNBOUNDED}};

enum {
  POSITION,
  VELOCITY,
  ACCELERATION,
  HEIGHT,
  ANGLE,
  RATE,
  MULTIPLIER,
  SIGNAL,
  ENERGY,
  WHOLE_MASS,
  CUSTOM,
  MEASURES
};
enum { REDUCTIONS = GRADYN_SMOOTH_MAXIMUM + 1, FORMS = 3 * REDUCTIONS };

static const double sharpness = 12, stiffness = 4, event_at = 0.13, time_at = 0.25, t_end = 0.4;

static const gradyn_setting settings[] = {
    {"measure", "number of the measure", .init = 0, .lower = 0, .upper = MEASURES - 1}};

/* A variant of a functional: its reduction, with or without magnitude and scale. */
typedef struct form {
  int measure;
  gradyn_reduction reduction;
  bool magnitude, scaled;
} form;

static bool is_vector(int measure)
{
  return measure <= ACCELERATION;
}

/* Variants: plain, with magnitude, with scale. Reductions to a single value need the magnitude of a vector.
 */
static form form_of(int measure, int i)
{
  form f = {measure, (gradyn_reduction)(i % REDUCTIONS), i / REDUCTIONS == 1, i / REDUCTIONS == 2};
  const bool single = f.reduction < GRADYN_MAXIMUM && f.reduction != GRADYN_SQUARE_INTEGRAL &&
                      f.reduction != GRADYN_MEAN_SQUARE;
  f.magnitude = f.magnitude || (is_vector(measure) && single);
  return f;
}

/* The maximum of a vector without magnitude is the larger of the maxima of its components. */
static bool by_components(const form *f)
{
  return f->reduction == GRADYN_MAXIMUM && is_vector(f->measure) && !f->magnitude;
}

/* --- formulas ----------------------------------------------------------------------------------- */

/* Computes the measure; returns its number of components. Data: mass, target, scale, force. */
static int measured(const gradyn_at *at, int measure, gradyn_scalar value[2])
{
  const gradyn_scalar *r = at->pos + 4, *v = at->vel + 4, *a = at->acc + 4;
  const gradyn_scalar square = r[0] * r[0] + r[1] * r[1], s = sqrt(square);
  const gradyn_scalar *const of[] = {r, v, a};
  const gradyn_scalar single[] = {[HEIGHT] = r[1],
                                  [ANGLE] = atan(r[1] / r[0]),
                                  [RATE] = (r[0] * v[1] - r[1] * v[0]) / square,
                                  [MULTIPLIER] = at->lam[1],
                                  [SIGNAL] = at->u[1],
                                  [ENERGY] = at->data[0] * (v[0] * v[0] + v[1] * v[1]) / 6 +
                                             at->data[0] * 9.81 * r[1] / 2 +
                                             stiffness * (s - 0.5) * (s - 0.5) / 2,
                                  [WHOLE_MASS] = at->data[0],
                                  [CUSTOM] = at->t * r[0] + v[1]};
  for (int k = 0; k < 2; k++)
    value[k] = is_vector(measure) ? of[measure][k] : single[measure];
  return is_vector(measure) ? 2 : 1;
}

/* The integrand of a variant, or the value that the reduction takes. */
static gradyn_status integrand(const gradyn_at *at, gradyn_scalar *value)
{
  const form *f = at->user;
  gradyn_scalar e[2], sum = 0, exponentials = 0;
  const int components = measured(at, f->measure, e);
  for (int k = 0; k < components; k++) {
    e[k] -= k == 0 ? at->data[1] : 0;
    e[k] /= f->scaled ? at->data[2] : 1;
    sum += e[k] * e[k];
    exponentials += exp(sharpness * e[k]);
  }
  const gradyn_scalar size = components == 1 ? fabs(e[0]) : sqrt(sum);
  *value = f->magnitude ? size : e[0];
  if (f->reduction == GRADYN_SQUARE_INTEGRAL || f->reduction == GRADYN_MEAN_SQUARE)
    *value = sum;
  if (f->reduction == GRADYN_SMOOTH_MAXIMUM)
    *value = !f->magnitude    ? exponentials
             : components > 1 ? exp(sharpness * size)
                              : exp(sharpness * e[0]) + exp(-sharpness * e[0]);
  return GRADYN_OK;
}

/* The integrand of the second component of a vector. */
static gradyn_status second(const gradyn_at *at, gradyn_scalar *value)
{
  const form *f = at->user;
  gradyn_scalar e[2];
  measured(at, f->measure, e);
  *value = e[1] / (f->scaled ? at->data[2] : 1);
  return GRADYN_OK;
}

/* --- model -------------------------------------------------------------------------------------- */

FORMULA(clock_at, at->t - at->data[0])
FORMULA(mixture, at->t * at->pos[4] + at->vel[5])

/* The user data of the formulas, which must exist as long as the functionals. */
static form forms[MEASURES][FORMS];

static int declare_measure(gradyn_model *m, int measure, int A, int p, int rod, int u)
{
  switch (measure) {
  case POSITION:
  case VELOCITY:
  case ACCELERATION:
    return gradyn_measure_point(m, "r", p, measure, GRADYN_ALL_AXES);
  case HEIGHT:
    return gradyn_measure_point(m, "r", p, 0, GRADYN_Y);
  case ANGLE:
  case RATE:
    return gradyn_measure_line_angle(m, "r", A, p, measure - ANGLE);
  case MULTIPLIER:
    return gradyn_measure_multiplier(m, "r", rod);
  case SIGNAL:
    return gradyn_measure_signal(m, "r", u);
  case ENERGY:
    return gradyn_measure_energy(m, "r");
  case WHOLE_MASS:
    return gradyn_measure_mass(m, "r");
  default:
    return gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"r", .formula = mixture});
  }
}

/* Declares a functional and its formula. expected() completes the formulas of some variants. */
static void declare_form(gradyn_model *m, int i, int measure, int event, const form *f,
                         const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {
      {"mass", "kg", rho[MASS]}, {"target", "", rho[TARGET]}, {"scale", "", rho[SCALE]}};
  const bool at_event = f->reduction == GRADYN_BEFORE_EVENT || f->reduction == GRADYN_AFTER_EVENT,
             at_end = f->reduction == GRADYN_AT_END, at_time = f->reduction == GRADYN_AT_TIME;
  gradyn_functional(m, &(gradyn_functional_spec){
                           gradyn_format_name(m, "new%d", i), measure, .reduction = f->reduction,
                           .target = {rho[TARGET]}, .magnitude = f->magnitude,
                           .scale = f->scaled ? rho[SCALE] : 0, .time = at_time ? time_at : 0,
                           .sharpness = f->reduction == GRADYN_SMOOTH_MAXIMUM ? sharpness : 0,
                           .event = at_event ? event : 0, .occurrence = at_event});
  gradyn_custom_functional_spec g = {.name = gradyn_format_name(m, "old%d", i),
                                     .integrand = integrand,
                                     .data = data,
                                     .data_count = 3,
                                     .user = (void *)(size_t)f};
  if (f->reduction == GRADYN_MAXIMUM) {
    declare_maximum(m, &g);
    g.name = gradyn_format_name(m, "second%d", i);
    g.integrand = second;
    declare_maximum(m, &g);
    return;
  }
  if (at_end || at_time || at_event) {
    g.terminal = g.integrand;
    g.integrand = NULL;
    g.instant = at_time ? time_at : 0;
  }
  if (at_event)
    (f->reduction == GRADYN_BEFORE_EVENT ? declare_before_event : declare_after_event)(m, &g, event,
                                                                                       1);
  else
    gradyn_custom_functional(m, &g);
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "measure");
  const gradyn_scalar knots[] = {rho[FORCE], 2 * rho[FORCE], 0.5 + rho[FORCE]};
  const gradyn_datum until = {"until", "s", event_at};
  const int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", 0.8, -0.3);
  const int u = gradyn_signal(
      m, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR, 3, knots, .t_end = t_end});
  const int rod = gradyn_rod(
      m, &(gradyn_rod_spec){"bar", A, p, .length = rho[LENGTH], .mass = rho[MASS]});
  gradyn_spring(m, &(gradyn_spring_spec){"spring", A, p, .k = stiffness, .free_length = 0.5});
  declare_push(m, "push", p, 1, 0, u);
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_coordinate(m, p, GRADYN_Y);
  const int event = gradyn_event(
      m, &(gradyn_event_spec){"clock",
                              .guard = {.terminal = clock_at, .data = &until, .data_count = 1},
                              .direction = GRADYN_RISING});
  const int measure = declare_measure(m, which, A, p, rod, u);
  for (int i = 0; i < FORMS; i++) {
    forms[which][i] = form_of(which, i);
    declare_form(m, i, measure, event, &forms[which][i], rho);
  }
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("reductions", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = t_end, .rtol = 1e-7,
                                              .step = 0.01);

/* --- comparison --------------------------------------------------------------------------------- */

enum { MOST = 3 * FORMS };

/* Returns the value that the formula gives for a variant, and computes its gradient. k: index of the
 * functional. */
static double expected(const form *f, int k, const double psi[], const double d[],
                       double gradient[PARAMETERS])
{
  const bool mean = f->reduction == GRADYN_MEAN || f->reduction == GRADYN_MEAN_SQUARE;
  const bool other = by_components(f) && psi[k + 1] > psi[k];
  const double value = psi[k + other];
  double slope = mean ? 1 / t_end : 1;
  if (f->reduction == GRADYN_SMOOTH_MAXIMUM)
    slope = 1 / (sharpness * value);
  for (int j = 0; j < PARAMETERS; j++)
    gradient[j] = slope * d[(k + other) * PARAMETERS + j];
  return f->reduction == GRADYN_SMOOTH_MAXIMUM ? log(value / t_end) / sharpness : slope * value;
}

/* Values must be equal, and gradients with fixed steps, too. Gradients with adaptive steps have different
 * errors. */
static void compare(int measure, const char *method, const char *sensitivity, double slack)
{
  const double rtol = 1e-11;
  static double psi[MOST], d[MOST * PARAMETERS];
  /* both functionals belong to the same run, so a coarse run suffices */
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity,
                           .rtol = support_thorough() ? 0 : 1e-5, .setting = "measure",
                           .value = measure);
  double rho[PARAMETERS];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, d), ev);
  for (int i = 0, k = 0; i < FORMS; i++) {
    const form f = form_of(measure, i);
    double gradient[PARAMETERS], largest = 0;
    const double value = expected(&f, k + 1, psi, d, gradient);
    for (int j = 0; j < PARAMETERS; j++)
      largest = fmax(largest, fabs(gradient[j]));
    print_message("measure %d, %s, %s, reduction %d, form %d\n", measure, method, sensitivity,
                  (int)f.reduction, i / REDUCTIONS);
    assert_close(psi[k], value, rtol, rtol);
    for (int j = 0; j < PARAMETERS; j++)
      assert_close(d[k * PARAMETERS + j], gradient[j], slack, slack * (1 + largest));
    k += f.reduction == GRADYN_MAXIMUM ? 3 : 2;
  }
}

TEST(reductions_are_those_of_formulas)
{
  static const char *const sensitivity[] = {"adjoint", "direct"};
  for (int measure = 0; measure < MEASURES; measure++)
    for (int i = 0; i < RUN_METHODS; i++)
      for (int j = 0; j < 2; j++)
        if (support_thorough() || (i == measure % RUN_METHODS && j == measure % 2))
          compare(measure, run_methods[i], sensitivity[j], i < RUN_ADAPTIVE ? 1e-5 : 1e-10);
}
