/* Normal priors of parameters against normal equations with an additional row for each, alone and with load
 * cases. */
#include "tests/optim/inference/line.h"

#include "tests/declare.h"
#include "tests/optim/journals.h"

enum { A, B, P };

static const double mean[P] = {0.7, 2.6}, deviation[P] = {0, 0.2};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_measure_id y = line_declare(model, rho[A], rho[B], 0);
  declare_fit(model, y,
              &(gradyn_fit_spec){.times = line_times,
                                 .values = line_values,
                                 .count = LINE_DATA,
                                 .sigma = gradyn_setting_value(model, "known") ? line_sigma : 0});
  return gradyn_build_status(model);
}

static const gradyn_param params[P] = {
    {"a", "m", .init = 0.8, .lower = -10, .upper = 10, .per_case = true},
    {"b", "m/s", .init = 1, .lower = -10, .upper = 10, .prior = 2.6, .prior_deviation = 0.2}};
static const gradyn_param both[P] = {
    {"a", "m", .init = 0.8, .lower = -10, .upper = 10, .prior = 0.7, .prior_deviation = 0.05,
     .per_case = true},
    {"b", "m/s", .init = 1, .lower = -10, .upper = 10, .prior = 2.6, .prior_deviation = 0.2}};
static const gradyn_setting settings[] = {{"known", "", 1, 0, 1}};
static const char *const names[] = {"first", "second", "third"};
static const double weights[] = {1, 2, 3};
static const char *const columns[] = {"weight"};
static const gradyn_cases cases = {
    .names = names, .columns = columns, .values = weights, .count = 3, .column_count = 1};
#define LINE(name, list, ...)                                                                      \
  PROBLEM(name, build, list, .settings = settings, .setting_count = 1, .t_end = 1, .rtol = 1e-12,  \
          .atol = 1e-12, __VA_ARGS__)
static const gradyn_problem alone = LINE("alone", params, .cases = NULL),
                            in_cases = LINE("in_cases", both, .cases = &cases);

/* Normal equations of the line with a prior of b: their solution, and its covariance (aa, ab, bb). */
static void solve(double rho[P], double covariance[3])
{
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
  for (int k = 0; k < LINE_DATA; k++) {
    const double w = 1 / (line_sigma * line_sigma), t = line_times[k];
    aa += w;
    ab += w * t;
    bb += w * t * t;
    a += w * line_values[k];
    b += w * t * line_values[k];
  }
  bb += 1 / (deviation[B] * deviation[B]);
  b += mean[B] / (deviation[B] * deviation[B]);
  const double d = aa * bb - ab * ab;
  rho[A] = (bb * a - ab * b) / d;
  rho[B] = (aa * b - ab * a) / d;
  covariance[0] = bb / d;
  covariance[1] = -ab / d;
  covariance[2] = aa / d;
}

static size_t index_of(const gradyn_evaluator *ev, const char *name)
{
  size_t i = 0;
  while (i < gradyn_functional_count(ev) && strcmp(gradyn_functional_at(ev, i).name, name) != 0)
    i++;
  assert_true(i < gradyn_functional_count(ev));
  return i;
}

static gradyn_search search_of(gradyn_evaluator *ev)
{
  gradyn_search search = run_search(ev);
  search.optimality = 1e-10;
  search.ftol = search.xtol = 0;
  return search;
}

TEST(a_prior_is_a_row_of_the_normal_equations)
{
  run_local *ev = run_with(&alone, .method = "explicit");
  const gradyn_search search = search_of(ev);
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_inference) s;
  double rho[P], known[P], C[3], sum = 0;
  solve(known, C);
  (void)run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_string_equal(result.algorithm, "ipopt");
  assert_close_array(result.rho, known, P, 1e-9, 0);
  assert_run(gradyn_inference_compute(ev, &search, result.rho, &s), ev);
  const double expected[] = {C[0], C[1], C[1], C[2]};
  assert_close_array(s.covariance, expected, 4, 1e-9, 0);
  for (int k = 0; k < LINE_DATA; k++) {
    const double u = (known[A] + known[B] * line_times[k] - line_values[k]) / line_sigma;
    sum += u * u / 2;
  }
  const double u = (known[B] - mean[B]) / deviation[B];
  assert_close(s.objective, sum + u * u / 2, 1e-9, 0);
  assert_int_equal(s.data, LINE_DATA + 1);
  assert_int_equal(s.fits, 2);
  const size_t prior = index_of(ev, "prior.b"), row = index_of(ev, "prior.b[0]");
  assert_close(s.u[row], u, 1e-8, 0);
  assert_close(result.psi[prior], u * u / 2, 1e-8, 0);
  const gradyn_functional_info info = gradyn_functional_at(ev, row);
  assert_string_equal(info.measure, "b");
  assert_close(info.value, mean[B], 0, 0);
  assert_close(info.deviation, deviation[B], 0, 0);
}

