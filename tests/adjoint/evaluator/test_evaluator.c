/* Evaluators over many evaluations: a thousand evaluations of the five-bar linkage at random points do not
 * increase the memory, and each result depends only on its own point. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>

#include <gradyn/mechanism.h>

extern const gradyn_problem gradyn_problem_five_bar;

enum { P = 5, NF = 3, POINTS = 12 };

/* Methods in pairs, adjoint and direct. Those from `ali3p` on have fixed steps. */
typedef enum how { FIXED_STEP = 4, WAYS = 8 } how;

typedef struct result {
  double psi[NF], gradient[NF * P];
} result;

static gradyn_evaluator *create(how way)
{
  gradyn_evaluator *ev = run_with(&gradyn_problem_five_bar, .method = run_methods[way / 2],
                                  .sensitivity = way % 2 ? "direct" : "adjoint",
                                  .rtol = way < FIXED_STEP ? 1e-6 : -1, .step = 0.01, .t_end = 0.4);
  assert_int_equal(gradyn_parameter_count(ev), P);
  assert_int_equal(gradyn_functional_count(ev), NF);
  return ev;
}

/* Returns a number between 0 and 1 from a fixed generator: all runs of the test use the same points. */
static double next(uint32_t *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 4294967296.0;
}

/* Draws a point within the bounds. `stretched`: also points that cannot be assembled. */
static void draw(const gradyn_evaluator *ev, uint32_t *seed, double stretch, double rho[P])
{
  for (size_t j = 0; j < P; j++) {
    gradyn_parameter_info info = gradyn_parameter_at(ev, j);
    double middle = (info.lower + info.upper) / 2, half = (info.upper - info.lower) / 2;
    rho[j] = middle + stretch * half * (2 * next(seed) - 1);
  }
}

static gradyn_status evaluate(gradyn_evaluator *ev, const double rho[P], result *r)
{
  memset(r, 0, sizeof *r);
  return gradyn_evaluator_gradient(ev, rho, r->psi, r->gradient);
}

