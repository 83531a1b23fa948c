/* Simultaneous events in every scheme. A ball flies into a corner, at a time and a position given by its
 * parameters. It hits the floor and the wall. Both orders give the same state and derivatives, those of two
 * independent motions. If the orders differ, the run or its derivatives are refused. */
#include "tests/adjoint/together/corner.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"
#include "tests/runs.h"

#include <gradyn/analysis.h>

static const char *const sensitivity[] = {"direct", "adjoint"};

/* Times that differ by round-off count as one time; those that differ by more count as two. */
THOROUGH_TEST(a_ball_flies_into_a_corner)
{
  static const double later[] = {0, 2e-16, -2e-16, 3e-13, -3e-13, 1e-6, -1e-6};
  for (int c = 0; c < 2 * (int)GRADYN_COUNT(later) * HYBRID_SCHEMES * 2; c++) {
    const hybrid_scheme *scheme = &hybrid_schemes[c / 4 % HYBRID_SCHEMES];
    double rho[CORNER_P], expected[CORNER_F], slope[CORNER_F * CORNER_P], psi[CORNER_F],
        gradient[CORNER_F * CORNER_P];
    memcpy(rho, corner, sizeof rho);
    rho[X0] += -rho[VX] * later[c / 4 / HYBRID_SCHEMES];
    support_complex_step(corner_closed_form, rho, CORNER_P, CORNER_F, expected, slope);
    memset(&corner_with, 0, sizeof corner_with);
    corner_with.pendulum = c / 2 % 2;
    run_local *ev = hybrid_open(&corner_problem, scheme, sensitivity[c % 2], 0);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_close_array(psi, expected, CORNER_F, 1e-8, 1e-8);
    assert_close_array(gradient, slope, CORNER_F * CORNER_P, 1e-7, 1e-7);
  }
}

/* With the smallest memory, so that fixed steps between the events are repeated. */
TEST(direct_agrees_with_adjoint_by_all_data)
{
  memset(&corner_with, 0, sizeof corner_with);
  corner_with.pendulum = true;
  hybrid_agree(&corner_problem, corner, 2, 1);
}

/* With drag, which couples both directions, or for the integral of vx vy, the state does not depend on the
 * order but the derivatives do. They are refused. With drag, the ball flies along the diagonal. */
TEST(derivatives_that_depend_on_the_order_are_refused)
{
  static const double diagonal[CORNER_P] = {1, 1, -2, -2, 0, 0.7, 0.6}, variance = 0.01;
  static const char *const name[] = {"rho[0]"},
                           refusal[] = "on their order, but its derivatives do";
  const gradyn_covariance_spec spread = {.name = name, .count = 1, .matrix = &variance};
  for (int c = 0; c < 2 * HYBRID_SCHEMES * 2; c++) {
    double psi[CORNER_F + 1], gradient[(CORNER_F + 1) * CORNER_P];
    gradyn_saltations all;
    gradyn_covariance found;
    gradyn_transition transition;
    memset(&corner_with, 0, sizeof corner_with);
    corner_with.product = c / 2 % 2;
    corner_with.drag = corner_with.product ? 0 : 0.3;
    const double *rho = corner_with.product ? corner : diagonal;
    run_local *ev = hybrid_open(&corner_problem, &hybrid_schemes[c / 4], sensitivity[c % 2], 0);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_close(psi[AT_FLOOR], psi[AT_WALL], 1e-14, 0);
    double apart[CORNER_P];
    memcpy(apart, rho, sizeof apart);
    apart[0] += 0.2; /* the ball hits the wall later than the floor */
    assert_run(gradyn_evaluator_simulate(ev, apart, psi, NULL), ev);
    assert_int_equal(run_warning(ev, GRADYN_WARNING_SIMULTANEOUS_EVENTS).code, 0);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    const gradyn_warning together = run_warning(ev, GRADYN_WARNING_SIMULTANEOUS_EVENTS);
    assert_int_equal(together.code, GRADYN_WARNING_SIMULTANEOUS_EVENTS);
    assert_true(together.t > 0 && together.subject[0] != '\0');
    assert_refused(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev, GRADYN_EVENT,
                   "occur at the same time");
    assert_refused(gradyn_saltations_compute(ev, rho, NULL, 0, &all), ev, GRADYN_EVENT, refusal);
    gradyn_saltations_clear(&all);
    assert_refused(gradyn_covariance_compute(ev, rho, &spread, NULL, NULL, &found), ev,
                   GRADYN_EVENT, refusal);
    gradyn_covariance_clear(&found);
    /* a transition matrix covers states only, so the integral has no effect */
    if (corner_with.product)
      assert_run(gradyn_transition_compute(ev, rho, NULL, 0, &transition), ev);
    else
      assert_refused(gradyn_transition_compute(ev, rho, NULL, 0, &transition), ev, GRADYN_EVENT,
                     refusal);
    gradyn_transition_clear(&transition);
  }
}

