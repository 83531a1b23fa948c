/* Events of general equations: a thermostat in closed form; and a ball whose drag is an algebraic state,
 * direct against adjoint and differences. */
#include "tests/adjoint/airy_ball.h"
#include "tests/adjoint/compare.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

/* Indices of the schemes for general equations in hybrid_schemes. */
static const size_t marching[] = {0, 4, 5, 6, 7};
enum { MARCHING = sizeof marching / sizeof marching[0] };

/* --- thermostat: T' = -k (T - outside) + power s, s' = 0 ---------------------------------------- */

enum { RATE, OUTSIDE, POWER, LOW, HIGH, START, HOUSE_P };
enum { HOUSE_END, ON_AGAIN, WORK, HOUSE_F };
static const double house_rho[HOUSE_P] = {0.7, 5, 20, 18, 21, 20}, house_end = 2.8;

static gradyn_status house_residual(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *d = at->data;
  F[0] = at->yp[0] + d[0] * (at->y[0] - d[1]) - d[2] * at->y[1];
  F[1] = at->yp[1]; /* the heating is on or off; only events change this state */
  return GRADYN_OK;
}

FORMULA(above, at->y[0] - at->data[0])
FORMULA(state, at->y[*(const int *)at->user])

static gradyn_status build_house(gradyn_model *model, const gradyn_scalar r[])
{
  static const int temperature_of = 0, heater_of = 1;
  int temperature = gradyn_state(model, "temperature", "K", r[START]);
  int heater = gradyn_state(model, "heater", "", 0);
  const gradyn_datum data[] = {
      {"rate", "1/s", r[RATE]}, {"outside", "K", r[OUTSIDE]}, {"power", "K/s", r[POWER]}};
  declare_equations(model, house_residual, data, 3);
  const gradyn_datum low = {"low", "K", r[LOW]}, high = {"high", "K", r[HIGH]};
  const gradyn_component to = {heater, GRADYN_X}, one = {GRADYN_CONSTANT, GRADYN_X};
  const gradyn_map_term on = {to, one, 1, false}, off = {to, one, 0, false};
  int cold = gradyn_event(model, &(gradyn_event_spec){.name = "cold",
                                                      .guard = {.terminal = above,
                                                                .data = &low,
                                                                .data_count = 1,
                                                                .reads = &temperature,
                                                                .read_count = 1},
                                                      .map = &on,
                                                      .map_count = 1});
  gradyn_event(model,
               &(gradyn_event_spec){.name = "warm",
                                    .guard = {.terminal = above, .data = &high, .data_count = 1},
                                    .direction = GRADYN_RISING,
                                    .map = &off,
                                    .map_count = 1});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){"end", "K", .terminal = state,
                                                            .user = (void *)&temperature_of});
  gradyn_event_time(model, "on_again", cold, 2);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"work", "s", .integrand = state,
                                                                   .user = (void *)&heater_of});
  return gradyn_build_status(model);
}

/* The house cools from the start to `low`, warms to `high`, cools again and is warmed until the end. */
static void house_closed_form(const double complex p[HOUSE_P], double complex psi[HOUSE_F])
{
  const double complex k = p[RATE], hot = p[OUTSIDE] + p[POWER] / k;
  double complex first = clog((p[START] - p[OUTSIDE]) / (p[LOW] - p[OUTSIDE])) / k;
  double complex warm = clog((p[LOW] - hot) / (p[HIGH] - hot)) / k;
  double complex cool = clog((p[HIGH] - p[OUTSIDE]) / (p[LOW] - p[OUTSIDE])) / k;
  double complex on = first;
  psi[ON_AGAIN] = first + warm + cool;
  psi[WORK] = 0;
  for (; creal(on + warm + cool) < house_end; on += warm + cool)
    psi[WORK] += warm;
  assert_true(creal(on + warm) > house_end); /* the heating is on at the end */
  psi[WORK] += house_end - on;
  psi[HOUSE_END] = hot + (p[LOW] - hot) * cexp(-k * (house_end - on));
}

static const gradyn_param house_params[] = {{.name = "house", .count = HOUSE_P, .init = 1}};
static const gradyn_problem house = PROBLEM("house", build_house, house_params, .t_end = 2.8,
                                            .rtol = 1e-12);

TEST(a_thermostat_has_the_closed_form)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  for (int run = 0; run < 2 * MARCHING; run++) {
    run_local *ev = hybrid_open(&house, &hybrid_schemes[marching[run / 2]], sensitivity[run % 2],
                                0);
    double psi[HOUSE_F], gradient[HOUSE_F * HOUSE_P];
    double expected[HOUSE_F], slope[HOUSE_F * HOUSE_P];
    assert_run(gradyn_evaluator_gradient(ev, house_rho, psi, gradient), ev);
    support_complex_step(house_closed_form, house_rho, HOUSE_P, HOUSE_F, expected, slope);
    assert_close_array(psi, expected, HOUSE_F, 1e-9, 0);
    assert_close_array(gradient, slope, HOUSE_F * HOUSE_P, 1e-8, 1e-9);
  }
}

/* --- a ball in air: the drag is an algebraic state, which comes first --------------------------- */

