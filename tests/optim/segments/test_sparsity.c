/* The parameters that act in a segment are those that change a bit of its results if all knots are data.
 * Storage grows linearly with the number of segments. */
#include "tests/optim/segments/chained.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include "optim/segments/sparsity.h"

enum { X0, STIFF, TIME, SHARED, U, KNOTS = 9, PARAMETERS = U + 4 * KNOTS, MOST = 64 };

static const gradyn_param params[] = {
    {"x0", "m", .init = 0.4, GRADYN_UNBOUNDED},
    {"stiffness", "1/s^2", .init = 1.2, GRADYN_UNBOUNDED},
    {"time", "s", .init = 1.7, .lower = 0.1, .upper = 9},
    {"shared", "N", .init = 0.2, GRADYN_UNBOUNDED},
    {"u", "N", .count = 4 * KNOTS, .init = 0.3, GRADYN_UNBOUNDED, .init_end = -0.5, .ramp = true}};

/* Whether the end time, times of knots, and two knots together depend on parameters; whether there is a
 * spline; whether a knot depends on another parameter for x0 > 2; whether a signal has a delay of 0.3 s. */
static const gradyn_setting settings[] = {{"free_end", "", 0, 0, 1},
                                          {"moving", "", 0, 0, 1},
                                          {"spline", "", 0, 0, 1},
                                          {"growing", "", 0, 0, 1},
                                          {"delayed", "", 0, 0, 1}};

FORMULAS(rates, at->yp[0] - at->y[1],
         at->yp[1] + at->data[0] * at->y[0] - at->u[1] - at->u[2] * at->y[0] - at->u[3] - at->u[4] -
             at->u[5] * at->u[1])

FORMULA(density, at->y[0] * at->y[0] + at->u[1] * at->y[1] + at->u[2] * at->u[3])

FORMULA(speed, at->y[1])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const bool moving = gradyn_setting_value(model, "moving") > 0;
  const gradyn_signal_kind last = gradyn_setting_value(model, "spline") > 0
                                      ? GRADYN_CUBIC_SPLINE
                                      : GRADYN_PIECEWISE_LINEAR;
  const gradyn_datum stiffness = {"stiffness", "1/s^2", rho[STIFF]};
  gradyn_scalar times[KNOTS], knots[KNOTS];
  gradyn_end_time(model, gradyn_setting_value(model, "free_end") > 0 ? rho[TIME] : 1.7);
  for (int k = 0; k < KNOTS; k++) {
    times[k] = 1.7 * (k + 0.3 * (k % 2)) / (KNOTS - 1) + (moving && k == 4 ? 0.01 * rho[TIME] : 0);
    knots[k] = rho[U + 2 * KNOTS + k] + (k == 2 || k == 6 ? rho[SHARED] : 0);
  }
  if (gradyn_setting_value(model, "growing") > 0 && creal(rho[X0]) > 2)
    knots[0] += rho[U + KNOTS - 1];
  declare_signal(model, "linear", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, rho + U);
  declare_signal(model, "constant", "N", GRADYN_PIECEWISE_CONSTANT, KNOTS, rho + U + KNOTS);
  const int timed = gradyn_signal(
      model, &(gradyn_signal_spec){"timed", "N", GRADYN_PIECEWISE_LINEAR, .count = KNOTS,
                                   .knots = knots, .times = times});
  declare_signal(model, "last", "N", last, KNOTS, rho + U + 3 * KNOTS);
  gradyn_delayed_signal(model, "late", timed, gradyn_setting_value(model, "delayed") > 0 ? 0.3 : 0);
  gradyn_state(model, "x", "m", rho[X0]);
  gradyn_state(model, "v", "m/s", 1 - rho[X0]);
  declare_equations(model, rates, &stiffness, 1);
  gradyn_minimise(model, declare_integral(model, "along", "", density), 1);
  declare_end(model, "end", "", speed);
  return gradyn_build_status(model);
}