TEST(a_profile_has_the_deviation_with_the_prior)
{
  static const size_t slope = B;
  run_local *ev = run_with(&alone, .method = "explicit");
  const gradyn_search search = search_of(ev);
  LOCAL(gradyn_profile_result) out;
  double rho[P], known[P], C[3];
  char *folder = journal_folder();
  solve(known, C);
  (void)run_initial(ev, rho);
  assert_ok(gradyn_profile_compute(ev, &search, &(gradyn_profile_spec){&slope, 1, folder, NULL},
                                   rho, &out),
            out.message);
  const double half = 1.959963984540054 * sqrt(C[2]);
  assert_close(out.profile->above.limit, known[B] + half, 1e-5, 0);
  assert_close(out.profile->below.limit, known[B] - half, 1e-5, 0);
  journal_sweep_up(folder);
}

/* The gradient by both sensitivities; also if a parameter with a prior is fixed. */
TEST(both_routes_differentiate_priors)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(&alone, .method = "explicit", .sensitivity = routes[k]);
    const size_t nf = gradyn_functional_count(ev), prior = index_of(ev, "prior.b");
    FREED double *psi = calloc(nf, sizeof *psi), *gradient = calloc(nf * P, sizeof *gradient);
    assert_run(gradyn_evaluator_gradient(ev, (double[]){0.8, 1.1}, psi, gradient), ev);
    assert_close(gradient[prior * P + A], 0, 0, 0);
    assert_close(gradient[prior * P + B], (1.1 - mean[B]) / (0.2 * 0.2), 1e-14, 0);
  }
}

/* Three cases with the weights 1, 2, 3. The prior of the shared slope counts once, with its own weight;
 * priors of the initial values count in their cases. */
TEST(priors_of_shared_parameters_count_once)
{
  static const char *const over[] = {"sum", "mean", "largest", "deviation:0.5"};
  static const double rho[] = {2.2, 0.8, 0.9, 1.0};
  for (int how = 0; how < 4; how++) {
    OWNED(gradyn_evaluator) *ev = NULL;
    gradyn_options options = run_options(&in_cases);
    options.over_cases = over[how];
    assert_run(gradyn_evaluator_create(&in_cases, &options, NULL, 0, &ev), ev);
    assert_int_equal(gradyn_parameter_count(ev), 4);
    const size_t nf = gradyn_functional_count(ev);
    FREED double *psi = calloc(nf, sizeof *psi), *gradient = calloc(nf * 4, sizeof *gradient);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    double sum = 0, slope = 0;
    size_t terms = 0;
    for (size_t i = 0; i < nf; i++) {
      const gradyn_functional_info info = gradyn_functional_at(ev, i);
      if (strncmp(info.name, "prior.", 6) == 0 && info.use != GRADYN_RESIDUAL) {
        assert_int_equal(info.use, GRADYN_OBJECTIVE);
        sum += info.weight * psi[i];
        slope += info.weight * gradient[i * 4];
        terms++;
      } else if (info.use == GRADYN_RESIDUAL) { /* a residual belongs to the fit of its measure */
        const bool prior = strncmp(gradyn_functional_at(ev, info.fit).name, "prior.", 6) == 0;
        assert_int_equal(prior, *info.measure != 'y');
      }
    }
    double expected = (2.2 - 2.6) * (2.2 - 2.6) / (0.2 * 0.2) / 2;
    for (int k = 0; k < 3; k++)
      expected += (rho[1 + k] - 0.7) * (rho[1 + k] - 0.7) / (0.05 * 0.05) / 2;
    assert_int_equal(terms, 4);
    assert_close(sum, expected, 1e-13, 0);
    assert_close(slope, (2.2 - 2.6) / (0.2 * 0.2), 1e-13, 0);
    (void)index_of(ev, "prior.b");
    (void)index_of(ev, "prior.a@third");
  }
}

TEST(wrong_priors_are_refused_by_name)
{
  static const struct {
    double mean, deviation;
  } wrong[] = {{1, 0}, {1, -1}, {1, NAN}, {NAN, 1}, {INFINITY, 1}, {0, INFINITY}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    gradyn_param list[P] = {params[0], params[1]};
    list[B].prior = wrong[k].mean;
    list[B].prior_deviation = wrong[k].deviation;
    const gradyn_problem problem = LINE("wrong", list, .cases = NULL);
    assert_no_run(GRADYN_INVALID, "the prior of parameter b has the mean", .problem = &problem);
  }
  assert_no_run(GRADYN_INVALID,
                "parameter b has a prior, but fit fit has neither sigma nor deviations",
                .problem = &alone, .setting = "known", .value = 0);
}
