/* Specifications that a filter refuses, with names. */
#include <complex.h>
#include <math.h>

#include "tests/declare.h"
#include "tests/runs.h"

/* A ball on a line with a fit and an event, as selected by the test. */
typedef struct choice {
  gradyn_fit_spec fit;
  bool slot, ends, none;
} choice;

static const double times[] = {0.3, 0.6}, values[] = {1.1, 1.2};
static const gradyn_param params[] = {{.name = "lag", .init = 0.01, .lower = 0, .upper = 0.1}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar none[4];
  const choice *c = gradyn_user(model);
  const int v = declare_signal(model, "v", "m", GRADYN_CUBIC_SPLINE, 4, none);
  const gradyn_point_id ball = gradyn_point(model, "ball", 0, 1),
                        other = gradyn_point(model, "other", 0, 2);
  (void)rho;
  gradyn_point_mass(model, "mass", ball, 1);
  gradyn_point_mass(model, "mass2", other, 1);
  gradyn_coordinate(model, "slot", other, GRADYN_X,
                    &(gradyn_time_function){.signal = c->slot ? v : 0});
  gradyn_distance(model, "rod", ball, other, &(gradyn_time_function){.value = 1});
  gradyn_gravity(model, 0, -9.81);
  if (c->ends)
    gradyn_terminate_at_event(model,
                              gradyn_impact(model, &(gradyn_impact_spec){.name = "floor",
                                                                         .point = ball,
                                                                         .axis = GRADYN_Y,
                                                                         .restitution = 0.5}),
                              1);
  gradyn_fit_spec fit = c->fit;
  fit.times = times;
  fit.values = values;
  fit.count = 2;
  if (!c->none)
    gradyn_fit(model, "height", gradyn_measure_point(model, "y", ball, 0, GRADYN_Y), &fit);
  return gradyn_build_status(model);
}

static void refuse(choice c, const gradyn_filter_spec *spec, const char *method,
                   gradyn_status status, const char *says)
{
  const gradyn_problem problem = {
      GRADYN_PROBLEM_SIZES, .name = "ball", .params = params, .param_count = 1,
      .build = build,       .t_end = 0.7,   .user = &c};
  run_local *ev = run_with(&problem, .method = method);
  LOCAL(gradyn_filter) found = {0};
  assert_refused(gradyn_filter_compute(ev, (double[]){0.01}, spec, &found), ev, status, says);
  gradyn_filter_clear(&found);
  assert_int_equal(found.rows, 0);
}

static const gradyn_filter_spec plain;

TEST(fits_that_are_no_measurements)
{
  refuse((choice){.none = true}, &plain, "explicit", GRADYN_INVALID, "problem ball: has no data");
  refuse((choice){.fit = {.threshold = 0}}, &plain, "explicit", GRADYN_INVALID,
         "fit height: has no standard deviation");
  refuse((choice){.fit = {.sigma = 0.1, .delay = "lag"}}, &plain, "explicit", GRADYN_UNSUPPORTED,
         "fit height: has the delay lag.delay; filters do not support delays");
  refuse((choice){.fit = {.sigma = 0.1, .loss = GRADYN_LOSS_HUBER}}, &plain, "explicit",
         GRADYN_UNSUPPORTED, "fit height: has another loss");
}

TEST(methods_that_cannot_begin_later)
{
  static const char *const methods[] = {"idas", "ali3p", "variational"};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++)
    refuse((choice){.fit = {.sigma = 0.1}}, &plain, methods[i], GRADYN_UNSUPPORTED,
           "does not support runs from later times");
}