static const gradyn_problem driven = PROBLEM("driven", build, params, .settings = settings,
                                             .setting_count = GRADYN_COUNT(settings), .t_end = 1);

static const bool all_used[] = {true, true};

static void create(gradyn_evaluator *ev, const gradyn_search *search, const double *rho,
                   gradyn_segments *s)
{
  assert_ok(gradyn_segments_create(ev, search, all_used, rho, s), s->message.text);
}

/* Returns whether parameter j is listed for segment k. */
static bool is_listed(const gradyn_segments *s, size_t k, size_t j)
{
  const gradyn_acting *acting = &s->sparsity.acting[k];
  for (size_t i = 0; i < acting->count; i++)
    if (acting->parameter[i] == j)
      return true;
  return false;
}

/* Returns whether a parameter changes knots of the signal with given times. */
static bool is_timed(size_t j)
{
  return j == TIME || j == SHARED || (j >= U + 2 * KNOTS && j < U + 3 * KNOTS);
}

/* Compares the listed parameters of all segments with the bits that each parameter changes in segments with
 * all knots. moving: knots at given times move relative to the segments, and may act in all of them. */
static void assert_found(const gradyn_segments *s, gradyn_segments *dense, bool moving, double *x)
{
  double before[MOST * MOST];
  const size_t height = dense->answers.height;
  assert_true(s->count * height <= MOST * MOST);
  assert_ok(gradyn_segments_run(dense, x, true, false), dense->message.text);
  memcpy(before, dense->answers.psi, s->count * height * sizeof *before);
  for (size_t j = 0; j < s->p; j++) {
    const double middle = x[j];
    x[j] = middle + 1e-3;
    assert_ok(gradyn_segments_run(dense, x, true, false), dense->message.text);
    x[j] = middle;
    for (size_t k = 0; k < s->count; k++) {
      const bool changes = memcmp(before + k * height, dense->answers.psi + k * height,
                                  height * sizeof *before) != 0;
      if (changes != is_listed(s, k, j) && (changes || !moving || !is_timed(j)))
        fail_msg("%s %s segment %zu", s->parameters[j].name,
                 changes ? "acts, but is not found in" : "is found, but does not act in", k + 1);
    }
  }
}

/* Gradients with the listed parameters equal those with all parameters. */
static void assert_same_gradients(gradyn_segments *s, gradyn_segments *dense, const double *x)
{
  static double psi[2][MOST], gradient[2][MOST * MOST];
  const size_t rows = s->objective.functional_count, columns = s->objective.parameter_count;
  assert_true(rows <= MOST && columns <= MOST);
  chained_evaluate(s, true, x, psi[0], gradient[0]);
  chained_evaluate(dense, true, x, psi[1], gradient[1]);
  assert_memory_equal(psi[0], psi[1], rows * sizeof *psi[0]);
  for (size_t i = 0; i < rows * columns; i++)
    assert_close(gradient[0][i], gradient[1][i], 1e-13, 1e-15);
}

static const struct {
  const char *setting;
  gradyn_search search;
  bool moving;
} cases[] = {{NULL, {.segments = 8}, false}, /* boundaries at knots of the first signal */
             {NULL, {.segments = 5}, false},      {"free_end", {.segments = 8}, true},
             {"free_end", {.segments = 3}, true}, {"moving", {.segments = 4}, true},
             {"spline", {.segments = 4}, false},  {"delayed", {.segments = 8}, false}};

TEST(parameters_that_act_are_those_that_change_results)
{
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    double rho[PARAMETERS];
    LOCAL(gradyn_segments) s;
    LOCAL(gradyn_segments) dense;
    run_local *ev = run_with(.problem = &driven, .method = "explicit", .rtol = 1e-10,
                             .setting = cases[c].setting, .value = 1);
    for (size_t j = 0; j < PARAMETERS; j++)
      rho[j] = gradyn_parameter_at(ev, j).init;
    create(ev, &cases[c].search, rho, &s);
    create(ev, &cases[c].search, rho, &dense);
    assert_ok(gradyn_segments_widen(&dense), dense.message.text);
    assert_found(&s, &dense, cases[c].moving, s.start);
    assert_same_gradients(&s, &dense, s.start);
  }
}

