/* Events of general equations in unusual cases, and refused ones. A phase increases with time; the test
 * selects guard and effect. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { PHASE, WAIT, SUM, STATES };

typedef struct plan {
  double target, power; /* the guard is target - phase, or its third power */
  double width;         /* if > 0, the guard is (phase - target)^2 - width^2 */
  bool restart;         /* the map sets the phase back to zero */
  bool shrink;          /* the guard is WAIT - phase, and the map halves the state WAIT */
  bool twice;           /* two events with the same guard */
  bool algebraic;       /* the map names a state without a rate */
  bool singular;        /* the rates have a singular matrix */
} plan;
static const plan *now;

static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  F[PHASE] = at->yp[PHASE] - 1;
  F[WAIT] = now->singular ? at->y[WAIT] - at->y[PHASE] : at->yp[WAIT];
  F[SUM] = at->y[SUM] - at->y[PHASE] - at->y[WAIT];
  return GRADYN_OK;
}

/* Falls through zero when the phase reaches the target. */
static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar phase = at->y[PHASE], left = (now->shrink ? at->y[WAIT] : now->target) - phase;
  *value = now->width > 0    ? left * left - now->width * now->width
           : now->power == 3 ? left * left * left
                             : left;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int phase = gradyn_state(model, "phase", "s", 0), wait = gradyn_state(model, "wait", "s", 0.5);
  int sum = gradyn_algebraic_state(model, "sum", "s", 0);
  declare_equations(model, residual, NULL, 0);
  const gradyn_component p = {phase, GRADYN_X}, w = {wait, GRADYN_X}, s = {sum, GRADYN_X};
  const gradyn_map_term map[] = {{now->algebraic ? s : p, p, 0, false}, {w, w, 0.5, false}};
  gradyn_event_spec spec = {.name = "comes",
                            .guard = {.terminal = guard},
                            .map = map,
                            .map_count = now->shrink ? 2 : now->restart || now->algebraic};
  gradyn_event(model, &spec);
  spec.name = "comes_too";
  if (now->twice)
    gradyn_event(model, &spec);
  gradyn_end_time_functional(model, "end");
  return gradyn_build_status(model);
}

static gradyn_evaluator *open_with(const plan *wanted, double t_end, const char *method,
                                   gradyn_status expected)
{
  static gradyn_problem problem;
  gradyn_evaluator *ev;
  now = wanted;
  problem = (gradyn_problem){GRADYN_PROBLEM_SIZES, .name = "phase", .build = build, .t_end = t_end,
                             .rtol = 1e-10};
  assert_status(run_try(&ev, &problem, .method = method), expected, gradyn_evaluator_message(ev));
  return ev;
}

static const char *const methods[] = {"idas", "explicit", "radau", "auto"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void expect(const plan *wanted, double t_end, gradyn_status expected, const char *says,
                   size_t events)
{
  static const double nothing;
  for (int k = 0; k < METHODS; k++) {
    double psi[1], gradient[16];
    run_local *ev = open_with(wanted, t_end, methods[k], GRADYN_OK);
    assert_true(gradyn_evaluator_model_info(ev).data <= 16);
    for (int way = 0; way < 2; way++) {
      assert_status(way ? gradyn_evaluator_data_gradient(ev, &nothing, psi, gradient)
                        : gradyn_evaluator_simulate(ev, &nothing, psi, NULL),
                    expected, gradyn_evaluator_message(ev));
      assert_says(gradyn_evaluator_message(ev), says ? says : "");
      if (expected == GRADYN_OK)
        assert_int_equal(gradyn_evaluator_statistics(ev).events, events);
    }
  }
}

TEST(unusual_positions_have_a_defined_end)
{
  expect(&(plan){.target = 1}, 1, GRADYN_OK, NULL, 0);   /* at the last instant */
  expect(&(plan){.target = 0}, 1, GRADYN_OK, NULL, 0);   /* at the first one */
  expect(&(plan){.target = 9}, 1, GRADYN_OK, NULL, 0);   /* never */
  expect(&(plan){.target = 0.5}, 1, GRADYN_OK, NULL, 1); /* once */
  expect(&(plan){.target = 0.5, .width = 1e-4}, 1, GRADYN_OK, NULL,
         1); /* a double root within a step */
  expect(&(plan){.target = 0.5, .twice = true}, 1, GRADYN_OK, NULL, 2); /* two, in either order */
}

TEST(a_thousand_events_are_passed)
{
  const plan saw = {.target = 0.001, .restart = true};
  static const double nothing;
  double psi[1];
  for (int m = 0; m < METHODS; m++) {
    run_local *ev = open_with(&saw, 1.0005, methods[m], GRADYN_OK);
    assert_run(gradyn_evaluator_simulate(ev, &nothing, psi, NULL), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 1000);
    for (size_t k = 0; k < 1000; k++)
      assert_close(gradyn_event_log_at(ev, k).t, 0.001 * ((double)k + 1), 1e-9, 0);
  }
}

TEST(ill_defined_sequences_are_reported)
{
  expect(&(plan){.target = 0.5, .power = 3}, 1, GRADYN_EVENT, "grazes", 0);
  expect(&(plan){.restart = true, .shrink = true}, 3, GRADYN_EVENT, "accumulate", 0);
}

TEST(missing_files_are_refused)
{
  static const double nothing;
  const plan once = {.target = 0.5}, algebraic = {.target = 0.5, .algebraic = true};
  run_local *ev = open_with(&algebraic, 1, "idas", GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(ev), "comes names sum, which is algebraic");
  gradyn_evaluator_free(ev);
  expect(&(plan){.target = 0.5, .singular = true}, 1, GRADYN_UNSUPPORTED, "singular matrix", 0);
  LOCAL(gradyn_orbit) orbit;
  ev = open_with(&once, 1, "idas", GRADYN_OK);
  assert_int_equal(
      gradyn_orbit_compute(ev, &nothing, &(gradyn_orbit_spec){.section = "comes"}, &orbit),
      GRADYN_UNSUPPORTED);
}
