/* Difficult searches in segments: each reaches the optimum, or its message names the obstacle. */
#include "tests/optim/journals.h"
#include "tests/optim/segments/searched.h"
#include "tests/optim/segments/turning.h"
#include "tests/declare.h"

#include <unistd.h>

enum { MOST_KNOTS = 11 };

/* --- a mass ------------------------------------------------------------------------------------- */

/* A mass of 1 kg moves by a metre in a second, from rest to rest, by ten forces. */
typedef enum mass_kind { PLAIN, SLOW, TOUCHING, BEYOND, ONE_FORCE, TWO_PLACES, HALFWAY } mass_kind;

FORMULAS(rates, at->yp[0] - at->y[1], at->yp[1] - at->u[1])

FORMULA(power, at->u[1] * at->u[1])

#define STATE(name, i)                                                                             \
  static gradyn_status name(const gradyn_at *at, gradyn_scalar *value)                             \
  {                                                                                                \
    *value = at->y[i];                                                                             \
    return GRADYN_OK;                                                                              \
  }
STATE(place, 0)
STATE(speed, 1)

/* Requires a state at a time; 0: at the end. */
static void require(gradyn_model *model, const char *name, const char *unit,
                    gradyn_status (*what)(const gradyn_at *, gradyn_scalar *), double value,
                    double instant)
{
  const gradyn_custom_functional_spec spec = {name, unit, .terminal = what, .instant = instant};
  gradyn_constrain(model, gradyn_custom_functional(model, &spec), value, value, 1e-9);
}

static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[], mass_kind kind)
{
  const gradyn_custom_functional_spec effort = {"effort", "N^2 s", .integrand = power},
                                      x = {"place", "m", .integrand = place},
                                      v = {"speed", "m/s", .integrand = speed};
  declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, kind == ONE_FORCE ? 1 : 10, rho);
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "v", "m/s", 0);
  declare_equations(model, rates, NULL, 0);
  require(model, "x_end", "m", place, 1, 0);
  require(model, "v_end", "m/s", speed, 0, 0);
  if (kind ==
      HALFWAY) /* the condition is satisfied by the optimum anyway; the problem gives the end time */
    gradyn_end_time(model, 1);
  if (kind == TWO_PLACES || kind == HALFWAY)
    require(model, "x_again", "m", place, kind == HALFWAY ? 0.5 : 2, kind == HALFWAY ? 0.5 : 0);
  if (kind == SLOW)
    declare_limit(model, &v, -HUGE_VAL, 0.5, 1e-6);
  if (kind == TOUCHING || kind == BEYOND)
    declare_limit(model, &x, kind == BEYOND ? 0.1 : 0, HUGE_VAL, 1e-6);
  gradyn_minimise(model, gradyn_custom_functional(model, &effort), 1);
  return gradyn_build_status(model);
}

static const gradyn_param forces[] = {
    {"u", "N", .lower = -99, .upper = 99, .scale = 5, .role = GRADYN_CONTROL, .count = 10}};

