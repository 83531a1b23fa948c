/* Assembly from poor guesses, and degrees of freedom by rank. */
#include "tests/support.h"

#include <complex.h>

#include "core/model/model.h"
#include "dae/start/freedom.h"
#include "dae/start/initial_parts.h"
#include <gradyn/joints.h>

enum { BARS = 4, FREE = BARS - 1 };

/* A chain of rods of 1 m from (0, 1) to (reach, 3). rho: guesses of its points, reach. */
static gradyn_status chain(gradyn_model *model, const gradyn_scalar rho[])
{
  int last = gradyn_ground_point(model, "a", 0, 1);
  for (int k = 0; k <= FREE; k++) {
    const char *name = gradyn_format_name(model, "p%d", k);
    int next = k < FREE ? gradyn_point(model, name, rho[2 * k], rho[2 * k + 1])
                        : gradyn_ground_point(model, "b", rho[2 * FREE], 3);
    gradyn_rod(model, &(gradyn_rod_spec){.name = gradyn_format_name(model, "bar%d", k),
                                         .from = last,
                                         .to = next,
                                         .length = 1,
                                         .mass = 1});
    last = next;
  }
  return gradyn_build_status(model);
}

static gradyn_model *build(gradyn_build_fn fn, const gradyn_scalar *rho)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe", .build = fn, .t_end = 1};
  gradyn_model *model;
  assert_ok(gradyn_model_create(&problem, NULL, 0, 0, rho, &model), model->message.text);
  return model;
}

/* The solution is the nearest one to the guess: the gradient of the distance must be J^T nu, without a part
 * along the constraints. */
static void assert_nearest(gradyn_initial *s, const gradyn_scalar *rho)
{
  double worst = 0;
  const gradyn_mech_state at = gradyn_initial_place_state(s);
  double r[2 * FREE];
  assert_ok(s->mech->ops->residual(s->mech, GRADYN_CONSTRAINT, &at, r), NULL);
  for (int i = 0; i < 2 * FREE; i++) /* W = 1, since coordinates are in m */
    worst = fmax(worst, fabs(s->q[i] - creal(rho[i]) + r[i]));
  assert_close(worst, 0, 0, 1e-11);
}

/* Constraint unit (x^2 + y^2 - 1)/2 and its time derivatives. */
static gradyn_status circle(const gradyn_at *at, int order, gradyn_scalar *value)
{
  gradyn_scalar sum = order == 0 ? -0.5 : 0;
  for (int k = 0; k < 2; k++)
    sum += order == 0   ? at->pos[k] * at->pos[k] / 2
           : order == 1 ? at->pos[k] * at->vel[k]
                        : at->vel[k] * at->vel[k] + at->pos[k] * at->acc[k];
  *value = at->data[0] * sum;
  return GRADYN_OK;
}

static gradyn_status bead(gradyn_model *model, const gradyn_scalar rho[])
{
  int p = gradyn_point(model, "p", 1.3, 0.4);
  gradyn_point_mass(model, "bead", p, 1);
  gradyn_custom_constraint(
      model, &(gradyn_custom_constraint_spec){.name = "circle",
                                              .points = &p,
                                              .point_count = 1,
                                              .fn = circle,
                                              .data = (gradyn_datum[]){{"unit", "", rho[0]}},
                                              .data_count = 1});
  return gradyn_build_status(model);
}

/* The size of a violation is judged relative to the change of its constraint, not to 1. */
TEST(units_of_constraints_do_not_matter)
{
  for (double unit = 1e-15; unit < 1e16; unit *= 1e5) {
    const gradyn_scalar rho = unit;
    OWNED(gradyn_model) *model = build(bead, &rho);
    LOCAL(gradyn_initial) initial;
    assert_ok(gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &initial), NULL);
    assert_ok(gradyn_initial_solve(&initial), model->message.text);
    assert_close(hypot(initial.q[0], initial.q[1]), 1, 1e-12, 0);
  }
}

