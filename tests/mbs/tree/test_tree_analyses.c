/* Joint coordinates in all analyses: each analysis of an arm whose frames are oblique gives the numbers of
 * natural coordinates. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { SPEED, MASS, LOSS, PUSH, KNOTS = 5, PARAMETERS = PUSH + KNOTS, MOST = 256 };
static const gradyn_param params[] = {
    {"speed", "rad/s", .init = 0.8, .lower = -3, .upper = 3},
    {"mass", "kg", .init = 1.3, .lower = 0.5, .upper = 2},
    {"loss", "N m s", .init = 0.9, .lower = 0.1, .upper = 2},
    {"push", "N m", .count = KNOTS, .init = 0.5, .lower = -40, .upper = 40},
};

static int add_link(gradyn_model *m, const char *name, const gradyn_scalar rho[], double x)
{
  return declare_body_3d(m, name, rho[MASS], INERTIA(0.02, 0.03, 0.04, 0.004, 0, 0.002),
                         VECTOR(x, 0.05, 0));
}

static int add_angle(gradyn_model *m, int joint, const char *name, gradyn_scalar start,
                     const gradyn_scalar rho[], int push)
{
  const int angle = gradyn_joint_coordinate(m, joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(m, gradyn_format_name(m, "%s.start", name), angle, start, rho[SPEED]);
  gradyn_joint_spring(m,
                      &(gradyn_joint_spring_spec){.name = gradyn_format_name(m, "%s.spring", name),
                                                  .coordinate = angle,
                                                  .k = 25,
                                                  .c = rho[LOSS],
                                                  .signal = push});
  return angle;
}

/* Values of the setting "with", which may be added. */
enum { LIMITED = 1, RUBS = 2 };

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int with = gradyn_setting_value(m, "with");
  const int push = declare_signal(m, "push", "N m", GRADYN_PIECEWISE_LINEAR, KNOTS, rho + PUSH);
  const int upper = add_link(m, "upper", rho, 0.3), lower = add_link(m, "lower", rho, 0.9);
  const int shoulder = declare_joint(m, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, upper, NULL,
                                     VECTOR(0.2, 1, 0.1));
  const int elbow = declare_joint(m, "elbow", GRADYN_REVOLUTE, lower, upper, VECTOR(0.6, 0, 0.03),
                                  VECTOR(0.1, 0.3, 1));
  (void)add_angle(m, shoulder, "shoulder", 0.1, rho, 0);
  const int angle = add_angle(m, elbow, "elbow", -0.2, rho, push);
  for (int k = 0; k < 2 && with & RUBS;
       k++) /* joint friction, which needs the multipliers of its joint */
    gradyn_joint_friction(m, &(gradyn_joint_friction_spec){
                                 k ? "elbow rubs" : "shoulder rubs", k ? elbow : shoulder,
                                 .still = 0.3, .kinetic = 0.2, .transition = 0.2, .smoothing = 0.5,
                                 .radius = 0.05, .length = 0.2, .offset = -0.1});
  gradyn_gravity_3d(m, 0, 0.3, -9.81);
  const int tip = gradyn_body_point_3d(m, lower, "tip", 1.2, 0.1, 0);
  const int r = gradyn_measure_point(m, "", tip, 0, GRADYN_ALL_AXES),
            v = gradyn_measure_point(m, "", tip, 1, GRADYN_Z);
  gradyn_minimise(m, declare_tracking(m, "track", r, 1, 0.4, -0.2), 1);
  declare_functional(m, "speed at the end", v, GRADYN_AT_END);
  if (with & LIMITED)
    gradyn_path_constraint(m, "fold", gradyn_measure_joint(m, "fold", angle, 0), -0.3, 0.05, 1e-6,
                           NULL);
  return gradyn_build_status(m);
}

static const gradyn_setting setting = {.name = "with", .upper = LIMITED | RUBS};
#define ARM(title, in)                                                                             \
  PROBLEM(title, build, params, .t_end = 0.5, .step = 0.004, .coordinates = in,                    \
          .settings = &setting, .setting_count = 1)
static const gradyn_problem arms[] = {ARM("natural", "natural"), ARM("joint", "joint"),
                                      ARM("auto", "auto")};

/* What an analysis found. */
typedef struct numbers {
  size_t count;
  double x[MOST];
} numbers;

