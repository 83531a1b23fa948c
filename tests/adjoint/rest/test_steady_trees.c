/* A steady motion in joint coordinates with Euler parameters on a parent that rotates: an arm on a ball
 * joint at a post, which rotates faster. Eigenvalues equal those in natural coordinates. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>
#include <math.h>

static const gradyn_param param = {"x", "", .init = 0.3, GRADYN_UNBOUNDED};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double g = 9.81, m = 1.7, l = 0.6, J = 0.05, C = 0.02;
  const gradyn_scalar s = csin(rho[0]), c = ccos(rho[0]);
  /* (m l^2 + J - C) rate^2 cos = m g l */
  const gradyn_scalar rate = csqrt(m * g * l / ((m * l * l + J - C) * c));
  gradyn_gravity_3d(model, 0, 0, -g);
  const int post = gradyn_body_3d(
      model, &(gradyn_body_spec){
                 .name = "post", .mass = 1, .inertia = {1, 1, 0.5}, .omega = {0, 0, 3 + rate}});
  const int arm = gradyn_body_3d(
      model, &(gradyn_body_spec){.name = "arm",
                                 .centre = {l * s, 0, -l * c},
                                 .mass = m,
                                 .inertia = {J * c * c + C * s * s, J, J * s * s + C * c * c, 0,
                                             (J - C) * s * c, 0},
                                 .velocity = {0, rate * l * s, 0},
                                 .omega = {0, 0, rate}});
  for (int i = 0; i < 2; i++)
    declare_joint(model, i ? "ball" : "bearing", i ? GRADYN_SPHERICAL : GRADYN_REVOLUTE,
                  i ? post : GRADYN_GROUND, i ? arm : post, NULL, VECTOR(0, 0, 1));
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "x", gradyn_measure_point(model, "", gradyn_body_centre(model, arm), 0, GRADYN_X),
                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(loads_on_turning_bodies_are_steady)
{
  enum { SIZE = 8 };
  double real[2][SIZE], imag[2][SIZE];
  for (int c = 0; c < 2; c++) {
    const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "hung",
                                    .params = &param,     .param_count = 1,
                                    .build = build,       .t_end = 1,
                                    .method = "explicit", .coordinates = c ? "joint" : "natural"};
    LOCAL(gradyn_linearisation) found;
    run_local *ev = run_with(.problem = &problem);
    assert_run(gradyn_evaluator_linearise(ev, &param.init, false, &found), ev);
    assert_string_equal(found.unsteady, "");
    assert_int_equal(found.motion, GRADYN_STEADY_MOTION);
    assert_int_equal(2 * found.dof, SIZE);
    for (int i = 0; i < SIZE; i++) {
      real[c][i] = found.real[i];
      imag[c][i] = fabs(found.imag[i]);
    }
  }
  /* multiple zeros are accurate to the square root of round-off */
  assert_close_array(real[1], real[0], SIZE, 0, 2e-5);
  assert_close_array(imag[1], imag[0], SIZE, 0, 2e-5);
  assert_close(imag[1][SIZE - 1], imag[0][SIZE - 1], 1e-9, 0);
  assert_true(imag[0][SIZE - 1] > 1);
}