TEST(names_and_matrices)
{
  static const char *const twice[] = {"ball.x", "ball.x"}, *const unknown[] = {"bal.x"},
                           *const dependent[] = {"ball.x", "ball.y", "other.y"},
                           *const fixed[] = {"other.x"}, *const signal[] = {"w"},
                           *const slot[] = {"v"}, *const ball[] = {"ball.vx"};
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, negative[] = {-1};
  const struct {
    gradyn_filter_spec spec;
    const char *says;
    gradyn_status status;
  } rows[] = {
      {{.initial = {twice, 2, (double[]){1, 0, 0, 1}}}, "'ball.x' is named twice", GRADYN_INVALID},
      {{.initial = {unknown, 1, one}}, "differential state 'bal.x'", GRADYN_INVALID},
      {{.initial = {dependent, 3, one}}, "Choose others", GRADYN_INVALID},
      {{.initial = {fixed, 1, one}}, "coordinate other: the constraints", GRADYN_INVALID},
      {{.initial = {ball, 1, negative}}, "initial covariance", GRADYN_INVALID},
      {{.added = {ball, 1, negative}}, "added covariance", GRADYN_INVALID},
      {{.noise = {slot, 1, negative}}, "noise intensity", GRADYN_INVALID},
      {{.noise = {signal, 1, one}},
       "noise 'w': the problem has no signal and no datum",
       GRADYN_INVALID},
      {{.noise = {slot, 1, one}}, "signal 'v': drives the constraint slot", GRADYN_UNSUPPORTED},
      {{.noise = {slot, 1, NULL}}, "an array of spec is NULL", GRADYN_INVALID},
      {{.initial = {NULL, 1, one}}, "an array of spec is NULL", GRADYN_INVALID},
  };
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++)
    refuse((choice){.fit = {.sigma = 0.1}, .slot = true}, &rows[i].spec, "explicit", rows[i].status,
           rows[i].says);
}

TEST(runs_that_end_at_an_event)
{
  refuse((choice){.fit = {.sigma = 0.1}, .ends = true}, &plain, "explicit", GRADYN_UNSUPPORTED,
         "floor ends the run: runs of filters end at a time");
}

TEST(arguments_that_are_missing)
{
  assert_int_equal(gradyn_filter_compute(NULL, NULL, &plain, NULL), GRADYN_INVALID);
  gradyn_filter found;
  assert_int_equal(gradyn_filter_compute(NULL, NULL, &plain, &found), GRADYN_INVALID);
  assert_int_equal(found.rows, 0);
  gradyn_filter_clear(NULL);
}

/* --- equations whose derivative is lost ----------------------------------------------------------- */

FORMULAS(blunt, at->yp[0] + creal(at->y[0]) * creal(at->y[0]))
FORMULA(state, at->y[0])

static gradyn_status build_blunt(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(model, "x", "", 1);
  declare_equations(model, blunt, NULL, 0);
  gradyn_fit(
      model, "x",
      gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.name = "m", .formula = state}),
      &(gradyn_fit_spec){.times = times, .values = values, .count = 2, .sigma = 0.1});
  return gradyn_build_status(model);
}

TEST(callbacks_without_derivatives)
{
  static const char *const x[] = {"x"};
  static const double one[] = {1};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "blunt", .build = build_blunt,
                                  .t_end = 0.7};
  const gradyn_filter_spec spec = {.initial = {x, 1, one}};
  run_local *ev = run_with(&problem, .method = "explicit");
  LOCAL(gradyn_filter) found = {0};
  assert_refused(gradyn_filter_compute(ev, NULL, &spec, &found), ev, GRADYN_INVALID, "derivative");
}

TEST(several_load_cases)
{
  static const char *const names[] = {"light", "heavy"}, *const columns[] = {"weight"};
  static const double load[] = {1, 2};
  static const gradyn_cases cases = {
      .count = 2, .names = names, .columns = columns, .column_count = 1, .values = load};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "blunt", .build = build_blunt,
                                  .t_end = 0.7, .cases = &cases};
  run_local *ev = run_with(&problem, .method = "explicit");
  LOCAL(gradyn_filter) found = {0};
  assert_refused(gradyn_filter_compute(ev, NULL, &plain, &found), ev, GRADYN_UNSUPPORTED,
                 "problem blunt has 2 cases");
}
