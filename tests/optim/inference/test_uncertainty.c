/* Uncertainty of functionals: moments in closed form, indices of published functions, sensitivities,
 * workers, bad input. */
#include "tests/optim/inference/uncertain.h"

#include <complex.h>

#include "tests/declare.h"
#include "tests/optim/journals.h"

static const gradyn_uncertainty_spec expanded = {.second = true, .unscented = true};

static void check_moments(const gradyn_uncertainty *u)
{
  for (int k = 0; k < SUMS_F; k++) {
    const gradyn_moments exact = uncertain_second(k);
    assert_close(u->moments[GRADYN_MOMENTS_SECOND][k].mean, exact.mean, 1e-8, 0);
    assert_close(u->moments[GRADYN_MOMENTS_SECOND][k].variance, exact.variance, 1e-8, 0);
    assert_close(u->moments[GRADYN_MOMENTS_UNSCENTED][k].mean, exact.mean, 1e-10, 0);
  }
  /* to first order the mean is the value; for the linear functional this is exact */
  const gradyn_moments *first = u->moments[GRADYN_MOMENTS_FIRST];
  assert_close(first[QUADRATIC].mean, u->value[QUADRATIC], 0, 0);
  assert_close(first[LINEAR].variance, uncertain_second(LINEAR).variance, 1e-10, 0);
  assert_close(u->moments[GRADYN_MOMENTS_UNSCENTED][LINEAR].variance, first[LINEAR].variance, 1e-10,
               0);
  for (int k = 0; k < SUMS_F; k++) {
    double sum = 0;
    for (size_t i = 0; i < u->count; i++)
      sum += pow(u->change[(size_t)k * u->count + i], 2);
    assert_close(sum, first[k].variance, 1e-12, 0);
  }
}

TEST(moments_of_quadratics_are_those_of_the_closed_form_on_all_routes)
{
  static const char *const methods[] = {"explicit", "radau"}, *const routes[] = {"adjoint",
                                                                                 "direct"};
  for (int i = 0; i < 4; i++) {
    LOCAL(gradyn_uncertainty) u;
    run_local *ev = run_with(.problem = &uncertain_sums, .method = methods[i / 2],
                             .sensitivity = routes[i % 2]);
    assert_ok(uncertain_compute(ev, expanded, &u), u.message);
    assert_string_equal(u.unsupported, "");
    check_moments(&u);
  }
}

TEST(numbers_are_described)
{
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &uncertain_sums);
  assert_ok(uncertain_compute(ev, expanded, &u), u.message);
  static const char *const name[] = {"p", "b", "c"};
  static const double mean[] = {1, 0.3, -0.4}, deviation[] = {0.1, 0.2, 0.28867513459481287};
  assert_int_equal(u.count, SUMS_N);
  for (size_t i = 0; i < u.count; i++) {
    assert_string_equal(u.number[i].name, name[i]);
    assert_string_equal(u.number[i].unit, "m/s");
    assert_int_equal(u.number[i].distribution, i < 2 ? GRADYN_NORMAL : GRADYN_UNIFORM);
    assert_close(u.number[i].mean, mean[i], 1e-15, 0);
    assert_close(u.number[i].deviation, deviation[i], 1e-15, 0);
  }
}

TEST(second_order_that_a_method_lacks_is_reported_and_the_rest_is_there)
{
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &uncertain_sums, .method = "idas");
  assert_ok(uncertain_compute(ev, expanded, &u), u.message);
  assert_says(u.unsupported, "idas");
  assert_true(isnan(u.moments[GRADYN_MOMENTS_SECOND][QUADRATIC].mean));
  assert_close(u.moments[GRADYN_MOMENTS_UNSCENTED][QUADRATIC].mean,
               uncertain_second(QUADRATIC).mean, 1e-8, 0);
}

