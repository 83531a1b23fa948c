/* Refined grids of controls: closed forms, predicted gains of knots, names, journals, Hamiltonians, and
 * grids that cannot be refined. */
#include "tests/adjoint/compare.h"
#include "tests/optim/journals.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <stdint.h>

#include "optim/rounds/gains.h"

/* --- a cart between two stops ------------------------------------------------------------------ */

enum { U, INTERVALS = 4, T = INTERVALS + 1, NUMBERS };
enum { X_END, V_END, ENERGY, FUNCTIONALS };
static const gradyn_setting settings[] = {
    {"kind", "of the signal", GRADYN_PIECEWISE_CONSTANT, 0, GRADYN_SWITCHED},
    {"times", "of its own", 0, 0, 1},
    {"follow", "all knots one parameter", 0, 0, 1},
    {"delayed", "a part of the force comes later", 0, 0, 1},
    {"event", "at half of the way", 0, 0, 1}};

/* x'' = u, from rest to rest over 1 m in T, with the least integral of u^2/2. */
FORMULAS(motion, at->yp[0] - at->y[1], at->yp[1] - at->u[1], at->yp[2] - at->u[1] * at->u[1] / 2)

FORMULAS(late_motion, at->yp[0] - at->y[1], at->yp[1] - at->u[1] + at->u[2] / 3,
         at->yp[2] - at->u[1] * at->u[1] / 2)

FORMULA(state, at->y[(uintptr_t)at->user])
FORMULA(half, at->y[0] - 0.5)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const name[] = {"x_end", "v_end", "energy"};
  const gradyn_signal_kind kind = (gradyn_signal_kind)gradyn_setting_value(m, "kind");
  gradyn_scalar knots[INTERVALS + 1], times[INTERVALS + 1];
  for (int k = 0; k <= INTERVALS; k++) {
    knots[k] = gradyn_setting_value(m, "follow") ? rho[U] * (INTERVALS / 2 - k) : rho[U + k];
    times[k] = rho[T] * k / (kind == GRADYN_PIECEWISE_CONSTANT ? INTERVALS + 1 : INTERVALS);
  }
  gradyn_end_time(m, rho[T]);
  const int u = gradyn_signal(
      m, &(gradyn_signal_spec){"u", "N", kind, .count = INTERVALS + 1, .knots = knots,
                               .times = gradyn_setting_value(m, "times") ? times : NULL});
  const bool delayed = gradyn_setting_value(m, "delayed");
  if (delayed)
    gradyn_delayed_signal(m, "late", u, 0.23 * rho[T]);
  gradyn_state(m, "x", "m", 0);
  gradyn_state(m, "v", "m/s", 0);
  gradyn_state(m, "cost", "N^2 s", 0);
  declare_equations(m, delayed ? late_motion : motion, NULL, 0);
  if (gradyn_setting_value(m, "event"))
    gradyn_event(m, &(gradyn_event_spec){.name = "half", .guard = {.terminal = half}});
  for (uintptr_t i = 0; i < FUNCTIONALS; i++) {
    const int f = gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){name[i], "", .terminal = state, .user = (void *)i});
    if (i == ENERGY)
      gradyn_minimise(m, f, 1);
    else
      gradyn_constrain(m, f, i == X_END, i == X_END, 1e-10);
  }
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"u", "N", .init = 1, GRADYN_UNBOUNDED, .scale = 1,
                                       .role = GRADYN_CONTROL, .count = INTERVALS + 1},
                                      {"T", "s", .init = 2, .lower = 1, .upper = 3, .fixed = true}};
static const gradyn_problem problem = PROBLEM("cart", build, params, .settings = settings,
                                              .setting_count = GRADYN_COUNT(settings),
                                              .rtol = 1e-11);

static gradyn_evaluator *open_delayed(int kind, int times, int follow, int delayed)
{
  const gradyn_setting_choice choice[] = {
      {"kind", kind}, {"times", times}, {"follow", follow}, {"delayed", delayed}};
  return run_with(&problem, .settings = choice, .setting_count = 4);
}

static gradyn_evaluator *open_cart(int kind, int times, int follow)
{
  return open_delayed(kind, times, follow, 0);
}

static gradyn_search usual(const gradyn_evaluator *ev, long rounds)
{
  gradyn_search search = run_search(ev);
  search.refine_controls = rounds;
  search.optimality = 1e-7;
  search.ftol = 0;
  return search;
}

/* The optimal u is linear in time, with the energy 6/T^3. Of constants in N equal intervals, its means are
 * best. They lose the integral of (12/T^3)^2 (t - mean)^2/2 = 6/T^3 / N^2. */
