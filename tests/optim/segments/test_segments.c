/* A motion in segments equals the motion in one run: its values, and its gradients after elimination of the
 * states at segment boundaries. Derivatives with respect to all unknowns equal differences. */
#include "tests/adjoint/spring_and_wall.h"
#include "tests/optim/segments/chained.h"
#include "tests/optim/segments/pole.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include "optim/segments/segments.h"

extern const gradyn_problem gradyn_problem_five_bar, gradyn_problem_inverted_pendulum;

/* An oscillator with an algebraic state, driven by time and by three kinds of signals whose knots are not
 * at segment boundaries. Its initial state and its end time are parameters. */
enum { X0, T, U, KNOTS = 6, UNKNOWNS = U + 3 * KNOTS, STATES = 2, FUNCTIONALS = 5, MOST = 40 };
static const gradyn_param params[] = {
    {"x0", "m", .init = 0.4, GRADYN_UNBOUNDED},
    {"T", "s", .init = 1.7, .lower = 0.1, .upper = 9},
    {"u", "N", .count = 3 * KNOTS, .init = 0.3, GRADYN_UNBOUNDED, .init_end = -0.5, .ramp = true}};

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y;
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] + y[0] + 0.3 * y[2] * y[1] - at->u[1] - at->u[2] * y[0] - sin(3 * at->t);
  F[2] = y[2] - y[0] * y[0] - 1 - at->u[3];
  return GRADYN_OK;
}

FORMULA(density, at->y[0] * at->y[0] + at->y[2] + at->u[2] * at->t)

FORMULA(at_end, at->y[0] * at->y[1] + at->y[2])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_signal_kind kind[3] = {GRADYN_PIECEWISE_LINEAR, GRADYN_PIECEWISE_CONSTANT,
                                             GRADYN_CUBIC_SPLINE};
  static const char *const name[3] = {"linear", "constant", "spline"};
  gradyn_end_time(model, rho[T]);
  for (int i = 0; i < 3; i++)
    declare_signal(model, name[i], "N", kind[i], KNOTS, rho + U + i * KNOTS);
  gradyn_state(model, "x", "m", rho[X0]);
  gradyn_state(model, "v", "m/s", 1 - rho[X0]);
  gradyn_algebraic_state(model, "z", "", 1);
  declare_equations(model, rates, NULL, 0);
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model,
                      &(gradyn_custom_functional_spec){
                          .name = "both", .unit = "", .integrand = density, .terminal = at_end}),
                  1);
  declare_integral(model, "along", "", density);
  declare_end(model, "last", "", at_end);
  gradyn_end_time_functional(model, "time");
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "sharp",
                 gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.name = "sharp",
                                                                            .unit = "",
                                                                            .formula = density,
                                                                            .hidden = true}),
                 .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 7});
  return gradyn_build_status(model);
}

static const gradyn_problem oscillator = PROBLEM("oscillator", build, params, .t_end = 1);

static const bool all_used[16] = {true, true, true, true, true, true, true, true};

/* Segments of the oscillator by a method, at its initial parameters. */
static gradyn_evaluator *open(const char *method, const gradyn_search *search, gradyn_segments *s)
{
  double rho[UNKNOWNS];
  gradyn_evaluator *ev = run_with(.problem = &oscillator, .method = method, .rtol = 1e-12);
  assert_int_equal(run_initial(ev, rho), UNKNOWNS);
  assert_ok(gradyn_segments_create(ev, search, all_used, rho, s), s->message.text);
  return ev;
}

static void assert_evaluated(gradyn_segments *s, const double *x, double *psi, double *gradient)
{
  chained_evaluate(s, true, x, psi, gradient);
}

TEST(segments_are_the_undivided_motion)
{
  static const char *const methods[] = {"explicit", "radau"};
  /* knots of two kinds at fifths, of the third at sixths */
  static const struct {
    gradyn_search search;
    size_t count;
  } cases[] = {{{.segments = 2}, 2},
               {{.segments = 7}, 7},
               {{.segment_times = "1.5,0.02,0.9"}, 4},
               {{.segment_times = "knots"}, 10}};
  for (int m = 0; m < 2; m++)
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
      LOCAL(gradyn_segments) s;
      run_local *ev = open(methods[m], &cases[c].search, &s);
      assert_int_equal(s.count, cases[c].count);
      double psi[MOST], gradient[MOST * MOST], total[FUNCTIONALS * UNKNOWNS];
      double whole[FUNCTIONALS], slope[FUNCTIONALS * UNKNOWNS];
      assert_evaluated(&s, s.start, psi, gradient);
      assert_run(gradyn_evaluator_gradient(ev, s.start, whole, slope), ev);
      assert_close_array(psi, whole, FUNCTIONALS, 1e-10, 0);
      for (long l = 0; l < ((long)s.count - 1) * STATES; l++)
        assert_close(psi[FUNCTIONALS + l], 0, 0, 1e-12);
      chained_gradient(&s, gradient, 0, s.f, total);
      assert_close_array(total, slope, FUNCTIONALS * UNKNOWNS, 1e-9, 1e-10);
    }
}