enum { BALL_P = 5 };
static const double ball_rho[BALL_P] = {1.1, 0.8, 0.1, 3, 0.02};
static bool ends; /* with the third bounce */
static bool law;  /* a user-defined reset of the floor, which also changes the drag */

FORMULA(high_up, at->y[AIRY_HEIGHT] - 0.05)

/* Adds the floor, which reverses the velocity: by a map, or by the reset. */
static int add_floor(gradyn_model *model, const gradyn_scalar r[], int speed, int air)
{
  const gradyn_component v = {speed, GRADYN_X}, both[] = {v, {air, GRADYN_X}};
  const gradyn_map_term back = {v, v, -r[1], false};
  const gradyn_datum swings = {"swing", "m", r[4]}, share = {"share", "", r[1]};
  const gradyn_custom_functional_spec guard = {
      .terminal = airy_ball_gap, .data = &swings, .data_count = 1};
  if (!law)
    return gradyn_event(
        model, &(gradyn_event_spec){.name = "floor", .guard = guard, .map = &back, .map_count = 1});
  /* a component that the reset sets ignores its map */
  return gradyn_event(model,
                      &(gradyn_event_spec){
                          .name = "floor",
                          .guard = guard,
                          .set = both,
                          .set_count = 2,
                          .reset = {.terminal = airy_ball_rebound, .data = &share, .data_count = 1},
                          .map = &back,
                          .map_count = 1});
}

static gradyn_status build_ball(gradyn_model *model, const gradyn_scalar r[])
{
  gradyn_algebraic_state(model, "drag", "m/s^2", 0);
  gradyn_state(model, "height", "m", r[0]);
  int air = gradyn_state(model, "air", "1/s", r[2]), speed = gradyn_state(model, "speed", "m/s", 0);
  const gradyn_datum band = {"band", "1/s^2", r[3]};
  const gradyn_datum limit = {"limit", "m/s^2", 0.5 + r[2]};
  declare_equations(model, airy_ball_rates, &band, 1);
  const gradyn_component a = {air, GRADYN_X}, one = {GRADYN_CONSTANT, 0};
  const gradyn_map_term thinner[] = {{a, a, 0.5 * r[1], false}, {a, one, 0.001, false}};
  const int floor = add_floor(model, r, speed, air);
  gradyn_event(model, &(gradyn_event_spec){
                          .name = "rushes",
                          .guard = {.terminal = airy_ball_rush, .data = &limit, .data_count = 1},
                          .condition = {.terminal = high_up},
                          .map = thinner,
                          .map_count = 2});
  if (ends)
    gradyn_terminate_at_event(model, floor, 3);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"mixture", "",
                                                                   .terminal = airy_ball_mixture,
                                                                   .integrand = airy_ball_mixture});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "before",
                               gradyn_measure_custom(
                                   model,
                                   &(gradyn_custom_measure_spec){
                                       "before", "", .formula = airy_ball_mixture, .hidden = true}),
                               .reduction = GRADYN_BEFORE_EVENT, .event = floor, .occurrence = 2});
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "after",
                 gradyn_measure_custom(
                     model, &(gradyn_custom_measure_spec){"after", "", .formula = airy_ball_mixture,
                                                          .hidden = true}),
                 .reduction = GRADYN_AFTER_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 2});
  gradyn_event_time(model, "time", floor, 3);
  if (!ends)
    gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"instant", "",
                                                                     .terminal = airy_ball_mixture,
                                                                     .instant = 0.9});
  return gradyn_build_status(model);
}

static const gradyn_param ball_params[] = {{.name = "rho", .count = BALL_P, .init = 1}};
static const gradyn_problem ball = PROBLEM("ball", build_ball, ball_params, .t_end = 2,
                                           .rtol = 1e-12);

TEST(direct_and_adjoint_agree)
{
  for (int way = 0; way < 4 * MARCHING; way++) {
    if (!support_takes(way + way / 4, 4))
      continue;
    const hybrid_scheme *scheme = &hybrid_schemes[marching[way / 4]];
    ends = way % 2;
    law = way % 4 > 1;
    run_local *direct = hybrid_open(&ball, scheme, "direct", 0);
    run_local *adjoint = hybrid_open(&ball, scheme, "adjoint", way < 4 ? 0 : 3e4);
    compare_by_data(direct, adjoint, ball_rho,
                    &(compare_bounds){.values = way < 4 ? 1e-8 : 0, .share = scheme->agree});
    assert_true(gradyn_evaluator_statistics(adjoint).events >= 4); /* it rushes, too */
    assert_string_equal(gradyn_event_log_at(adjoint, 0).name, "rushes");
  }
}

TEST(gradients_are_those_of_differences)
{
  for (int way = 0; way < 4 * MARCHING; way++) {
    if (!support_takes(way + way / 4 + 2, 4))
      continue;
    const hybrid_scheme *scheme = &hybrid_schemes[marching[way / 4]];
    double atol[COMPARE_FUNCTIONALS];
    ends = way % 2;
    law = way % 4 > 1;
    run_local *ev = hybrid_open(&ball, scheme, "adjoint", 0);
    for (int f = 0; f < COMPARE_FUNCTIONALS; f++)
      atol[f] = scheme->differ;
    compare_with_differences(
        ev, ball_rho, &(compare_allowed){scheme->change, .rtol = scheme->differ, .atol = atol});
  }
}