TEST(constants_come_nearer_as_their_intervals_are_halved)
{
  for (int times = 0; times < 2; times++) {
    double rho[NUMBERS];
    gradyn_search_result result;
    run_local *ev = open_cart(GRADYN_PIECEWISE_CONSTANT, times, 0);
    const size_t p = run_initial(ev, rho);
    const double N = INTERVALS + 1, best = 6.0 / 8;
    /* energy = best/(1 - 1/N^2), since the means alone would not reach the end */
    for (long rounds = 0; rounds <= 2; rounds++) {
      const gradyn_search search = usual(ev, rounds);
      assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
      const double n = N * (1 << rounds);
      assert_close(result.objective, best / (1 - 1 / (n * n)), rounds == 2 ? 2e-3 : 1e-8, 0);
      assert_int_equal(result.refined != NULL, rounds > 0);
      if (rounds == 1) {
        assert_int_equal(gradyn_parameter_count(result.refined), p + INTERVALS + 1);
        assert_string_equal(gradyn_parameter_at(result.refined, p).name, "u@0.5");
        assert_string_equal(gradyn_parameter_at(result.refined, p + INTERVALS).name, "u@4.5");
      }
      gradyn_search_result_clear(&result);
    }
  }
}

TEST(linear_signals_gain_nothing)
{
  for (int kind = GRADYN_PIECEWISE_LINEAR; kind <= GRADYN_CUBIC_SPLINE; kind++) {
    double rho[NUMBERS];
    LOCAL(gradyn_search_result) result;
    run_local *ev = open_cart(kind, kind == GRADYN_PIECEWISE_LINEAR, 0);
    run_initial(ev, rho);
    const gradyn_search search = usual(ev, 5);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_close(result.objective, 6.0 / 8, 1e-9, 0);
    assert_null(result.refined);
    assert_says(result.reason, "with twice as many knots, the objective would decrease by");
  }
}

/* The problem is quadratic, so that the prediction equals the decrease for twice as many intervals, and
 * each interval contributes equally. */
TEST(gains_are_those_of_the_closed_form)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_gains) gains;
  gradyn_message message = {.text = ""};
  run_local *ev = open_cart(GRADYN_PIECEWISE_CONSTANT, 0, 0);
  run_initial(ev, rho);
  const gradyn_search search = usual(ev, 0);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_ok(gradyn_gains_find(ev, &search, &result, &message, &gains), message.text);
  const double N = INTERVALS + 1, best = 6.0 / 8;
  const double total = best / (1 - 1 / (N * N)) - best / (1 - 1 / (4 * N * N));
  assert_int_equal(gains.count, INTERVALS + 1);
  assert_close(gains.total, total, 1e-6, 0);
  for (size_t j = 0; j < gains.count; j++) {
    assert_close(gains.gain[j], total / N, 1e-4, 0);
    assert_close(gains.knot[j].at.position, (double)j + 0.5, 0, 0);
    assert_close(gains.knot[j].width, 2 / N, 1e-14, 0);
  }
}

/* Grids of all kinds are refined twice, also with a delayed signal, which gets the new knots, too. The
 * motion stays the same. Derivatives with respect to old and new knots and the end time equal differences. */
TEST(refined_problems_have_exact_derivatives)
{
  for (int row = 0; row < 12; row++) {
    const int i = row % 6;
    double rho[NUMBERS], finer[40], psi[FUNCTIONALS], same[FUNCTIONALS];
    run_local *ev = open_delayed(i / 2, i % 2, 0, row / 6);
    size_t p = run_initial(ev, rho);
    for (size_t k = 0; k < T; k++)
      rho[k] = cos(1.7 * (double)k);
    memcpy(finer, rho, sizeof rho);
    for (int twice = 0; twice < 2; twice++) {
      FREED gradyn_new_knot *knot;
      gradyn_evaluator *next;
      size_t count;
      double moved[40];
      assert_run(gradyn_new_knots(ev, finer, NULL, &knot, &count), ev);
      assert_int_equal(count, (p - 1) - (i / 2 > 0));
      assert_int_equal(gradyn_refined_create(ev, knot, count, &next), GRADYN_OK);
      for (size_t k = 0; k < p; k++)
        moved[gradyn_refined_old(next, ev, k)] = finer[k];
      for (size_t k = 0; k < count; k++)
        moved[gradyn_refined_new(next, &knot[k].at)] = knot[k].value;
      assert_run(gradyn_evaluator_simulate(ev, finer, psi, NULL), ev);
      p = gradyn_parameter_count(next);
      assert_run(gradyn_evaluator_simulate(next, moved, same, NULL), next);
      assert_close_array(same, psi, FUNCTIONALS, 1e-10, 1e-11);
      memcpy(finer, moved, p * sizeof *moved);
      gradyn_evaluator_free(ev);
      ev = next;
    }
    finer[p - 1] += 0.3; /* one of the last knots, so that the control has a kink there */
    const double atol[FUNCTIONALS] = {1e-8, 1e-8, 1e-8};
    compare_with_differences(ev, finer, &(compare_allowed){1e-3, .rtol = 1e-8, .atol = atol});
  }
}

