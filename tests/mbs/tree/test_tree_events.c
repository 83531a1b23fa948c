/* Events in joint coordinates: each kind of event gives the motion, and the derivatives with respect to all
 * data, of natural coordinates. Direct is compared with adjoint, and both with differences. */
#include "tests/mbs/tree/both.h"
#include "tests/mbs/tree/eventful.h"

/* Returns whether a datum is compared. If one of two redundant data, a level or the angle of a map, changes
 * alone, points leave a constraint, and schemes correct this differently. */
static bool counts(const char *datum)
{
  static const char *const tied[] = {"floor.", "lands.", "turned.map"};
  for (size_t k = 0; k < sizeof tied / sizeof *tied; k++)
    if (strncmp(datum, tied[k], strlen(tied[k])) == 0)
      return false;
  return true;
}

static run_setup of_kind(const gradyn_problem *problem, int kind, const char *method, double rtol)
{
  return (run_setup){.problem = problem,
                     .setting = "kind",
                     .value = kind,
                     .method = method,
                     .sensitivity = "adjoint",
                     .rtol = rtol};
}

/* Arms in space and in the plane. */
static const struct capacity {
  const gradyn_problem *natural, *joint;
  int kinds, looped; /* number of kinds, and the first one in a loop */
} rooms[] = {
    {&eventful_natural, &eventful_joint, EVENTFUL_KINDS, EVENTFUL_IN_LOOP},
    {&eventful_flat_natural, &eventful_flat_joint, EVENTFUL_FLAT_KINDS, EVENTFUL_IN_FLAT_LOOP}};

enum { ROOMS = sizeof rooms / sizeof *rooms };

static void compare(const struct capacity *capacity, int kind, const char *method, double rtol,
                    double agree)
{
  const run_setup setup = of_kind(capacity->natural, kind, method, rtol);
  both_compare_by(&setup, counts, agree);
}

THOROUGH_TEST(events_are_those_of_natural_coordinates)
{
  for (int r = 0; r < ROOMS; r++)
    for (int kind = 0; kind < rooms[r].kinds; kind++)
      if (support_takes(kind + r, 3))
        compare(&rooms[r], kind, "explicit", 1e-10, 1e-9);
}

/* Derivatives with respect to levels, which the cases above leave out. */
THOROUGH_TEST(landings_depend_on_levels_as_in_natural_coordinates)
{
  double slope[2][EVENTFUL_FUNCTIONALS * EVENTFUL_PARAMETERS];
  for (int i = 0; i < 2 * ROOMS; i++) {
    const struct capacity *capacity = &rooms[i / 2];
    const int kind = EVENTFUL_LANDINGS + i % 2;
    const run_setup setups[] = {of_kind(capacity->natural, kind, "explicit", 1e-11),
                                of_kind(capacity->joint, kind, "explicit", 1e-11)};
    for (int k = 0; k < 2; k++)
      ali3p_gradient(&setups[k], NULL, slope[k], NULL);
    assert_close_array(slope[1], slope[0], EVENTFUL_FUNCTIONALS * EVENTFUL_PARAMETERS, 1e-9, 1e-9);
  }
}

THOROUGH_TEST(so_they_are_by_methods_with_implicit_stages)
{
  for (int r = 0; r < ROOMS; r++)
    compare(&rooms[r], EVENTFUL_LANDINGS + 1, "idas", 1e-9, 1e-6);
  if (support_thorough())
    compare(&rooms[0], EVENTFUL_AFLOAT, "idas", 1e-9, 1e-6);
  compare(&rooms[0], EVENTFUL_LANDINGS + 2, "radau", 1e-10, 1e-8);
}

static void compare_ways(const struct capacity *capacity, int kind)
{
  run_setup setup = of_kind(capacity->joint, kind, "explicit", 1e-5);
  ali3p_compare_data(&setup, NULL, 1e-10);
  if (kind % 8 > 1 || kind >= capacity->looped)
    return;
  setup.method = kind % 8 == 0 ? "ali3p" : "radau";
  setup.rtol = kind % 8 == 0 ? 0 : 1e-5;
  setup.step = kind % 8 == 0 ? 0.02 : 0;
  ali3p_compare_data(&setup, NULL, 1e-10);
}

TEST(direct_and_adjoint_sensitivities_agree)
{
  for (int r = 0; r < ROOMS; r++)
    for (int kind = 0; kind < rooms[r].looped + 2; kind++)
      if (support_takes(kind + r + 1, 4))
        compare_ways(&rooms[r], kind);
}