/* The first of these guesses is half as long as the chain. Newton's method alone fails for it at 0.012 m. */
TEST(poor_guesses_are_assembled)
{
  static const double half[2 * FREE] = {.25, .545, .5, .65, .75, 1.545};
  unsigned long long seed = 3;
  for (int trial = 0; trial < 300; trial++) {
    gradyn_scalar rho[2 * FREE + 1];
    for (int i = 0; i < 2 * FREE; i++) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      rho[i] = half[i] + (trial > 0 ? 1.5 * ((double)(seed >> 33) / 0x1p30 - 1) : 0);
    }
    rho[2 * FREE] = 1;
    OWNED(gradyn_model) *model = build(chain, rho);
    LOCAL(gradyn_initial) initial;
    assert_ok(gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &initial), NULL);
    assert_ok(gradyn_initial_solve(&initial), model->message.text);
    assert_nearest(&initial, rho);
  }
}

/* A separate rod whose ends coincide, so that the gradient of its constraint is zero. */
static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int a = gradyn_ground_point(model, "a", 2, 1), p = gradyn_point(model, "p", 2, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", a, p, .length = rho[0], .mass = 1});
  return gradyn_build_status(model);
}

TEST(a_rod_without_length_is_assembled)
{
  const gradyn_scalar length = 0.7;
  OWNED(gradyn_model) *model = build(pendulum, &length);
  LOCAL(gradyn_initial) initial;
  assert_ok(gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &initial), NULL);
  assert_ok(gradyn_initial_solve(&initial), model->message.text);
  assert_close(hypot(initial.q[0] - 2, initial.q[1] - 1), 0.7, 1e-12, 0);
}

TEST(impossible_lengths_are_distinguished_from_poor_guesses)
{
  const gradyn_scalar rho[2 * FREE + 1] = {.25, 1.5, .5, 2, .75, 2.5, 5};
  OWNED(gradyn_model) *model = build(chain, rho);
  LOCAL(gradyn_initial) initial;
  assert_ok(gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &initial), NULL);
  assert_status(gradyn_initial_solve(&initial), GRADYN_NOT_ASSEMBLED, model->message.text);
  assert_says(model->message.text, "stays above");
  assert_says(model->message.text, "bar");
}

/* --- degrees of freedom ----------------------------------------------------------------------- */

enum { HINGES = 6 };
static const double corner[HINGES][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                         {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};

/* Bricard's mechanism: six revolute joints with one degree of freedom, although 6 (5 - 6) + 6 = 0. */
static gradyn_status bricard(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int bar[HINGES];
  for (int k = 0; k < HINGES - 1; k++) {
    gradyn_body_spec spec = {
        .name = gradyn_format_name(model, "bar%d", k), .mass = 1, .inertia = {0.1, 0.1, 0.1}};
    for (int i = 0; i < 3; i++)
      spec.centre[i] = (corner[k][i] + corner[k + 1][i]) / 2;
    bar[k] = gradyn_body_3d(model, &spec);
  }
  bar[HINGES - 1] = GRADYN_GROUND;
  for (int k = 0; k < HINGES; k++) {
    gradyn_joint_between_spec place = {.name = gradyn_format_name(model, "hinge%d", k),
                                       .kind = GRADYN_REVOLUTE,
                                       .body_a = bar[(k + HINGES - 1) % HINGES],
                                       .body_b = bar[k]};
    const double *before = corner[(k + HINGES - 1) % HINGES], *after = corner[(k + 1) % HINGES];
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, l = (i + 2) % 3;
      place.position[i] = corner[k][i];
      place.axis[i] = (corner[k][j] - before[j]) * (after[l] - corner[k][l]) -
                      (corner[k][l] - before[l]) * (after[j] - corner[k][j]);
    }
    gradyn_joint_between(model, &place);
  }
  return gradyn_build_status(model);
}

/* A parallelogram with a third parallel rod, of height rho[0] m; in the flat position it can also fold. */
static gradyn_status parallelogram(gradyn_model *model, const gradyn_scalar rho[])
{
  int ground[3], top[3];
  for (int k = 0; k < 3; k++) {
    ground[k] = gradyn_ground_point(model, gradyn_format_name(model, "g%d", k), 1.5 * k, 0);
    top[k] = gradyn_point(model, gradyn_format_name(model, "t%d", k),
                          1.5 * k + csqrt(1 - rho[0] * rho[0]), rho[0]);
    gradyn_rod(model, &(gradyn_rod_spec){.name = gradyn_format_name(model, "leg%d", k),
                                         .from = ground[k],
                                         .to = top[k],
                                         .mass = 1});
  }
  gradyn_rod(model, &(gradyn_rod_spec){.name = "left", .from = top[0], .to = top[1], .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){.name = "right", .from = top[1], .to = top[2], .mass = 1});
  return gradyn_build_status(model);
}

