/* Messages about wrong declarations in models. */
#include "tests/support.h"

#include <complex.h>

#include "tests/core/model/probe_model.h"
#include "tests/declare.h"
#include <gradyn/model.h>
#include <gradyn/events.h>
#include <gradyn/mechanism.h>

static gradyn_status all_wrong(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar knots[2] = {0, 1};
  int A = gradyn_ground_point(model, "A", 0, 0);
  int P = gradyn_point(model, "P", 1, 0);
  gradyn_point(model, "P", 2, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"light", A, P, .length = 1, .mass = -2});
  gradyn_rod(model, &(gradyn_rod_spec){"short", A, P, .length = -3, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"lost", A, 17, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"ring", P, P, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"half", A, P, .length = 1, .mass = 1, .com = 0.5});
  gradyn_point_mass(model, "anti", P, -1);
  gradyn_point_mass(model, "root", P, csqrt(-4));
  gradyn_initial_velocity(model, A, 1, 0);
  gradyn_fix_initial_coordinate(model, A, GRADYN_X);
  gradyn_distance(model, "folded", A, P, &(gradyn_time_function){.value = -1});
  gradyn_setting_value(model, "colour");
  gradyn_point(model, "a\tb", 0, 0);
  gradyn_point(model, "\tb", 0, 0); /* a control character in the name */
  gradyn_point(model, "c\ad", 0, 0);
  gradyn_build_error(model, "the author says %d", 42);
  gradyn_end_time(model, -5);
  int f = gradyn_functional(
      model, &(gradyn_functional_spec){"twice", gradyn_measure_point(model, "", P, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"twice", gradyn_measure_point(model, "", P, 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"nothing", gradyn_measure_multiplier(model, "", 100),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"effortless", gradyn_measure_signal(model, "", 4),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_minimise(model, f, 1);
  declare_signal(model, "late", "", GRADYN_PIECEWISE_CONSTANT, 2, knots);
  return gradyn_build_status(model);
}

TEST(all_errors_are_reported_together)
{
  const char *says[] = {"two points are called P",
                        "light.mass is -2",
                        "short.length is -3",
                        "lost: point 17",
                        "ring joins",
                        "half sets com",
                        "anti.mass is -1",
                        "root.mass is 0+2i: it must be real",
                        "A is a ground",
                        "folded: the distance is -1",
                        "'colour'",
                        "the name \"a\\x09b\"",
                        "the name \"\\x09b\"",
                        "the name \"c\\x07d\"",
                        "says 42",
                        "end time is -5",
                        "called twice",
                        "constraint 100",
                        "a measure without a name: signal 4"};
  gradyn_model *model;
  assert_status(probe_create(all_wrong, NULL, &model), GRADYN_INVALID, NULL);
  for (size_t i = 0; i < sizeof says / sizeof *says; i++)
    probe_assert_says(model, says[i]);
  probe_destroy(model);
}

static gradyn_status bad_signal(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[3] = {0, 1, 0}, times[3] = {0, 0.7, creal(rho[0]) == 4 ? 0.7 : 1};
  gradyn_signal_spec spec = {
      .name = "late", .kind = GRADYN_PIECEWISE_LINEAR, .count = 3, .knots = knots};
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  if (creal(rho[0]) == 0)
    spec.t_start = 2;
  else if (creal(rho[0]) == 1)
    spec.count = 1;
  else if (creal(rho[0]) == 2)
    spec.knots = NULL;
  else {
    spec.times = times;
    spec.t_end = creal(rho[0]) == 3 ? 1 : 0;
  }
  gradyn_signal(model, &spec);
  return gradyn_build_status(model);
}

TEST(signals_are_checked)
{
  const char *says[] = {
      "late ends at 2 s, which is not after its start at 2 s",
      "late has 1 knots: it needs at least 2", "late has no knot values",
      "late has .times; it must have neither .t_start nor .t_end",
      "knot 1 of signal late is at 0.7 s, and the next one at 0.7 s: times of knots have to"};
  for (int i = 0; i < 5; i++) {
    const gradyn_scalar rho = i;
    gradyn_model *model;
    assert_status(probe_create(bad_signal, &rho, &model), GRADYN_INVALID, NULL);
    probe_assert_says(model, says[i]);
    probe_destroy(model);
  }
}

static gradyn_status timed(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_mass(model, "m", gradyn_point(model, "P", gradyn_setting_value(model, "extra"), 0),
                    1);
  if (rho)
    gradyn_end_time(model, rho[0]);
  return gradyn_build_status(model);
}

TEST(end_time_comes_from_one_place)
{
  const gradyn_scalar rho = 7;
  const gradyn_setting_choice eight = {"extra", 8};
  gradyn_model *model;
  assert_ok(probe_create(timed, NULL, &model), NULL);
  assert_close(model->x[model->t_end], 2, 0, 0);
  assert_close(model->x[probe_datum(model, "P.x")], 3, 0, 0);
  probe_destroy(model);
  assert_ok(probe_create_with(timed, NULL, 0.5, &eight, &model), NULL);
  assert_close(model->x[model->t_end], 0.5, 0, 0);
  assert_close(model->x[probe_datum(model, "P.x")], 8, 0, 0);
  probe_destroy(model);
  assert_ok(probe_create(timed, &rho, &model), NULL);
  assert_close(model->x[model->t_end], 7, 0, 0);
  probe_destroy(model);
  assert_status(probe_create_with(timed, &rho, 0.5, NULL, &model), GRADYN_INVALID, NULL);
  probe_assert_says(model, "0.5 s");
  probe_destroy(model);
}

/* rho[0]: no declaration, nothing that can move, or a status returned by build(). */
static gradyn_status unusable(gradyn_model *model, const gradyn_scalar rho[])
{
  if (creal(rho[0]) == 1)
    gradyn_ground_point(model, "A", 0, 0);
  return creal(rho[0]) == 2 ? GRADYN_CALLBACK : gradyn_build_status(model);
}

TEST(unusable_models_are_refused)
{
  const char *says[] = {"a simulation needs points or states", "no moving point",
                        "build() of probe failed", "no build function"};
  for (int i = 0; i < 4; i++) {
    const gradyn_scalar rho = i;
    gradyn_model *model;
    assert_status(probe_create(i < 3 ? unusable : NULL, &rho, &model),
                  i == 2 ? GRADYN_CALLBACK : GRADYN_INVALID, NULL);
    probe_assert_says(model, says[i]);
    probe_destroy(model);
  }
}

/* --- what each kind of model refuses, by number ---------------------------------------------- */

FORMULA(still, at->yp[0])

static gradyn_status bad_equations(gradyn_model *model, const gradyn_scalar rho[])
{
  const double atol[] = {1e-6, -1};
  gradyn_equations_spec spec = {.residual = creal(rho[0]) == 2 ? NULL : still};
  gradyn_state(model, "x", "", 1);
  gradyn_state(model, "y", "", 1);
  if (creal(rho[0]) == 0)
    gradyn_point(model, "P", 0, 0);
  if (creal(rho[0]) == 3)
    spec.atol = atol;
  gradyn_equations(model, &spec);
  if (creal(rho[0]) == 1)
    gradyn_equations(model, &spec);
  return gradyn_build_status(model);
}

static gradyn_status bad_switches(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar levels[] = {0, 1}, times[] = {0.5};
  gradyn_signal_spec spec = {"valve", "", GRADYN_SWITCHED, 2, levels, .times = times};
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  if (creal(rho[0]) == 0)
    spec.count = 0;
  else if (creal(rho[0]) == 1)
    spec.knots = NULL;
  else if (creal(rho[0]) == 2)
    spec.times = NULL;
  else
    spec.t_end = 1;
  gradyn_signal(model, &spec);
  return gradyn_build_status(model);
}

static gradyn_status mixed(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  gradyn_state(model, "x", "", 1);
  return gradyn_build_status(model);
}

FORMULA(height_of_p, at->pos[3])

static gradyn_status bad_events(gradyn_model *model, const gradyn_scalar rho[])
{
  int P = gradyn_point(model, "P", 0, 1);
  gradyn_point_mass(model, "m", P, 1);
  gradyn_impact_spec floor = {.name = "floor", .point = P, .axis = GRADYN_Y, .restitution = 0.5};
  const gradyn_component ground = {gradyn_ground_point(model, "G", 0, 0), GRADYN_X};
  if (creal(rho[0]) == 0) {
    gradyn_mode(model, "flight");
    gradyn_mode(model, "flight");
  }
  if (creal(rho[0]) == 1)
    gradyn_impact(model, &floor);
  if (creal(rho[0]) == 2) {
    floor.preserved = &ground;
    floor.preserved_count = 1;
  }
  const int event = gradyn_impact(model, &floor);
  const gradyn_custom_functional_spec height = {.name = "height", .terminal = height_of_p};
  if (creal(rho[0]) == 3)
    gradyn_event_time(model, "fall", event + 1, 1);
  if (creal(rho[0]) == 4)
    gradyn_event_time(model, "fall", event, 0);
  declare_before_event(model, &height, event, 1);
  return gradyn_build_status(model);
}

/* Guesses of states. */
static gradyn_status bad_guesses(gradyn_model *model, const gradyn_scalar rho[])
{
  const double value[2] = {1, creal(rho[0]) == 1 ? INFINITY : 2};
  const int P = gradyn_point(model, "P", 1, 0);
  gradyn_point_mass(model, "ball", P, 1);
  gradyn_guess(model, creal(rho[0]) == 2 ? "P.vxx" : "P.vx", value, creal(rho[0]) == 3 ? 0 : 2);
  gradyn_guess(model, creal(rho[0]) == 4 ? "P.vx" : "P.x", creal(rho[0]) == 5 ? NULL : value, 1);
  return gradyn_build_status(model);
}

/* States of general equations can be measured by their value, but not by their rate. */
static gradyn_status bad_measures(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_state_id y = gradyn_state(model, "y", "m", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = still});
  gradyn_measure_state(model, "rate", creal(rho[0]) == 1 ? y + 1 : y, 1);
  return gradyn_build_status(model);
}

static const struct {
  gradyn_build_fn build;
  double which;
  const char *says;
} refused[] = {
    {bad_guesses, 1, "gradyn_guess(): P.vx has value 1 = inf, which is not finite"},
    {bad_guesses, 2, "gradyn_guess(): there is no state 'P.vxx' (did you mean 'P.vx'?)"},
    {bad_guesses, 3, "gradyn_guess(): P.vx has no values"},
    {bad_guesses, 4, "gradyn_guess(): P.vx is guessed twice"},
    {bad_guesses, 5, "gradyn_guess(): P.x has no values"},
    {bad_measures, 0, "rate: order 1 of y: measures of general equations have the order 0 (value)"},
    {bad_measures, 1, "rate: state 2 has not been declared"},
    {bad_equations, 0, "points and states are mixed: a model is either"},
    {mixed, 0, "points and states are mixed: a model is either"},
    {bad_equations, 1, "gradyn_equations() is called twice"},
    {bad_equations, 2, "the equations have no residual function"},
    {bad_equations, 3, "the absolute tolerance of y is -1: it must be finite and positive"},
    {bad_switches, 0, "signal valve has 0 knots: it needs at least 1"},
    {bad_switches, 1, "signal valve has no knot values"},
    {bad_switches, 2, "signal valve has no times to switch at"},
    {bad_switches, 3, "signal valve has .times; it must have neither"},
    {bad_events, 0, "two modes are called flight: names must differ"},
    {bad_events, 1, "two events are called floor: names must differ"},
    {bad_events, 2, "floor names a coordinate of G, which is not a moving point"},
    {bad_events, 3, "fall: event 2 has not been declared"},
    {bad_events, 4, "functional fall is evaluated at occurrence 0 of an event: occurrences count"},
};

TEST(wrong_declarations_are_named)
{
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const gradyn_scalar rho = refused[i].which;
    gradyn_model *model;
    assert_status(probe_create(refused[i].build, &rho, &model), GRADYN_INVALID, NULL);
    probe_assert_says(model, refused[i].says);
    probe_destroy(model);
  }
}
