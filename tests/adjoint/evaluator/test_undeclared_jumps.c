/* Undeclared jumps of the equations are reported with their times. Kinks, linearly interpolated tables,
 * jumps in time and steep laws are not reported. */
#include "tests/drawn/abrupt_systems.h"
#include "tests/runs.h"
#include "tests/declare.h"

static gradyn_evaluator *open_way(const gradyn_problem *problem, const abrupt_way *way)
{
  return run_with(problem, .method = way->method, .sensitivity = way->sensitivity,
                  .step = way->share > 0 ? way->share * problem->t_end : -1);
}

/* Counts the jumps in the warnings. */
static long count_jumps(const gradyn_evaluator *ev)
{
  long sum = 0;
  for (size_t i = 0; i < gradyn_evaluator_statistics(ev).warnings; i++) {
    const gradyn_warning w = gradyn_evaluator_warning_at(ev, i);
    sum += w.code == GRADYN_WARNING_UNDECLARED_DISCONTINUITY ? w.count : 0;
  }
  return sum;
}

/* --- all laws --------------------------------------------------------------------------------- */

static void examine(const abrupt_system *system, const abrupt_way *way)
{
  const gradyn_problem problem = abrupt_problem(system);
  const double rho[ABRUPT_PARAMETERS] = {1, 1, 1};
  double psi[ABRUPT_FUNCTIONALS], gradient[ABRUPT_FUNCTIONALS * ABRUPT_PARAMETERS];
  run_local *ev = open_way(&problem, way);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  const long jumps = count_jumps(ev);
  const bool told = run_warning(ev, GRADYN_WARNING_UNDECLARED_DISCONTINUITY).code != 0;
  if (told != (system->law <= ABRUPT_LAST_JUMP) || told != (jumps > 0))
    fail_msg("%s as %s by %s, %s: %ld jumps are told", abrupt_name(system->law),
             system->mechanism ? "mechanism" : "equations", way->method, way->sensitivity, jumps);
  /* nothing is wrong with values */
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_string_equal(gradyn_evaluator_warnings(ev), "");
}

static bool takes(const abrupt_way *way, const abrupt_system *system)
{
  return system->mechanism ? way->mechanical : way->general;
}

/* Every law with every method, for two random systems in turn, or for the system that the method supports. */
TEST(jumps_are_reported_and_nothing_else)
{
  for (int law = 0; law < ABRUPT_LAWS; law++) {
    /* for these seeds the motion passes all jumps */
    const abrupt_system system[] = {abrupt_draw(1, (abrupt_law)law),
                                    abrupt_draw(2, (abrupt_law)law)};
    for (size_t w = 0; w < ABRUPT_WAYS; w++) {
      if (!support_takes(law + (int)w, 7))
        continue;
      const size_t turn = (w + (size_t)law) % 2;
      const size_t other = 1 - turn;
      if (takes(&abrupt_ways[w], &system[turn]))
        examine(&system[turn], &abrupt_ways[w]);
      else if (takes(&abrupt_ways[w], &system[other]))
        examine(&system[other], &abrupt_ways[w]);
    }
  }
}

/* --- times ------------------------------------------------------------------------------------ */

/* A force along x that increases at each multiple of 0.2 m, up to a number of places, acts on a mass that
 * starts at 1 m/s. With the acceleration a over a distance s, the speed increases from v to sqrt(v^2 + 2 a
 * s). */
static gradyn_scalar stairs(gradyn_scalar x, double places)
{
  return creal(x) < 0.2 ? 0 : 0.1 * fmin(places, floor(creal(x) / 0.2));
}

FORMULAS(as_equations, at->yp[0] - at->y[1], at->yp[1] - stairs(at->y[0], creal(at->data[0])))

FORMULAS(as_force, stairs(at->pos[0], creal(at->data[0])), 0)

FORMULA(place, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"places", "", gradyn_setting_value(m, "places")}};
  if (gradyn_setting_value(m, "mechanism") == 0) {
    gradyn_state(m, "x", "m", 0);
    gradyn_state(m, "v", "m/s", rho[0]);
    declare_equations(m, as_equations, data, 1);
    declare_end(m, "x", "", place);
    return gradyn_build_status(m);
  }
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[0], 0);
  declare_force(m, "stairs", p, as_force, data, 1);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"v", "m/s", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"mechanism", "", 0, 0, 1}, {"places", "", 1, 0, 4}};
static const gradyn_problem flight = PROBLEM("flight", build, params, .settings = settings,
                                             .setting_count = 2, .t_end = 1);

static void compare_times(const abrupt_way *way, int mechanism, int places)
{
  const gradyn_setting_choice chosen[] = {{"mechanism", mechanism}, {"places", places}};
  const double rho = 1;
  double psi, gradient, v = 1, t = 0.2;
  run_local *ev = run_with(&flight, .method = way->method, .sensitivity = way->sensitivity,
                           .step = way->share > 0 ? way->share : -1, .settings = chosen,
                           .setting_count = 2);
  assert_run(gradyn_evaluator_gradient(ev, &rho, &psi, &gradient), ev);
  const long jumps = count_jumps(ev);
  if (jumps != places)
    fail_msg("%s, %s, step %g, mechanism %d: %ld jumps of %d", way->method, way->sensitivity,
             way->share, mechanism, jumps, places);
  for (int k = 0; k < places && k < GRADYN_JUMP_TIMES; k++) {
    char text[32];
    const gradyn_warning jump = gradyn_evaluator_warning_at(ev, (size_t)k);
    assert_int_equal(jump.code, GRADYN_WARNING_UNDECLARED_DISCONTINUITY);
    assert_close(jump.t, t, 0, 2e-3);
    (void)snprintf(text, sizeof text, "%.6g s", jump.t);
    assert_says(jump.text, text);
    /* the next 0.2 m with the acceleration between these places */
    const double a = 0.1 * (k + 1), faster = sqrt(v * v + 0.4 * a);
    t += (faster - v) / a;
    v = faster;
  }
}

TEST(the_first_three_times_are_reported)
{
  for (size_t w = 0; w < ABRUPT_WAYS; w++)
    for (int places = 0; places <= 4; places++) {
      if (!support_takes((int)w + places, 5))
        continue;
      if (abrupt_ways[w].general)
        compare_times(&abrupt_ways[w], 0, places);
      compare_times(&abrupt_ways[w], 1, places);
    }
}