/* If a knot depends on another parameter for some values only, this is found when it happens. */
TEST(further_parameters_are_found_when_they_act)
{
  double rho[PARAMETERS], psi[MOST];
  static double gradient[MOST * MOST];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &driven, .method = "explicit", .rtol = 1e-8,
                           .setting = "growing", .value = 1);
  for (size_t j = 0; j < PARAMETERS; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  create(ev, &(gradyn_search){.segments = 4}, rho, &s);
  assert_false(is_listed(&s, 0, U + KNOTS - 1));
  chained_evaluate(&s, true, s.start, psi, gradient);
  s.start[X0] = 3;
  assert_int_equal(s.objective.evaluate(&s, true, s.start, psi, gradient), GRADYN_INTERNAL);
  assert_true(s.sparsity.outgrown);
  assert_ok(gradyn_segments_widen(&s), s.message.text);
  assert_true(is_listed(&s, 0, U + KNOTS - 1));
  chained_slopes(&s, s.start, 0, s.p, (chained_step){1e-3, 1e-6, 1e-7}, NULL, 0);
}

/* A mass pushed by a signal with many knots. */
static const gradyn_param push[] = {
    {"u", "N", .count_from = "knots", .init = 0.3, GRADYN_UNBOUNDED}};
static const gradyn_setting counts[] = {{"knots", "", 21, 3, 1001}};

FORMULAS(pushed, at->yp[0] - at->y[1], at->yp[1] - at->u[1])

FORMULA(effort, at->u[1] * at->u[1])

static gradyn_status build_pushed(gradyn_model *model, const gradyn_scalar rho[])
{
  declare_signal(model, "force", "N", GRADYN_PIECEWISE_LINEAR, gradyn_setting_value(model, "knots"),
                 rho);
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "v", "m/s", 0);
  declare_equations(model, pushed, NULL, 0);
  gradyn_minimise(model, declare_integral(model, "effort", "", effort), 1);
  declare_end(model, "end", "", speed);
  return gradyn_build_status(model);
}

static const gradyn_problem mass = PROBLEM("mass", build_pushed, push, .settings = counts,
                                           .setting_count = 1, .t_end = 1);

/* Functionals at the end have derivatives in the last segment only. */
TEST(only_segments_that_contribute_differentiate)
{
  double psi[MOST];
  static double gradient[MOST * MOST];
  static const double rho[21] = {0};
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &mass, .method = "explicit", .rtol = 1e-6);
  create(ev, &(gradyn_search){.segments = 4}, rho, &s);
  chained_evaluate(&s, true, s.start, psi, gradient);
  for (size_t k = 0; k < s.count; k++) {
    assert_true(s.answers.requested[k * s.answers.height]);
    assert_int_equal(s.answers.requested[k * s.answers.height + 1], k + 1 == s.count);
  }
}

/* Size of the storage of all segments: data of their models, and entries of gradients. */
static size_t stored(const gradyn_segments *s)
{
  size_t sum = gradyn_objective_entries(&s->objective);
  for (size_t k = 0; k < s->count; k++) {
    sum += (size_t)s->segment[k].evaluator->model->nx;
    sum += s->answers.height * gradyn_segments_width(s, k);
  }
  return sum;
}

TEST(storage_grows_linearly_with_segments)
{
  size_t sum[2];
  for (int c = 0; c < 2; c++) {
    const int count = c == 0 ? 50 : 200;
    static const double rho[201] = {0};
    LOCAL(gradyn_segments) s;
    run_local *ev = run_with(.problem = &mass, .method = "explicit", .rtol = 1e-6,
                             .setting = "knots", .value = count + 1);
    assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = count}, all_used, rho, &s),
              s.message.text);
    sum[c] = stored(&s);
  }
  assert_true(sum[1] < 42 * sum[0] / 10);
}
