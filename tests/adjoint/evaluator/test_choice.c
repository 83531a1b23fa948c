/* The choice between `explicit` and `radau`: which method each run uses. A result does not depend on
 * earlier calls. */
#include <tgmath.h>

#include "adjoint/evaluator/choice.h"
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/joint_friction_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* --- y' = -k (y - cos 3t) + sin w t: as stiff as k says, or as long as w ------------------------------ */

enum { RATE, SWING, PARAMS };

static bool with_instant;

FORMULA(decay, at->yp[0] + at->data[0] * (at->y[0] - cos(3 * at->t)) - sin(at->data[1] * at->t))
FORMULA(square, at->y[0] * at->y[0])

static gradyn_status build_decay(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"k", "1/s", rho[RATE]}, {"w", "1/s", rho[SWING]}};
  gradyn_state(m, "y", "", 0.9);
  declare_equations(m, decay, data, 2);
  gradyn_minimise(m, declare_integral(m, "square", "s", square), 1);
  if (with_instant)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){"half", "", .terminal = square, .instant = 0.5});
  return gradyn_build_status(m);
}

static gradyn_evaluator *open_with(double rate, double swing, const char *method,
                                   const char *sensitivity)
{
  static gradyn_param params[PARAMS] = {{"k", "1/s", .init = 1, GRADYN_UNBOUNDED},
                                        {"w", "1/s", .init = 1, GRADYN_UNBOUNDED}};
  static const gradyn_problem problem = PROBLEM("decay", build_decay, params, .t_end = 1);
  params[RATE].init = rate;
  params[SWING].init = swing;
  return run_with(&problem, .method = method, .sensitivity = sensitivity);
}

static const char *chosen(gradyn_evaluator *ev)
{
  return gradyn_evaluator_statistics(ev).method;
}

/* psi and its two derivatives. */
static void ask(gradyn_evaluator *ev, double rate, double swing, double out[1 + PARAMS])
{
  const double rho[PARAMS] = {rate, swing};
  assert_run(gradyn_evaluator_gradient(ev, rho, out, out + 1), ev);
}

TEST(each_is_taken_where_it_is_quicker)
{
  static const struct {
    double rate, swing;
    const char *method;
  } expected[] = {
      {2, 5, "explicit"},    /* a few steps */
      {2, 3000, "explicit"}, /* a long run: explicit needs many steps, but radau needs many more */
      {4000, 5,
       "explicit"}, /* explicit is at its stability limit, but the number of steps is acceptable */
      {1e5, 5, "radau"}, /* stiff */
  };
  for (size_t k = 0; k < GRADYN_COUNT(expected); k++)
    for (int route = 0; route < 3; route++) {
      static const char *const sensitivity[] = {"adjoint", "direct", "differences"};
      if (!support_takes((int)k + route, 3))
        continue;
      double a[1 + PARAMS], b[1 + PARAMS];
      run_local *ev = open_with(expected[k].rate, expected[k].swing, "auto", sensitivity[route]);
      run_local *alone = open_with(expected[k].rate, expected[k].swing, expected[k].method,
                                   sensitivity[route]);
      ask(ev, expected[k].rate, expected[k].swing, a);
      ask(alone, expected[k].rate, expected[k].swing, b);
      assert_string_equal(chosen(ev), expected[k].method);
      assert_memory_equal(a, b, sizeof a);
    }
}

/* A run that becomes stiff far from the initial parameters uses radau; runs near the initial parameters
 * keep explicit. */
TEST(a_run_that_turns_stiff_is_left_to_the_other)
{
  double a[2][1 + PARAMS], b[1 + PARAMS];
  run_local *ev = open_with(2, 5, "auto", "adjoint");
  run_local *alone = open_with(2, 5, "radau", "adjoint");
  for (int k = 0; k < 2; k++) {
    ask(ev, 3, 5, a[k]);
    assert_string_equal(chosen(ev), "explicit");
    ask(ev, 1e5, 5, a[k]);
    assert_string_equal(chosen(ev), "radau");
    /* `alone` determines its tolerances at the stiff point, the other evaluator at the initial parameters */
    ask(alone, 1e5, 5, b);
    assert_close(a[k][0], b[0], 6e-8, 0);
    for (int j = 1; j <= PARAMS; j++)
      assert_close(a[k][j], b[j], 0, 6e-8 * fmax(fabs(b[1]), fabs(b[2])));
  }
  assert_memory_equal(a[0], a[1], sizeof a[0]);
}

