/* Parameters on a logarithmic scale: the same search, intervals and profiles as with parameters that are
 * logarithms, of which build() takes the exponential. */
#include "tests/runs.h"

#include "tests/declare.h"
#include "tests/optim/journals.h"
#include <gradyn/inference.h>
#include <gradyn/study.h>

enum { RATE, START, P, DATA = 6 };

static const double times[DATA] = {0, 0.2, 0.4, 0.6, 0.8, 1};
static const double measured[DATA] = {2.1, 1.6, 1.02, 0.77, 0.48, 0.41};

FORMULAS(decay, at->yp[0] + at->data[0] * at->y[0])
FORMULA(amount, at->y[0])

static gradyn_status declare(gradyn_model *model, gradyn_scalar rate, gradyn_scalar start)
{
  gradyn_state(model, "y", "mol", start);
  declare_equations(model, decay, &(gradyn_datum){"k", "1/s", rate}, 1);
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "m", .unit = "mol", .formula = amount});
  declare_fit(model, y,
              &(gradyn_fit_spec){.times = times, .values = measured, .count = DATA, .sigma = 0.1});
  gradyn_constrain(model, gradyn_design_functional(model, "product", "", rate * start), -INFINITY,
                   gradyn_setting_value(model, "bound") / 10.0, 1e-9);
  return gradyn_build_status(model);
}

static gradyn_status build_values(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho[RATE], rho[START]);
}

static gradyn_status build_logarithms(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, cexp(rho[RATE]), rho[START]);
}

#define LOWER 1e-3
#define UPPER 1e2
#define INIT 0.3
/* filled by problems_of(), since log() is not a constant expression */
static gradyn_param logarithms[P] = {{"ln_k", "", .prior = 0.2, .prior_deviation = 0.3, .scale = 1},
                                     {"y0", "mol", .init = 1, .lower = 0, .upper = 10}};
static const gradyn_param values[P] = {{"k", "1/s", .init = INIT, .lower = LOWER, .upper = UPPER,
                                        .logarithmic = true, .prior = 0.2, .prior_deviation = 0.3},
                                       {"y0", "mol", .init = 1, .lower = 0, .upper = 10}};
static const gradyn_setting settings[] = {{"bound", "", 1000, 0, 1000}};
#define DECAY(name, function, list)                                                                \
  PROBLEM(name, function, list, .settings = settings, .setting_count = 1, .t_end = 1,              \
          .rtol = 1e-12, .atol = 1e-13)
static const gradyn_problem problems[2] = {DECAY("logarithms", build_logarithms, logarithms),
                                           DECAY("values", build_values, values)};

static gradyn_evaluator *open_one(int which, int bound)
{
  logarithms[RATE].init = log(INIT);
  logarithms[RATE].lower = log(LOWER);
  logarithms[RATE].upper = log(UPPER);
  return run_with(&problems[which], .method = "explicit", .setting = "bound", .value = bound);
}

static gradyn_search search_of(gradyn_evaluator *ev, const char *algorithm)
{
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.optimality = 1e-9;
  search.ftol = search.xtol = 0;
  return search;
}

/* The bound of 1.2 on k y0 makes the constraint active. */
TEST(a_search_takes_the_same_points)
{
  static const char *const algorithms[] = {"ipopt", "slsqp"};
  for (int k = 0; k < 4; k++) {
    LOCAL(gradyn_search_result) first, second;
    gradyn_search_result *result[] = {&first, &second};
    run_local *one = open_one(0, k % 2 ? 12 : 1000), *other = open_one(1, k % 2 ? 12 : 1000);
    gradyn_evaluator *ev[] = {one, other};
    for (int i = 0; i < 2; i++) {
      double rho[P];
      const gradyn_search search = search_of(ev[i], algorithms[k / 2]);
      (void)run_initial(ev[i], rho);
      assert_ok(gradyn_optimise(ev[i], &search, rho, result[i]), result[i]->reason);
    }
    assert_int_equal(result[1]->termination, result[0]->termination);
    assert_int_equal(result[1]->evaluations, result[0]->evaluations);
    assert_close(log(result[1]->rho[RATE]), result[0]->rho[RATE], 1e-8, 0);
    assert_close(result[1]->rho[START], result[0]->rho[START], 1e-8, 0);
    assert_close(result[1]->objective, result[0]->objective, 1e-10, 0);
    /* gradients in a result are with respect to the parameter itself */
    const size_t nf = gradyn_functional_count(ev[1]);
    FREED double *psi = calloc(nf, sizeof *psi), *gradient = calloc(nf * P, sizeof *gradient);
    assert_run(gradyn_evaluator_gradient(ev[1], result[1]->rho, psi, gradient), ev[1]);
    assert_close_array(result[1]->gradient, gradient, nf * P, 1e-9, 1e-9);
  }
}

