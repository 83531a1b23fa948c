/* Whole gradients of mechanisms with bodies, attached points, beams and welds, in the plane and in space:
 * gradyn_evaluator_check() passes, and direct and adjoint gradients with respect to all data agree. */

#include "tests/runs.h"

enum { X, Y, MASS, K, H, PARAMETERS };

static const gradyn_param params[] = {
    [X] = {"X", "m", .init = 0.6, .lower = 0.5, .upper = 0.7},
    [Y] = {"Y", "m", .init = 0.1, .lower = 0, .upper = 0.2},
    [MASS] = {"M", "kg", .init = 2, .lower = 1, .upper = 3},
    [K] = {"K", "N/m", .init = 300, .lower = 200, .upper = 400},
    [H] = {"H", "m", .init = 0.03, .lower = 0.029, .upper = 0.031},
};

/* Squared distance of the first two listed points. */
static gradyn_status gap(const gradyn_at *at, gradyn_scalar *value)
{
  const int *points = at->user, dim = points[2];
  *value = 0;
  for (int k = 0; k < dim; k++) {
    gradyn_scalar d = at->pos[dim * points[0] + k] - at->pos[dim * points[1] + k];
    gradyn_scalar v = at->vel[dim * points[0] + k], a = at->acc[dim * points[0] + k];
    *value += d * d + 0.1 * v * v + 1e-4 * a * at->data[0];
  }
  return GRADYN_OK;
}

/* Ids of B of the body and of the point along the rod, and the number of axes. */
static const int plane_points[3] = {6, 8, 2}, space_points[3] = {7, 9, 3};

static void declare_functionals(gradyn_model *model, const int *points, int beam, int pin)
{
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = "gap",
                                              .integrand = gap,
                                              .data = (gradyn_datum[]){{"weight", "", 0.8}},
                                              .data_count = 1,
                                              .user = (void *)(size_t)points});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"sag", gradyn_measure_deflection(model, "", beam),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "root", gradyn_measure_stress(model, "", beam, 0, GRADYN_STRETCHED),
                               .reduction = GRADYN_AT_END});
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "largest", gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
          .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = 2e5, .sharpness = 5});
  gradyn_functional(model, &(gradyn_functional_spec){"pin force",
                                                     gradyn_measure_multiplier(model, "", pin),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"speed of B",
                                       gradyn_measure_point(model, "", points[0], 1, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  gradyn_minimise(
      model,
      gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                         .reduction = GRADYN_AT_END}),
      1);
}

static int declare_beam(gradyn_model *model, const char *name, int from, int to, gradyn_scalar h,
                        bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = name,
                                                .from = from,
                                                .to = to,
                                                .elements = 2,
                                                .section = gradyn_section_rectangle(h, h),
                                                .young = 1e7,
                                                .density = 1000,
                                                .damping = 1e-2,
                                                .linear = linear});
}

/* A body on a pin carries a beam with an elbow; a rod from the body's point carries a mass at its middle. */
static gradyn_status plane(gradyn_model *model, const gradyn_scalar r[])
{
  int O = gradyn_ground_point(model, "O", 0, 0), G = gradyn_ground_point(model, "G", 1, 1);
  int body = gradyn_body(model, &(gradyn_body_spec){.name = "body",
                                                    .centre = {r[X] / 2, r[Y] / 2},
                                                    .mass = r[MASS],
                                                    .inertia = {0, 0, 0.1},
                                                    .omega = {0, 0, 0.5}});
  int A = gradyn_body_point(model, body, "A", 0, 0),
      B = gradyn_body_point(model, body, "B", r[X], r[Y]);
  int P = gradyn_point(model, "P", 0.6, -0.4);
  int share = gradyn_point_between(model, "share", G, P, 0.4);
  int pin = gradyn_pin(model, "pin", O, A);
  gradyn_rod(model, &(gradyn_rod_spec){.name = "rod", .from = B, .to = P, .mass = 0.5});
  gradyn_point_mass(model, "weight", share, 0.3);
  gradyn_spring(model,
                &(gradyn_spring_spec){
                    .name = "S", .from = share, .to = B, .k = r[K], .c = 5, .free_length = 0.7});
  gradyn_dashpot(model, "dash", G, B, 1.5);
  int T = gradyn_point(model, "T", r[X] + 0.5, r[Y]), U = gradyn_point(model, "U", r[X] + 0.5, 0.4);
  int beam = declare_beam(model, "beam", B, T, r[H], false);
  int arm = declare_beam(model, "arm", T, U, r[H], true);
  gradyn_weld(model, "weld", beam, 0, body);
  gradyn_weld_beams(model, "elbow", beam, GRADYN_BEAM_END, arm, 0);
  gradyn_gravity(model, 0, -9.81);
  declare_functionals(model, plane_points, beam, pin);
  return gradyn_build_status(model);
}