TEST(results_do_not_depend_on_earlier_calls)
{
  static const double rates[] = {2, 1e5}, swings[] = {5, 3000};
  for (int k = 0; k < 4; k++) {
    const double rate = rates[k / 2], swing = swings[k % 2];
    const double initial[PARAMS] = {rate, swing}, other[PARAMS] = {1.1 * rate, swing};
    double value[1 + PARAMS], again[1 + PARAMS], psi;
    gradyn_evaluator *ev = open_with(rate, swing, "auto", "adjoint");
    ask(ev, other[RATE], swing, value);
    gradyn_evaluator_free(ev);
    for (int first = 0; first < 3; first++) {
      if (!support_takes(k + first, 3))
        continue;
      ev = open_with(rate, swing, "auto", "adjoint");
      if (first == 0)
        ask(ev, rate, swing, again);
      else
        assert_run(gradyn_evaluator_simulate(ev, first == 1 ? initial : other, &psi, NULL), ev);
      ask(ev, other[RATE], swing, again);
      assert_memory_equal(value, again, sizeof value);
      gradyn_evaluator_free(ev);
    }
  }
}

/* A functional at a time before the end must not prevent the change to radau in a stiff run. */
TEST(values_at_given_times_do_not_fix_the_method)
{
  double psi[2];
  with_instant = true;
  for (int stiffer = 0; stiffer < 2; stiffer++) {
    const double rho[PARAMS] = {stiffer ? 1e6 : 1e5, 5};
    run_local *ev = open_with(rho[RATE], rho[SWING], "auto", "adjoint");
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_string_equal(chosen(ev), "radau");
    assert_close(sqrt(psi[1]), cos(1.5), 0, 1e-2); /* y follows cos 3t */
  }
  with_instant = false;
}

/* gradyn_choice_follow() makes an evaluator use the method of another one, whichever it would choose by
 * itself. */
TEST(a_choice_is_restored)
{
  double out[1 + PARAMS];
  for (int asked = 0; asked < 2; asked++) {
    run_local *stiff = open_with(1e5, 5, "auto", "adjoint");
    run_local *ev = open_with(2, 5, "auto", "adjoint");
    run_local *alone = open_with(2, 5, "explicit", "adjoint");
    if (asked)
      ask(stiff, 1e5, 5, out);
    gradyn_choice_follow(ev, stiff);
    ask(ev, 2, 5, out);
    assert_string_equal(chosen(ev), "radau");
    /* an evaluator that has not chosen yet leaves the choice of the other one unchanged */
    gradyn_choice_follow(alone, stiff);
    ask(alone, 2, 5, out);
    assert_string_equal(chosen(alone), "explicit");
  }
}

static gradyn_status refuse(gradyn_model *model, const gradyn_options *options, void **out)
{
  (void)options;
  (void)out;
  return gradyn_fail(&model->message, GRADYN_UNSUPPORTED, "not for this model");
}

static gradyn_status take_too_many(void *self, double *psi, gradyn_trajectory *trajectory)
{
  (void)self;
  (void)psi;
  (void)trajectory;
  return GRADYN_STEP_LIMIT;
}

/* explicit reports a stiff run, and radau fails without a message: the message is that of explicit. */
TEST(each_speaks_for_itself)
{
  run_local *ev = open_with(2, 5, "auto", "adjoint");
  gradyn_method patient = *ev->choice.method[GRADYN_PATIENT];
  double psi;
  patient.simulate = take_too_many;
  ev->choice.method[GRADYN_PATIENT] = &patient;
  assert_run(gradyn_evaluator_simulate(ev, (double[PARAMS]){2, 5}, &psi, NULL), ev);
  assert_status(gradyn_evaluator_simulate(ev, (double[PARAMS]){1e6, 5}, &psi, NULL),
                GRADYN_STEP_LIMIT, gradyn_status_describe(GRADYN_STEP_LIMIT).sentence);
  assert_string_equal(gradyn_evaluator_message(ev),
                      gradyn_status_describe(GRADYN_STEP_LIMIT).sentence);
}