/* If the value itself depends on the order, the run is refused. */
TEST(values_that_depend_on_the_order_are_refused)
{
  for (int k = 0; k < HYBRID_SCHEMES; k++) {
    double psi[CORNER_F + 1];
    memset(&corner_with, 0, sizeof corner_with);
    corner_with.taken = true;
    run_local *ev = hybrid_open(&corner_problem, &hybrid_schemes[k], NULL, 0);
    assert_refused(gradyn_evaluator_simulate(ev, corner, psi, NULL), ev, GRADYN_EVENT,
                   "the motion after both depends on their order");
  }
}

/* The same ball as general equations, with resets of its velocities. */
FORMULAS(flight, at->yp[0] - at->y[2], at->yp[1] - at->y[3], at->yp[2], at->yp[3] + at->data[0])
FORMULA(x_of, at->y[0])
FORMULA(y_of, at->y[1])
FORMULA(vx_of, at->y[2])
FORMULA(vy_of, at->y[3])
FORMULA(back, -at->data[0] * at->y[2])
FORMULA(up, -at->data[0] * at->y[3])

static int add_wall(gradyn_model *m, const char *name, int velocity, gradyn_scalar share,
                    gradyn_functional_fn gap, gradyn_functional_fn law)
{
  return gradyn_event(m, &(gradyn_event_spec){.name = name,
                                              .guard = {.terminal = gap},
                                              .set = &(gradyn_component){velocity, GRADYN_X},
                                              .set_count = 1,
                                              .reset = {.terminal = law,
                                                        .data = &(gradyn_datum){"share", "", share},
                                                        .data_count = 1}});
}

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar r[])
{
  static const char *const name[] = {"x", "y", "vx", "vy"};
  static const gradyn_functional_fn end[] = {x_of, y_of, vx_of, vy_of};
  int state[4];
  for (int k = 0; k < 4; k++)
    state[k] = gradyn_state(m, name[k], "", r[X0 + k]);
  declare_equations(m, flight, &(gradyn_datum){"g", "", r[G]}, 1);
  const int floor = add_wall(m, "floor", state[3], r[FLOOR], y_of, up),
            wall = add_wall(m, "wall", state[2], r[WALL], x_of, back);
  for (int k = 0; k < 4; k++)
    declare_end(m, gradyn_format_name(m, "end %s", name[k]), "", end[k]);
  gradyn_event_time(m, "at floor", floor, 1);
  gradyn_event_time(m, "at wall", wall, 1);
  return gradyn_build_status(m);
}

TEST(equations_pass_both_events)
{
  static const gradyn_param params[] = {{.name = "rho", .count = CORNER_P, .init = 1}};
  static const gradyn_problem equations = PROBLEM("equations", build_equations, params,
                                                  .t_end = 0.8, .rtol = 1e-11);
  double expected[CORNER_F], slope[CORNER_F * CORNER_P];
  support_complex_step(corner_closed_form, corner, CORNER_P, CORNER_F, expected, slope);
  for (int c = 0; c < 2 * RUN_ADAPTIVE; c++) {
    double psi[OFF_FLOOR], gradient[OFF_FLOOR * CORNER_P];
    run_local *ev = run_with(&equations, .method = run_adaptive[c / 2],
                             .sensitivity = sensitivity[c % 2]);
    assert_run(gradyn_evaluator_gradient(ev, corner, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_close_array(psi, expected, OFF_FLOOR, 1e-8, 1e-8);
    assert_close_array(gradient, slope, OFF_FLOOR * CORNER_P, 1e-7, 1e-7);
  }
}
