/* Smooth maxima of functions far from zero: an offset of the function is added to the maximum and does not
 * change its derivatives. */
#include "tests/adjoint/ali3p_models.h"

static const gradyn_param params[] = {{"length", "m", .init = 0.9, GRADYN_UNBOUNDED},
                                      {"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};

static const gradyn_setting settings[] = {
    {"offset", "added to the function", .init = 0, .lower = -5000, .upper = 5000},
    {"sharpness", "of the maximum", .init = 8, .lower = 1, .upper = 100000},
};

/* data: offset */
FORMULA(height, at->data[0] + at->pos[5] + 0.1 * at->vel[4] + 0.01 * at->acc[5])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum offset = {"offset", "m", gradyn_setting_value(m, "offset")};
  int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", 0.8, -0.3);
  gradyn_rod(m, &(gradyn_rod_spec){"bar", A, p, .length = rho[0], .mass = rho[1]});
  gradyn_spring(m, &(gradyn_spring_spec){"spring", A, p, .k = 1, .c = 0.1, .free_length = 0.5});
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_coordinate(m, p, GRADYN_Y);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "top",
                           gradyn_measure_custom(
                               m, &(gradyn_custom_measure_spec){"top", "m", height, .data = &offset,
                                                                .data_count = 1, .hidden = true}),
                           .reduction = GRADYN_SMOOTH_MAXIMUM,
                           .sharpness = gradyn_setting_value(m, "sharpness")});
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("pendulum", build, params, .settings = settings,
                                              .setting_count = 2, .t_end = 1.5, .rtol = 1e-10,
                                              .step = 0.01);

/* Computes value and gradient with an offset. */
static void evaluate(const char *method, const char *sensitivity, int offset, double *psi,
                     double gradient[2])
{
  run_setup setup = {.problem = &problem,
                     .setting = "offset",
                     .value = offset,
                     .method = method,
                     .sensitivity = sensitivity};
  ali3p_gradient(&setup, psi, gradient, NULL);
}

TEST(offsets_shift_the_maximum)
{
  const char *const method[] = {"ali3p", "variational", "idas"};
  const char *const sensitivity[] = {"adjoint", "direct"};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) {
      double psi, plain[2], rtol = i == 2 ? 1e-7 : 1e-10;
      evaluate(method[i], sensitivity[j], 0, &psi, plain);
      assert_true(fabs(plain[0]) > 1e-3);
      for (int offset = -2000; offset <= 2000; offset += 4000) {
        double moved, gradient[2];
        evaluate(method[i], sensitivity[j], offset, &moved, gradient);
        assert_close(moved - offset, psi, rtol, 1e-10);
        assert_close_array(gradient, plain, 2, rtol, rtol);
      }
    }
}

TEST(too_sharp_maxima_are_refused)
{
  run_setup setup = {.problem = &problem, .setting = "sharpness", .value = 100000};
  const char *const method[] = {"ali3p", "idas"};
  for (int i = 0; i < 2; i++) {
    double rho[2], psi[1];
    setup.method = method[i];
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_NON_FINITE,
                   "a sharpness of 100000 is too large");
  }
}