/* x grows; a small state and one of round-off stay constant, and no parameter moves them. */
static gradyn_status growing(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->y[0];
  F[1] = at->yp[1];
  F[2] = at->yp[2];
  return GRADYN_OK;
}

static gradyn_status build_resting(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", rho[X0]);
  gradyn_state(model, "small", "A", 1e-8);
  gradyn_state(model, "nothing", "K", 1e-17);
  declare_equations(model, growing, NULL, 0);
  gradyn_end_time_functional(model, "time");
  return gradyn_build_status(model);
}

/* The scale of an unknown, which also applies to its defect, is the size of its state, but not round-off. */
TEST(round_off_is_no_size)
{
  static const gradyn_problem resting = {GRADYN_PROBLEM_SIZES,   .name = "resting",
                                         .params = params,       .param_count = 1,
                                         .build = build_resting, .t_end = 1};
  static const double expected[] = {0.4 * 1.6487212707001282, 1e-8, 1}; /* x at the cut */
  const gradyn_search search = {.segments = 2};
  const double rho[] = {0.4};
  gradyn_segments s;
  run_local *ev = run_with(.problem = &resting, .method = "explicit", .rtol = 1e-10);
  assert_ok(gradyn_segments_create(ev, &search, all_used, rho, &s), s.message.text);
  for (size_t i = 0; i < 3; i++)
    assert_close(s.parameters[s.p + i].scale, expected[i], 1e-8, 0);
  gradyn_segments_clear(&s);
}

/* A closed loop whose independent coordinates differ between boundaries; and bodies in space with a
 * controller whose integral states have no effect. */
TEST(segments_of_mechanisms_are_their_motion)
{
  chained_compare(
      &(run_setup){
          .problem = &gradyn_problem_five_bar, .method = "explicit", .rtol = 1e-12, .t_end = 1.5},
      5, 4);
  chained_compare(&(run_setup){.problem = &gradyn_problem_inverted_pendulum,
                               .method = "explicit",
                               .rtol = 1e-12,
                               .setting = "friction",
                               .value = 0,
                               .t_end = 0.05},
                  2, 12);
}

/* An initial state in the mirrored configuration of the loop has zero defects in the independent
 * coordinates, but is not the motion. */
TEST(another_branch_is_reported)
{
  double rho[8], psi[MOST], gradient[MOST * MOST];
  char text[256];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &gradyn_problem_five_bar, .method = "explicit");
  run_initial(ev, rho);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 3}, all_used, rho, &s),
            s.message.text);
  assert_false(gradyn_segments_differ(&s, s.start, text, sizeof text));
  /* the dependent point is on the other side of the line between its neighbours */
  gradyn_cut *cut = &s.cut[2];
  size_t free = 0;
  for (size_t i = 0; i < s.states / 2; i++)
    free |= (size_t)1 << (cut->at[i] / 2);
  const size_t point = free & 1 ? 2 : 0, other = 1;
  const double *pin = point == 2 ? (const double[]){1, 0} : (const double[]){0, 0};
  double *q = cut->z + 2 * point, *r = cut->z + 2 * other;
  const double dx = r[0] - pin[0], dy = r[1] - pin[1];
  const double side = 2 * ((q[0] - pin[0]) * -dy + (q[1] - pin[1]) * dx) / (dx * dx + dy * dy);
  q[0] -= side * -dy;
  q[1] -= side * dx;
  memcpy(s.start + gradyn_segments_reference(&s, 2), cut->z, s.nz * sizeof *cut->z);
  cut->z[0] = NAN; /* must be replaced by the value from the parameters */
  assert_ok(gradyn_segments_set_references(&s, s.start), s.message.text);
  memcpy(s.start + s.p + gradyn_segments_unknown(&s, 2), cut->w, s.states * sizeof *cut->w);
  assert_evaluated(&s, s.start, psi, gradient);
  assert_true(gradyn_segments_differ(&s, s.start, text, sizeof text));
  assert_says(text, "segment 3 begins in another branch");
}