/* Bytes in use, and the number of evaluations that shows whether they grow. */
#if defined(__SANITIZE_ADDRESS__)
enum { EVALUATIONS = 200 }; /* the sanitizer reports lost memory itself */
static size_t in_use(void)
{
  return 0; /* the sanitizer's allocator does not count them */
}
#else
enum { EVALUATIONS = 500 };
static size_t in_use(void)
{
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#endif

/* Three rods of equal length between supports 2 m apart, and a wall below. */
static gradyn_status build_linkage(gradyn_model *model, const gradyn_scalar rho[])
{
  const int left = gradyn_ground_point(model, "left", -1, 0);
  const int right = gradyn_ground_point(model, "right", 1, 0);
  const int a = gradyn_point(model, "a", -0.6, -1.1), b = gradyn_point(model, "b", 0.6, -1.1);
  const int points[] = {left, a, b, right};
  for (int k = 0; k < 3; k++)
    gradyn_rod(model, &(gradyn_rod_spec){gradyn_format_name(model, "rod%d", k), points[k],
                                         points[k + 1], .length = rho[0], .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  gradyn_initial_velocity(model, a, -2, 0);
  gradyn_impact(model, &(gradyn_impact_spec){.name = "floor",
                                             .point = a,
                                             .axis = GRADYN_Y,
                                             .level = {.value = -1.15},
                                             .restitution = 0.5});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", b, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(a_run_that_cannot_be_assembled_has_no_events)
{
  static const gradyn_param length = {"length", "m", .init = 1.2, GRADYN_UNBOUNDED};
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,   .name = "linkage",
                                         .params = &length,      .param_count = 1,
                                         .build = build_linkage, .t_end = 2};
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p", "variational"};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    run_local *ev = run_with(&problem, .method = methods[i], .step = i < 3 ? 0 : 1e-3);
    double psi;
    assert_run(gradyn_evaluator_simulate(ev, &(double){1.2}, &psi, NULL), ev);
    assert_true(gradyn_evaluator_statistics(ev).events > 0);
    assert_true(gradyn_evaluator_simulate(ev, &(double){0.5}, &psi, NULL) != GRADYN_OK);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 0);
  }
}

/* Gradients, simulations and failures in turn, in five parts. A buffer may grow in some parts, but a leak
 * grows in all. ctest switches off the allocator's lists of free blocks, which would count as used. */
TEST(memory_stays_flat)
{
  gradyn_evaluator *ev[WAYS];
  uint32_t seed = 7;
  size_t before = 0;
  long failed = 0, least = LONG_MAX;
  const int evaluations = support_thorough() ? EVALUATIONS : EVALUATIONS / 4;
  for (int way = 0; way < WAYS; way++)
    ev[way] = create((how)way);
  for (int i = 0; i < evaluations; i++) {
    gradyn_evaluator *e = ev[i % WAYS];
    double rho[P];
    result r;
    draw(e, &seed, i % 7 == 6 ? 4 : 1, rho);
    gradyn_status status = i % 3 == 2 ? gradyn_evaluator_simulate(e, rho, r.psi, NULL)
                                      : evaluate(e, rho, &r);
    if (status != GRADYN_OK) {
      failed++;
      assert_string_not_equal(gradyn_status_describe((int)status).name, "unknown");
      assert_true(gradyn_status_describe((int)status).kind != GRADYN_CLASS_FATAL);
      assert_string_not_equal(gradyn_evaluator_message(e), "");
    } else {
      for (int k = 0; k < NF; k++)
        assert_finite(r.psi[k]);
    }
    if (i % (evaluations / 5) == evaluations / 5 - 1) {
      const size_t now = in_use();
      if (i >= evaluations / 5 &&
          (long)(now - before) < least) /* the first part has no predecessor to compare with */
        least = (long)(now - before);
      before = now;
    }
  }
  assert_true(failed > evaluations / 100 && failed < 500);
  if (getenv("GLIBC_TUNABLES") != NULL)
    assert_true(least <= 64); /* bytes */
  for (int way = 0; way < WAYS; way++)
    gradyn_evaluator_free(ev[way]);
}

/* Results of a fresh evaluator at the points, in order. */
static void collect(how way, double rho[POINTS][P], gradyn_status *status, result *r)
{
  run_local *ev = create(way);
  uint32_t seed = 11;
  for (int i = 0; i < POINTS; i++) {
    draw(ev, &seed, i % 5 == 4 ? 4 : 1, rho[i]);
    status[i] = evaluate(ev, rho[i], &r[i]);
  }
}

THOROUGH_TEST(results_depend_on_the_point_alone)
{
  for (int way = 0; way < WAYS; way++) {
    double rho[POINTS][P];
    gradyn_status status[POINTS];
    result expected[POINTS], r;
    collect((how)way, rho, status, expected);
    run_local *ev = create((how)way);
    for (int i = POINTS - 1; i >= -POINTS; i -= support_thorough() ? 1 : 2) {
      int k = i >= 0 ? i : (17 * -i) % POINTS;
      assert_status(evaluate(ev, rho[k], &r), status[k], gradyn_evaluator_message(ev));
      if (status[k] == GRADYN_OK)
        assert_memory_equal(&r, &expected[k], sizeof r);
      if (i % 3 == 0) { /* something else in between */
        gradyn_evaluator_simulate(ev, rho[(k + 1) % POINTS], r.psi, NULL);
        if (status[(k + 1) % POINTS] == GRADYN_OK && way < FIXED_STEP)
          assert_close_array(r.psi, expected[(k + 1) % POINTS].psi, NF, 1e-3, 1e-3);
      }
    }
  }
}

/* --- threads ---------------------------------------------------------------------------------------- */

typedef struct job {
  how way;
  gradyn_status status[POINTS];
  result r[POINTS];
} job;

static void *work(void *argument)
{
  job *j = argument;
  double rho[POINTS][P];
  collect(j->way, rho, j->status, j->r);
  return NULL;
}

THOROUGH_TEST(evaluators_run_in_parallel)
{
  static job alone[WAYS], together[WAYS];
  pthread_t thread[WAYS];
  for (int way = 0; way < WAYS; way++) {
    alone[way].way = together[way].way = (how)way;
    work(&alone[way]);
  }
  for (int way = 0; way < WAYS; way++)
    assert_int_equal(pthread_create(&thread[way], NULL, work, &together[way]), 0);
  for (int way = 0; way < WAYS; way++)
    assert_int_equal(pthread_join(thread[way], NULL), 0);
  for (int way = 0; way < WAYS; way++)
    for (int i = 0; i < POINTS; i++) {
      assert_int_equal(together[way].status[i], alone[way].status[i]);
      if (alone[way].status[i] == GRADYN_OK)
        assert_memory_equal(&together[way].r[i], &alone[way].r[i], sizeof(result));
    }
}

/* --- arguments -------------------------------------------------------------------------------------- */

TEST(options_are_checked)
{
  gradyn_options good, o[8];
  gradyn_options_default(&gradyn_problem_five_bar, &good);
  for (int i = 0; i < 8; i++)
    o[i] = good;
  o[0].method = "idaz";
  o[1].sensitivity = "sideways";
  o[2].rtol = -1e-6;
  o[3].atol = NAN;
  o[4].t_end = -1;
  o[5].rtol = 0.5;
  o[6].baumgarte_alpha = HUGE_VAL;
  o[7].rtol_sens = -1;
  const char *says[8] = {"idaz",  "sideways",    "rtol is -1e-06",  "atol is nan",
                         "t_end", "rtol is 0.5", "baumgarte_alpha", "rtol_sens"};
  for (int i = 0; i < 8; i++) {
    run_local *ev;
    assert_status(gradyn_evaluator_create(&gradyn_problem_five_bar, &o[i], NULL, 0, &ev),
                  GRADYN_INVALID, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), says[i]);
  }
  gradyn_evaluator_free(NULL);
}

