/* Initial states of segments: those of the undivided motion at this time. */
#include "tests/mbs/tree/drawn.h"
#include "tests/optim/segments/chained.h"
#include "tests/declare.h"

/* A functional at given times: inside segments, and at the first boundary. */
FORMULA(told, at->pos[4] + at->vel[5] * at->t)

static gradyn_status build_tree(gradyn_model *model, const gradyn_scalar rho[])
{
  static const struct {
    const char *name;
    double t;
  } taken[] = {{"first", 0.01}, {"cut", 0.05 / 3}, {"behind", 0.04}, {"last", 0.05}};
  for (int i = 0; i < 4; i++)
    gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){
                   .name = taken[i].name, .unit = "", .terminal = told, .instant = taken[i].t});
  return drawn_build_plane(model, rho);
}

/* In joint coordinates, angles are declared after build(), and their initial values are unknowns, too. A
 * tree that cannot move has no unknowns at its boundaries. */
TEST(segments_in_joint_coordinates_are_their_motion)
{
  static const struct {
    drawn_room capacity;
    int tree;
    size_t states;
  } cases[] = {{DRAWN_IN_PLANE, 719, 12}, {DRAWN_IN_PLANE, 739, 0}, {DRAWN_IN_SPACE, 723, 14}};
  for (int c = 0; c < 3; c++) {
    gradyn_problem tree = drawn_problem(cases[c].capacity, "joint");
    if (c == 0)
      tree.build = build_tree;
    chained_compare(&(run_setup){.problem = &tree,
                                 .method = "explicit",
                                 .rtol = 1e-12,
                                 .setting = "seed",
                                 .value = cases[c].tree},
                    3, cases[c].states);
  }
}

/* An oscillator, for two periods. */
FORMULAS(swing_rates, at->yp[0] - at->y[1], at->yp[1] + at->data[0] * at->y[0])

FORMULA(power, at->y[0] * at->y[1])

static gradyn_status swing_twice(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum stiffness = {"stiffness", "1/s^2", rho[0]};
  gradyn_end_time(model, 4 * 3.14159265358979323846);
  gradyn_state(model, "x", "m", 1);
  gradyn_state(model, "v", "m/s", 1);
  declare_equations(model, swing_rates, &stiffness, 1);
  gradyn_minimise(model, declare_integral(model, "power", "", power), 1);
  return gradyn_build_status(model);
}

static const gradyn_param stiff[] = {{"k", "1/s^2", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem swinging = PROBLEM("swinging", swing_twice, stiff, .t_end = 1);

/* The accepted error of an integral depends on the duration of its segment, not on its start time. The
 * second period therefore has the steps of the first one if it chooses its first step by itself. Otherwise
 * it takes the first step of the guess, and needs fewer. */
TEST(parts_with_equal_starts_have_the_same_steps)
{
  static const bool used[] = {true};
  const double rho[] = {1};
  double psi[8];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &swinging, .method = "explicit", .rtol = 1e-11);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 2}, used, rho, &s),
            s.message.text);
  assert_ok(s.objective.evaluate(&s, true, s.start, psi, NULL), s.message.text);
  const long led = gradyn_evaluator_statistics(s.segment[1].evaluator).steps;
  s.cut[1].step = 0;
  assert_ok(s.objective.evaluate(&s, true, s.start, psi, NULL), s.message.text);
  const long first = gradyn_evaluator_statistics(s.segment[0].evaluator).steps,
             second = gradyn_evaluator_statistics(s.segment[1].evaluator).steps;
  assert_in_range(led, second - 4, second - 1);
  if (labs(first - second) > 1)
    fail_msg("%ld steps, then %ld", first, second);
}
