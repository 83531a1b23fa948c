/* Profiles of a straight line against closed forms, and of boehm-stat5 against searches by another
 * algorithm. */
#include "tests/optim/inference/line.h"

#include "tests/optim/journals.h"

/* Computes profiles of parameters [count] in a new folder. */
static gradyn_status profile(gradyn_evaluator *ev, const gradyn_search *search,
                             const size_t parameter[], size_t count, const char *folder,
                             const gradyn_workers *workers, gradyn_profile_result *out)
{
  double rho[16];
  (void)run_initial(ev, rho);
  return gradyn_profile_compute(
      ev, search, &(gradyn_profile_spec){parameter, count, folder, workers}, rho, out);
}

/* The same for a line and all free parameters; removes the folder. */
static void of_line(line_kind kind, gradyn_profile_result *out)
{
  run_local *ev = line_open(kind);
  const gradyn_search search = line_search(ev, kind);
  char *folder = journal_folder();
  assert_ok(profile(ev, &search, NULL, 0, folder, NULL, out), out->message);
  journal_sweep_up(folder);
}

static const gradyn_profile *find(const gradyn_profile_result *s, size_t parameter)
{
  size_t k = 0;
  while (k < s->count && s->profile[k].parameter != parameter)
    k++;
  assert_true(k < s->count);
  return &s->profile[k];
}

/* The objective is quadratic: z is linear in the parameter, and the intervals are those of the covariance. */
static void check_quadratic(line_kind kind)
{
  LOCAL(gradyn_profile_result) s;
  LOCAL(gradyn_inference) said;
  run_local *ev = line_open(kind);
  double rho[LINE_P];
  of_line(kind, &s);
  line_infer(ev, kind, rho, &said);
  assert_int_equal(s.count, 2);
  assert_close(s.variance, said.variance, 1e-9, 0);
  assert_close(s.least, s.objective, 1e-12, 0);
  for (size_t k = 0; k < s.count; k++) {
    const size_t j = s.profile[k].parameter;
    const gradyn_profile_side *side[2] = {&s.profile[k].below, &s.profile[k].above};
    assert_close(side[0]->limit, said.lower[j], 0, 1e-5 * said.deviation[j]);
    assert_close(side[1]->limit, said.upper[j], 0, 1e-5 * said.deviation[j]);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(side[i]->end, GRADYN_PROFILE_CLOSED);
      assert_true(side[i]->count >= 4 && side[i]->count <= 8);
      for (size_t m = 0; m < side[i]->count; m++)
        assert_close(side[i]->point[m].z,
                     fabs(side[i]->point[m].value - rho[j]) / said.deviation[j], 1e-5, 0);
    }
  }
}

TEST(profiles_of_quadratics_are_those_of_the_covariance)
{
  check_quadratic((line_kind){.deviation = LINE_GIVEN});
  check_quadratic((line_kind){.deviation = LINE_UNWEIGHTED});
}

/* Excess of the least -ln L over that of the fit, n d + n/2 (exp(-2 d) - 1), where d = ln sigma minus its
 * estimate. */
static double excess(double d)
{
  return LINE_DATA * (d + expm1(-2 * d) / 2);
}

static double root_between(double low, double high, double value)
{
  for (int k = 0; k < 60; k++) {
    const double middle = (low + high) / 2;
    if ((excess(middle) < value) == (fabs(low) < fabs(high)))
      low = middle;
    else
      high = middle;
  }
  return low;
}

TEST(the_profile_of_a_deviation_has_a_closed_form)
{
  LOCAL(gradyn_profile_result) s;
  of_line((line_kind){.deviation = LINE_LIKELIHOOD}, &s);
  assert_int_equal(s.count, 3);
  const gradyn_profile *of = find(&s, LINE_SIGMA);
  const double z = 1.959963984540054, estimate = s.rho[LINE_SIGMA];
  assert_close(s.z_end, z, 1e-14, 0);
  assert_close(of->above.limit - estimate, root_between(0, 3, z * z / 2), 1e-5, 0);
  assert_close(of->below.limit - estimate, root_between(-3, 0, z * z / 2), 1e-5, 0);
  for (size_t k = 0; k < of->below.count; k++)
    assert_close(of->below.point[k].objective - s.objective,
                 excess(of->below.point[k].value - estimate), 1e-5, 1e-8);
}