/* With draws, the moments of the quadratic functional agree within five standard errors, which are small. */
static void check_sampled(bool random, double largest)
{
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &uncertain_sums, .method = "explicit");
  assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.points = 4001, .random = random}, &u),
            u.message);
  assert_int_equal(u.points, 4008);
  assert_int_equal(u.evaluations, 4008);
  for (int k = 0; k < SUMS_F; k++) {
    const gradyn_moments exact = uncertain_second(k), m = u.moments[GRADYN_MOMENTS_SAMPLED][k];
    assert_close(m.mean, exact.mean, 0, 5 * m.mean_error);
    assert_close(m.variance, exact.variance, 0, 5 * m.variance_error);
    assert_true(m.mean_error > 0 && m.mean_error < largest * sqrt(exact.variance));
    assert_true(m.variance_error > 0 && m.variance_error < 4 * largest * exact.variance);
  }
}

TEST(draws_have_the_moments_within_their_errors)
{
  check_sampled(true, 4 / sqrt(4008)); /* expected error of the mean: 1/sqrt(4008) */
  check_sampled(false, 0.1 / sqrt(4008));
}

/* --- objects, workers and resuming -------------------------------------------------------------- */

static const gradyn_uncertainty_spec all_of_it = {
    .second = true, .unscented = true, .points = 64, .indices = true, .seed = 3};

TEST(used_objects_and_all_workers_have_the_same_bits)
{
  LOCAL(gradyn_uncertainty) fresh;
  run_local *ev = run_with(.problem = &uncertain_sums, .method = "explicit");
  double rho[SUMS_P], psi[SUMS_F];
  assert_ok(uncertain_compute(ev, all_of_it, &fresh), fresh.message);
  assert_int_equal(fresh.evaluations, 6 + 64 * 5);
  (void)run_initial(ev, rho);
  rho[0] = 2;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  for (size_t jobs = 1; jobs <= 3; jobs++) {
    LOCAL(gradyn_uncertainty) again;
    gradyn_uncertainty_spec spec = all_of_it;
    spec.workers = &(gradyn_workers){.jobs = jobs};
    assert_ok(uncertain_compute(ev, spec, &again), again.message);
    uncertain_equal(&fresh, &again);
  }
  /* the evaluator gives the same results as before */
  rho[0] = 1;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_close(psi[QUADRATIC], fresh.value[QUADRATIC], 1e-12, 0);
}

/* Stops after some evaluations. */
static bool go_on(void *user)
{
  int *left = user;
  return --*left > 0;
}

TEST(work_that_was_stopped_goes_on_with_the_same_bits)
{
  LOCAL(gradyn_uncertainty) whole;
  run_local *ev = run_with(.problem = &uncertain_sums, .method = "explicit");
  double rho[SUMS_P];
  int left;
  char *folder = journal_folder();
  (void)run_initial(ev, rho);
  assert_ok(uncertain_compute(ev, all_of_it, &whole), whole.message);
  gradyn_uncertainty_spec spec = all_of_it;
  spec.folder = folder;
  spec.workers = &(gradyn_workers){.go_on = go_on, .user = &left};
  gradyn_status status = GRADYN_INTERRUPTED;
  for (int calls = 0; calls < 10 && status == GRADYN_INTERRUPTED; calls++) {
    LOCAL(gradyn_uncertainty) part;
    left = 100 * (calls + 1);
    status = gradyn_uncertainty_compute(ev, &spec, rho, &part);
    assert_true(status == GRADYN_OK || part.missing > 0);
    assert_true(status == GRADYN_OK || isnan(part.moments[GRADYN_MOMENTS_SAMPLED][0].mean));
    if (status == GRADYN_OK) {
      assert_true(calls > 1);
      uncertain_equal(&whole, &part);
    }
  }
  assert_int_equal(status, GRADYN_OK);
  journal_sweep_up(folder);
}

/* --- bad input --------------------------------------------------------------------------------- */

