/* Runs that end with an event, in all schemes: the end time is a function of the data. A ball on a rubber
 * band, with air resistance, bounces off a moving floor. The run ends with its second bounce. */
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { P = 5, F = 9, MEAN = 8 };

static const double rho[P] = {1.1, 0.8, 0.1, 3, 0.05};

enum { BALL = 2 }; /* its number among the points */

FORMULA(swing, at->t * at->vel[2 * BALL + 1] + at->pos[2 * BALL] * at->vel[2 * BALL])

/* The variant of the model. */
static struct plan {
  int which;      /* bounce that ends the run */
  bool quiet;     /* without air, band and motion of the floor, so that there is a closed form */
  double instant; /* s, time of an additional functional; 0: none */
} plan;

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  const int pivot = gradyn_ground_point(mbs, "pivot", -0.5, 1.4);
  const int ball = gradyn_point(mbs, "ball", 0, r[0]);
  gradyn_initial_velocity(mbs, ball, 0.3, 0);
  gradyn_point_mass(mbs, "ball", ball, 1);
  gradyn_gravity(mbs, 0, -9.81);
  if (!plan.quiet)
    gradyn_spring(mbs, &(gradyn_spring_spec){"band", pivot, ball, .k = r[3], .free_length = 0.6});
  const gradyn_datum air = {"drag", "N s/m", plan.quiet ? 0 : r[2]};
  declare_force(mbs, "air", ball, hybrid_drag, &air, 1);
  const gradyn_time_function level = {.amplitude = plan.quiet ? 0 : r[4], .frequency = 7};
  const int floor = gradyn_impact(
      mbs, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, level, .restitution = r[1]});
  gradyn_terminate_at_event(mbs, floor, plan.which);
  gradyn_end_time_functional(mbs, "end");
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){
                                    "swing", "m^2/s", .terminal = swing, .integrand = swing});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){
                        "before",
                        gradyn_measure_custom(mbs, &(gradyn_custom_measure_spec){"before", "m/s",
                                                                                 .formula = swing,
                                                                                 .hidden = true}),
                        .reduction = GRADYN_BEFORE_EVENT, .event = floor, .occurrence = 2});
  gradyn_functional(
      mbs,
      &(gradyn_functional_spec){
          "after",
          gradyn_measure_custom(
              mbs, &(gradyn_custom_measure_spec){"after", "m/s", .formula = swing, .hidden = true}),
          .reduction = GRADYN_AFTER_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 2});
  gradyn_event_impulse(mbs, "impulse", floor, 2);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"mean", gradyn_measure_point(mbs, "y", ball, 0, GRADYN_Y),
                                     .reduction = GRADYN_MEAN_SQUARE});
  if (plan.instant > 0)
    gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){
                                      "late", "m^2/s", .terminal = swing, .instant = plan.instant});
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("two-bounces", build, params, .t_end = 3,
                                              .rtol = 1e-11);

TEST(direct_and_adjoint_agree)
{
  plan = (struct plan){.which = 2};
  hybrid_agree(&problem, rho, 2, 3);
}

TEST(gradients_are_those_of_differences)
{
  plan = (struct plan){.which = 2};
  hybrid_differ(&problem, rho, 3);
}

/* Without air, bounce k ends the run at t = t_1 (1 + 2 e + ...), with the speed e^k g t_1 after it. The
 * mean of y^2 over the run is 8/15 h^2 (1 + 2 e^5)/(1 + 2 e), up to the quadrature error of fixed steps. */
TEST(a_free_ball_follows_the_closed_form)
{
  const double first = sqrt(2 * rho[0] / 9.81), e = rho[1];
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    plan = (struct plan){.which = 2, .quiet = true};
    run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], "adjoint", 0);
    double psi[F], gradient[F * P], t = first * (1 + 2 * e);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_true(psi[0] == gradyn_event_log_at(ev, 1).t);
    assert_close(psi[0], t, 1e-9, 0);
    assert_close(psi[1], 0.3 * t, 1e-9, 0);
    assert_close(psi[2], e * e * 9.81 * first, 1e-9, 0);
    assert_close(psi[7], e * (1 + e) * 9.81 * first, 1e-9, 0); /* impulse on 1 kg */
    assert_close(gradient[0], t / (2 * rho[0]), 1e-8, 0);
    assert_close(gradient[1], 2 * first, 1e-8, 0);
    const double sums = hybrid_schemes[k].step > 0 ? 2e-3 : 1e-7, h = rho[0];
    const double mean = 8.0 / 15 * h * h * (1 + 2 * pow(e, 5)) / (1 + 2 * e);
    const double by_e = (16.0 / 3 * h * h * pow(e, 4) - 2 * mean) / (1 + 2 * e);
    assert_close(psi[MEAN], mean, sums, 0);
    assert_close(gradient[MEAN * P], 2 * mean / h, sums, 0);
    assert_close(gradient[MEAN * P + 1], by_e, sums, 0);
  }
}

/* Error estimates repeat the gradient with other steps. The reported events must be those of the run that
 * gives the values. */
TEST(events_go_with_the_values)
{
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    plan = (struct plan){.which = 2};
    run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], "adjoint", 0);
    double psi[F], gradient[F * P];
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 2);
    assert_true(psi[0] == gradyn_event_log_at(ev, 1).t);
  }
}

static void expect(size_t scheme, const char *says)
{
  run_local *ev = hybrid_open(&problem, &hybrid_schemes[scheme], "adjoint", 0);
  double psi[F + 1];
  gradyn_status status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  assert_status(status, GRADYN_EVENT, gradyn_evaluator_message(ev));
  if (!strstr(gradyn_evaluator_message(ev), says))
    fail_msg("\"%s\" does not say \"%s\"", gradyn_evaluator_message(ev), says);
}

/* The end time comes before the event, or the run ends before the time of a functional. Both are reported. */
TEST(unavailable_results_are_reported)
{
  for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
    plan = (struct plan){.which = 40};
    expect(k, "the run must end with occurrence 40 of floor");
    plan = (struct plan){.which = 2, .instant = 2.9};
    expect(k, "functional late is evaluated at t = 2.9 s, but floor has ended the run");
    plan = (struct plan){.which = 1};
    expect(k, "functional before is evaluated at occurrence 2 of floor");
  }
}
