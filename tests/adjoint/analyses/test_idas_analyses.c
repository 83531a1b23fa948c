/* Analyses by idas are as accurate as requested, or a warning states their error. */
#include "problems/builtin.h"
#include "tests/runs.h"

enum { MOST = 64, TIMES = 3, NUMBERS = TIMES * 400 };

typedef struct run {
  const gradyn_problem *problem;
  double t_end; /* s, shorter than the problem's; 0: the problem's end time */
  bool slow;    /* takes seconds */
} run;

static const run runs[] = {
    {&gradyn_problem_five_bar, 0, false},           {&gradyn_problem_cart_pole, 0, true},
    {&gradyn_problem_double_integrator, 0, false},  {&gradyn_problem_stick_slip, 0, false},
    {&gradyn_problem_inverted_pendulum, 0.2, true}, {&gradyn_problem_van_der_pol, 0, false},
    {&gradyn_problem_bryson_denham, 0, false}};

/* Sensitivities of the states at some times to each parameter, and standard deviations of functionals. */
typedef struct found {
  size_t states, parameters, functionals;
  double dy[NUMBERS * MOST], deviation[MOST];
  bool warned[2];
} found;

static void find_sensitivities(gradyn_evaluator *ev, const double rho[], double end, found *out)
{
  static double y[NUMBERS];
  const double t[TIMES] = {0.31 * end, 0.67 * end, 0.97 * end};
  out->states = (size_t)ev->model->ops->state_count(ev->model);
  assert_true(TIMES * out->states <= NUMBERS && out->parameters <= MOST);
  assert_run(gradyn_sensitivities_compute(ev, rho, t, TIMES, y, out->dy), ev);
  out->warned[0] = *gradyn_evaluator_warnings(ev) != '\0';
}

/* Parameters are independent, with a standard deviation of a hundredth of their size. */
static void find_covariance(gradyn_evaluator *ev, const double rho[], found *out)
{
  static double C[MOST * MOST];
  const char *name[MOST];
  LOCAL(gradyn_covariance) c = {0};
  memset(C, 0, sizeof C);
  for (size_t j = 0; j < out->parameters; j++) {
    const gradyn_parameter_info info = gradyn_parameter_at(ev, j);
    name[j] = info.name;
    C[j * out->parameters + j] = 1e-4 * (info.scale > 0 ? info.scale * info.scale : 1);
  }
  const gradyn_covariance_spec spec = {
      .name = name, .count = out->parameters, .matrix = C, .samples = 1};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &c), ev);
  out->functionals = c.functionals;
  for (size_t f = 0; f < c.functionals; f++)
    out->deviation[f] = c.deviation[f];
  out->warned[1] = *gradyn_evaluator_warnings(ev) != '\0';
}

static void find(const run *r, const char *method, double rtol, found *out)
{
  double rho[MOST];
  run_local *ev = run_with(r->problem, .method = method, .rtol = rtol, .step = -1,
                           .t_end = r->t_end);
  out->parameters = run_initial(ev, rho);
  find_sensitivities(ev, rho, gradyn_evaluator_model_info(ev).t_end, out);
  find_covariance(ev, rho, out);
}

/* The largest error in a column, relative to its largest entry. */
static double column_error(const found *a, const found *exact, size_t j)
{
  double worst = 0, most = 0;
  for (size_t k = 0; k < TIMES * a->states; k++) {
    const double number = exact->dy[k * a->parameters + j];
    most = fmax(most, fabs(number));
    worst = fmax(worst, fabs(a->dy[k * a->parameters + j] - number));
  }
  return most > 0 ? worst / most : worst;
}

/* A ball whose parabolas are integrated exactly with steps of any length. Its derivatives with respect to
 * the drag are not. */
TEST(derivatives_of_motions_without_an_error_have_steps_of_their_own)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  static const double rtols[] = {1e-4, 1e-6, 1e-8};
  static found a, exact;
  const run ball = {&gradyn_problem_bouncing_ball, 0, false};
  find(&ball, "radau", 1e-12, &exact);
  for (size_t k = 0; k < GRADYN_COUNT(methods) * GRADYN_COUNT(rtols); k++) {
    const char *method = methods[k % GRADYN_COUNT(methods)];
    const double rtol = rtols[k / GRADYN_COUNT(methods)];
    double error = 0;
    find(&ball, method, rtol, &a);
    for (size_t j = 0; j < a.parameters; j++)
      error = fmax(error, column_error(&a, &exact, j));
    for (size_t f = 0; f < a.functionals; f++)
      error = fmax(error, fabs(a.deviation[f] / exact.deviation[f] - 1));
    if (error > 3 * rtol)
      fail_msg("%s at %.0e: off by %.2e", method, rtol, error);
    assert_false(a.warned[0] || a.warned[1]);
  }
}

THOROUGH_TEST(errors_are_within_the_request_or_reported)
{
  static const double rtols[] = {1e-4, 1e-6, 1e-8};
  static const double missed = 3;
  static found a, exact;
  int off = 0, told = 0, all = 0;
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    if (runs[i].slow && !support_thorough())
      continue;
    find(&runs[i], "explicit", 1e-12, &exact);
    for (size_t n = 0; n < GRADYN_COUNT(rtols); n++) {
      const double rtol = rtols[n];
      double error[2] = {0, 0};
      if (!support_takes((int)(i + n), 3))
        continue;
      find(&runs[i], "idas", rtol, &a);
      for (size_t j = 0; j < a.parameters; j++)
        error[0] = fmax(error[0], column_error(&a, &exact, j));
      for (size_t f = 0; f < a.functionals; f++)
        error[1] = fmax(error[1], fabs(a.deviation[f] - exact.deviation[f]) /
                                      (fabs(exact.deviation[f]) * sqrt((double)a.parameters)));
      for (int k = 0; k < 2; k++) {
        all++;
        told += a.warned[k];
        off += error[k] > missed * rtol && !a.warned[k];
        if (error[k] > missed * rtol)
          print_message("%s at %.0e: %s off by %.1f%s\n", runs[i].problem->name, rtol,
                        k ? "covariance" : "sensitivities", error[k] / rtol,
                        a.warned[k] ? ", told" : "");
      }
    }
  }
  print_message("%d of %d off, %d told\n", off, all, told);
  assert_int_equal(off, 0);
}
