/* Long chains and wide stars: the data of a tree computed when a model is finalised must grow in proportion
 * to the tree. */
#include "core/model/declare.h"
#include "core/linear/saddle.h"
#include "mbs/passes/tree.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { CHAIN, STAR, SHAPES };

static const gradyn_param params[] = {{"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"bodies", "number", 1, 1, 4096},
                                          {"shape", "of the tree", CHAIN, CHAIN, STAR}};

static void add_body_in_space(gradyn_model *m, gradyn_scalar mass, int i, int from, int *body)
{
  *body = declare_body_3d(m, gradyn_format_name(m, "body%d", i), mass, INERTIA(0.1, 0.2, 0.2),
                          VECTOR(i + 0.5, 0, 0));
  const int joint = declare_joint(m, gradyn_format_name(m, "joint%d", i), GRADYN_REVOLUTE, from,
                                  *body, VECTOR(i, 0, 0), VECTOR(0, i % 2, 1));
  gradyn_fix_initial_joint(m, gradyn_format_name(m, "start%d", i),
                           gradyn_joint_coordinate(m, joint, GRADYN_ANGLE), 0, 0.1);
}

static gradyn_status build_in_space(gradyn_model *m, const gradyn_scalar rho[])
{
  const bool chain = gradyn_setting_value(m, "shape") == CHAIN;
  int body, last = GRADYN_GROUND;
  for (int i = 0; i < gradyn_setting_value(m, "bodies"); i++) {
    add_body_in_space(m, rho[0], i, last, &body);
    last = chain || i == 0 ? body : last;
  }
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

static gradyn_status build_in_plane(gradyn_model *m, const gradyn_scalar rho[])
{
  const bool chain = gradyn_setting_value(m, "shape") == CHAIN;
  int last = gradyn_ground_point(m, "root", 0, 0);
  for (int i = 0; i < gradyn_setting_value(m, "bodies"); i++) {
    const int next = gradyn_point(m, gradyn_format_name(m, "P%d", i), i + 1, 0);
    gradyn_rod(m,
               &(gradyn_rod_spec){gradyn_format_name(m, "rod%d", i), last, next, .mass = rho[0]});
    last = chain || i == 0 ? next : last;
  }
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem problems[] = {
    {GRADYN_PROBLEM_SIZES, .name = "space", .params = params, .param_count = 1,
     .settings = settings, .setting_count = 2, .build = build_in_space, .t_end = 1},
    {GRADYN_PROBLEM_SIZES, .name = "plane", .params = params, .param_count = 1,
     .settings = settings, .setting_count = 2, .build = build_in_plane, .t_end = 1}};

/* Depth of the last link, entries of the fixed rows, numbers of the factors. */
typedef struct sizes {
  int links, depth, held, factors;
} sizes;

static sizes finalise(const gradyn_problem *problem, int shape, int bodies)
{
  const gradyn_setting_choice choice[] = {{"bodies", bodies}, {"shape", shape}};
  const gradyn_scalar rho[] = {1.1};
  gradyn_model *model;
  assert_ok(
      gradyn_model_create_in(
          problem,
          &(gradyn_model_settings){.choice = choice, .count = 2, .joint_coordinates = GRADYN_JOINT},
          1, rho, &model),
      "long");
  const tree *c = (const tree *)model->mech;
  sizes s = {
      .links = c->links, .held = c->mech.jac.nnz, .factors = c->mech.factors.numbers / bodies};
  for (int i = c->links - 1; i >= 0; i = c->link[i].parent)
    s.depth++;
  gradyn_model_free(model);
  return s;
}

TEST(data_of_a_tree_grow_linearly)
{
  static const int bodies[] = {16, 64, 1024};
  for (int k = 0; k < 2; k++)
    for (int shape = 0; shape < SHAPES; shape++) {
      const int per_body = finalise(&problems[k], shape, 1).factors;
      for (int i = 0; i < 3; i++) {
        const sizes s = finalise(&problems[k], shape, bodies[i]);
        assert_int_equal(s.links, bodies[i]);
        assert_int_equal(s.depth, shape == CHAIN ? bodies[i] : 2);
        assert_int_equal(s.held, k == 0 ? bodies[i] : 0);
        assert_int_equal(s.factors, per_body);
      }
    }
}

/* Ratio of the entries of the factors to those of the matrix for the initial state, with random values. */
static double fill(const gradyn_problem *problem, int shape, int bodies)
{
  const gradyn_setting_choice choice[] = {{"bodies", bodies}, {"shape", shape}};
  const gradyn_scalar rho[] = {1.1};
  gradyn_model *model;
  LOCAL(gradyn_saddle) saddle;
  unsigned seed = 7;
  assert_ok(gradyn_model_create_in(problem,
                                   &(gradyn_model_settings){.choice = choice,
                                                            .count = 2,
                                                            .joint_coordinates = GRADYN_NATURAL},
                                   1, rho, &model),
            "long");
  const gradyn_mech *mech = model->mech;
  assert_ok(
      gradyn_saddle_create(&mech->dyn, NULL, &mech->jac, mech->m, GRADYN_BACKEND_AUTO, &saddle),
      "matrix");
  FREED double *value = support_zeros((size_t)(mech->dyn.nnz + mech->jac.nnz), sizeof *value);
  for (int k = 0; k < mech->dyn.nnz + mech->jac.nnz; k++)
    value[k] = 0.5 + (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24);
  for (int i = 0; i < mech->n; i++)
    value[gradyn_pattern_find(&mech->dyn, i, i)] *= 8;
  gradyn_saddle_fill(&saddle, value, value + mech->dyn.nnz, value + mech->dyn.nnz, 0);
  assert_ok(gradyn_linsys_factor(saddle.system), "factors");
  const double entries = (double)gradyn_linsys_entries(saddle.system);
  const double share = entries / (mech->dyn.nnz + 2 * mech->jac.nnz);
  gradyn_model_free(model);
  return share;
}

/* The columns of a hub must be ordered last, whatever is attached to it, for any size. */
THOROUGH_TEST(matrices_of_starts_fill_as_they_grow)
{
  static const int bodies[] = {64, 1000, 2000, 2047, 2048, 4096};
  for (int k = 0; k < 2; k++)
    for (int shape = 0; shape < SHAPES; shape++)
      for (int i = 0; i < 6; i++)
        if (support_takes(i + shape, 3))
          assert_true(fill(&problems[k], shape, bodies[i]) < 4);
}
