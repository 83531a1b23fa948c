/* Guards that are invariants: every method refuses a mode in which an invariant is violated at the start,
 * with time and value, in simulations and gradients. A guard of a crossing would wait instead. A ball is
 * thrown up from y = 1 m; the test selects the guard. */
#include "tests/runs.h"
#include "tests/declare.h"

/* How the run enters the mode with the tested guard. */
typedef enum way { AT_ONCE, BEHIND_EVENT, BEHIND_MAP, WITHOUT_MODES } way;

/* The guard is value + slope t + height y + speed vy. Its mode is the first one of the run, or begins with
 * an event at 0.1 s. It may also continue after a map at 0.1 s, which lifts the ball by 0.5 m, or the model
 * has no modes. vy: velocity of the throw. */
typedef struct course {
  const char *name;
  way way;
  double vy, value, slope, height, speed;
  gradyn_direction direction;
  int events;       /* of a crossing */
  const char *says; /* message for an invariant; NULL: the run continues as with a crossing */
} course;

static const double g = 9.81, switched = 0.1;

static const course courses[] = {
    {"beyond zero at the start", AT_ONCE, 0, -2, 0, 1, 0, GRADYN_FALLING, 0,
     "watched: the guard is -1 at t = 0 s, where the motion begins in mode first: a motion "
     "continues "
     "there only while it is positive"},
    {"the same of one that rises", AT_ONCE, 0, 2, 0, -1, 0, GRADYN_RISING, 0,
     "watched: the guard is 1 at t = 0 s, where the motion begins in mode first: a motion "
     "continues "
     "there only while it is negative"},
    {"without modes", WITHOUT_MODES, 0, -2, 0, 1, 0, GRADYN_FALLING, 0,
     "watched: the guard is -1 at t = 0 s, where the motion begins: a motion continues there only "
     "while it is positive"},
    {"beyond zero behind an event", BEHIND_EVENT, 0, -2, 0, 1, 0, GRADYN_FALLING, 1,
     "watched: the guard is -1.04905 at t = 0.1 s, where the motion begins in mode second"},
    {"beyond zero behind a map", BEHIND_MAP, 0, 1.2, 0, -1, 0, GRADYN_FALLING, 1,
     "watched: the guard is -0.25095 at t = 0.1 s, where the motion begins in mode first"},
    {"zero and falling at the start", AT_ONCE, -1, -1, 0, 1, 0, GRADYN_FALLING, 0,
     "watched: the guard is 0 at t = 0 s and passes zero, where the motion begins"},
    {"zero and rising to its wrong side", AT_ONCE, 1, -1, 0, 1, 0, GRADYN_RISING, 0,
     "watched: the guard is 0 at t = 0 s and passes zero, where the motion begins"},
    {"at rest at zero, then falling", AT_ONCE, 0, -1, 0, 1, 0, GRADYN_FALLING, 0,
     "after it was zero at the start of the motion in mode first"},
    {"zero behind an event and falling", BEHIND_EVENT, 1, 0.1, -1, 0, 0, GRADYN_FALLING, 1,
     "and passes zero"},
    /* motions that are accepted; they may end at the guard */
    {"inside", AT_ONCE, 0, -0.8, 0, 1, 0, GRADYN_FALLING, 1, NULL},
    {"zero and leaving", AT_ONCE, 1, -1, 0, 1, 0, GRADYN_FALLING, 1, NULL},
    {"at rest at zero, then leaving", AT_ONCE, 0, 1, 0, -1, 0, GRADYN_FALLING, 0, NULL},
    {"zero throughout", AT_ONCE, 0, 0, 0, 0, 0, GRADYN_FALLING, 0, NULL},
    {"inside behind an event", BEHIND_EVENT, 0, -0.8, 0, 1, 0, GRADYN_FALLING, 2, NULL},
};

static const course *now;
static bool invariant;

static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  *value = now->value + now->slope * at->t + now->height * at->pos[1] + now->speed * at->vel[1];
  return GRADYN_OK;
}

