/* Direct or adjoint: "auto" selects the one with less work and reports its name; both give the same
 * gradient. */
#include "tests/runs.h"

#include "adjoint/evaluator/options.h"

enum { MOST = 64 };

static const gradyn_param params[] = {
    {"m", "kg", .init = 1, .lower = 0.5, .upper = 2, .count_from = "parameters"}};
static const gradyn_setting settings[] = {{"parameters", "", 4, 1, MOST},
                                          {"functionals", "", 1, 1, MOST}};

/* A pendulum whose mass is the sum of all parameters. The functionals are distances of its end from several
 * points. */
static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int p = gradyn_setting_value(mbs, "parameters");
  const int f = gradyn_setting_value(mbs, "functionals");
  gradyn_scalar mass = 0;
  for (int j = 0; j < p; j++)
    mass += (1 + 0.1 * j) * rho[j];
  const int top = gradyn_ground_point(mbs, "top", 0, 0), end = gradyn_point(mbs, "end", 1, 0);
  gradyn_rod(mbs, &(gradyn_rod_spec){"rod", top, end, .length = 1, .mass = mass});
  gradyn_force(mbs, &(gradyn_force_spec){.name = "push", .point = end, .fx = 3, .fy = 5});
  gradyn_gravity(mbs, 0, -9.81);
  for (int i = 0; i < f; i++)
    gradyn_minimise(
        mbs,
        gradyn_functional(
            mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "way%d", i),
                                           gradyn_measure_point(mbs, "", end, 0, GRADYN_ALL_AXES),
                                           .reduction = GRADYN_SQUARE_INTEGRAL,
                                           .target = {0.1 * i, -1}}),
        1);
  return gradyn_build_status(mbs);
}

static const gradyn_problem problem = PROBLEM("routes", build, params, .settings = settings,
                                              .setting_count = GRADYN_COUNT(settings),
                                              .t_end = 0.3);

static gradyn_evaluator *create(const char *method, const char *sensitivity, int p, int f)
{
  const gradyn_setting_choice size[] = {{"parameters", p}, {"functionals", f}};
  assert_string_equal(run_options(&problem).sensitivity, "auto");
  return run_with(&problem, sensitivity, method, .settings = size, .setting_count = 2);
}

/* Gradient [f][p] of the first `wanted` functionals; 0: of all functionals, to the tolerance. */
static void differentiate(gradyn_evaluator *ev, int wanted, double gradient[MOST * MOST])
{
  double rho[MOST];
  bool of[MOST] = {false};
  for (int j = 0; j < MOST; j++) {
    rho[j] = 1;
    of[j] = j < wanted;
  }
  memset(gradient, 0, MOST * MOST * sizeof *gradient);
  assert_run(wanted > 0 ? gradyn_evaluator_gradient_selected(ev, of, rho, NULL, gradient)
                        : gradyn_evaluator_gradient(ev, rho, NULL, gradient),
             ev);
}

/* "auto" selects the sensitivity with less work for each size, and the gradient has exactly the bits of
 * that sensitivity. */
TEST(the_cheaper_sensitivity_is_used)
{
  static const char *const methods[] = {"auto", "explicit", "idas", "ali3p", "variational"};
  static const struct {
    int p, f, wanted;
    const char *route;
  } sizes[] = {{4, 1, 0, "adjoint"},
               {64, 64, 0, "adjoint"},
               {2, 64, 0, "direct"},
               {64, 2, 0, "adjoint"},
               {40, 64, 1, "adjoint"}};
  static double free[MOST * MOST], named[2][MOST * MOST];
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++)
    for (size_t i = 0; i < GRADYN_COUNT(sizes); i++) {
      const int p = sizes[i].p, f = sizes[i].f, wanted = sizes[i].wanted;
      gradyn_evaluator *ev = create(methods[k], "auto", p, f);
      /* adjoint sweeps of idas cost more */
      const bool direct = strcmp(sizes[i].route, "direct") == 0 ||
                          (strcmp(methods[k], "idas") == 0 && i == 0);
      differentiate(ev, wanted, free);
      assert_string_equal(gradyn_evaluator_sensitivity(ev, (size_t)(wanted > 0 ? wanted : f)),
                          direct ? "direct" : "adjoint");
      gradyn_evaluator_free(ev);
      for (int route = 0; route < 2; route++) {
        ev = create(methods[k], route ? "direct" : "adjoint", p, f);
        assert_string_equal(gradyn_evaluator_sensitivity(ev, 1), route ? "direct" : "adjoint");
        differentiate(ev, wanted, named[route]);
        gradyn_evaluator_free(ev);
      }
      const int rows = wanted > 0 ? wanted : f;
      assert_memory_equal(free, named[direct], (size_t)(rows * p) * sizeof *free);
      assert_memory_not_equal(free, named[!direct], (size_t)(rows * p) * sizeof *free);
      for (int e = 0; e < rows * p; e++)
        assert_close(free[e], named[!direct][e], 1e-6, 1e-8);
    }
}

/* Derivatives with respect to all data, which are many, use the adjoint. Unknown names are refused with a
 * list of the known ones. */
TEST(the_number_of_columns_decides)
{
  static double by_data[MOST * 200], named[MOST * 200];
  double rho[2] = {1, 1};
  gradyn_evaluator *ev = create("explicit", "auto", 2, 24);
  assert_string_equal(gradyn_evaluator_sensitivity(ev, 24), "direct");
  const size_t size = 24 * gradyn_evaluator_model_info(ev).data;
  assert_true(gradyn_evaluator_model_info(ev).data > 40 &&
              gradyn_evaluator_model_info(ev).data < 200);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, NULL, by_data), ev);
  gradyn_evaluator_free(ev);
  ev = create("explicit", "adjoint", 2, 24);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, NULL, named), ev);
  assert_memory_equal(by_data, named, size * sizeof *named);
  gradyn_evaluator_free(ev);

  assert_no_run(GRADYN_INVALID, "auto, adjoint, direct", &problem, .sensitivity = "sideways");
}

/* A scheme without own derivatives can be simulated, and its gradient is computed by differences. */
TEST(schemes_without_derivatives_run)
{
  double rho[2] = {1, 1}, psi[2], exact[4], gradient[4];
  run_local *ev = create("ali3p", "auto", 2, 2);
  gradyn_method bare = *ev->method;
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, exact), ev);
  bare.adjoint = NULL;
  assert_run(gradyn_route_settle(ev, &bare), ev);
  assert_int_equal(ev->route, GRADYN_BY_DIRECT);
  bare.direct = NULL;
  bare.continuous_adjoint = NULL;
  assert_run(gradyn_route_settle(ev, &bare), ev);
  assert_string_equal(gradyn_evaluator_sensitivity(ev, 2), "differences");
  ev->method = &bare;
  ev->model->declared.trusted = true;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  for (int e = 0; e < 4; e++)
    assert_close(gradient[e], exact[e], 1e-7, 1e-9);
  ev->options.sensitivity = "adjoint";
  assert_refused(gradyn_route_settle(ev, &bare), ev, GRADYN_UNSUPPORTED,
                 "the method ali3p has no adjoint");
}
