/* Events inside subdivided steps. A rod is thrown at high speed against a stiff spring, with steps far too
 * long for it, under a ceiling at many levels. Runs and gradients must be as well defined as without
 * events. */
#include "tests/runs.h"

enum { P = 3, F = 3, LEVELS = 160 };

static const struct scheme {
  const char *method;
  double step, speed;
} schemes[] = {{"ali3p", 0.05, 30}, {"variational", 0.015, 20}};

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int A = gradyn_ground_point(mbs, "A", 0, 0), B = gradyn_ground_point(mbs, "B", 0.3, 1.1);
  const int p = gradyn_point(mbs, "p", 1, 0), q = gradyn_point(mbs, "q", 2, 0);
  gradyn_initial_velocity(mbs, q, 0, rho[0]);
  gradyn_rod(mbs, &(gradyn_rod_spec){"Ap", A, p, .length = 1, .mass = 1});
  gradyn_rod(mbs, &(gradyn_rod_spec){"pq", p, q, .length = 1, .mass = 1});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S", B, q, .k = rho[1], .c = 2, .free_length = 1});
  gradyn_gravity(mbs, 0, -9.81);
  const int ceiling = gradyn_impact(
      mbs, &(gradyn_impact_spec){
               "ceiling", q, GRADYN_Y, {.value = rho[2]}, .below = true, .restitution = 0.8});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", q, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_event_time(mbs, "first", ceiling, 1);
  gradyn_event_time(mbs, "second", ceiling, 2);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("thrown-up", build, params, .t_end = 0.6);

static gradyn_evaluator *open_with(const struct scheme *scheme, const char *sensitivity)
{
  return run_with(&problem, .method = scheme->method, .sensitivity = sensitivity,
                  .step = scheme->step);
}

/* Returns whether the second event is inside a divided step: its step does not begin a whole number of
 * steps after the first event. */
static bool is_divided(gradyn_evaluator *ev, const double rho[P], double step)
{
  gradyn_trajectory *run = gradyn_trajectory_create();
  double psi[F], from = 0;
  assert_non_null(run);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, run), ev);
  for (size_t k = 0; k < gradyn_trajectory_read(run).steps; k++)
    if (gradyn_trajectory_step(run, k, NULL) < psi[2] - 1e-12)
      from = gradyn_trajectory_step(run, k, NULL);
  gradyn_trajectory_free(run);
  const double whole = (from - psi[1]) / step;
  return fabs(whole - round(whole)) > 1e-6;
}

/* Derivative of the time of the second event with respect to parameter j, by central differences of order
 * 4. */
static double difference(gradyn_evaluator *ev, const double rho[P], int j, double share)
{
  const double h = share * rho[j];
  double moved[P], psi[F], sum = 0;
  for (int i = -2; i <= 2; i++) {
    static const double weight[] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
    memcpy(moved, rho, sizeof moved);
    moved[j] += i * h;
    if (gradyn_evaluator_simulate(ev, moved, psi, NULL) != GRADYN_OK)
      return NAN;
    sum += weight[i + 2] * psi[2] / h;
  }
  return sum;
}

TEST(gradients_are_exact)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    gradyn_evaluator *ev[2] = {open_with(&schemes[k], "direct"), open_with(&schemes[k], "adjoint")};
    int inside = 0, refused = 0, compared = 0;
    for (int i = 0; i < LEVELS; i++) {
      const double rho[P] = {schemes[k].speed, 2000, 0.3 + 0.01 * i};
      double psi[2][F], gradient[2][F * P];
      gradyn_status status = gradyn_evaluator_gradient(ev[0], rho, psi[0], gradient[0]);
      if (status != GRADYN_OK) { /* the event does not happen, or too many steps must be divided */
        assert_true(status == GRADYN_EVENT || status == GRADYN_STEP_LIMIT);
        refused++;
        continue;
      }
      assert_run(gradyn_evaluator_gradient(ev[1], rho, psi[1], gradient[1]), ev[1]);
      assert_close_array(psi[1], psi[0], F, 0, 0);
      for (int f = 0; f < F; f++)
        for (int j = 0; j < P; j++)
          assert_close(gradient[1][f * P + j], gradient[0][f * P + j], 1e-8, 1e-9);
      if (!is_divided(ev[1], rho, schemes[k].step))
        continue;
      inside++;
      for (int j = 0; j < P; j++) {
        /* if a parameter changes which steps are divided, differences are not valid */
        const double slope = difference(ev[1], rho, j, 1e-5),
                     other = difference(ev[1], rho, j, 1e-6);
        if (!(fabs(slope - other) <= 1e-5 * fabs(slope) + 1e-8))
          continue;
        assert_close(gradient[1][2 * P + j], slope, 2e-5, 2e-8);
        compared++;
      }
    }
    assert_true(inside > 0 && compared > 0 && refused < LEVELS / 2);
    gradyn_evaluator_free(ev[0]);
    gradyn_evaluator_free(ev[1]);
  }
}