#define MASS(id, kind)                                                                             \
  static gradyn_status build_##id(gradyn_model *model, const gradyn_scalar rho[])                  \
  {                                                                                                \
    return declare(model, rho, kind);                                                              \
  }                                                                                                \
  static const gradyn_problem id = PROBLEM(#id, build_##id, forces, .t_end = 1);
MASS(mass, PLAIN)
MASS(slow_mass, SLOW)
MASS(touching_mass, TOUCHING)
MASS(mass_beyond, BEYOND)
MASS(mass_of_one_force, ONE_FORCE)
MASS(mass_at_two_places, TWO_PLACES)
MASS(mass_halfway, HALFWAY)

/* --- a ball ------------------------------------------------------------------------------------- */

/* Thrown from a height of 1 m. With the velocity g/4 - 2 m/s it reaches the floor after half a second. If
 * it must be 0.6 m high after a second and one bounce, the velocity is the root of a quadratic equation. */
static const gradyn_param throwing[] = {
    {"v", "m/s", .init = 9.81 / 4 - 2, .lower = -3, .upper = 3, .scale = 1}};

/* The largest downward velocity is sqrt(v^2 + 2 g), at least 4.4 m/s. */
FORMULA(falling, at->vel[3])

static gradyn_status drop(gradyn_model *model, const gradyn_scalar rho[], double slowest)
{
  const int ball = gradyn_point(model, "ball", 0, 1);
  gradyn_initial_velocity(model, ball, 0, rho[0]);
  gradyn_point_mass(model, "mass", ball, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_impact(model, &(gradyn_impact_spec){
                           .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = 0.8});
  const int y = gradyn_functional(
      model, &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", ball, 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  gradyn_constrain(model, y, 0.6, 0.6, 1e-9);
  gradyn_minimise(model, gradyn_design_functional(model, "size", "", rho[0] * rho[0]), 1);
  if (slowest < 0)
    gradyn_path_constraint(
        model, "fall",
        gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.name = "fall",
                                                                   .unit = "m/s",
                                                                   .formula = falling,
                                                                   .hidden = true}),
        slowest, HUGE_VAL, 1e-6, NULL);
  return gradyn_build_status(model);
}

#define BALL(id, slowest)                                                                          \
  static gradyn_status build_##id(gradyn_model *model, const gradyn_scalar rho[])                  \
  {                                                                                                \
    return drop(model, rho, slowest);                                                              \
  }                                                                                                \
  static const gradyn_problem id = PROBLEM(#id, build_##id, throwing, .t_end = 1);
BALL(ball, 0)
BALL(fast_ball, -6)
BALL(slow_ball, -4)

/* The same as general equations, with the same path constraint. */
FORMULAS(fly, at->yp[0] - at->y[1], at->yp[1] + 9.81)

static gradyn_status drop_equations(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_component v = {2, GRADYN_X};
  const gradyn_map_term back = {v, v, -0.8, false};
  gradyn_state(model, "y", "m", 1);
  gradyn_state(model, "v", "m/s", rho[0]);
  declare_equations(model, fly, NULL, 0);
  gradyn_event(model,
               &(gradyn_event_spec){
                   .name = "floor", .guard = {.terminal = place}, .map = &back, .map_count = 1});
  require(model, "y_end", "m", place, 0.6, 0);
  gradyn_path_constraint(
      model, "fall",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "fall", .unit = "m/s", .formula = speed, .hidden = true}),
      -6, HUGE_VAL, 1e-6, NULL);
  gradyn_minimise(model, gradyn_design_functional(model, "size", "", rho[0] * rho[0]), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem equal_ball = PROBLEM("equal_ball", drop_equations, throwing,
                                                 .t_end = 1);

/* Square of the velocity of the throw: 0.8 s d - g d^2/2 = 0.6 with s = sqrt(v^2 + 2 g), d = 1 - (v + s)/g.
 */
static double throw_squared(void)
{
  const double g = 9.81;
  double v = 9.81 / 4 - 2;
  for (int k = 0; k < 50; k++) {
    const double s = sqrt(v * v + 2 * g), d = 1 - (v + s) / g, ds = v / s, dd = -(1 + ds) / g;
    v -= (0.8 * s * d - g / 2 * d * d - 0.6) / (0.8 * (ds * d + s * dd) - g * d * dd);
  }
  return v * v;
}

/* --- an elbow ----------------------------------------------------------------------------------- */

/* Two rods of 1 m from a pin, stretched to 1.6 m; a force acts on the tip. The elbow is on one side. */
static const gradyn_param pushes[] = {
    {"p", "N", .lower = -9, .upper = 9, .scale = 1, .role = GRADYN_CONTROL, .count = 2}};

static gradyn_status bend(gradyn_model *model, const gradyn_scalar rho[])
{
  const int pin = gradyn_ground_point(model, "pin", 0, 0);
  const int elbow = gradyn_point(model, "elbow", 0.8, 0.6),
            tip = gradyn_point(model, "tip", 1.6, 0);
  const int push = declare_signal(model, "push", "N", GRADYN_PIECEWISE_CONSTANT, 2, rho);
  gradyn_point_mass(model, "elbow.mass", elbow, 0.01);
  gradyn_point_mass(model, "tip.mass", tip, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"upper", pin, elbow, .length = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"lower", elbow, tip, .length = 1});
  declare_push(model, "push", tip, -1, 0, push);
  gradyn_constrain(
      model,
      gradyn_functional(
          model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", tip, 0, GRADYN_X),
                                           .reduction = GRADYN_AT_END}),
      1.5, 1.5, 1e-9);
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", push),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(model);
}

static const gradyn_problem arm = PROBLEM("arm", bend, pushes, .t_end = 0.5);

/* --- the table ---------------------------------------------------------------------------------- */

typedef struct hard_case {
  const char *what;
  const gradyn_problem *problem;
  long segments;
  const char *cuts, *guess; /* instead; a table */
  double step;              /* s, of fixed steps */
  gradyn_status status;
  gradyn_termination ending;
  double (*objective)(void); /* NULL: not known */
  const char *says;
} hard_case;

#define FINDS(least)                                                                               \
  .status = GRADYN_OK, .ending = GRADYN_TERMINATION_OPTIMAL, .objective = (least), .says
#define CANNOT .status = GRADYN_INFEASIBLE, .ending = GRADYN_TERMINATION_INFEASIBLE, .says
#define FAILS(how) .status = GRADYN_##how, .ending = GRADYN_TERMINATION_FAILED, .says

/* 1/(h sum (c_k - 1/2)^2), where c_k are the midpoints of the forces and h = 0.1 s. */
static double least_effort(void)
{
  double sum = 0;
  for (int k = 0; k < 10; k++)
    sum += pow(0.1 * k + 0.05 - 0.5, 2);
  return 1 / (0.1 * sum);
}

