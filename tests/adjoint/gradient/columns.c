/* Models of many columns: see columns.h. */
#include "tests/adjoint/gradient/columns.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

/* Parameters of the mechanisms; every model has the end time as its last parameter. */
enum { UPPER, LOWER, MASS, TIP_MASS, STIFFNESS, GRAVITY, PUSH, SECOND, END };

static const double values[COLUMNS_MODELS][COLUMNS_MOST] = {
    {0.8, 0.7, 1.1, 0.6, 9, 9.81, 3, -2, 1.05},
    {0.8, 0.7, 1.1, 0.6, 9, 9.81, 3, -2, 1.05},
    {1.2, 0.7, 0.4, 0.3, 1.5, 0.9, 0.6, 2.1, 1.05}};

/* --- mechanisms --------------------------------------------------------------------------------- */

/* An integrand that depends on the whole state, with different weights for each functional. */
static gradyn_status along_motion(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar k = at->data[0], *q = at->pos + 6, *v = at->vel + 6;
  *value = cos(k) * q[0] * q[3] + sin(k) * v[2] * v[2] + 0.1 * k * q[2] + 0.01 * at->lam[1] +
           0.3 * at->t * v[1];
  return GRADYN_OK;
}

static gradyn_status at_its_end(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar k = at->data[0], *q = at->pos + 6, *v = at->vel + 6;
  *value = cos(2 * k) * q[2] + sin(2 * k) * v[3] + 0.2 * q[1] * v[0] + at->t * q[3] +
           0.02 * at->lam[1];
  return GRADYN_OK;
}

/* The same integrand plus a term with a kink, where the knee is at x = 0.6 m. */
static gradyn_status bent(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar x = at->pos[6] - 0.6;
  const gradyn_status status = along_motion(at, value);
  *value += 10 * (creal(x) < 0 ? -x : x);
  return status;
}

/* Largest at the start. */
FORMULA(reach, at->data[0] * at->pos[8] - 30 * at->t + 0.01 * at->lam[1])

/* Adds a functional of an impact: the state before or after it, its impulse, or its time. */
static void add_functional_of_event(gradyn_model *m, int k, int event,
                                    const gradyn_custom_functional_spec *spec)
{
  if (k % 4 == 1)
    gradyn_event_impulse(m, spec->name, event, 1 + k / 4);
  else if (k % 4 == 2)
    gradyn_event_time(m, spec->name, event, 1 + k / 4);
  else if (k > 6)
    declare_after_event(m, spec, event, 1);
  else
    declare_before_event(m, spec, event, 1);
}

static void add_functional(gradyn_model *m, int k, int event)
{
  const gradyn_datum weight = {"weight", "", k + 0.5};
  gradyn_custom_functional_spec spec = {
      .name = gradyn_format_name(m, "f%d", k), .data = &weight, .data_count = 1};
  spec.terminal = at_its_end;
  if (event >= 0 && k != 3) {
    add_functional_of_event(m, k, event, &spec);
    return;
  }
  const bool ends = gradyn_setting_value(m, "ends") != 0;
  const int corner = gradyn_setting_value(m, "corner");
  spec.integrand = ends ? NULL : corner == k + 1 ? bent : along_motion;
  if (ends || corner > 0 || event >= 0 || k < 5 || k == 7) {
    gradyn_custom_functional(m, &spec);
    return;
  }
  spec.terminal = NULL;
  if (k == 5)
    declare_smooth_maximum(m, &spec, 0.7);
  else {
    spec.integrand = reach;
    declare_maximum(m, &spec);
  }
}

/* Returns the event of the pendulum; -1: none. */
static int add_pendulum(gradyn_model *m, const gradyn_scalar r[], bool bounces)
{
  const gradyn_scalar knots[] = {r[PUSH], r[SECOND], 1};
  const int hub = gradyn_ground_point(m, "hub", 0, 0);
  const int anchor = gradyn_ground_point(m, "anchor", 1.9, 0.8);
  const int knee = gradyn_point(m, "knee", r[UPPER], 0);
  const int tip = gradyn_point(m, "tip", r[UPPER] + r[LOWER], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"upper", hub, knee, .length = r[UPPER], .mass = r[MASS]});
  gradyn_rod(m, &(gradyn_rod_spec){"lower", knee, tip, .length = r[LOWER], .mass = 0.5});
  gradyn_point_mass(m, "tip", tip, r[TIP_MASS]);
  gradyn_gravity(m, 0, -r[GRAVITY]);
  gradyn_spring(
      m, &(gradyn_spring_spec){
             .name = "spring", .from = anchor, .to = knee, .k = r[STIFFNESS], .free_length = 1});
  const int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_CONSTANT, 3, knots);
  gradyn_force(m, &(gradyn_force_spec){"push", tip, 0.3, 1, u, 0});
  if (!bounces)
    return -1;
  return gradyn_impact(m, &(gradyn_impact_spec){.name = "floor",
                                                .point = tip,
                                                .axis = GRADYN_Y,
                                                .level = {.value = -0.3},
                                                .restitution = 0.8});
}

