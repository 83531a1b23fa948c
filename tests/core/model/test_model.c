/* Models: named data, refreshing, and messages about wrong declarations. */
#include "tests/support.h"

#include <complex.h>

#include "core/model/model.h"
#include "tests/core/model/probe_model.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

/* rho: length, mass, and a number that changes the structure of the model if it is not zero. */
static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0.25, 0);
  int P = gradyn_point(model, "P", 1, 0);
  const gradyn_scalar knots[] = {1, 2, 4, 8};
  const gradyn_signal_spec spec = {"u", "N", GRADYN_CUBIC_SPLINE, 4, knots, 0, 0, .times = NULL};
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
  declare_push(model, "push", P, 1, 0, signal);
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", P, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  if (creal(rho[2]) == 1)
    gradyn_functional(
        model, &(gradyn_functional_spec){"more", gradyn_measure_point(model, "", P, 0, GRADYN_Y),
                                         .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(data_are_named_and_have_units)
{
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
  assert_ok(probe_create(pendulum, rho, &model), NULL);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    int k = probe_datum(model, expected[i].name);
    assert_string_equal(model->entry[k].unit, expected[i].unit);
    assert_close(model->x[k], expected[i].value, 1e-15, 0);
    assert_false(model->entry[k].derived);
  }
  assert_true(model->entry[probe_datum(model, "u.curve")].derived);
  probe_destroy(model);
}

TEST(refreshing_brings_new_numbers)
{
  const gradyn_scalar rho[3] = {0.5, 3, 0};
  gradyn_scalar other[3] = {0.75 + 1e-30 * I, 4, 0};
  gradyn_model *model;
  assert_ok(probe_create(pendulum, rho, &model), NULL);
  assert_ok(gradyn_model_refresh(model, other), model->message.text);
  int length = probe_datum(model, "rod.length"), mass = probe_datum(model, "rod.mass");
  assert_close(model->x[length], 1, 0, 0); /* in use until loaded */
  assert_close(creal(model->value[length]), 1.5, 0, 0);
  assert_close(cimag(model->value[length]), 2e-30, 1e-15, 0);
  assert_close(cimag(model->value[probe_datum(model, "rod.inertia")]), 4 * 1.5 * 2e-30 / 6, 1e-14,
               0);
  assert_status(gradyn_model_load(model, NULL), GRADYN_INVALID, NULL);
  assert_says(model->message.text, "rod.length is 1.5+2e-30i: it must be real");
  other[0] = 0.75;
  assert_ok(gradyn_model_refresh(model, other), model->message.text);
  assert_ok(gradyn_model_load(model, NULL), model->message.text);
  assert_close(model->x[length], 1.5, 0, 0);
  assert_close(model->x[mass], 4, 0, 0);
  probe_destroy(model);
}

TEST(a_changed_structure_is_noticed)
{
  const struct {
    double selector;
    const char *says;
  } change[] = {{2, "Q.x where it declared push.fx before"},
                {1, "declares 2 measures where it declared 1 before"},
                {-1, "gravity.x where it declared push.fx before"}};
  gradyn_scalar rho[3] = {0.5, 3, 0};
  gradyn_model *model;
  assert_ok(probe_create(pendulum, rho, &model), NULL);
  for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
    rho[2] = change[i].selector;
    assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
    probe_assert_says(model, change[i].says);
    rho[2] = 0;
    assert_ok(gradyn_model_refresh(model, rho), model->message.text);
    assert_string_equal(model->message.text, "");
  }
  probe_destroy(model);
}

TEST(numbers_must_be_finite)
{
  gradyn_scalar rho[3] = {0.5, 3, 0};
  gradyn_model *model;
  assert_ok(probe_create(pendulum, rho, &model), NULL);
  rho[1] = HUGE_VAL;
  assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
  probe_assert_says(model, "rod.mass is inf");
  rho[1] = NAN;
  assert_status(gradyn_model_refresh(model, rho), GRADYN_INVALID, NULL);
  probe_assert_says(model, "rod.mass is nan");
  probe_destroy(model);
  assert_status(probe_create(pendulum, rho, &model), GRADYN_INVALID, NULL);
  probe_assert_says(model, "rod.mass is nan");
  probe_destroy(model);
}

/* rho[0]: 1, another name in the same buffer; 2, other elements with the same formatted names; 3, one name
 * more; 4, one name less. */
