/* Tests of models: named data, refreshing, and how wrong declarations are reported. */
#include "tests/support.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model.h"
#include <gradyn/mbs.h>

static const gradyn_setting settings[] = {{"extra", "", .init = 3, .lower = 0, .upper = 9}};

/* Creates a model whose problem is freed with it. */
static gradyn_status create_with(gradyn_build_fn build, const gradyn_scalar *rho, double t_end,
                                 const gradyn_setting_choice *choice, gradyn_model **model)
{
  gradyn_problem *problem = malloc(sizeof *problem);
  *problem = (gradyn_problem){
      .name = "probe", .settings = settings, .setting_count = 1, .t_end = 2, .build = build};
  return gradyn_model_create(problem, choice, choice ? 1 : 0, t_end, rho, model);
}

static gradyn_status create(gradyn_build_fn build, const gradyn_scalar *rho, gradyn_model **model)
{
  return create_with(build, rho, 0, NULL, model);
}

static void destroy(gradyn_model *model)
{
  void *problem = (void *)(size_t)model->problem;
  gradyn_model_free(model);
  free(problem);
}

static void assert_says(const gradyn_model *model, const char *text)
{
  if (!strstr(model->message.text, text))
    fail_msg("'%s' does not say '%s'", model->message.text, text);
}

/* Index of a datum by name; fails the test if there is none. */
static int datum(const gradyn_model *model, const char *name)
{
  for (int k = 0; k < model->nx; k++)
    if (strcmp(model->entry[k].name, name) == 0)
      return k;
  fail_msg("there is no datum %s", name);
  return -1;
}

/* rho: length, mass, and one that changes the structure of the model if it is not zero. */
static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0.25, 0);
  int P = gradyn_point(model, "P", 1, 0);
  const gradyn_scalar knots[] = {1, 2, 4, 8};
  const gradyn_signal_spec spec = {"u", "N", GRADYN_CUBIC_SPLINE, 4, knots, 0, 0};
  int signal = gradyn_signal(model, &spec);
  gradyn_initial_velocity(model, P, 0.5, rho[0]);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", A, P, .length = 2 * rho[0], .mass = rho[1]});
  if (creal(rho[2]) > 1) {
    int Q = gradyn_point(model, "Q", 1, 1);
    gradyn_rod(model, &(gradyn_rod_spec){"more", P, Q, .length = 1, .mass = 1});
    gradyn_point_mass(model, "weight", Q, 1);
  } else if (creal(rho[2]) < 0) {
    gradyn_gravity(model, 0, -10);
  }
  gradyn_force(model, &(gradyn_force_spec){"push", P, 1, 0, true, signal});
  gradyn_end_position(model, "end", P, GRADYN_X);
  if (creal(rho[2]) == 1)
    gradyn_end_position(model, "more", P, GRADYN_Y);
  return gradyn_built(model);
}

static void data_are_named_and_have_units(void **state)
{
  (void)state;
  const gradyn_scalar rho[3] = {0.5, 3, 0};
  const struct {
    const char *name, *unit;
    double value;
  } expected[] = {{"t_end", "s", 2},
                  {"A.x", "m", 0.25},
                  {"P.x", "m", 1},
                  {"P.vx", "m/s", 0.5},
                  {"P.vy", "m/s", 0.5},
                  {"u.t_start", "s", 0},
                  {"u.knot[2]", "N", 4},
                  {"rod.length", "m", 1},
                  {"rod.mass", "kg", 3},
                  {"rod.com", "m", 0.5},
                  {"rod.inertia", "kg m^2", 0.25},
                  {"push.fx", "", 1}};
  gradyn_model *model;
  assert_ok(create(pendulum, rho, &model), NULL);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    int k = datum(model, expected[i].name);
    assert_string_equal(model->entry[k].unit, expected[i].unit);
    assert_close(model->x[k], expected[i].value, 1e-15, 0);
    assert_false(model->entry[k].derived);
  }
  assert_true(model->entry[datum(model, "u.curve")].derived);
  destroy(model);
}