/* --- equations ---------------------------------------------------------------------------------- */

enum { X, V, Z, S }; /* an oscillator, a lag that follows it, and a product */

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data, *y = at->y, *yp = at->yp;
  F[X] = yp[X] - y[V];
  F[V] = yp[V] + d[0] * y[X] + d[1] * y[V] * y[S] - at->u[1];
  F[Z] = yp[Z] + d[2] * y[Z] - d[3] * y[X] * y[V];
  F[S] = y[S] * (1 + y[X] * y[X]) - d[4] - y[Z];
  return GRADYN_OK;
}

static gradyn_status along_equations(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar k = at->data[0], *y = at->y;
  *value = cos(k) * y[X] * y[X] + sin(k) * y[V] + 0.1 * k * y[Z] * y[S] + 0.3 * at->t * y[X];
  return GRADYN_OK;
}

static gradyn_status at_end_of_equations(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar k = at->data[0], *y = at->y;
  *value = cos(2 * k) * y[X] + sin(2 * k) * y[S] + y[V] * y[Z];
  return GRADYN_OK;
}

static void add_equations(gradyn_model *m, const gradyn_scalar r[])
{
  static const char *const name[] = {"a", "b", "c", "d", "e"};
  const gradyn_scalar knots[] = {r[6], r[7], 0.2};
  gradyn_datum data[5];
  for (int k = 0; k < 5; k++)
    data[k] = (gradyn_datum){name[k], "", r[k]};
  gradyn_state(m, "x", "", r[5]);
  gradyn_state(m, "v", "", 0.2);
  gradyn_state(m, "z", "", 0.1);
  gradyn_algebraic_state(m, "s", "", 1);
  (void)declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 3, knots);
  declare_equations(m, residual, data, 5);
}

static void add_equation_functional(gradyn_model *m, int k)
{
  const gradyn_datum weight = {"weight", "", k + 0.5};
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){
             .name = gradyn_format_name(m, "f%d", k),
             .data = &weight,
             .data_count = 1,
             .integrand = gradyn_setting_value(m, "ends") ? NULL : along_equations,
             .terminal = at_end_of_equations});
}

/* --- parts -------------------------------------------------------------------------------------- */

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const columns_model model = (columns_model)gradyn_setting_value(m, "model");
  const int functional = gradyn_setting_value(m, "functional");
  const int parameter = gradyn_setting_value(m, "parameter");
  const int parameters = gradyn_setting_value(m, "parameters");
  gradyn_scalar r[COLUMNS_MOST];
  for (int j = 0; j < COLUMNS_MOST; j++)
    r[j] = values[model][j] *
           (j < parameter || j >= parameter + parameters ? 1 : rho[j - parameter]);
  gradyn_end_time(m, r[END]);
  int event = -1;
  if (model == COLUMNS_EQUATIONS)
    add_equations(m, r);
  else
    event = add_pendulum(m, r, model == COLUMNS_BOUNCE);
  for (int k = functional; k < functional + gradyn_setting_value(m, "functionals"); k++)
    if (model == COLUMNS_EQUATIONS)
      add_equation_functional(m, k);
    else
      add_functional(m, k, event);
  return gradyn_build_status(m);
}

enum { SETTINGS = 7 };
static const gradyn_setting settings[SETTINGS] = {
    {"model", "which", 0, 0, COLUMNS_MODELS - 1},
    {"functional", "the first", 0, 0, COLUMNS_MOST - 1},
    {"functionals", "so many", 1, 1, COLUMNS_MOST},
    {"parameter", "the first", 0, 0, COLUMNS_MOST - 1},
    {"parameters", "so many", 1, 1, COLUMNS_MOST},
    {"ends", "no integrals", 0, 0, 1},
    {"corner", "of functional k - 1", 0, 0, COLUMNS_MOST}};

static const gradyn_param params[] = {
    {.name = "rho", .count = COLUMNS_MOST, .count_from = "parameters", .init = 1}};
static const gradyn_problem problem = PROBLEM("columns", build, params, .settings = settings,
                                              .setting_count = SETTINGS, .t_end = 1, .rtol = 1e-11);

gradyn_evaluator *columns_open(columns_model model, columns_part part, const columns_scheme *scheme,
                               const char *sensitivity)
{
  const gradyn_setting_choice choice[SETTINGS] = {{"model", (int)model},
                                                  {"functional", part.functional},
                                                  {"functionals", part.functionals},
                                                  {"parameter", part.parameter},
                                                  {"parameters", part.parameters},
                                                  {"ends", part.ends},
                                                  {"corner", part.corner}};
  return run_with(&problem, .method = scheme->method, .sensitivity = sensitivity,
                  .step = scheme->step > 0 ? scheme->step : -1, .order = scheme->order,
                  .rtol = scheme->rtol, .settings = choice, .setting_count = SETTINGS);
}