TEST(open_sides_are_reported)
{
  LOCAL(gradyn_profile_result) s, split;
  of_line((line_kind){.deviation = LINE_GIVEN, .narrow = true}, &s);
  const gradyn_profile *b = find(&s, LINE_B);
  assert_int_equal(b->above.end, GRADYN_PROFILE_AT_BOUND);
  assert_true(isnan(b->above.limit));
  assert_int_equal(b->below.end, GRADYN_PROFILE_CLOSED);
  /* a1 and a2 compensate each other until a1 reaches a bound */
  of_line((line_kind){.deviation = LINE_GIVEN, .split = true}, &split);
  assert_int_equal(find(&split, LINE_A1)->below.end, GRADYN_PROFILE_AT_BOUND);
  assert_int_equal(find(&split, LINE_A1)->above.end, GRADYN_PROFILE_AT_BOUND);
  const gradyn_profile *a2 = find(&split, LINE_A2);
  const double sum = split.rho[LINE_A1] + split.rho[LINE_A2];
  assert_close(a2->below.limit, sum - 10, 0, 0.3);
  assert_close(a2->above.limit, sum + 10, 0, 0.3);
}

static bool questions_left(void *user)
{
  return --*(int *)user > 0;
}

static void assert_same(const gradyn_profile_result *a, const gradyn_profile_result *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->evaluations, b->evaluations);
  for (size_t k = 0; k < a->count; k++) {
    const gradyn_profile_side *x = &a->profile[k].above, *y = &b->profile[k].above;
    assert_int_equal(x->count, y->count);
    assert_memory_equal(&x->limit, &y->limit, sizeof x->limit);
    for (size_t m = 0; m < x->count; m++)
      assert_memory_equal(x->point[m].rho, y->point[m].rho, LINE_P * sizeof(double));
  }
}

THOROUGH_TEST(interrupted_and_by_several_workers_they_are_the_same)
{
  const line_kind kind = {.deviation = LINE_LIKELIHOOD};
  run_local *ev = line_open(kind);
  const gradyn_search search = line_search(ev, kind);
  LOCAL(gradyn_profile_result) alone;
  of_line(kind, &alone);
  for (int questions = 3; questions < 200; questions += 90) {
    char *folder = journal_folder();
    int left = questions;
    const gradyn_workers few = {.go_on = questions_left, .user = &left}, many = {.jobs = 3};
    LOCAL(gradyn_profile_result) part = {0}, other = {0};
    assert_status(profile(ev, &search, NULL, 0, folder, &few, &part), GRADYN_INTERRUPTED,
                  part.message);
    assert_ok(profile(ev, &search, NULL, 0, folder, &many, &other), other.message);
    assert_same(&alone, &other);
    journal_sweep_up(folder);
  }
}

static bool cancelled(void *left)
{
  return --*(int *)left < 0;
}

/* If the caller cancels, the library adds no message, in any part of the computation. */
TEST(an_interruption_has_no_message_of_its_own)
{
  const line_kind kind = {.deviation = LINE_GIVEN};
  double variance = NAN;
  for (int calls = 0; isnan(variance); calls += 1 + calls / 16) {
    int left = calls;
    run_local *ev = line_cancelled(kind, cancelled, &left);
    const gradyn_search search = line_search(ev, kind);
    LOCAL(gradyn_profile_result) s = {0};
    char *folder = journal_folder();
    assert_status(profile(ev, &search, NULL, 0, folder, NULL, &s), GRADYN_INTERRUPTED, s.message);
    assert_string_equal(s.message, "");
    journal_sweep_up(folder);
    variance = s.variance;
  }
}