/* Two rods in line between two ground points: they can move to first order only. */
static gradyn_status taut(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int a = gradyn_ground_point(model, "a", 0, 0), b = gradyn_ground_point(model, "b", 2, 0);
  int p = gradyn_point(model, "p", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){.name = "1", .from = a, .to = p, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){.name = "2", .from = p, .to = b, .mass = 1});
  return gradyn_build_status(model);
}

/* Four triangles whose tips are on ground points, and points that rods of both lead on the same circle. The
 * mechanism can move unless a triangle is turned over, which a small motion does not do. */
static gradyn_status triangles(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int a = gradyn_ground_point(model, "a", 0, 0), b = gradyn_ground_point(model, "b", 2, 0);
  for (int k = 0; k < 4; k++) {
    double height = 1 + 0.3 * k;
    int base = gradyn_ground_point(model, gradyn_format_name(model, "base%d", k), 0.7, height);
    int top = gradyn_point(model, gradyn_format_name(model, "top%d", k), 0.7, height);
    int end = gradyn_point(model, gradyn_format_name(model, "end%d", k), 2.7, height);
    const int pair[][2] = {{a, top}, {b, top}, {base, end}, {top, end}};
    for (int i = 0; i < 4; i++)
      gradyn_rod(model, &(gradyn_rod_spec){.name = gradyn_format_name(model, "bar%d.%d", k, i),
                                           .from = pair[i][0],
                                           .to = pair[i][1],
                                           .mass = 1});
  }
  return gradyn_build_status(model);
}

/* Three equal constraints of a point; the later ones are reported as redundant. */
static gradyn_status thrice(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int p = gradyn_point(model, "p", 1, 0);
  gradyn_point_mass(model, "m", p, 1);
  gradyn_coordinate(model, "first", p, GRADYN_X, &(gradyn_time_function){.value = 1});
  gradyn_coordinate(model, "second", p, GRADYN_X, &(gradyn_time_function){.value = 1});
  gradyn_coordinate(model, "third", p, GRADYN_X, &(gradyn_time_function){.value = 1});
  return gradyn_build_status(model);
}

/* A point with two constraints in x and two in y. */
static gradyn_status both(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  static const char *const name[] = {"x", "x again", "y", "y again"};
  int p = gradyn_point(model, "p", 1, 1);
  gradyn_point_mass(model, "m", p, 1);
  for (int i = 0; i < 4; i++)
    gradyn_coordinate(model, name[i], p, i < 2 ? GRADYN_X : GRADYN_Y,
                      &(gradyn_time_function){.value = 1});
  return gradyn_build_status(model);
}

TEST(degrees_of_freedom_are_counted_by_rank)
{
  static const struct {
    gradyn_build_fn fn;
    double rho;
    int degrees, at_start, dependents;
    bool first;
    const char *last, *before; /* dependent constraints; NULL: any */
  } row[] = {{bricard, 0, 1, 1, 1, false, NULL, NULL},
             {parallelogram, 0.6, 1, 1, 0, false, NULL, NULL},
             {parallelogram, 0, 1, 3, 0, false, NULL, NULL},
             {taut, 0, 1, 1, 1, true, "2", NULL},
             {triangles, 0, 4, 4, 4, false, "bar3.3", "bar2.3"},
             {thrice, 0, 1, 1, 2, false, "third", "second"},
             {both, 0, 0, 0, 2, false, "y again", "x again"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const gradyn_scalar rho[1] = {row[k].rho};
    OWNED(gradyn_model) *model = build(row[k].fn, rho);
    gradyn_found_freedom found;
    assert_ok(gradyn_freedom_find(model->mech, &found), model->message.text);
    assert_int_equal(found.degrees, row[k].degrees);
    assert_int_equal(found.at_start, row[k].at_start);
    assert_int_equal(found.first, row[k].first);
    assert_int_equal(found.dependents, row[k].dependents);
    for (int i = 1; i <= 2; i++) {
      const char *name = i == 1 ? row[k].last : row[k].before;
      if (name)
        assert_string_equal(
            model->mech->constraint_name(model->mech, found.dependent[found.dependents - i]), name);
    }
    free(found.dependent);
  }
}
