/* Every method reports an impact that contradicts mechanics, with its event and time, and no other impact.
 * A ball flies without gravity towards a wall, after which it may slide along x = y. */
#include "tests/runs.h"

#include "adjoint/evaluator/evaluator.h"

enum { X, Y };
static const double mass = 2, at_wall = 0.1; /* kg, s */

/* Velocity along the wall, restitution, velocity of the wall, slope of the line after the impact (0: none),
 * expected warning. */
typedef struct course {
  double across, restitution, wall, slope;
  gradyn_warning_code code; /* 0: none */
  double value;
  bool sets; /* a reset to v_x = 5 m/s instead of the wall; its energy is intended */
} course;

/* The ball arrives at -1 m/s. After the wall v = (e, e), so the energy increases by 2 e^2 - (1 + across^2)
 * J. The line has the impulse mass (across - e), and the wall mass (1 + e) minus that. */
static const course courses[] = {
    {0.2, 1, 0, 1, GRADYN_WARNING_IMPACT_ENERGY, 0.96, false},
    {5, 0.1, 0, 1, GRADYN_WARNING_ADHESIVE_IMPACT, 7.6, false},
    {0.9, 0.7, 0, 1, 0, 0, false},
    {0.2, 0.6, 0, 1, 0, 0, false},
    {0.2, 0, 0, 1, 0, 0, false},
    {0.2, 0.9, 0, 0, 0, 0, false},
    {0.2, 1, 3, 0, 0, 0, false},   /* the wall drives */
    {0.2, 1.3, 0, 0, 0, 0, false}, /* a restitution above 1 is intended, too */
    {-2, 0, 0, 1, 0, 0, true},
};
static const course *now;

static gradyn_status line(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  *value = of[Y] - now->slope * of[X];
  return GRADYN_OK;
}

FORMULA(arrives, at->pos[2 + Y])

static gradyn_status speed(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  *value = 5;
  return GRADYN_OK;
}

/* Adds a reset in place of the wall. */
static int add_reset(gradyn_model *mbs, int ball, int mode)
{
  return gradyn_event(mbs, &(gradyn_event_spec){.name = "wall",
                                                .guard = {.terminal = arrives},
                                                .set = &(gradyn_component){ball, GRADYN_X},
                                                .set_count = 1,
                                                .reset = {.terminal = speed},
                                                .mode = mode});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  const int first = gradyn_mode(mbs, "first"), second = gradyn_mode(mbs, "second");
  /* so that it reaches the wall at the origin */
  const int ball = gradyn_point(mbs, "ball", -at_wall * now->across, at_wall);
  gradyn_initial_velocity(mbs, ball, now->across, -1);
  gradyn_point_mass(mbs, "ball", ball, mass);
  gradyn_constraint_set_modes(
      mbs,
      gradyn_custom_constraint(mbs,
                               &(gradyn_custom_constraint_spec){
                                   .name = "line", .points = &ball, .point_count = 1, .fn = line}),
      gradyn_modes_of(second));
  if (now->sets)
    gradyn_event_set_modes(mbs, add_reset(mbs, ball, second), gradyn_modes_of(first));
  else
    gradyn_event_set_modes(
        mbs,
        gradyn_impact(
            mbs, &(gradyn_impact_spec){.name = "wall",
                                       .point = ball,
                                       .axis = GRADYN_Y,
                                       .level = {.value = -at_wall * now->wall, .rate = now->wall},
                                       .restitution = now->restitution,
                                       .mode = now->slope != 0 ? second : GRADYN_SAME_MODE}),
        gradyn_modes_of(first));
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step;
} methods[] = {{"idas", 0}, {"explicit", 0}, {"ali3p", 0.013}, {"variational", 0.013}};

static const double nothing;

static gradyn_evaluator *open(const struct method *method)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "wall", .build = build,
                                         .t_end = 0.2, .rtol = 1e-9};
  return run_with(&problem, .method = method->name, .step = method->step);
}

TEST(impossible_impacts_are_reported)
{
  for (size_t c = 0; c < GRADYN_COUNT(courses); c++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
      double psi, gradient[64];
      now = &courses[c];
      run_local *ev = open(&methods[m]);
      assert_true(gradyn_evaluator_model_info(ev).data <= GRADYN_COUNT(gradient));
      for (int k = 0; k < 2; k++) {
        assert_run(k == 0 ? gradyn_evaluator_simulate(ev, &nothing, &psi, NULL)
                          : gradyn_evaluator_data_gradient(ev, &nothing, &psi, gradient),
                   ev);
        assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
        const gradyn_warning w = run_warning(ev, now->code);
        if (now->code == 0 ? gradyn_evaluator_statistics(ev).warnings > 0
                           : w.code == 0 || strcmp(w.subject, "wall") != 0 ||
                                 fabs(w.value - now->value) > 1e-3 || fabs(w.t - 0.1) > 1e-8)
          fail_msg("course %zu by %s: \"%s\"", c, methods[m].name, gradyn_evaluator_warnings(ev));
      }
    }
}

/* If the line equals the wall up to round-off, the ball slides, and the wall has the whole impulse. Any
 * other line stops it: the line's impulse K satisfies m v_x = slope K, and the wall's is -m v_y - K. */
TEST(rows_that_are_nearly_the_same_are_two)
{
  static const course nearly[] = {{-0.2, 0, 0, 1e-3, 0, 0, false},
                                  {-0.2, 0, 0, 1e-10, 0, 0, false}};
  const double impulse[] = {mass * (1 + 0.2 / 1e-3), mass};
  for (size_t c = 0; c < GRADYN_COUNT(nearly); c++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
      double psi;
      now = &nearly[c];
      run_local *ev = open(&methods[m]);
      assert_run(gradyn_evaluator_simulate(ev, &nothing, &psi, NULL), ev);
      assert_close(gradyn_event_log_at(ev, 0).impulse, impulse[c], 1e-6, 0);
    }
}

static const gradyn_mech_ops *right;
static double factor;

/* Masses that contradict the inertia in the equations by a factor. */
static gradyn_status tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                             double *C, double *M)
{
  const gradyn_status status = right->tangent(mech, parts, at, K, C, M);
  for (int k = 0; M && k < mech->dyn.nnz; k++)
    M[k] *= factor;
  return status;
}

/* Gradients of constraints that are wrong by a factor. */
static gradyn_status phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           double *J)
{
  const gradyn_status status = right->phi_q(mech, parts, order, at, J);
  for (int k = 0; k < mech->jac.nnz; k++)
    J[k] *= factor;
  return status;
}

TEST(matrices_that_contradict_the_residual_are_reported)
{
  now = &courses[5];
  for (int k = 0; k < 3; k++) {
    double psi;
    run_local *ev = open(&methods[1]);
    right = ev->model->mech->ops;
    gradyn_mech_ops wrong = *right;
    if (k == 0)
      wrong.tangent = tangent;
    else
      wrong.phi_q = phi_q;
    factor = k == 2 ? 1 : 1 + 1e-6;
    ev->model->mech->ops = &wrong;
    assert_run(gradyn_evaluator_simulate(ev, &nothing, &psi, NULL), ev);
    const gradyn_warning w = run_warning(ev, GRADYN_WARNING_MOMENTUM_BALANCE);
    if (k == 2) {
      assert_int_equal(gradyn_evaluator_statistics(ev).warnings, 0);
    } else {
      assert_string_equal(w.subject, "wall");
      assert_close(w.value, 5e-7, 0.01, 0);
      assert_close(w.t, 0.1, 1e-8, 0);
    }
    ev->model->mech->ops = right;
  }
}