THOROUGH_TEST(gradients_are_those_of_the_run)
{
  for (int r = 0; r < ROOMS; r++)
    for (int kind = 0; kind < rooms[r].kinds; kind += 6) {
      const run_setup setup = of_kind(rooms[r].joint, kind, "explicit", 1e-12);
      ali3p_compare_differences(&setup, 0.005, 1e-7);
    }
}

/* Friction whose multipliers jump at an impact, and forces that switch with these multipliers. */
THOROUGH_TEST(friction_in_hinges_passes_events)
{
  for (int kind = 0; kind < EVENTFUL_KINDS; kind += support_thorough() ? 3 : 12) {
    compare(&rooms[0], EVENTFUL_RUBS + kind, "explicit", 1e-10, 1e-9);
    const run_setup setup = of_kind(&eventful_joint, EVENTFUL_RUBS + kind, "explicit", 1e-5);
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

/* --- analyses -------------------------------------------------------------------------------------- */

enum { NUMBERS = 64 };

typedef struct numbers {
  int count;
  double x[NUMBERS];
} numbers;

static void add(numbers *out, const double *x, size_t count)
{
  for (size_t i = 0; i < count && out->count < NUMBERS; i++)
    out->x[out->count++] = x[i];
}

static const char *const angles[] = {"shoulder.angle", "elbow.angle"};

static void find_saltation(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  LOCAL(gradyn_saltations) found;
  assert_run(gradyn_saltations_compute(ev, rho, angles, 2, &found), ev);
  assert_true(found.count > 0);
  const gradyn_saltation *s = &found.item[0];
  add(out, s->matrix,
      (s->before.positions + s->before.rates) * (s->after.positions + s->after.rates));
}

static void find_transition(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  LOCAL(gradyn_transition) found;
  assert_run(gradyn_transition_compute(ev, rho, angles, 2, &found), ev);
  add(out, found.end, 4);
  add(out, found.matrix, found.size * found.size);
}

static void find_covariance(gradyn_evaluator *ev, const double rho[], numbers *out)
{
  static const char *const what[] = {"speed", "restitution"};
  static const double C[] = {0.04, 0.01, 0.01, 0.09};
  LOCAL(gradyn_covariance) found;
  const gradyn_covariance_spec spec = {what, 2, C, 1};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), ev);
  for (size_t f = 0; f < found.functionals; f++)
    add(out, &(double){found.deviation[f]}, 1);
}

typedef void (*analysis)(gradyn_evaluator *ev, const double rho[], numbers *out);

static void compare_analyses(const struct capacity *capacity, int kind, analysis find)
{
  numbers found[2] = {{0}, {0}};
  double size = 0;
  for (int k = 0; k < 2; k++) {
    double rho[EVENTFUL_PARAMETERS];
    const run_setup setup = of_kind(k ? capacity->joint : capacity->natural, kind, "explicit",
                                    1e-10);
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    find(ev, rho, &found[k]);
  }
  for (int i = 0; i < found[0].count; i++)
    size = fmax(size, fabs(found[0].x[i]));
  assert_int_equal(found[1].count, found[0].count);
  for (int i = 0; i < found[0].count; i++)
    if (!(fabs(found[1].x[i] - found[0].x[i]) <= 1e-7 * size))
      fail_msg("kind %d: number %d is %.15g, not %.15g", kind, i, found[1].x[i], found[0].x[i]);
}

THOROUGH_TEST(analyses_pass_events_as_in_natural_coordinates)
{
  static const struct {
    int kind;
    bool same; /* the run ends in its initial mode */
  } some[] = {{0, true}, {3, false}, {4, false}, {6, false}, {8, true}, {10, true}, {11, true}};
  for (int k = 0; k < 7; k++) {
    if (support_takes(k, 4))
      compare_analyses(&rooms[0], some[k].kind, find_saltation);
    if (support_takes(k + 1, 4))
      compare_analyses(&rooms[0], some[k].kind, find_covariance);
    if (some[k].same && support_takes(k, 4))
      compare_analyses(&rooms[0], some[k].kind, find_transition);
  }
  for (int k = support_thorough() ? 0 : 2; k < 3; k++)
    compare_analyses(&rooms[1], some[k].kind, find_covariance);
}