static void add(numbers *out, const double *x, size_t count)
{
  assert_true(out->count + count <= MOST);
  memcpy(out->x + out->count, x, count * sizeof *x);
  out->count += count;
}

typedef void (*analysis)(gradyn_evaluator *ev, const double rho[], numbers *out);

static const char *const angles[] = {"shoulder.angle", "elbow.angle"};

static void find_transition(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  LOCAL(gradyn_transition) found;
  assert_run(gradyn_transition_compute(ev, rho, angles, 2, &found), ev);
  assert_int_equal(found.size, 4);
  assert_string_equal(found.name[0], angles[0]);
  add(out, found.start, 4);
  add(out, found.end, 4);
  add(out, found.matrix, 16);
}

/* A constant push: the periodic motion is rest. */
static void find_orbit(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  LOCAL(gradyn_orbit) found;
  const gradyn_orbit_spec spec = {angles, 2, .fixed_period = true};
  assert_run(gradyn_orbit_compute(ev, rho, &spec, &found), ev);
  add(out, found.transition.start, 4);
  add(out, found.multiplier, 8);
  add(out, found.start_slope, 4 * PARAMETERS);
}

static void find_regulator(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  static const char *const push[] = {"push"};
  static const double Q[] = {3, 0.5, 0.5, 2}, R[] = {0.1};
  LOCAL(gradyn_regulator) found;
  const gradyn_regulator_spec spec = {.state = {angles, 2, Q},
                                      .final = {angles, 2, Q},
                                      .input = {push, 1, R},
                                      .preferred_coordinates = angles,
                                      .preferred_count = 2,
                                      .samples = 5};
  assert_run(gradyn_regulator_compute(ev, rho, &spec, &found), ev);
  assert_int_equal(found.states, 4);
  add(out, found.gain, 5 * 4);
  add(out, found.cost, 5 * 16);
}

static void find_covariance(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  static const char *const what[] = {"speed", "loss"};
  static const double C[] = {0.04, 0.01, 0.01, 0.09};
  LOCAL(gradyn_covariance) found;
  const gradyn_covariance_spec spec = {what, 2, C, 3};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), ev);
  size_t at = 0;
  while (at < found.states && strcmp(found.name[at], angles[1]) != 0)
    at++;
  for (size_t row = 1; row < found.rows; row++)
    add(out, &(double){gradyn_covariance_entry(&found, row, at, at)}, 1);
  for (size_t f = 0; f < found.functionals; f++)
    add(out, &(double){found.deviation[f]}, 1);
}

/* Adds the results that do not depend on the chosen coordinates. */
static void add_modes(numbers *out, const gradyn_linearisation *found)
{
  add(out, found->real, 4);
  for (int i = 0; i < 4; i++)
    add(out, &(double){fabs(found->imag[i])}, 1);
}

static void find_equilibrium(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  gradyn_stability stability;
  LOCAL(gradyn_linearisation) found;
  assert_run(gradyn_equilibrium_compute(ev, rho, &stability, NULL, &found), ev);
  assert_int_equal(stability, GRADYN_STABLE);
  assert_int_equal(found.dof, 2);
  add_modes(out, &found);
}

static void linearise_at_end(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  LOCAL(gradyn_linearisation) found;
  assert_run(gradyn_evaluator_linearise(ev, rho, true, &found), ev);
  add_modes(out, &found);
}

static void find_sensitivities(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  static const double t[] = {0, 0.2, 0.5};
  const size_t states = (size_t)gradyn_evaluator_model_info(ev).states;
  FREED double *dy = support_zeros(3 * states * PARAMETERS, sizeof *dy);
  assert_run(gradyn_sensitivities_compute(ev, rho, t, 3, NULL, dy), ev);
  for (size_t i = 0; i < states; i++) {
    const gradyn_coordinate_info at = gradyn_coordinate_at(ev, (int)i);
    for (size_t k = 0; k < 3 && strcmp(at.name, angles[1]) == 0; k++)
      add(out, dy + (k * states + i) * PARAMETERS, PARAMETERS);
  }
  assert_int_equal(out->count, 3 * PARAMETERS);
}