/* A resumed refinement has the same bits: complete, without its last round, and with a torn one. */
TEST(resumed_refinement_has_the_same_bits)
{
  double rho[NUMBERS];
  gradyn_search_result result, again;
  char *folder = journal_folder(), file[4096], finer[4096];
  run_local *ev = open_cart(GRADYN_PIECEWISE_CONSTANT, 0, 0);
  gradyn_search search = usual(ev, 2);
  run_initial(ev, rho);
  (void)snprintf(file, sizeof file, "%s/journal.jsonl", folder);
  search.journal = file;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  const size_t p = gradyn_parameter_count(result.refined);
  search.resume = true;
  for (int what = 0; what < 3; what++) {
    (void)snprintf(finer, sizeof finer, "%s/journal-knots-%d.jsonl", folder, what == 2 ? 1 : 2);
    const content before = journal_read(finer);
    assert_true(before.size > 0);
    if (what > 0)
      journal_write(finer, before.bytes, what == 1 ? 0 : journal_line(before, 3));
    assert_ok(gradyn_optimise(ev, &search, rho, &again), again.reason);
    assert_int_equal(gradyn_parameter_count(again.refined), p);
    assert_memory_equal(again.rho, result.rho, p * sizeof *result.rho);
    assert_memory_equal(again.psi, result.psi, FUNCTIONALS * sizeof *result.psi);
    assert_int_equal(again.evaluations, result.evaluations);
    gradyn_search_result_clear(&again);
    free(before.bytes);
  }
  gradyn_search_result_clear(&result);
  journal_sweep_up(folder);
}

/* Runs with events have no second derivatives: all intervals are divided as long as that decreases the
 * objective. */
TEST(grids_of_motions_with_events_are_divided_everywhere)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&problem, .setting = "event", .value = 1);
  const size_t p = run_initial(ev, rho);
  const gradyn_search search = usual(ev, 2);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  const double n = 4 * (INTERVALS + 1);
  assert_close(result.objective, 6.0 / 8 / (1 - 1 / (n * n)), 1e-8, 0);
  assert_int_equal(gradyn_parameter_count(result.refined), p + 3 * (INTERVALS + 1));
  assert_says(result.reason, "all intervals were divided");
}

TEST(grids_that_cannot_be_refined_are_reported)
{
  /* all knots depend on one parameter; switching times in any order */
  for (int switched = 0; switched < 2; switched++) {
    double rho[NUMBERS];
    LOCAL(gradyn_search_result) result;
    run_local *ev = open_cart(switched ? GRADYN_SWITCHED : GRADYN_PIECEWISE_LINEAR, switched,
                              !switched);
    gradyn_search search = usual(ev, 3);
    run_initial(ev, rho);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    if (!switched)
      assert_close(result.objective, 6.0 / 8, 1e-9, 0);
    assert_null(result.refined);
    assert_says(result.reason, "no signal can have new knots");
  }
}

/* H = -u(0)^2/2 = dJ/dT for the continuous optimum; returns the largest deviation from it. */
static double variation(gradyn_evaluator *ev, const gradyn_search *search,
                        const gradyn_search_result *result)
{
  LOCAL(gradyn_costates) c;
  double most = 0;
  gradyn_evaluator *of = result->refined ? result->refined : ev;
  assert_run(gradyn_search_costates(of, search, result, &c), of);
  for (size_t k = 0; k < c.count; k++)
    most = fmax(most, fabs(c.hamiltonian[k] + 18.0 / 16));
  return most;
}

TEST(hamiltonians_come_nearer_to_a_constant)
{
  double rho[NUMBERS], before = 1;
  LOCAL(gradyn_search_result) result;
  run_local *ev = open_cart(GRADYN_PIECEWISE_CONSTANT, 0, 0);
  run_initial(ev, rho);
  for (long rounds = 0; rounds <= 2; rounds++) {
    const gradyn_search search = usual(ev, rounds);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    const double now = variation(ev, &search, &result);
    assert_true(now < before / 2);
    before = now;
    gradyn_search_result_clear(&result);
  }
  gradyn_evaluator_free(ev);
  ev = open_cart(GRADYN_PIECEWISE_LINEAR, 0, 0);
  const gradyn_search search = usual(ev, 0);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(variation(ev, &search, &result), 0, 0, 1e-6);
}
