/* Gradients that vanish, so that their errors have no size to compare with. Accurate gradients of this kind
 * have no warning. */
#include "tests/declare.h"
#include "tests/runs.h"

enum { MOST = 4 };

/* A heavy swinging body: its energy is that of the start, zero, whatever its mass. */
static gradyn_status build_swing(gradyn_model *m, const gradyn_scalar rho[])
{
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){
             .name = "bob", .centre = {0, 0.9, 0}, .mass = rho[0], .inertia = {0.3, 0.1, 0.25}});
  (void)gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "hinge",
                                                             .kind = GRADYN_REVOLUTE,
                                                             .body_a = GRADYN_GROUND,
                                                             .body_b = body,
                                                             .axis = {1, 0, 0},
                                                             .side = {0, 1, 0}});
  gradyn_gravity_3d(m, 0, 0, -9.8);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* A block held by the bristles of friction against a push: it yields by 2.8e-6 m and stays there. */
static gradyn_status build_held(gradyn_model *m, const gradyn_scalar rho[])
{
  const int block = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "block", .mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}});
  const int pad = gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "pad",
                                                                       .kind = GRADYN_PLANAR,
                                                                       .body_a = GRADYN_GROUND,
                                                                       .body_b = block,
                                                                       .axis = {1, 0, 0},
                                                                       .side = {0, 1, 0}});
  const int centre = gradyn_body_centre(m, block);
  gradyn_force(m, &(gradyn_force_spec){.name = "press", .point = centre, .fx = -2 * rho[0]});
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = "rub",
                                                         .joint = pad,
                                                         .law = GRADYN_LUGRE,
                                                         .still = 1.2,
                                                         .kinetic = 1,
                                                         .transition = 1e-3,
                                                         .smoothing = 1e-3,
                                                         .stiffness = 1e4,
                                                         .damping = 30});
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"z", gradyn_measure_point(m, "", centre, 0, GRADYN_Z),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vz",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Z),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* x'' = k (r - x) from rest at r: the mass does not move. */
static gradyn_status spring(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] - at->data[0] * (at->data[1] - at->y[0]);
  return GRADYN_OK;
}

FORMULA(off, at->y[0] - 3)
FORMULA(square, at->y[1] * at->y[1])

static gradyn_status build_rest(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"k", "N/m", rho[0]}, {"r", "m", 3}};
  gradyn_state(m, "x", "m", 3);
  gradyn_state(m, "v", "m/s", 0);
  declare_equations(m, spring, data, 2);
  declare_end(m, "off", "m", off);
  declare_integral(m, "square", "m^2/s", square);
  return gradyn_build_status(m);
}

/* Each functional has one derivative that is known. */
static const struct row {
  gradyn_status (*build)(gradyn_model *m, const gradyn_scalar rho[]);
  gradyn_param param;
  double t_end, gradient[2], accuracy[2];
} rows[] = {
    {build_swing, {"mass", "kg", .init = 6}, 5, {0}, {2e-8}},
    /* z = -m g/(2 N k) */
    {build_held, {"N", "N", .init = 20}, 0.1, {3.955e-7, 0}, {1e-9, 1e-9}},
    {build_rest, {"k", "N/m", .init = 2}, 1, {0}, {1e-12, 1e-12}},
};

THOROUGH_TEST(right_gradients_come_without_a_warning)
{
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++)
    for (int k = 0; k < 2 * RUN_ADAPTIVE; k++) {
      if (!support_takes((int)i + k, 4))
        continue;
      const struct row *row = &rows[i];
      const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,  .name = "vanishing",
                                      .params = &row->param, .param_count = 1,
                                      .build = row->build,   .t_end = row->t_end};
      double psi[MOST], gradient[MOST];
      run_local *ev = run_with(&problem, .method = run_adaptive[k / 2],
                               .sensitivity = k % 2 ? "adjoint" : "direct");
      assert_run(gradyn_evaluator_gradient(ev, &row->param.init, psi, gradient), ev);
      if (*gradyn_evaluator_warnings(ev))
        fail_msg("row %zu, %s: %s", i, run_adaptive[k / 2], gradyn_evaluator_warnings(ev));
      for (size_t f = 0; f < gradyn_functional_count(ev); f++)
        assert_close(gradient[f], row->gradient[f], 0, row->accuracy[f]);
    }
}