FORMULA(clock, switched - at->t)

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  const bool modes = now->way != WITHOUT_MODES;
  const int first = modes ? gradyn_mode(mbs, "first") : GRADYN_EVERY_MODE;
  const int second = modes ? gradyn_mode(mbs, "second") : GRADYN_EVERY_MODE;
  const int ball = gradyn_point(mbs, "ball", 0, 1);
  gradyn_initial_velocity(mbs, ball, 0.5, now->vy);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -g);
  const gradyn_component y = {ball, GRADYN_Y};
  const gradyn_map_term up[] = {{y, y, 1, false}, {y, {GRADYN_CONSTANT, GRADYN_X}, 0.5, false}};
  const bool changes = now->way == BEHIND_EVENT, lifts = now->way == BEHIND_MAP;
  if (changes || lifts)
    gradyn_event_set_modes(
        mbs,
        gradyn_event(mbs, &(gradyn_event_spec){.name = "switch",
                                               .guard = {.terminal = clock},
                                               .map = up,
                                               .map_count = lifts ? 2 : 0,
                                               .mode = changes ? second : GRADYN_SAME_MODE}),
        gradyn_modes_of(first));
  /* the mode after the event has no guards */
  gradyn_event_set_modes(
      mbs,
      gradyn_event(
          mbs, &(gradyn_event_spec){.name = "watched",
                                    .guard = {.terminal = guard, .points = &ball, .point_count = 1},
                                    .direction = now->direction,
                                    .invariant = invariant,
                                    .mode = changes ? first
                                            : modes ? second
                                                    : GRADYN_SAME_MODE}),
      gradyn_modes_of(changes ? second : first));
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step;
} methods[] = {
    {"idas", 0}, {"explicit", 0}, {"explicit", 0.02}, {"ali3p", 0.01}, {"variational", 0.01}};

/* Simulates and differentiates with respect to all data: both fail with the same message, or both succeed
 * with the expected number of events. */
static void run(const struct method *method, const char *sensitivity, const char *says)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "modes", .build = build,
                                         .t_end = 0.3, .rtol = 1e-9};
  static const double nothing;
  const gradyn_status expected = says ? GRADYN_EVENT : GRADYN_OK;
  double psi, gradient[64];
  run_local *ev = run_with(&problem, .method = method->name, .step = method->step,
                           .sensitivity = sensitivity);
  assert_true(gradyn_evaluator_model_info(ev).data <= GRADYN_COUNT(gradient));
  for (int k = 0; k < 2; k++) {
    gradyn_status status = k == 0 ? gradyn_evaluator_simulate(ev, &nothing, &psi, NULL)
                                  : gradyn_evaluator_data_gradient(ev, &nothing, &psi, gradient);
    if (status != expected || (says && !strstr(gradyn_evaluator_message(ev), says)))
      fail_msg("%s by %s: %s \"%s\"", now->name, method->name, gradyn_status_describe(status).name,
               gradyn_evaluator_message(ev));
    if (!says && gradyn_evaluator_statistics(ev).events != (size_t)now->events)
      fail_msg("%s by %s: %zu events", now->name, method->name,
               gradyn_evaluator_statistics(ev).events);
  }
}

/* As an invariant the guard is reported, as a crossing it waits. */
TEST(an_impossible_mode_is_reported)
{
  for (size_t c = 0; c < GRADYN_COUNT(courses); c++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
      now = &courses[c];
      invariant = true;
      run(&methods[m], "adjoint", now->says);
      run(&methods[m], "direct", now->says);
      invariant = false;
      run(&methods[m], "adjoint", NULL);
    }
}

/* --- general equations ------------------------------------------------------------------------------ */

/* y' = 1 from y = 1; at y = 1.2 an event sets y to 0.7. */
FORMULA(residual, at->yp[0] - 1)
FORMULA(at_target, 1.2 - at->y[0])

static double least; /* of y */

FORMULA(above, at->y[0] - least)

static gradyn_status build_equations(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_component y = {gradyn_state(model, "y", "", 1), GRADYN_X};
  declare_equations(model, residual, NULL, 0);
  const gradyn_map_term back[] = {{y, y, 0, false}, {y, {GRADYN_CONSTANT, GRADYN_X}, 0.7, false}};
  gradyn_event(model,
               &(gradyn_event_spec){
                   .name = "back", .guard = {.terminal = at_target}, .map = back, .map_count = 2});
  gradyn_event(model, &(gradyn_event_spec){
                          .name = "watched", .guard = {.terminal = above}, .invariant = invariant});
  gradyn_end_time_functional(model, "end");
  return gradyn_build_status(model);
}

TEST(so_is_one_of_general_equations)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "equations",
                                         .build = build_equations, .t_end = 0.4};
  static const struct {
    double least;
    const char *says;
  } cases[] = {{2, "watched: the guard is -1 at t = 0 s"},
               {0.8, "watched: the guard is -0.1 at t = 0.2 s"},
               {0.6, NULL}};
  static const double nothing;
  for (size_t i = 0; i < 2 * GRADYN_COUNT(cases); i++) {
    const char *says = i % 2 ? cases[i / 2].says : NULL;
    double end;
    least = cases[i / 2].least;
    invariant = i % 2;
    run_local *ev = run_with(.problem = &problem);
    assert_status(gradyn_evaluator_simulate(ev, &nothing, &end, NULL),
                  says ? GRADYN_EVENT : GRADYN_OK, gradyn_evaluator_message(ev));
    if (says && !strstr(gradyn_evaluator_message(ev), says))
      fail_msg("\"%s\"", gradyn_evaluator_message(ev));
  }
}
