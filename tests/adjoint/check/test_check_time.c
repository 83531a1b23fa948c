/* gradyn_evaluator_check() with a time limit: comparisons for which there is no time are omitted and
 * listed, and are not called wrong. The model has six links with user-defined hinges, whose constraints are
 * redundant. */

#include "core/base/clock.h"
#include "problems/builtin.h"
#include "tests/runs.h"

enum { CAPACITY = 100, LINKS = 6 };

/* --- Bricard's mechanism ---------------------------------------------------------------------- */

static const gradyn_param params[] = {{"mass", "kg", .init = 1, GRADYN_UNBOUNDED},
                                      {"gravity", "m/s^2", .init = 9.81, GRADYN_UNBOUNDED}};

/* Constraint: the line from point 0 to 1 is normal to the line from 2 to 3. */
static gradyn_status normal(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc;
  *value = 0;
  for (int k = 0; k < 3; k++) {
    gradyn_scalar d = q[3 + k] - q[k], e = q[9 + k] - q[6 + k];
    if (order == 0) {
      *value += d * e;
      continue;
    }
    gradyn_scalar dv = v[3 + k] - v[k], ev = v[9 + k] - v[6 + k];
    *value += order == 1 ? dv * e + d * ev
                         : (a[3 + k] - a[k]) * e + 2 * dv * ev + d * (a[9 + k] - a[6 + k]);
  }
  return GRADYN_OK;
}

/* Corners of a cube: each link lies along an edge; the last edge belongs to the ground. */
static const double corner[LINKS + 1][3] = {{0, 0, 0},  {1, 0, 0}, {1, -1, 0}, {1, -1, 1},
                                            {0, -1, 1}, {0, 0, 1}, {0, 0, 0}};

static void edge(int link, double d[3])
{
  for (int k = 0; k < 3; k++)
    d[k] = corner[link + 1][k] - corner[link][k];
}

/* Attaches a point to a link, or to the ground, at joint i with the offset d. */
static int attach(gradyn_model *m, const int *body, int link, int i, const double d[3], char what)
{
  char name[32];
  double p[3];
  for (int k = 0; k < 3; k++)
    p[k] = corner[i][k] + (d ? d[k] : 0);
  snprintf(name, sizeof name, "J%d.%d%c", i, link, what);
  return link == LINKS - 1 ? gradyn_ground_point_3d(m, name, p[0], p[1], p[2])
                           : gradyn_body_point_3d(m, body[link], name, p[0], p[1], p[2]);
}

/* A hinge at joint i: coincident points, and an axis normal to two directions of the next link. */
static void hinge(gradyn_model *m, const int *body, int i)
{
  char name[32];
  double before[3], after[3], axis[3];
  int last = (i + LINKS - 1) % LINKS;
  edge(last, before);
  edge(i, after);
  for (int k = 0; k < 3; k++)
    axis[k] = before[(k + 1) % 3] * after[(k + 2) % 3] - before[(k + 2) % 3] * after[(k + 1) % 3];
  int a = attach(m, body, last, i, NULL, 'o'), z = attach(m, body, last, i, axis, 'z');
  int b = attach(m, body, i, i, NULL, 'o');
  snprintf(name, sizeof name, "pin%d", i);
  gradyn_pin(m, name, a, b);
  for (int k = 0; k < 2; k++) {
    int across = attach(m, body, i, i, k ? after : before, k ? 'y' : 'x');
    snprintf(name, sizeof name, "hinge%d.%d", i, k);
    gradyn_custom_constraint_spec spec = {
        .name = name, .points = (int[]){a, z, b, across}, .point_count = 4, .fn = normal};
    gradyn_custom_constraint(m, &spec);
  }
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  int body[LINKS] = {0};
  for (int i = 0; i < LINKS - 1; i++) {
    char name[32];
    double d[3];
    edge(i, d);
    snprintf(name, sizeof name, "link%d", i);
    gradyn_body_spec spec = {.name = name, .mass = rho[0]};
    for (int k = 0; k < 3; k++) {
      spec.centre[k] = (corner[i][k] + corner[i + 1][k]) / 2;
      spec.inertia[k] = rho[0] * (d[k] != 0 ? 1e-3 : 1.0 / 12);
    }
    body[i] = gradyn_body_3d(m, &spec);
  }
  for (int i = 0; i < LINKS; i++)
    hinge(m, body, i);
  gradyn_gravity_3d(m, 0, -rho[1], 0);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "y",
                           gradyn_measure_point(m, "", gradyn_body_centre(m, body[2]), 0, GRADYN_Y),
                           .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem bricard = PROBLEM("bricard", build, params, .t_end = 0.5, .step = 0.01,
                                              .method = "ali3p");

/* --- limits ----------------------------------------------------------------------------------- */

typedef struct watched {
  int calls;
  bool known; /* part, done and all had valid values */
} watched;

static void watch(const char *part, int done, int all, void *user)
{
  watched *w = user;
  w->calls++;
  w->known = w->known && part[0] && done >= 0 && done < all;
}

/* Returns the number of comparisons omitted within this time limit in seconds; no derivative may be wrong. */
static int check(const gradyn_problem *problem, double seconds, watched *w)
{
  gradyn_check_item item[CAPACITY];
  double rho[16];
  size_t count;
  int skipped = 0;
  const gradyn_check_limits limits = {.max_seconds = seconds, .progress = watch, .user = w};
  run_local *ev = run_with(.problem = problem);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_check(ev, rho, &limits, item, CAPACITY, &count), ev);
  for (size_t i = 0; i < count; i++) {
    assert_true(item[i].passed);
    skipped += item[i].skipped;
  }
  return skipped;
}

TEST(comparisons_beyond_the_time_are_left_out)
{
  watched w = {0, true};
  for (double seconds = 1e-6; seconds < 1; seconds *= 10) {
    int five = check(&gradyn_problem_five_bar, seconds, &w), six = check(&bricard, seconds, &w);
    assert_true(six > 100 && (five > 100 || seconds > 1e-3));
  }
  assert_true(w.calls > 1000 && w.known);
  assert_int_equal(check(&gradyn_problem_five_bar, 0, &w), 0);
}

/* The time limit counts from the call, not from the start of the program. */
TEST(ample_time_leaves_nothing_out)
{
  watched w = {0, true};
  double before = gradyn_seconds();
  check(&gradyn_problem_five_bar, 0, &w);
  double ample = 10 + 20 * (gradyn_seconds() - before);
  assert_int_equal(check(&gradyn_problem_five_bar, ample, &w), 0);
}