TEST(wrong_declarations_are_named)
{
  static const struct {
    int fault;
    const char *says;
  } wrong[] = {
      {SUMS_UNKNOWN, "uncertain number pp: neither a parameter nor a datum"},
      {SUMS_TWICE, "uncertain number b: declared twice"},
      {SUMS_NO_SPREAD, "uncertain number p: its spread is 0; it must be positive"},
      {SUMS_NAN, "uncertain number p: its spread is nan; it must be positive"},
      {SUMS_KIND, "uncertain number p: distribution 7 does not exist"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(wrong); i++)
    assert_no_run(GRADYN_INVALID, wrong[i].says, .problem = &uncertain_sums, .setting = "fault",
                  .value = wrong[i].fault);
}

static void refuse(gradyn_evaluator *ev, gradyn_uncertainty_spec spec, const char *says)
{
  LOCAL(gradyn_uncertainty) u;
  assert_int_equal(uncertain_compute(ev, spec, &u), GRADYN_INVALID);
  assert_says(u.message, says);
}

TEST(wrong_requests_are_refused)
{
  run_local *ev = run_with(.problem = &uncertain_sums);
  run_local *none = run_with(.problem = &uncertain_sums, .setting = "fault", .value = SUMS_NONE);
  double rho[SUMS_P] = {1, (double)NAN};
  LOCAL(gradyn_uncertainty) u;
  refuse(none, (gradyn_uncertainty_spec){0}, "problem sums: no number is uncertain");
  refuse(ev, (gradyn_uncertainty_spec){.points = 15}, "15 points; at least 16");
  refuse(ev, (gradyn_uncertainty_spec){.indices = true}, "indices need draws");
  refuse(ev, (gradyn_uncertainty_spec){.points = 50000000}, "Take fewer points");
  assert_int_equal(
      gradyn_uncertainty_compute(ev, &(gradyn_uncertainty_spec){.unscented = true}, rho, &u),
      GRADYN_INVALID);
  assert_says(u.message, "no folder is given");
  gradyn_uncertainty_clear(&u);
  assert_int_equal(gradyn_uncertainty_compute(ev, &(gradyn_uncertainty_spec){0}, rho, &u),
                   GRADYN_INVALID);
  assert_says(u.message, "parameter q is nan");
  gradyn_uncertainty_clear(&u);
  assert_int_equal(gradyn_uncertainty_compute(ev, NULL, rho, &u), GRADYN_INVALID);
  gradyn_uncertainty_clear(&u);
  assert_int_equal(gradyn_uncertainty_compute(ev, &(gradyn_uncertainty_spec){0}, rho, NULL),
                   GRADYN_INVALID);
  gradyn_uncertainty_clear(NULL);
}

/* c is uniform on -0.9 to 0.1; for c > 0 the run fails. */
TEST(failed_draws_are_counted_and_the_first_is_named)
{
  LOCAL(gradyn_uncertainty) u;
  run_local *ev = run_with(.problem = &uncertain_sums, .setting = "fault", .value = SUMS_STEEP);
  assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.points = 1024}, &u), u.message);
  assert_true(u.failed >= 100 && u.failed <= 105);
  assert_says(u.failure, "draw ");
  assert_says(u.failure, "c = 0.0");
  assert_int_equal(u.missing, 0);
  /* of the successful runs, c has the mean -0.45 */
  assert_close(u.moments[GRADYN_MOMENTS_SAMPLED][LINEAR].mean, 1.5 - 0.6 - 4 * 0.45, 0, 5e-3);
  gradyn_uncertainty_clear(&u);
  /* for a uniform variable, sqrt(3 v) is half of its range: the point is at 0.1 */
  assert_ok(uncertain_compute(ev, (gradyn_uncertainty_spec){.unscented = true}, &u), u.message);
  assert_int_equal(u.failed, 1);
  assert_says(u.failure, "unscented point 5 (p = 1 m/s, b = 0.3 m/s, c = 0.1 m/s)");
  assert_true(isnan(u.moments[GRADYN_MOMENTS_UNSCENTED][LINEAR].mean));
}