static void refreshing_brings_new_numbers(void **state)
{
  (void)state;
  const gradyn_scalar rho[3] = {0.5, 3, 0}, other[3] = {0.75 + 1e-20 * I, 4, 0};
  gradyn_model *model;
  assert_ok(create(pendulum, rho, &model), NULL);
  assert_ok(gradyn_model_refresh(model, other), model->message.text);
  int length = datum(model, "rod.length"), mass = datum(model, "rod.mass");
  assert_close(model->x[length], 1, 0, 0); /* in use until loaded */
  assert_close(creal(model->value[length]), 1.5, 0, 0);
  assert_close(cimag(model->value[length]), 2e-20, 1e-15, 0);
  assert_close(cimag(model->value[datum(model, "rod.inertia")]), 4 * 1.5 * 2e-20 / 6, 1e-14, 0);
  assert_ok(gradyn_model_load(model, NULL), model->message.text);
  assert_close(model->x[length], 1.5, 0, 0);
  assert_close(model->x[mass], 4, 0, 0);
  destroy(model);
}

static void a_changed_structure_is_noticed(void **state)
{
  (void)state;
  const struct {
    double selector;
    const char *says;
  } change[] = {{2, "Q.x where it declared push.fx before"},
                {1, "declares 2 functionals where it declared 1 before"},
                {-1, "gravity.x where it declared push.fx before"}};
  gradyn_scalar rho[3] = {0.5, 3, 0};
  gradyn_model *model;
  assert_ok(create(pendulum, rho, &model), NULL);
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    rho[2] = change[i].selector;
    assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
    assert_says(model, change[i].says);
    rho[2] = 0;
    assert_ok(gradyn_model_refresh(model, rho), model->message.text);
    assert_string_equal(model->message.text, "");
  }
  destroy(model);
}

static void numbers_must_be_finite(void **state)
{
  (void)state;
  gradyn_scalar rho[3] = {0.5, 3, 0};
  gradyn_model *model;
  assert_ok(create(pendulum, rho, &model), NULL);
  rho[1] = HUGE_VAL;
  assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
  assert_says(model, "rod.mass is inf");
  rho[1] = NAN;
  assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
  assert_says(model, "rod.mass is nan");
  destroy(model);
  assert_status(create(pendulum, rho, &model), GRADYN_INVALID, NULL);
  assert_says(model, "rod.mass is nan");
  destroy(model);
}

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
  gradyn_initial_velocity(model, A, 1, 0);
  gradyn_hold_coordinate(model, A, GRADYN_X);
  gradyn_distance(model, "folded", A, P, &(gradyn_law){.value = -1});
  gradyn_setting_value(model, "colour");
  gradyn_build_error(model, "the author says %d", 42);
  gradyn_end_time(model, -5);
  int f = gradyn_end_position(model, "twice", P, GRADYN_X);
  gradyn_end_position(model, "twice", P, GRADYN_Y);
  gradyn_reaction(model, "nothing", 99);
  gradyn_effort(model, "effortless", 3);
  gradyn_minimise(model, f);
  gradyn_signal(model, &(gradyn_signal_spec){.name = "late", .count = 2, .knots = knots});
  return gradyn_built(model);
}

static void all_errors_are_reported_together(void **state)
{
  (void)state;
  const char *says[] = {"two points are called P",
                        "light.mass is -2",
                        "short.length is -3",
                        "lost: point 17",
                        "ring joins",
                        "half gives com",
                        "anti.mass is -1",
                        "A is a ground",
                        "folded: the distance is -1",
                        "'colour'",
                        "says 42",
                        "end time is -5",
                        "called twice",
                        "constraint 99",
                        "effortless: signal 3"};
  gradyn_model *model;
  assert_status(create(all_wrong, NULL, &model), GRADYN_INVALID, NULL);
  for (size_t i = 0; i < sizeof says / sizeof *says; i++)
    assert_says(model, says[i]);
  destroy(model);
}