TEST(intervals_are_those_of_the_logarithm)
{
  static const double at[2][P] = {{0.4, 1.9}, {0, 1.9}};
  LOCAL(gradyn_inference) first, second;
  gradyn_inference *s[] = {&first, &second};
  const double k = exp(at[0][RATE]);
  for (int i = 0; i < 2; i++) {
    run_local *ev = open_one(i, 1000);
    const gradyn_search search = search_of(ev, "ipopt");
    assert_run(
        gradyn_inference_compute(ev, &search, (double[]){i ? k : at[0][RATE], at[0][START]}, s[i]),
        ev);
  }
  const double expected[] = {k * k * s[0]->covariance[0], k * s[0]->covariance[1],
                             k * s[0]->covariance[2], s[0]->covariance[3]};
  assert_close_array(s[1]->covariance, expected, 4, 1e-8, 0);
  assert_close_array(s[1]->correlation, s[0]->correlation, 4, 1e-8, 0);
  assert_close(s[1]->deviation[RATE], k * s[0]->deviation[RATE], 1e-8, 0);
  assert_close(s[1]->lower[RATE], exp(s[0]->lower[RATE]), 1e-8, 0);
  assert_close(s[1]->upper[RATE], exp(s[0]->upper[RATE]), 1e-8, 0);
  assert_close(s[1]->upper[START], s[0]->upper[START], 1e-8, 0);
  assert_close_array(s[1]->functional_deviation, s[0]->functional_deviation, s[0]->functionals - 1,
                     1e-8, 1e-12);
}

TEST(profiles_are_those_of_the_logarithm)
{
  static const size_t rate = RATE;
  LOCAL(gradyn_profile_result) first, second;
  gradyn_profile_result *out[] = {&first, &second};
  for (int i = 0; i < 2; i++) {
    run_local *ev = open_one(i, 1000);
    const gradyn_search search = search_of(ev, "ipopt");
    double rho[P];
    char *folder = journal_folder();
    (void)run_initial(ev, rho);
    assert_ok(gradyn_profile_compute(ev, &search, &(gradyn_profile_spec){&rate, 1, folder, NULL},
                                     rho, out[i]),
              out[i]->message);
    journal_sweep_up(folder);
  }
  const gradyn_profile *a = out[0]->profile, *b = out[1]->profile;
  assert_int_equal(b->below.count, a->below.count);
  assert_int_equal(b->above.count, a->above.count);
  assert_close(log(b->below.limit), a->below.limit, 1e-7, 0);
  assert_close(log(b->above.limit), a->above.limit, 1e-7, 0);
  for (size_t i = 0; i + 1 < a->above.count; i++) {
    assert_close(log(b->above.point[i].value), a->above.point[i].value, 1e-7, 0);
    assert_close(b->above.point[i].z, a->above.point[i].z, 1e-6, 0);
  }
}

/* The logarithms of random starts are uniformly distributed. */
TEST(many_starts_spread_over_the_logarithm)
{
  LOCAL(gradyn_multistart_result) first, second;
  gradyn_multistart_result *out[] = {&first, &second};
  for (int i = 0; i < 2; i++) {
    run_local *ev = open_one(i, 1000);
    gradyn_search search = search_of(ev, "ipopt");
    double rho[P];
    char *folder = journal_folder();
    (void)run_initial(ev, rho);
    assert_ok(gradyn_multistart(ev, &search,
                                &(gradyn_multistart_spec){.starts = 5, .folder = folder}, rho,
                                out[i]),
              out[i]->message);
    journal_sweep_up(folder);
  }
  double start[2][5];
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 2; k++)
      start[k][out[k]->local[i].start] = out[k]->local[i].start_rho[RATE];
  for (size_t i = 0; i < 5; i++)
    assert_close(log(start[1][i]), start[0][i], 1e-12, 1e-12);
}

TEST(bounds_must_be_positive)
{
  const double lower[] = {0, -1, -INFINITY};
  for (size_t i = 0; i < 3; i++) {
    gradyn_param list[P] = {values[0], values[1]};
    list[RATE].lower = lower[i];
    const gradyn_problem problem = DECAY("wrong", build_values, list);
    assert_no_run(GRADYN_INVALID, "parameter k is on a logarithmic scale, but its lower bound is",
                  .problem = &problem);
  }
}
