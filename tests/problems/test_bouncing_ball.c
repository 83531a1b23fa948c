/* The bouncing ball: a closed form without drag, an independent integration with drag. */
#include "tests/problems/run.h"
#include "tests/reference/bouncing_ball.h"

extern const gradyn_problem gradyn_problem_bouncing_ball;

enum { P = BALL_PARAMETERS, F = BALL_RESULTS, BOUNCES = 5 };

static const double t_end = 3, accuracy = 1e-9;
static const char *const sensitivity[] = {"direct", "adjoint"};

/* Times of impacts in closed form: t_1 = sqrt(2 h/g), t_k+1 = t_k + 2 e^k t_1. */
static void closed_form(const double complex p[P], double complex result[F])
{
  double complex h = p[0], g = p[1], e = p[2], first = csqrt(2 * h / g), t = first, speed = g * t;
  double complex before = 0, v2 = speed * speed * speed / (3 * g);
  for (int k = 1; creal(t) < t_end; k++) {
    if (k == BOUNCES) {
      result[5] = t;
      result[6] = (1 + e) * speed;
    }
    speed *= e;
    before = t;
    t += 2 * speed / g;
    if (creal(t) < t_end) /* integral of vy^2 between two impacts */
      v2 += 2 * speed * speed * speed / (3 * g);
  }
  double complex s = t_end - before, end = speed - g * s;
  result[0] = t_end;
  result[1] = speed * s - g * s * s / 2;
  result[2] = end;
  result[3] = NAN; /* left out */
  result[4] = t_end + v2 + (speed * speed * speed - end * end * end) / (3 * g);
}

typedef void reference_fn(const double complex p[P], double complex result[F]);

static void integration(const double complex p[P], double complex result[F])
{
  bouncing_ball(p, t_end, BOUNCES, result);
}

static void compare(const double rho[P], reference_fn *reference)
{
  const double small = 1e-40;
  double psi[F], gradient[F * P];
  double complex p[P], result[F];
  for (int way = 0; way < 4; way++) {
    const run_setup setup = {&gradyn_problem_bouncing_ball, sensitivity[way % 2],
                             run_adaptive[way / 2], .rtol = 1e-13};
    assert_int_equal(run_gradient(&setup, rho, psi, gradient), F);
    for (int j = 0; j < P; j++) {
      for (int i = 0; i < P; i++)
        p[i] = rho[i] + (i == j ? small * _Complex_I : 0);
      reference(p, result);
      for (int f = 0; f < F; f++) {
        if (isnan(creal(result[f])) || (j == 3 && reference == closed_form))
          continue;
        assert_close(psi[f], creal(result[f]), accuracy, accuracy);
        assert_close(gradient[f * P + j], cimag(result[f]) / small, accuracy, accuracy);
      }
    }
  }
}

TEST(without_drag_it_follows_the_closed_form)
{
  const double rho[][P] = {{1, 9.81, 0.8, 0}, {0.6, 12.5, 0.83, 0}};
  for (size_t k = 0; k < GRADYN_COUNT(rho); k++)
    compare(rho[k], closed_form);
}

TEST(with_drag_it_follows_the_reference)
{
  compare((const double[P]){1, 9.81, 0.9, 0.1}, integration);
}

/* The log has times, speeds and energies. */
TEST(the_log_has_all_events)
{
  const run_setup setup = {&gradyn_problem_bouncing_ball,
                           .rtol = 1e-12}; /* the method is explicit */
  const double rho[P] = {1, 9.81, 0.8, 0}, first = sqrt(2 / 9.81);
  run_local *ev = run_open(&setup);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, 0);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, 6);
  assert_string_equal(gradyn_evaluator_statistics(ev).method, "explicit"); /* which auto takes */
  double t = first, v = 9.81 * first;
  for (int k = 0; k < 6; k++) {
    const gradyn_event_record e = gradyn_event_log_at(ev, (size_t)k);
    assert_string_equal(e.name, "ground");
    assert_int_equal(e.event, 1);
    assert_int_equal(e.occurrence, k + 1);
    assert_close(e.t, t, accuracy, 0);
    assert_close(e.approach, -v, accuracy, 0);
    assert_close(e.rebound, 0.8 * v, accuracy, 0);
    assert_close(e.impulse, 1.8 * v, accuracy, 0);
    assert_close(e.energy_lost, (1 - 0.64) * v * v / 2, accuracy, 0);
    v *= 0.8;
    t += 2 * v / 9.81;
  }
  assert_string_equal(gradyn_event_log_at(ev, 6).name, "");
}

/* A thousand bounces (two hundred by idas), each with a restart, also if steps are as long as the time
 * between bounces. A relative change of the height changes the time of the last one by half of it. */
THOROUGH_TEST(it_bounces_a_thousand_times)
{
  static const struct {
    const char *method;
    double step, t_end; /* idas restarts at each bounce, so that a few hundred bounces are enough */
  } runs[] = {{"idas", 0, 2},      {"explicit", 0, 10},  {"explicit", 0.003, 10},  {"radau", 0, 10},
              {"ali3p", 0.01, 10}, {"ali3p", 0.003, 10}, {"variational", 0.01, 10}};
  const double rho[P] = {1.0 / 8192, 9.81, 1, 0}, first = sqrt(2 * rho[0] / 9.81);
  const double last = first * (2 * BOUNCES - 1);
  for (size_t k = 0; k < GRADYN_COUNT(runs); k++) {
    const double expected = floor((runs[k].t_end / first - 1) / 2) + 1;
    assert_true(expected >= 100 * runs[k].t_end);
    const run_setup setup = {&gradyn_problem_bouncing_ball, .method = runs[k].method,
                             .step = runs[k].step, .t_end = runs[k].t_end, .rtol = 1e-8};
    double psi[F], gradient[F * P];
    run_local *ev = run_open(&setup);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close((double)gradyn_evaluator_statistics(ev).events, expected, 0, 0);
    assert_close(psi[5], last, 1e-6, 0);
    assert_close(gradient[5 * P], last / (2 * rho[0]), 1e-6, 0);
  }
}

/* Memory for events grows during the run. If memory is short and the run is stored in segments, it restarts
 * with longer ones; results have the same bits. */
TEST(many_bounces_need_little_memory)
{
  const double rho[P] = {1.0 / 8192, 9.81, 1, 0}, memory[2] = {0, 1e5};
  for (int k = 0; k < 2; k++) {
    double psi[2][F], gradient[2][F * P];
    for (int way = 0; way < 2; way++) {
      run_local *ev = run_with(&gradyn_problem_bouncing_ball, .method = run_fixed[k], .step = 0.003,
                               .t_end = 10, .memory = memory[way]);
      assert_run(gradyn_evaluator_gradient(ev, rho, psi[way], gradient[way]), ev);
      assert_true(gradyn_evaluator_statistics(ev).events > 1000);
    }
    assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
    assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
  }
}

/* A functional at a bounce that does not happen is refused. */
TEST(a_missing_bounce_is_reported)
{
  const run_setup setup = {&gradyn_problem_bouncing_ball, .t_end = 1};
  const double rho[P] = {1, 9.81, 0.8, 0};
  double psi[F], gradient[F * P];
  run_local *ev = run_open(&setup);
  for (int way = 0; way < 2; way++) {
    assert_status(way ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL),
                  GRADYN_EVENT, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), "last");
    assert_says(gradyn_evaluator_message(ev), "occurrence 5 of ground");
  }
}