/* Central differences of order 4 at a point away from the guess, where the defects are not zero. */
TEST(derivatives_by_all_unknowns_are_those_of_differences)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = open("explicit", &(gradyn_search){.segments = 3}, &s);
  const size_t columns = s.objective.parameter_count;
  double x[MOST];
  for (size_t j = 0; j < columns; j++)
    x[j] = s.start[j] + 0.05 * cos(3.0 * (double)j);
  chained_slopes(&s, x, 0, columns, (chained_step){2e-3, 1e-7, 1e-8}, NULL, 0);
}

/* Evaluations by several threads: values, messages, and second derivatives. */
static void assert_alike(gradyn_segments *s, const double *x, size_t jobs)
{
  const size_t rows = s->objective.functional_count;
  double psi[2][MOST], gradient[2][MOST * MOST];
  gradyn_status status[2];
  long steps[2];
  char told[2][256];
  for (size_t k = 0; k < 2; k++) {
    s->jobs = k == 0 ? 1 : jobs;
    status[k] = s->objective.evaluate(s, false, x, psi[k], gradient[k]);
    steps[k] = s->objective.steps(s);
    (void)snprintf(told[k], sizeof told[k], "%s", s->objective.message(s));
  }
  assert_int_equal(status[1], status[0]);
  assert_int_equal(steps[1], steps[0]);
  assert_string_equal(told[1], told[0]);
  if (status[0] == GRADYN_OK) {
    assert_memory_equal(psi[1], psi[0], rows * sizeof **psi);
    assert_memory_equal(gradient[1], gradient[0],
                        gradyn_objective_entries(&s->objective) * sizeof **gradient);
  }
}

TEST(threads_leave_the_bits)
{
  static const char *const methods[] = {"explicit", "radau"};
  for (size_t l = 0; l < 2; l++)
    for (size_t jobs = 2; jobs <= 9; jobs += 7) { /* also more threads than segments */
      double rho[MOST], x[MOST], weight[MOST], H[2][MOST * MOST];
      LOCAL(gradyn_segments) s;
      run_local *ev = run_with(.problem = &pole_problem, .method = methods[l]);
      run_initial(ev, rho);
      assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 5}, all_used, rho, &s),
                s.message.text);
      memcpy(x, s.start, s.objective.parameter_count * sizeof *x);
      assert_alike(&s, x, jobs);
      for (size_t i = 0; i < s.objective.functional_count; i++)
        weight[i] = cos((double)i);
      size_t filled[2] = {0, 0};
      for (size_t k = 0; k < 2; k++) {
        const gradyn_block *block;
        s.jobs = k == 0 ? 1 : jobs;
        assert_ok(s.objective.curve(&s, weight, x, &block), s.message.text);
        for (size_t b = 0; b < s.count; filled[k] += block[b].count * block[b].count, b++)
          memcpy(H[k] + filled[k], block[b].H, block[b].count * block[b].count * sizeof **H);
      }
      assert_true(filled[0] == filled[1] && filled[0] <= MOST * MOST);
      assert_memory_equal(H[1], H[0], filled[0] * sizeof **H);
      /* the third and the fifth segment fail: the third one is reported */
      x[s.p + gradyn_segments_unknown(&s, 2)] = x[s.p + gradyn_segments_unknown(&s, 4)] = NAN;
      assert_alike(&s, x, jobs);
      assert_says(s.objective.message(&s), "3 of 5");
    }
}

TEST(unknowns_and_gaps_have_names)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = open("explicit", &(gradyn_search){.segments = 3}, &s);
  assert_int_equal(s.objective.parameter_count, UNKNOWNS + 2 * STATES);
  assert_string_equal(s.objective.parameters[UNKNOWNS + 3].name, "v.cut[2]");
  assert_string_equal(s.objective.parameters[UNKNOWNS + 3].unit, "m/s");
  assert_string_equal(s.objective.functionals[FUNCTIONALS + 2].name, "x.gap[2]");
  assert_int_equal(s.objective.functionals[FUNCTIONALS + 2].use, GRADYN_EQUAL);
}

/* All kinds of functionals, by segments that have been evaluated at other initial states before. */
THOROUGH_TEST(all_kinds_of_functionals)
{
  static const char *const methods[] = {"explicit", "radau"};
  for (size_t k = 0; k < 2 * GRADYN_COUNT(methods); k++) {
    const bool mechanism = k % 2;
    const run_setup setup = {.problem = mechanism ? &wall_mechanism : &wall_equations,
                             .method = methods[k / 2],
                             .rtol = 1e-12};
    for (long count = 3; count <= 4; count++)
      if (support_takes((int)(k / 2 + k + (size_t)count), 2))
        chained_compare(&setup, count, mechanism ? 4 : 2);
  }
}