static void search(gradyn_evaluator *ev, const double rho[], long segments, numbers *out)
{
  LOCAL(gradyn_search_result) found;
  bool vary[PARAMETERS] = {false};
  for (int i = PUSH; i < PUSH + 2; i++)
    vary[i] = true;
  gradyn_search search = run_search(ev);
  search.vary = vary;
  search.optimality = 1e-7;
  if (segments > 0) {
    search.segments = segments;
    search.algorithm = "ipopt";
  }
  assert_ok(gradyn_optimise(ev, &search, rho, &found), found.reason);
  assert_int_equal(found.termination, GRADYN_TERMINATION_OPTIMAL);
  add(out, &found.objective, 1);
  add(out, found.rho, PARAMETERS);
}

static void search_whole(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  search(ev, rho, 0, out);
}

static void search_segments(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  search(ev, rho, 4, out);
}

/* Tolerances: results differ by errors of runs (tolerances 1e-10 or 1e-8) and of the ends of searches. */
static const struct {
  const char *what;
  analysis find;
  bool limited, slow;
  double tolerance; /* of the largest number */
} table[] = {
    {"transition", find_transition, false, false, 1e-8},
    {"orbit", find_orbit, false, false, 1e-7},
    {"regulator", find_regulator, false, true, 1e-7},
    {"covariance", find_covariance, false, false, 1e-8},
    {"equilibrium", find_equilibrium, false, false, 1e-8},
    {"linearisation", linearise_at_end, false, false, 1e-6},
    {"sensitivities", find_sensitivities, false, false, 1e-7},
    {"search", search_whole, false, true, 1e-5},
    {"limits", search_whole, true, true, 1e-5},
    {"segments", search_segments, false, true, 1e-4},
};

static bool offered(const char *what)
{
  bool ipopt = false;
  for (const char *const *name = gradyn_algorithm_names(); *name; name++)
    ipopt = ipopt || strcmp(*name, "ipopt") == 0;
  return ipopt || strcmp(what, "segments") != 0;
}

static void compare(const char *method, size_t k, int with)
{
  numbers found[2] = {0};
  for (int c = 0; c < 2; c++) {
    double rho[PARAMETERS];
    run_local *ev = run_with(&arms[c], .method = method,
                             .rtol = table[k].slow ? 1e-8 : support_rtol(1e-10), .setting = "with",
                             .value = with | (table[k].limited ? LIMITED : 0));
    run_initial(ev, rho);
    table[k].find(ev, rho, &found[c]);
  }
  const double allowed = table[k].slow ? table[k].tolerance : support_rtol(table[k].tolerance);
  double size = 0;
  for (size_t i = 0; i < found[0].count; i++)
    size = fmax(size, fabs(found[0].x[i]));
  assert_int_equal(found[0].count, found[1].count);
  for (size_t i = 0; i < found[0].count; i++)
    if (!(fabs(found[0].x[i] - found[1].x[i]) <= allowed * size))
      fail_msg("%s by %s, with %d: number %zu is %.15g in natural coordinates, %.15g in joint ones",
               table[k].what, method, with, i, found[0].x[i], found[1].x[i]);
}

THOROUGH_TEST(analyses_are_those_of_natural_coordinates)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (offered(table[k].what)) {
      if (support_takes((int)k + 2, 4))
        compare("explicit", k, 0);
      if (!table[k].slow && support_takes((int)k + 1, 2))
        compare("radau", k, 0);
    }
}

TEST(so_they_are_with_friction_in_the_joints)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (!table[k].slow) {
      if (support_takes((int)k + 1, 2))
        compare("explicit", k, RUBS);
      if (support_takes((int)k, 2))
        compare("radau", k, RUBS);
    }
}

/* In space a stage needs fewer operations in joint coordinates: `auto` selects them, with the same bits. */
TEST(auto_gives_the_numbers_of_the_coordinates_that_it_chooses)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    numbers found[3] = {0};
    for (int c = 1; c < 3 && !table[k].limited; c++) {
      double rho[PARAMETERS];
      run_local *ev = run_with(&arms[c], .method = "explicit", .rtol = 1e-6);
      assert_string_equal(gradyn_evaluator_options(ev).coordinates, "joint");
      run_initial(ev, rho);
      if (!table[k].slow || table[k].find == find_regulator)
        table[k].find(ev, rho, &found[c]);
    }
    assert_int_equal(found[1].count, found[2].count);
    assert_memory_equal(found[1].x, found[2].x, found[1].count * sizeof(double));
  }
}