static gradyn_status bad_signal(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[3] = {0, 1, 0};
  gradyn_signal_spec spec = {
      .name = "late", .kind = GRADYN_PIECEWISE_LINEAR, .count = 3, .knots = knots};
  gradyn_point_mass(model, "m", gradyn_point(model, "P", 0, 0), 1);
  if (creal(rho[0]) == 0)
    spec.t_start = 2;
  else if (creal(rho[0]) == 1)
    spec.count = 1;
  else
    spec.knots = NULL;
  gradyn_signal(model, &spec);
  return gradyn_built(model);
}

static void signals_are_checked(void **state)
{
  (void)state;
  const char *says[] = {"late ends at 2 s, which is not after its start at 2 s",
                        "late has 1 knots: it needs at least 2", "late has no knot values"};
  for (int i = 0; i < 3; i++) {
    const gradyn_scalar rho = i;
    gradyn_model *model;
    assert_status(create(bad_signal, &rho, &model), GRADYN_INVALID, NULL);
    assert_says(model, says[i]);
    destroy(model);
  }
}

static gradyn_status timed(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_point_mass(model, "m", gradyn_point(model, "P", gradyn_setting_value(model, "extra"), 0),
                    1);
  if (rho)
    gradyn_end_time(model, rho[0]);
  return gradyn_built(model);
}

static void end_time_comes_from_one_place(void **state)
{
  (void)state;
  const gradyn_scalar rho = 7;
  const gradyn_setting_choice eight = {"extra", 8};
  gradyn_model *model;
  assert_ok(create(timed, NULL, &model), NULL);
  assert_close(model->x[model->t_end], 2, 0, 0);
  assert_close(model->x[datum(model, "P.x")], 3, 0, 0);
  destroy(model);
  assert_ok(create_with(timed, NULL, 0.5, &eight, &model), NULL);
  assert_close(model->x[model->t_end], 0.5, 0, 0);
  assert_close(model->x[datum(model, "P.x")], 8, 0, 0);
  destroy(model);
  assert_ok(create(timed, &rho, &model), NULL);
  assert_close(model->x[model->t_end], 7, 0, 0);
  destroy(model);
  assert_status(create_with(timed, &rho, 0.5, NULL, &model), GRADYN_INVALID, NULL);
  assert_says(model, "0.5 s");
  destroy(model);
}

/* rho[0]: no declaration at all, nothing that moves, or a status of the author's. */
static gradyn_status unusable(gradyn_model *model, const gradyn_scalar rho[])
{
  if (creal(rho[0]) == 1)
    gradyn_ground_point(model, "A", 0, 0);
  return creal(rho[0]) == 2 ? GRADYN_CALLBACK : gradyn_built(model);
}

static void unusable_models_are_refused(void **state)
{
  (void)state;
  const char *says[] = {"nothing to simulate", "no moving point", "build() of probe failed",
                        "no build function"};
  for (int i = 0; i < 4; i++) {
    const gradyn_scalar rho = i;
    gradyn_model *model;
    assert_status(create(i < 3 ? unusable : NULL, &rho, &model),
                  i == 2 ? GRADYN_CALLBACK : GRADYN_INVALID, NULL);
    assert_says(model, says[i]);
    destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_are_named_and_have_units),
      cmocka_unit_test(refreshing_brings_new_numbers),
      cmocka_unit_test(a_changed_structure_is_noticed),
      cmocka_unit_test(numbers_must_be_finite),
      cmocka_unit_test(all_errors_are_reported_together),
      cmocka_unit_test(signals_are_checked),
      cmocka_unit_test(end_time_comes_from_one_place),
      cmocka_unit_test(unusable_models_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
