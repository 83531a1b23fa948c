/* Invariants of modes without runs: equilibria, declarations, descriptions. */
#include "tests/runs.h"

static const double g = 9.81;

FORMULA(clock, 2 - at->t)

static double pull; /* N, upward force; a floor that can only push permits at most 2 kg times g */

FORMULA(push, -at->lam[1])

static gradyn_status build_rest(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  const int ball = gradyn_point(mbs, "ball", 0, 0);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -g);
  gradyn_coordinate(mbs, "floor", ball, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(mbs, &(gradyn_spring_spec){.name = "spring",
                                           .from = gradyn_ground_point(mbs, "G", -1, 0),
                                           .to = ball,
                                           .k = 10,
                                           .free_length = 1});
  gradyn_force(mbs, &(gradyn_force_spec){.name = "pull", .point = ball, .fy = pull});
  gradyn_event(
      mbs, &(gradyn_event_spec){.name = "lifts", .guard = {.terminal = push}, .invariant = true});
  gradyn_event(mbs, &(gradyn_event_spec){.name = "later", .guard = {.terminal = clock}});
  return gradyn_build_status(mbs);
}

/* Equilibria and linearisations about the initial state have no run, but they also belong to a mode. */
TEST(equilibria_are_within_their_mode)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "rest", .build = build_rest,
                                         .t_end = 1};
  static const double nothing, pulls[] = {15, 30};
  for (size_t i = 0; i < GRADYN_COUNT(pulls); i++) {
    const gradyn_status expected = pulls[i] < 2 * g ? GRADYN_OK : GRADYN_EVENT;
    const char *says = "lifts: the guard is -10.38 at t = 0 s: a motion continues there only while "
                       "it is positive";
    gradyn_stability stability;
    LOCAL(gradyn_linearisation) linear;
    pull = pulls[i];
    run_local *ev = run_with(.problem = &problem);
    gradyn_status status = gradyn_equilibrium_compute(ev, &nothing, &stability, NULL, NULL);
    assert_status(status, expected, gradyn_evaluator_message(ev));
    assert_string_equal(gradyn_evaluator_message(ev), expected == GRADYN_OK ? "" : says);
    status = gradyn_evaluator_linearise(ev, &nothing, false, &linear);
    assert_status(status, expected, gradyn_evaluator_message(ev));
  }
}

/* --- what is declared ------------------------------------------------------------------------------- */

static bool either; /* or under a condition */

static gradyn_status build_contradiction(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_point_mass(mbs, "ball", gradyn_point(mbs, "ball", 0, 1), 2);
  gradyn_event(mbs, &(gradyn_event_spec){.name = "watched",
                                         .guard = {.terminal = clock},
                                         .direction = either ? GRADYN_EITHER : GRADYN_FALLING,
                                         .condition = {.terminal = either ? NULL : clock},
                                         .invariant = true});
  return gradyn_build_status(mbs);
}

TEST(an_invariant_has_one_side_and_no_condition)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "contradiction",
                                         .build = build_contradiction, .t_end = 1};
  static const char *const says[] = {"is an invariant and has a condition", "has both directions"};
  for (int k = 0; k < 2; k++) {
    either = k;
    assert_no_run(GRADYN_INVALID, says[k], .problem = &problem);
  }
}

/* Information about a model's guards; beyond the last one there is none. */
TEST(guards_are_described)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "rest", .build = build_rest,
                                         .t_end = 1};
  run_local *ev = run_with(.problem = &problem);
  assert_int_equal(gradyn_evaluator_model_info(ev).events, 2);
  const gradyn_event_info lifts = gradyn_event_at(ev, 0), later = gradyn_event_at(ev, 1);
  assert_string_equal(lifts.name, "lifts");
  assert_true(lifts.invariant && !lifts.wall);
  assert_string_equal(later.name, "later");
  assert_false(later.invariant || later.wall);
  assert_string_equal(gradyn_event_at(ev, 2).name, "");
  assert_int_equal(gradyn_evaluator_model_info(NULL).events, 0);
  assert_string_equal(gradyn_event_at(NULL, 0).name, "");
}