static gradyn_status space(gradyn_model *model, const gradyn_scalar r[])
{
  int O = gradyn_ground_point_3d(model, "O", 0, 0, 0);
  int G = gradyn_ground_point_3d(model, "G", 1, 1, 0.5);
  const gradyn_body_spec spec = {.name = "body",
                                 .centre = {r[X] / 2, r[Y] / 2, 0.1},
                                 .mass = r[MASS],
                                 .inertia = {0.1, 0.2, 0.15, 0.01, -0.02, 0.005},
                                 .omega = {0.5, 1, -0.3}};
  int body = gradyn_body_3d(model, &spec), A = gradyn_body_point_3d(model, body, "A", 0, 0, 0);
  int B = gradyn_body_point_3d(model, body, "B", r[X], r[Y], -0.2);
  int P = gradyn_point_3d(model, "P", 0.6, -0.4, 0);
  int share = gradyn_point_between(model, "share", G, P, 0.4);
  int pin = gradyn_pin(model, "pin", O, A);
  gradyn_rod(model, &(gradyn_rod_spec){.name = "rod", .from = B, .to = P, .mass = 0.5});
  gradyn_point_mass(model, "weight", share, 0.3);
  gradyn_spring(model,
                &(gradyn_spring_spec){
                    .name = "S", .from = share, .to = B, .k = r[K], .c = 5, .free_length = 0.7});
  gradyn_dashpot(model, "dash", G, B, 1.5);
  int T = gradyn_point_3d(model, "T", r[X] + 0.5, r[Y], -0.2);
  int U = gradyn_point_3d(model, "U", r[X] + 0.5, 0.4, -0.3);
  int beam = declare_beam(model, "beam", B, T, r[H], false);
  int arm = declare_beam(model, "arm", T, U, r[H], true);
  gradyn_weld(model, "weld", beam, 0, body);
  gradyn_weld_beams(model, "elbow", beam, GRADYN_BEAM_END, arm, 0);
  gradyn_gravity_3d(model, 0, 0, -9.81);
  declare_functionals(model, space_points, beam, pin);
  return gradyn_build_status(model);
}

static const gradyn_problem problems[2] = {
    {GRADYN_PROBLEM_SIZES, .name = "plane", .params = params, .param_count = PARAMETERS,
     .build = plane, .t_end = 0.2, .method = "ali3p", .step = 1e-3},
    {GRADYN_PROBLEM_SIZES, .name = "space", .params = params, .param_count = PARAMETERS,
     .build = space, .t_end = 0.2, .method = "ali3p", .step = 1e-3}};

static const double rho[PARAMETERS] = {0.6, 0.1, 2, 300, 0.03};

static gradyn_evaluator *open_evaluator(int which, const char *sensitivity)
{
  return run_with(&problems[which], .sensitivity = sensitivity);
}

THOROUGH_TEST(test_check)
{
  for (int k = 0; k < 2; k++) {
    gradyn_check_item item[200];
    size_t count;
    run_local *ev = open_evaluator(k, "adjoint");
    assert_run(gradyn_evaluator_check(ev, rho, NULL, item, GRADYN_COUNT(item), &count), ev);
    assert_true(count > 60);
    for (size_t i = 0; i < count; i++) {
      bool whole = strncmp(item[i].name, "dpsi", 4) == 0;
      if (!(item[i].error < (whole ? 1e-5 : 1e-8)))
        fail_msg("%s: %g", item[i].name, item[i].error);
    }
  }
}

/* dpsi/dd of every functional with respect to every datum, times the datum, relative to the functional's
 * largest one. */
TEST(test_all_data)
{
  static const char *const route[2] = {"direct", "adjoint"};
  for (int k = 0; k < 2; k++) {
    double *gradient[2], psi[16];
    size_t nf = 0, nx = 0;
    for (int i = 0; i < 2; i++) {
      run_local *ev = open_evaluator(k, route[i]);
      nf = gradyn_functional_count(ev);
      nx = gradyn_evaluator_model_info(ev).data;
      gradient[i] = calloc(nf * nx, sizeof(double));
      assert_non_null(gradient[i]);
      assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient[i]), ev);
    }
    assert_true(nf == 8 && nx > 80);
    for (size_t f = 0; f < nf; f++) {
      const double most = largest_of(gradient[0] + f * nx, nx);
      assert_close_array(gradient[1] + f * nx, gradient[0] + f * nx, nx, 1e-9,
                         fmax(1e-8, 1e-13 * most)); /* round-off of the largest */
      size_t present = 0;
      for (size_t j = 0; j < nx; j++)
        present += gradient[0][f * nx + j] != 0;
      assert_true(present > (f == 5 ? 5 : nx / 2)); /* the mass depends on few */
    }
    free(gradient[0]);
    free(gradient[1]);
  }
}
