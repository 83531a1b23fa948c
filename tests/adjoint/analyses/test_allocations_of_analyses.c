/* Tests of memory: a failed allocation in an analysis does no harm, and each analysis releases its memory. */
#include "tests/allocations.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/gradyn.h>

/* --- a mass on a rail, pulled through a spring by a hand that is shaken, with or without a wall ---- */

static const double omega = 12.566370614359172; /* rad/s: T = 0.5 s */

static const gradyn_setting walls[] = {{"wall", "1: the mass bounces", 0, 0, 1}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar none[1];
  const bool wall = gradyn_setting_value(model, "wall");
  int mass = gradyn_point(model, "mass", 1, 0), hand = gradyn_point(model, "hand", 0, 0);
  int u = declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
  gradyn_point_mass(model, "mass", mass, 1);
  gradyn_point_mass(model, "hand", hand, 1);
  gradyn_coordinate(model, "rail", mass, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_coordinate(model, "level", hand, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_coordinate(model, "shake", hand, GRADYN_X,
                    &(gradyn_time_function){.amplitude = 0.1, .frequency = omega});
  gradyn_spring(
      model,
      &(gradyn_spring_spec){
          .name = "spring", .from = hand, .to = mass, .k = rho[0], .c = rho[1], .free_length = 1});
  declare_push(model, "push", mass, 1, 0, u);
  if (wall)
    gradyn_impact(model, &(gradyn_impact_spec){.name = "wall",
                                               .point = mass,
                                               .axis = GRADYN_X,
                                               .level = {.value = 0.99},
                                               .restitution = 0.8});
  gradyn_minimise(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", mass, 0, GRADYN_X),
                                           .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{.name = "k", .init = 30}, {.name = "c", .init = 2}};
static const double rho[] = {30, 2};
static const gradyn_problem shaken = PROBLEM("shaken", build, params, .settings = walls,
                                             .setting_count = 1, .t_end = 0.5);

/* A friction force in proportion to the multiplier of the rail. */
FORMULAS(rub, -0.1 * at->lam[0] * at->vel[0], 0)

static gradyn_status build_rubbed(gradyn_model *model, const gradyn_scalar r[])
{
  static const char *const reads[] = {"rail"};
  int mass = gradyn_point(model, "mass", 1, 0);
  (void)gradyn_setting_value(model, "wall");
  gradyn_point_mass(model, "mass", mass, r[0]);
  gradyn_initial_velocity(model, mass, r[1], 0);
  gradyn_gravity(model, 0, -1);
  gradyn_coordinate(model, "rail", mass, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_custom_force(model, &(gradyn_custom_force_spec){.name = "rub",
                                                         .points = &mass,
                                                         .point_count = 1,
                                                         .fn = rub,
                                                         .reads = reads,
                                                         .read_count = 1});
  return gradyn_build_status(model);
}

static const gradyn_problem rubbed = PROBLEM("rubbed", build_rubbed, params, .settings = walls,
                                             .setting_count = 1, .t_end = 0.5);

/* A capacitor between resistors: the unknowns are the voltages at both of its ends, and only the rate of
 * their difference occurs. */
static gradyn_status charge(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar current = 0.02 * (at->yp[0] - at->yp[1]);
  F[0] = current + (at->y[0] - 1 - at->u[1]) / at->data[0];
  F[1] = -current + at->y[1] / at->data[1];
  return GRADYN_OK;
}

static gradyn_status build_circuit(gradyn_model *model, const gradyn_scalar r[])
{
  static const gradyn_scalar none;
  const gradyn_datum data[] = {{"R1", "", r[0]}, {"R2", "", r[1]}};
  (void)gradyn_setting_value(model, "wall");
  declare_signal(model, "u", "V", GRADYN_PIECEWISE_CONSTANT, 1, &none);
  gradyn_state(model, "e1", "V", 0.3);
  gradyn_state(model, "e2", "V", 0.1);
  declare_equations(model, charge, data, 2);
  return gradyn_build_status(model);
}

static const gradyn_problem circuit = PROBLEM("circuit", build_circuit, params, .settings = walls,
                                              .setting_count = 1, .t_end = 0.5);

/* --- analyses ------------------------------------------------------------------------------------- */

static gradyn_status transition(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  LOCAL(gradyn_transition) found;
  return gradyn_transition_compute(ev, rho, NULL, 0, &found);
}

static gradyn_status orbit(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  LOCAL(gradyn_orbit) found;
  return gradyn_orbit_compute(ev, rho, &(gradyn_orbit_spec){.fixed_period = true}, &found);
}

static gradyn_status saltations(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  LOCAL(gradyn_saltations) found;
  return gradyn_saltations_compute(ev, rho, NULL, 0, &found);
}

static gradyn_status covariance(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  static const char *const names[] = {"k", "c"};
  static const double C[4] = {4, 0, 0, 1};
  LOCAL(gradyn_covariance) found;
  return gradyn_covariance_compute(ev, rho, &(gradyn_covariance_spec){names, 2, C, 3}, NULL, run,
                                   &found);
}

static gradyn_status sensitivities(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  static const double t[] = {0, 0.1, 0.5};
  double y[3 * 32], dy[6 * 32];
  assert_in_range(gradyn_evaluator_model_info(ev).states, 1, 32);
  return gradyn_sensitivities_compute(ev, rho, t, 3, y, dy);
}

static gradyn_status regulator(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  static const char *const state[] = {"mass.x"}, *const input[] = {"u"};
  static const double one = 1;
  const gradyn_regulator_spec spec = {
      .state = {state, 1, &one}, .final = {state, 1, &one}, .input = {input, 1, &one}};
  LOCAL(gradyn_regulator) found;
  return gradyn_regulator_compute(ev, rho, &spec, &found);
}

static gradyn_status equilibrium(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  gradyn_stability stability;
  LOCAL(gradyn_linearisation) found;
  return gradyn_equilibrium_compute(ev, rho, &stability, run, &found);
}

static gradyn_status linearise(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  LOCAL(gradyn_linearisation) found;
  return gradyn_evaluator_linearise(ev, rho, true, &found);
}

static gradyn_status freedom(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  gradyn_dof found;
  int dependent[8];
  return gradyn_dof_compute(ev, rho, &found, dependent);
}

static gradyn_status influence(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  bool has[2];
  return gradyn_evaluator_preview(ev, rho, NULL, has, NULL);
}

static gradyn_status gradient_of_data(gradyn_evaluator *ev, gradyn_trajectory *run)
{
  (void)run;
  double psi, gradient[64];
  assert_in_range(gradyn_evaluator_model_info(ev).data, 1, 64);
  return gradyn_evaluator_data_gradient(ev, rho, &psi, gradient);
}

static const struct analysis {
  const char *name;
  gradyn_status (*make)(gradyn_evaluator *ev, gradyn_trajectory *run);
  const char *method;
  bool wall;
  const gradyn_problem *problem; /* NULL: the mass */
} analyses[] = {
    {"transition", transition, "explicit", false, NULL},
    {"transition at a wall", transition, "explicit", true, NULL},
    {"orbit", orbit, "explicit", false, NULL},
    {"saltations", saltations, "explicit", true, NULL},
    {"saltations of idas", saltations, "idas", true, NULL},
    {"covariance", covariance, "explicit", false, NULL},
    {"covariance at a wall", covariance, "ali3p", true, NULL},
    {"covariance of idas", covariance, "idas", true, NULL},
    {"sensitivities", sensitivities, "explicit", false, NULL},
    {"sensitivities at a wall", sensitivities, "ali3p", true, NULL},
    {"sensitivities of idas", sensitivities, "idas", false, &circuit},
    {"regulator", regulator, "explicit", false, NULL},
    {"regulator at a wall", regulator, "explicit", true, NULL},
    {"equilibrium", equilibrium, "ali3p", false, NULL},
    {"linearisation", linearise, "ali3p", false, NULL},
    {"equilibrium of equations", equilibrium, "idas", false, &circuit},
    {"linearisation of equations", linearise, "idas", false, &circuit},
    {"freedom", freedom, "ali3p", false, NULL},
    {"freedom with friction", freedom, "ali3p", false, &rubbed},
    {"influence", influence, "ali3p", false, NULL},
    {"gradient of data", gradient_of_data, "explicit", true, NULL},
    {"gradient of data of idas", gradient_of_data, "idas", true, NULL},
    {"gradient of data of ali3p", gradient_of_data, "ali3p", true, NULL},
};

static gradyn_status analyse(const void *user, char *message)
{
  const struct analysis *a = user;
  const gradyn_setting_choice choice = {"wall", a->wall};
  gradyn_evaluator *ev;
  gradyn_trajectory *run = gradyn_trajectory_create();
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "no memory for a trajectory");
  if (!run)
    return GRADYN_NO_MEMORY;
  const gradyn_problem *problem = a->problem ? a->problem : &shaken;
  gradyn_options options = run_options(problem);
  options.method = a->method;
  options.step = 0.02;
  gradyn_status status = gradyn_evaluator_create(problem, &options, &choice, 1, &ev);
  if (status == GRADYN_OK)
    status = a->make(ev, run);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  gradyn_trajectory_free(run);
  return status;
}

TEST(failed_requests_do_no_harm)
{
  for (size_t k = 0; k < GRADYN_COUNT(analyses); k++)
    if (support_takes((int)k, 2))
      allocations_check(analyse, &analyses[k], analyses[k].name);
}