TEST(a_single_parameter_needs_no_search)
{
  const line_kind kind = {.deviation = LINE_GIVEN};
  static const bool only[LINE_P] = {[LINE_B] = true};
  run_local *ev = line_open(kind);
  gradyn_search search = line_search(ev, kind);
  LOCAL(gradyn_profile_result) s;
  search.vary = only;
  char *folder = journal_folder();
  assert_ok(profile(ev, &search, NULL, 0, folder, NULL, &s), s.message);
  journal_sweep_up(folder);
  double square = 0;
  for (int k = 0; k < LINE_DATA; k++)
    square += line_times[k] * line_times[k];
  assert_close(s.profile[0].above.limit - s.rho[LINE_B],
               1.959963984540054 * line_sigma / sqrt(square), 1e-5, 0);
}

extern const gradyn_problem gradyn_problem_boehm_stat5;
enum { K_IMP_HOMO = 4, BOEHM_P = 9, STARTS = 3 };

/* The least objective with k_imp_homo fixed, by lbfgs from points near the fit. */
static double least_beside(gradyn_evaluator *ev, const double fit[], double value)
{
  static const bool others[BOEHM_P] = {true, true, true, true, false, true, true, true, true};
  gradyn_search search = run_search(ev);
  double least = HUGE_VAL;
  search.algorithm = "lbfgs";
  search.optimality = 1e-7;
  search.vary = others;
  for (int k = 0; k < STARTS; k++) {
    LOCAL(gradyn_search_result) result;
    double rho[BOEHM_P];
    for (int j = 0; j < BOEHM_P; j++)
      rho[j] = fmax(-5, fmin(5, fit[j] + 0.3 * k * sin(3 * j + k)));
    rho[K_IMP_HOMO] = value;
    (void)gradyn_optimise(ev, &search, rho, &result); /* may end nearly optimal */
    assert_non_null(result.rho);
    least = fmin(least, result.objective);
  }
  return least;
}

/* The data of boehm-stat5 bound k_imp_homo on one side only. */
THOROUGH_TEST(a_side_ends_where_searches_by_another_algorithm_find_its_end)
{
  run_local *ev = run_with(.problem = &gradyn_problem_boehm_stat5);
  const gradyn_search search = run_search(ev);
  const gradyn_workers two = {.jobs = 2};
  const size_t parameter = K_IMP_HOMO;
  LOCAL(gradyn_profile_result) s;
  char *folder = journal_folder();
  assert_ok(profile(ev, &search, &parameter, 1, folder, &two, &s), s.message);
  journal_sweep_up(folder);
  assert_int_equal(s.profile->above.end, GRADYN_PROFILE_AT_BOUND);
  assert_int_equal(s.profile->below.end, GRADYN_PROFILE_CLOSED);
  const double least = least_beside(ev, s.rho, s.profile->below.limit);
  assert_close(sqrt(2 * (least - s.objective)), s.z_end, 1e-4, 0);
}

TEST(wrong_arguments_are_named)
{
  const line_kind kind = {.deviation = LINE_GIVEN};
  run_local *ev = line_open(kind);
  gradyn_search search = line_search(ev, kind);
  LOCAL(gradyn_profile_result) s = {0};
  const size_t fixed = LINE_A2, none = 7;
  assert_status(profile(ev, &search, &fixed, 1, ".", NULL, &s), GRADYN_INVALID, s.message);
  assert_non_null(strstr(s.message, "parameter a2: it is not free"));
  gradyn_profile_result_clear(&s);
  assert_status(profile(ev, &search, &none, 1, ".", NULL, &s), GRADYN_INVALID, s.message);
  gradyn_profile_result_clear(&s);
  assert_status(profile(ev, &search, NULL, 0, NULL, NULL, &s), GRADYN_INVALID, s.message);
  assert_non_null(strstr(s.message, "need a folder"));
  const gradyn_workers part = {.shards = 2};
  assert_status(profile(ev, &search, NULL, 0, ".", &part, &s), GRADYN_UNSUPPORTED, s.message);
  search.objective = "fit[2]";
  assert_status(profile(ev, &search, NULL, 0, ".", NULL, &s), GRADYN_UNSUPPORTED, s.message);
  gradyn_profile_result_clear(NULL);
}