/* If radau does not support a request or exceeds its step limit, explicit continues, with as many steps as
 * it needs alone, in any order of requests. Otherwise the message gives the reason. */
TEST(the_only_method_continues)
{
  static const double rates[] = {
      4000, 1e5,
      /* explicit needs a few hundred steps, 17,000, or more than permitted */
      1e6};
  for (int k = 0; k < 6; k++) {
    if (!support_takes(k + k / 2 + 1, 2))
      continue;
    const double rho[PARAMS] = {rates[k / 2], 5}, other[PARAMS] = {0.9 * rates[k / 2], 5};
    const bool stiff = k / 2 == 2;
    double psi[2];
    run_local *ev = open_with(rho[RATE], rho[SWING], "auto", "adjoint");
    run_local *alone = open_with(rho[RATE], rho[SWING], "explicit", "adjoint");
    gradyn_method patient = *ev->choice.method[GRADYN_PATIENT];
    if (k % 2)
      patient.simulate = take_too_many;
    else
      patient.create = refuse;
    ev->choice.method[GRADYN_PATIENT] = &patient;
    for (int first = 0; first < 2; first++) {
      const double *place = first ? rho : other;
      const gradyn_status status = gradyn_evaluator_simulate(ev, place, &psi[0], NULL);
      if (stiff && k % 2) /* the method that took over reports the failure */
        assert_status(status, GRADYN_STEP_LIMIT, gradyn_evaluator_message(ev));
      else
        assert_status(status, stiff ? GRADYN_STIFF : GRADYN_OK, gradyn_evaluator_message(ev));
      if (stiff)
        continue;
      assert_string_equal(chosen(ev), "explicit");
      assert_ok(gradyn_evaluator_simulate(alone, place, &psi[1], NULL),
                gradyn_evaluator_message(alone));
      assert_memory_equal(&psi[0], &psi[1], sizeof psi[0]);
    }
  }
}

/* Multiplier-dependent forces need an iteration in every evaluation of the explicit method, so radau is
 * used. */
TEST(friction_in_joints_is_left_to_the_patient_one)
{
  for (int law = 0; law < 3; law++) {
    if (!support_takes(law, 2))
      continue;
    double gradient[JOINT_FRICTION_PARAMETERS * 8];
    gradyn_statistics s;
    ali3p_gradient(&(run_setup){.problem = &joint_friction_block,
                                .setting = "law",
                                .value = law,
                                .method = "auto",
                                .sensitivity = "adjoint"},
                   NULL, gradient, &s);
    assert_string_equal(s.method, "radau");
  }
}

/* In joint coordinates, explicit solves for the friction by a small system and is used. Exceptions stay
 * with radau: inertias that need the complete matrix, and friction that depends on the remaining
 * constraints. */
TEST(friction_on_the_tree_is_not)
{
  static const struct {
    const gradyn_problem *problem;
    const char *coordinates, *method;
  } rows[] = {{&gradyn_problem_slider_crank_codesign, "joint", "explicit"},
              {&gradyn_problem_slider_crank_codesign, "natural", "radau"},
              {&gradyn_problem_governor, "joint", "radau"},
              {&gradyn_problem_inverted_pendulum, "joint", "radau"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    gradyn_problem problem = *rows[i].problem;
    problem.coordinates = rows[i].coordinates;
    double rho[64], psi[64];
    run_local *ev = run_with(&problem, .method = "auto", .t_end = 0.01);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_string_equal(chosen(ev), rows[i].method);
  }
}

/* Options that only `idas` has select `idas`. */
TEST(options_of_idas_are_left_to_it)
{
  double rho[JOINT_FRICTION_PARAMETERS], psi[8], gradient[JOINT_FRICTION_PARAMETERS * 8];
  run_local *ev = run_with(&joint_friction_block, .method = "auto", .sensitivity = "direct",
                           .staggered = true);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_string_equal(chosen(ev), "idas");
}
