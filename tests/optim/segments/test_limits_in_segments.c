/* Bounds and samples of path constraints over segments equal those of the undivided run, with their
 * gradients through the segment boundaries. So do violations during the run. */
#include "tests/optim/segments/chained.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* A damped oscillator with an input that jumps, also at the boundaries of three segments. The end time is a
 * parameter, and one functional has a given time. */
enum { X0, T, U, KNOTS = 6, UNKNOWNS = U + KNOTS, FUNCTIONALS = 5, EARLY = 3, MOST = 48 };
static const gradyn_param params[] = {
    {"x0", "m", .init = 0.4, GRADYN_UNBOUNDED},
    {"T", "s", .init = 2.3, .lower = 0.1, .upper = 9},
    {"u", "N", .count = KNOTS, .init = 1.3, GRADYN_UNBOUNDED, .init_end = -1.5, .ramp = true}};

FORMULAS(rates, at->yp[0] - at->y[1], at->yp[1] + 4 * at->y[0] + 0.3 * at->y[1] - at->u[1])

FORMULA(rising, at->y[0] + 0.1 * at->t)

FORMULA(jumping, at->y[1] + at->u[1])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[T]);
  declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, KNOTS, rho + U);
  gradyn_state(model, "x", "m", rho[X0]);
  gradyn_state(model, "v", "m/s", 1 - rho[X0]);
  declare_equations(model, rates, NULL, 0);
  gradyn_path_constraint(
      model, "rise",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "rise", .unit = "m", .formula = rising, .hidden = true}),
      -0.2, 0.5, 1e-6, NULL);
  gradyn_path_constraint(
      model, "jump",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "jump", .unit = "N", .formula = jumping, .hidden = true}),
      -HUGE_VAL, 1.0 + rho[X0], 1e-6, NULL);
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){
                               .name = "early", .unit = "", .terminal = jumping, .instant = 0.9});
  gradyn_minimise(model, gradyn_end_time_functional(model, "time"), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem jolts = PROBLEM("jolts", build, params, .t_end = 1);

static const bool all_used[FUNCTIONALS] = {true, true, true, true, true};

static gradyn_evaluator *open(const gradyn_search *search, double *rho, gradyn_segments *s)
{
  gradyn_evaluator *ev = run_with(.problem = &jolts, .method = "explicit", .rtol = 1e-12);
  assert_int_equal(run_initial(ev, rho), UNKNOWNS);
  assert_ok(gradyn_segments_create(ev, search, all_used, rho, s), s->message.text);
  return ev;
}

TEST(sides_are_those_of_the_undivided_run)
{
  static const gradyn_search ways[] = {
      {.segments = 2}, {.segments = 3}, {.segments = 7}, {.segment_times = "0.1,0.15,0.6"}};
  for (int c = 0; c < 4; c++) {
    LOCAL(gradyn_segments) s;
    double rho[UNKNOWNS], psi[MOST], whole[FUNCTIONALS];
    static double gradient[MOST * MOST], total[FUNCTIONALS * UNKNOWNS],
        slope[FUNCTIONALS * UNKNOWNS];
    run_local *ev = open(&ways[c], rho, &s);
    chained_evaluate(&s, true, s.start, psi, gradient);
    assert_run(gradyn_evaluator_gradient(ev, rho, whole, slope), ev);
    assert_close_array(psi, whole, FUNCTIONALS, 1e-8, 1e-9);
    chained_gradient(&s, gradient, 0, FUNCTIONALS, total);
    assert_close_array(total, slope, FUNCTIONALS * UNKNOWNS, 1e-6, 1e-7);
  }
}

/* Samples at the start, inside, at a boundary, after the jump there, and at the end. */
static const gradyn_limit_at rows[] = {{.side = 0, .share = 0},
                                       {.side = 1, .share = 0.1},
                                       {.side = 0, .share = 1.0 / 3},
                                       {.side = 2, .share = 1.0 / 3 + 1e-9, .behind = true},
                                       {.side = 2, .share = 1.0 / 3},
                                       {.side = 0, .share = 0.9},
                                       {.side = 2, .share = 1},
                                       {.side = 0, .share = 0.12, .from = 0.1, .to = 0.15},
                                       {.side = 0, .share = 0.45, .from = 0.42, .to = 0.48}};
enum { ROWS = sizeof rows / sizeof rows[0] };

TEST(rows_are_those_of_the_undivided_run)
{
  static const gradyn_search ways[] = {
      {.segments = 3}, {.segments = 5}, {.segment_times = "knots"}, {.segment_times = "0.05,0.7"}};
  for (int c = 0; c < 4; c++) {
    LOCAL(gradyn_segments) s;
    gradyn_limited *limited;
    gradyn_functional_info info[ROWS];
    double rho[UNKNOWNS], psi[MOST], whole[FUNCTIONALS + ROWS];
    static double gradient[MOST * MOST], total[ROWS * UNKNOWNS],
        slope[(FUNCTIONALS + ROWS) * UNKNOWNS];
    run_local *ev = open(&ways[c], rho, &s);
    assert_ok(gradyn_limited_create(ev, rows, ROWS, &limited), "rows");
    assert_run(gradyn_evaluator_gradient(gradyn_limited_evaluator(limited), rho, whole, slope), ev);
    assert_ok(s.objective.hold(&s, rows, ROWS, info), s.message.text);
    assert_int_equal(info[5].use, GRADYN_AT_MOST);
    chained_evaluate(&s, false, s.start, psi, gradient);
    const size_t first = s.objective.functional_count;
    assert_close_array(psi + first, whole + FUNCTIONALS, ROWS, 1e-9, 1e-8);
    chained_gradient(&s, gradient, first, ROWS, total);
    assert_close_array(total, slope + FUNCTIONALS * UNKNOWNS, ROWS * UNKNOWNS, 1e-7, 1e-7);
    /* a functional at a given time is evaluated together with samples */
    assert_close(psi[EARLY], whole[EARLY], 1e-9, 1e-8);
    chained_gradient(&s, gradient, EARLY, 1, total);
    assert_close_array(total, slope + EARLY * UNKNOWNS, UNKNOWNS, 1e-7, 1e-7);
    /* the value of a bound is the largest of its samples */
    assert_true(psi[2] == fmax(psi[first + 3], fmax(psi[first + 4], psi[first + 6])));
    assert_ok(s.objective.hold(&s, NULL, 0, NULL), s.message.text);
    gradyn_limited_free(limited);
  }
}

/* The largest violations of each bound; an interval that begins after a boundary may be reported at the
 * boundary. */
TEST(checks_find_the_violations_of_the_undivided_run)
{
  LOCAL(gradyn_segments) s;
  LOCAL(gradyn_path_check) parts, whole;
  double rho[UNKNOWNS];
  run_local *ev = open(&(gradyn_search){.segments = 3}, rho, &s);
  assert_ok(s.objective.look(&s, s.start, 0.9, &parts), s.message.text);
  assert_ok(gradyn_limits_find(ev, rho, 0.9, &whole), "look");
  assert_close(parts.t_end, whole.t_end, 1e-15, 0);
  assert_true(whole.count >= 3 && parts.count >= whole.count);
  for (size_t i = 0; i < whole.count; i++) {
    bool seen = false;
    for (size_t j = 0; j < parts.count; j++)
      seen = seen || (parts.found[j].at.side == whole.found[i].at.side &&
                      parts.found[j].at.behind == whole.found[i].at.behind &&
                      fabs(parts.found[j].at.share - whole.found[i].at.share) < 1e-6 &&
                      fabs(parts.found[j].excess - whole.found[i].excess) < 1e-7);
    assert_true(seen);
  }
  /* three samples of each bound in each segment at first; for the measure that jumps with the input, both
   * sides of its three jumps inside the segments, and one after each boundary */
  assert_int_equal(parts.first_count, 35);
}
