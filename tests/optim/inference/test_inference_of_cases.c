/* Inference over experiments as load cases: the same as by one model with all data. */
#include "tests/runs.h"

#include "tests/declare.h"
#include "tests/optim/journals.h"
#include <gradyn/inference.h>

enum { DATA = 5, EXPERIMENTS = 2, P = 1 + EXPERIMENTS, F = EXPERIMENTS * (DATA + 1) };

static const double times[DATA] = {0, 0.2, 0.5, 0.7, 1};
static const double measured[EXPERIMENTS][DATA] = {{1.1, 0.9, 0.62, 0.5, 0.4},
                                                   {2.2, 1.7, 1.3, 0.9, 0.8}};

FORMULA(first_state, at->y[0])
FORMULA(second_state, at->y[1])

/* y' = -k y */
static gradyn_status decay(const gradyn_at *at, gradyn_scalar F_[])
{
  for (int i = 0; i < at->states; i++)
    F_[i] = at->yp[i] + at->data[0] * at->y[i];
  return GRADYN_OK;
}

/* Declares experiments `first` to `end`, with the initial values rho[1], rho[2]. */
static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[], int first, int end)
{
  for (int i = first; i < end; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "m", rho[1 + i - first]);
  declare_equations(model, decay, &(gradyn_datum){"k", "1/s", rho[0]}, 1);
  for (int i = first; i < end; i++) {
    const gradyn_measure_id y = gradyn_measure_custom(
        model, &(gradyn_custom_measure_spec){.name = gradyn_format_name(model, "m%d", i),
                                             .unit = "m",
                                             .formula = i == first ? first_state : second_state});
    gradyn_minimise(
        model,
        gradyn_fit(model, gradyn_format_name(model, "fit%d", i), y,
                   &(gradyn_fit_spec){.times = times, .values = measured[i], .count = DATA}),
        1);
  }
  return gradyn_build_status(model);
}

static gradyn_status build_together(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, 0, EXPERIMENTS);
}

static gradyn_status build_apart(gradyn_model *model, const gradyn_scalar rho[])
{
  const int i = (int)gradyn_case_value(model, "experiment", 0);
  return declare(model, rho, i, i + 1);
}

static const gradyn_param of_all[] = {{"k", "1/s", .init = 0.8, .lower = 0, .upper = 10},
                                      {"start0", "m", .init = 1, .lower = 0, .upper = 10},
                                      {"start1", "m", .init = 2, .lower = 0, .upper = 10}},
                          of_one[] = {
                              {"k", "1/s", .init = 0.8, .lower = 0, .upper = 10},
                              {"start", "m", .init = 1, .lower = 0, .upper = 10, .per_case = true}};
static const char *const names[EXPERIMENTS] = {"first", "second"};
static const char *const columns[] = {"experiment", "start"};
static const double values[] = {0, 1, 1, 2};
static const gradyn_cases cases = {
    .names = names, .columns = columns, .values = values, .count = EXPERIMENTS, .column_count = 2};
static const gradyn_problem problems[] = {
    PROBLEM("together", build_together, of_all, .t_end = 1, .rtol = 1e-11, .atol = 1e-13),
    PROBLEM("apart", build_apart, of_one, .t_end = 1, .rtol = 1e-11, .atol = 1e-13,
            .cases = &cases)};

static gradyn_search search_of(gradyn_evaluator *ev)
{
  gradyn_search search = run_search(ev);
  search.optimality = 1e-10;
  search.ftol = 0;
  search.xtol = 0;
  return search;
}

TEST(covariances_are_those_of_one_model)
{
  static const double rho[P] = {0.97, 1.06,
                                2.12}; /* not at the optimum, so that all terms matter */
  LOCAL(gradyn_inference) together, apart;
  gradyn_inference *out[] = {&together, &apart};
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(&problems[k], .method = "explicit");
    const gradyn_search search = search_of(ev);
    assert_run(gradyn_inference_compute(ev, &search, rho, out[k]), ev);
  }
  assert_int_equal(apart.data, EXPERIMENTS * DATA);
  assert_int_equal(apart.estimated, P);
  assert_int_equal(apart.fits, EXPERIMENTS);
  assert_close(apart.variance, together.variance, 1e-9, 0);
  assert_close_array(apart.covariance, together.covariance, P * P, 1e-8, 0);
  for (size_t i = 0; i < EXPERIMENTS; i++) {
    const gradyn_residual_tests *a = &apart.tests[i], *b = &together.tests[i];
    assert_close(a->square_sum, b->square_sum, 1e-9, 0);
    assert_close(a->correlation, b->correlation, 1e-8, 1e-10);
    assert_close(apart.functional_deviation[a->fit], together.functional_deviation[b->fit], 1e-8,
                 1e-12);
  }
}

/* Profile of k. */
static void profile(gradyn_evaluator *ev, const gradyn_workers *workers, gradyn_profile_result *out)
{
  static const size_t rate = 0;
  const gradyn_search search = search_of(ev);
  char *folder = journal_folder();
  double rho[P];
  (void)run_initial(ev, rho);
  assert_ok(gradyn_profile_compute(ev, &search, &(gradyn_profile_spec){&rate, 1, folder, workers},
                                   rho, out),
            out->message);
  journal_sweep_up(folder);
}

TEST(profiles_are_those_of_one_model_by_any_number_of_workers)
{
  LOCAL(gradyn_profile_result) together, apart, shared;
  run_local *all = run_with(&problems[0], .method = "explicit"),
            *one = run_with(&problems[1], .method = "explicit");
  profile(all, NULL, &together);
  profile(one, NULL, &apart);
  profile(one, &(gradyn_workers){.jobs = 3}, &shared);
  assert_close_array(apart.rho, together.rho, P, 1e-8, 0);
  const gradyn_profile *a = apart.profile, *b = together.profile, *c = shared.profile;
  assert_int_equal(a->below.end, GRADYN_PROFILE_CLOSED);
  assert_int_equal(a->above.end, GRADYN_PROFILE_CLOSED);
  assert_close(a->below.limit, b->below.limit, 1e-5, 0);
  assert_close(a->above.limit, b->above.limit, 1e-5, 0);
  assert_memory_equal(&c->below.limit, &a->below.limit, sizeof a->below.limit);
  assert_memory_equal(&c->above.limit, &a->above.limit, sizeof a->above.limit);
}