/* 12 J^2 (20 pi)^2 / T^3 */
static double crank_effort(void)
{
  return 12 * pow(0.25 * 20 * acos(-1), 2) / 8;
}

static const char flipped[] = "t,elbow.x,elbow.y,tip.x,tip.y,elbow.vx,elbow.vy,tip.vx,tip.vy\n"
                              "0,0.8,-0.6,1.6,0,0,0,0,0\n1,0.8,-0.6,1.6,0,0,0,0,0\n";

static const hard_case cases[] = {
    {"no limit", &mass, 5, FINDS(least_effort) = "5 segments; a run without segments"},
    {"a limit that no motion keeps", &slow_mass, 5, CANNOT = "speed.over"},
    {"a limit that the start touches", &touching_mass, 5,
     FINDS(least_effort) = "path constraints: satisfied throughout the run"},
    {"a limit that the start exceeds", &mass_beyond, 5,
     CANNOT = "place.under at t = 0 s: 0.1 m for all values"},
    {"two ends and one force", &mass_of_one_force, 5, CANNOT = "_end"},
    {"two places at one time", &mass_at_two_places, 5, CANNOT = "x_again"},
    {"a place at a cut", &mass_halfway, 2, FINDS(least_effort) = "because x_again is at 0.5 s"},
    {"a guess of another duration", &mass, 4, .guess = "t,x,v\n3,0,0\n5,0.5,1\n7,1,0\n",
     FINDS(least_effort) = "4 segments"},
    {"a guess of one row", &mass, 4, .guess = "t,x,v\n0,0,0\n",
     FAILS(INVALID) = "1 times; at least 2 are needed"},
    {"a guess of one state", &mass, 4, .guess = "t,x\n0,0\n1,1\n",
     FAILS(INVALID) = "has no column for v"},
    {"segments shorter than a step", &mass, 45, .step = 0.05, FINDS(least_effort) = "45 segments"},
    {"a segment shorter than all others", &mass, .cuts = "0.5,0.500001",
     FINDS(least_effort) = "3 segments"},
    {"cuts at all knots", &mass, .cuts = "knots", FINDS(least_effort) = "10 segments"},
    {"an event in a segment", &ball, 3, FINDS(throw_squared) = "3 segments"},
    {"an event just before a cut", &ball, .cuts = "0.501", FINDS(throw_squared) = "2 segments"},
    {"an event on a border", &ball, 2,
     FINDS(throw_squared) = "segment 2 begins at t = 0.25 s, because floor is at 0.5 s"},
    {"an event beside a limit", &fast_ball, 3,
     FINDS(throw_squared) = "path constraints: satisfied throughout the run"},
    {"a limit that is exceeded at an event", &slow_ball, 3, CANNOT = "fall.under"},
    {"an event of equations", &equal_ball, 3, FINDS(throw_squared) = "3 segments"},
    {"an event of equations on a border", &equal_ball, .cuts = "0.5,0.8",
     FINDS(throw_squared) = "segment 2 begins at t = 0.25 s, because floor is at 0.5 s"},
    {"a crank that turns ten times", &turning_crank, 30, FINDS(crank_effort) = "30 segments"},
    {"an elbow", &arm, 3, FINDS(NULL) = "3 segments"},
    {"an elbow that flips", &arm, 3, .guess = flipped, CANNOT = "begins in another branch"}};

static void search(const hard_case *c)
{
  double rho0[MOST_KNOTS];
  FREED char *file = journal_name();
  run_local *ev = run_with(.problem = c->problem, .method = "explicit", .step = c->step);
  assert_true(run_initial(ev, rho0) <= MOST_KNOTS);
  gradyn_search how = in_segments(ev, c->segments);
  how.segment_times = c->cuts;
  gradyn_search_result result;
  if (c->guess != NULL) {
    journal_write(file, c->guess, strlen(c->guess));
    how.guess = file;
  }
  const gradyn_status status = gradyn_optimise(ev, &how, rho0, &result);
  if (status != c->status || result.termination != c->ending ||
      strstr(result.reason, c->says) == NULL)
    fail_msg("%s: %s, %s: %s", c->what, gradyn_status_describe(status).name,
             gradyn_termination_name(result.termination), result.reason);
  if (c->objective != NULL && !(fabs(result.objective / c->objective() - 1) <= 1e-8))
    fail_msg("%s: %.12g instead of %.12g", c->what, result.objective, c->objective());
  gradyn_search_result_clear(&result);
  if (c->guess != NULL)
    assert_int_equal(unlink(file), 0);
}

TEST(each_is_found_or_reported_by_name)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (support_takes((int)i, 2) && (support_thorough() || cases[i].segments < 30)) /* long ones */
      search(&cases[i]);
}
