/* No failure of a user's function is ignored in an analysis, or at an event of general equations: the
 * analysis ends with the status of the failed call. */
#include "tests/adjoint/evaluator/losing.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { STIFFNESS, DAMPING, PARAMETERS };
static const gradyn_param params[PARAMETERS] = {{"k", "N/m", .init = 30, GRADYN_UNBOUNDED},
                                                {"c", "N s/m", .init = 2, GRADYN_UNBOUNDED}};

LOSING(pull, -at->data[0] * at->pos[0] * (1 + at->pos[0] * at->pos[0]) - at->data[1] * at->vel[0],
       0)

/* Gap of a wall that moves with the second coordinate. */
static gradyn_status gap(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order];
  *value = r[0] + 0.01 * r[1] + (order == 0 ? 0.005 : 0);
  return losing_answer();
}

LOSING(energy, at->vel[2] * at->vel[2])

static gradyn_status add_mass(gradyn_model *m, const gradyn_scalar rho[], bool wall)
{
  static const gradyn_scalar none[1];
  const gradyn_datum data[] = {{"k", "N/m", rho[STIFFNESS]}, {"c", "N s/m", rho[DAMPING]}};
  int mass = gradyn_point(m, "mass", 0.01, 0);
  int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
  gradyn_initial_velocity(m, mass, -1.5, 0);
  gradyn_point_mass(m, "mass", mass, 1);
  gradyn_coordinate(m, "rail", mass, GRADYN_Y, NULL);
  declare_force(m, "pull", mass, pull, data, 2);
  gradyn_force(m, &(gradyn_force_spec){"push", mass, 1, 0, u, 0});
  const gradyn_custom_constraint_spec own = {
      .name = "gap", .points = &mass, .point_count = 1, .fn = gap};
  if (wall)
    gradyn_impact(
        m, &(gradyn_impact_spec){.name = "wall", .point = mass, .gap = &own, .restitution = 0.8});
  declare_end(m, "energy", "", energy);
  return gradyn_build_status(m);
}

static gradyn_status smooth(gradyn_model *m, const gradyn_scalar rho[])
{
  return add_mass(m, rho, false);
}

static gradyn_status bounces(gradyn_model *m, const gradyn_scalar rho[])
{
  return add_mass(m, rho, true);
}

/* --- equations whose state is set back at a level ------------------------------------------------- */

LOSING(flow, at->yp[0] - at->data[0] * at->y[1], at->y[1] - 1 - at->data[1] * at->y[0] * at->y[0])

LOSING(level, at->y[0] - 0.3)

LOSING(height, at->y[0] * at->y[0])

static gradyn_status equations(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"k", "", rho[STIFFNESS]}, {"c", "", rho[DAMPING]}};
  const gradyn_component x = {gradyn_state(m, "x", "", 0), GRADYN_X};
  gradyn_algebraic_state(m, "z", "", 1);
  declare_equations(m, flow, data, 2);
  const gradyn_map_term map = {x, x, 0.5, false};
  const int event = gradyn_event(m, &(gradyn_event_spec){.name = "full",
                                                         .guard = {.terminal = level},
                                                         .direction = GRADYN_RISING,
                                                         .map = &map,
                                                         .map_count = 1});
  const gradyn_custom_functional_spec before = {.name = "before", .terminal = height},
                                      whole = {.name = "whole", .integrand = height};
  declare_before_event(m, &before, event, 1);
  gradyn_event_time(m, "time", event, 2);
  gradyn_custom_functional(m, &whole);
  return gradyn_build_status(m);
}

/* --- requests ------------------------------------------------------------------------------------- */

static gradyn_status transition(gradyn_evaluator *ev, const double rho[])
{
  LOCAL(gradyn_transition) found;
  return gradyn_transition_compute(ev, rho, NULL, 0, &found);
}

static gradyn_status saltations(gradyn_evaluator *ev, const double rho[])
{
  LOCAL(gradyn_saltations) found;
  return gradyn_saltations_compute(ev, rho, NULL, 0, &found);
}

static gradyn_status covariance(gradyn_evaluator *ev, const double rho[])
{
  static const char *const names[] = {"k", "c"};
  static const double C[4] = {4, 0, 0, 1};
  LOCAL(gradyn_covariance) found;
  return gradyn_covariance_compute(ev, rho, &(gradyn_covariance_spec){names, 2, C, 3}, NULL, NULL,
                                   &found);
}

static gradyn_status regulator(gradyn_evaluator *ev, const double rho[])
{
  static const char *const state[] = {"mass.x"}, *const input[] = {"u"};
  static const double one = 1;
  const gradyn_regulator_spec spec = {
      .state = {state, 1, &one}, .final = {state, 1, &one}, .input = {input, 1, &one}};
  LOCAL(gradyn_regulator) found;
  return gradyn_regulator_compute(ev, rho, &spec, &found);
}

static gradyn_status equilibrium(gradyn_evaluator *ev, const double rho[])
{
  gradyn_stability stability;
  LOCAL(gradyn_linearisation) found;
  return gradyn_equilibrium_compute(ev, rho, &stability, NULL, &found);
}

static gradyn_status singular(gradyn_evaluator *ev, const double rho[])
{
  bool data[64];
  assert_in_range(gradyn_evaluator_model_info(ev).data, 1, GRADYN_COUNT(data));
  return gradyn_evaluator_singular_data(ev, rho, data, NULL);
}

static const struct {
  const char *name;
  losing_request request;
  gradyn_build_fn build;
  const char *method;
  double step;
} analyses[] = {{"transition", transition, smooth, "explicit", 0},
                {"transition at a wall", transition, bounces, "explicit", 0},
                {"transition at a wall", transition, bounces, "ali3p", 4e-3},
                {"saltations", saltations, bounces, "explicit", 0},
                {"saltations", saltations, bounces, "idas", 0},
                {"covariance", covariance, smooth, "explicit", 0},
                {"covariance at a wall", covariance, bounces, "ali3p", 4e-3},
                {"covariance at a wall", covariance, bounces, "idas", 0},
                {"regulator", regulator, smooth, "explicit", 0},
                {"regulator at a wall", regulator, bounces, "explicit", 0},
                {"equilibrium", equilibrium, smooth, "explicit", 0},
                {"singular data", singular, smooth, "ali3p", 4e-3},
                {"singular data at a wall", singular, bounces, "variational", 4e-3}};

TEST(of_analyses)
{
  for (size_t k = 0; k < GRADYN_COUNT(analyses); k++) {
    const char *const way[] = {analyses[k].method, "direct"};
    print_message("%s, %s\n", analyses[k].name, analyses[k].method);
    losing_nothing(analyses[k].build, params, PARAMETERS, way, analyses[k].step,
                   analyses[k].request, 150);
  }
}

TEST(at_events_of_equations)
{
  static const char *const ways[][2] = {{"idas", "direct"}, {"idas", "adjoint"}};
  for (size_t k = 0; k < GRADYN_COUNT(ways); k++)
    losing_nothing(equations, params, PARAMETERS, ways[k], 0, losing_gradient, 300);
}