static gradyn_status named(gradyn_model *model, const gradyn_scalar rho[])
{
  int change = (int)creal(rho[0]), last = gradyn_ground_point(model, "O", 0, 0);
  char buffer[8] = "buffer";
  buffer[0] = change == 1 ? 'B' : 'b';
  for (int k = 0; k < 3; k++) {
    const char *point = gradyn_format_name(model, "P%d", k),
               *link = gradyn_format_name(model, "link%d", k);
    int next = gradyn_point(model, point, k, 1);
    if (change == 2 && k == 2)
      gradyn_spring(model, &(gradyn_spring_spec){link, last, next, .free_length = 1});
    else
      gradyn_rod(model, &(gradyn_rod_spec){link, last, next, .mass = 1});
    last = next;
  }
  gradyn_point_mass(model, buffer, last, 1);
  for (int k = 0; k < 1 + (change == 3) - (change == 4); k++)
    gradyn_format_name(model, "%s", "spare");
  return gradyn_build_status(model);
}

TEST(names_are_formed_once)
{
  const char *says[] = {"", "Buffer.mass where it declared buffer.mass",
                        "link2.stiffness where it declared link2.length",
                        "declares 8 formed names where it declared 7",
                        "declares 6 formed names where it declared 7"};
  gradyn_scalar rho = 0;
  gradyn_model *model;
  assert_ok(probe_create(named, &rho, &model), NULL);
  const char *first = model->names.name[0];
  for (int change = 0; change < 5; change++) {
    rho = change;
    assert_status(gradyn_model_refresh(model, &rho), change ? GRADYN_INVALID : GRADYN_OK, NULL);
    probe_assert_says(model, says[change]);
    rho = 0;
    assert_ok(gradyn_model_refresh(model, &rho), model->message.text);
    assert_ptr_equal(model->names.name[0], first);
  }
  assert_string_equal(first, "P0");
  assert_string_equal(model->entry[probe_datum(model, "link2.inertia")].unit, "kg m^2");
  probe_destroy(model);
}

FORMULA(height, at->pos[1])

static gradyn_status maximising(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_minimise(model, gradyn_design_functional(model, "a", "", rho[0]), -1);
  gradyn_minimise(model, gradyn_design_functional(model, "b", "", rho[0]), -3);
  gradyn_minimise(model, gradyn_design_functional(model, "c", "", rho[0]), 1);
  gradyn_point_mass(model, "weight", gradyn_point(model, "P", 1, 0), 1);
  return gradyn_build_status(model);
}

TEST(maximised_functionals_have_negative_weights)
{
  static const double weight[] = {-1, -3, 1};
  gradyn_scalar rho = 1;
  gradyn_model *model;
  assert_ok(probe_create(maximising, &rho, &model), NULL);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(model->functional[k].use, GRADYN_OBJECTIVE);
    assert_true(model->functional[k].weight == weight[k]);
  }
  probe_destroy(model);
}

/* rho: the number of points that a functional reads, and whether it reads accelerations, positions, or
 * both. */
static gradyn_status reading(gradyn_model *model, const gradyn_scalar rho[])
{
  int P = gradyn_point(model, "P", 1, 0);
  gradyn_point_mass(model, "weight", P, 1);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = "height",
                                              .terminal = height,
                                              .points = &P,
                                              .point_count = (int)creal(rho[0]),
                                              .needs_accelerations = creal(rho[1]) != 0,
                                              .positions_only = creal(rho[2]) != 0});
  return gradyn_build_status(model);
}

TEST(what_is_read_has_names)
{
  const struct {
    gradyn_scalar rho[3];
    const char *says;
  } cases[] = {
      {{1, 0, 0}, NULL},
      {{1, 1, 0}, NULL},
      {{1, 0, 1}, NULL},
      {{1, 1, 1}, "has .positions_only, but also reads accelerations"},
      {{0, 1, 0}, "height sets members that concern its listed points, but lists no points"},
      {{0, 0, 1}, "height sets members that concern its listed points, but lists no points"},
      {{-1, 0, 0}, "height reads -1 points, but lists none"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    gradyn_model *model;
    assert_int_equal(probe_create(reading, cases[k].rho, &model),
                     cases[k].says ? GRADYN_INVALID : GRADYN_OK);
    if (cases[k].says)
      probe_assert_says(model, cases[k].says);
    probe_destroy(model);
  }
}