TEST(points_must_be_finite)
{
  const double wrong[2] = {NAN, HUGE_VAL};
  run_local *ev = create(0);
  double rho[P], *data = calloc(gradyn_evaluator_model_info(ev).data, sizeof *data);
  result r;
  run_initial(ev, rho);
  for (int k = 0; k < 2; k++) {
    rho[1] = wrong[k];
    assert_refused(gradyn_evaluator_simulate(ev, rho, r.psi, NULL), ev, GRADYN_INVALID,
                   "parameter Ls2");
    assert_status(evaluate(ev, rho, &r), GRADYN_INVALID, NULL);
    for (size_t i = 0; i < gradyn_evaluator_model_info(ev).data; i++)
      data[i] = gradyn_datum_at(ev, i).value;
    data[3] = wrong[k];
    assert_refused(gradyn_evaluator_simulate_data(ev, data, r.psi), ev, GRADYN_INVALID,
                   gradyn_datum_at(ev, 3).name);
  }
  rho[1] = 2;
  assert_run(evaluate(ev, rho, &r), ev);
  free(data);
}

static gradyn_status build_body(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body_3d(m, "body", 1, INERTIA(0.1, 0.1, 0.1), NULL);
  gradyn_ground_point_3d(m, "ground", 1, 0, 0);
  gradyn_body_point_3d(m, body, "corner", 0.1, 0.2, 0.3);
  return gradyn_build_status(m);
}

/* Only the centre and the corner are listed as points: the three base vectors are coordinates but not
 * points. */
TEST(directions_are_no_points)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "body", .build = build_body,
                                  .t_end = 1};
  run_local *ev = run_with(.problem = &problem);
  const gradyn_model_info info = gradyn_evaluator_model_info(ev);
  assert_true(info.mechanical);
  assert_int_equal(info.points, 2);
  assert_int_equal(info.coordinates, 12);
  assert_int_equal(info.axes, 3);
}
