/* Solves with the mass matrix of a tree from the leaves to the root, against the matrix itself. Runs that
 * need no matrix must form none. */
#include "adjoint/evaluator/evaluator.h"
#include "core/model/declare.h"
#include "dae/linear/projection.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { LINKS = 9, MOST = 80, TREES = 16 };
/* Constraints in addition to the tree: none, loops, drives on all coordinates, or both; with both, many are
 * dependent. */
enum { NO_ROWS, LOOPS, DRIVES, ALL_ROWS };

static const gradyn_param params[] = {{"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {
    {"seed", "which tree, and TREES times what is left", .init = 1, 0, 1000}};

/* A number in [-1, 1], the same on all machines. */
static double pick(int seed, int i, int k)
{
  return sin(12.9898 * seed + 78.233 * i + 37.719 * k);
}

static int add_body(gradyn_model *m, const char *name, gradyn_scalar mass, int seed, int i)
{
  return declare_body_3d(m, name, mass, INERTIA(0.3 * mass, 0.4 * mass, 0.5 * mass, 0.02 * mass),
                         VECTOR(pick(seed, i, 1), pick(seed, i, 2), pick(seed, i, 3)));
}

static void add_joint(gradyn_model *m, gradyn_joint_kind kind, const char *name, int parent,
                      int body, int seed, int i)
{
  const bool turned = pick(seed, i, 4) > 0;
  const double x = pick(seed, i, 8), y = pick(seed, i, 9), z = pick(seed, i, 10);
  const int joint = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){
             .name = name,
             .kind = kind,
             .body_a = turned ? body : parent,
             .body_b = turned ? parent : body,
             .position = {pick(seed, i, 5), pick(seed, i, 6), pick(seed, i, 7)},
             .axis = {x, y, z},
             .axis_b = {y - z, z - x, x - y}, /* normal to that */
             .side = {pick(seed, i, 11), pick(seed, i, 12), pick(seed, i, 13)}});
  if (kind != GRADYN_REVOLUTE && kind != GRADYN_PRISMATIC)
    return; /* such a joint keeps its declared initial state */
  if (seed / TREES >= DRIVES)
    gradyn_drive_joint(m, gradyn_format_name(m, "drive.%s", name),
                       kind == GRADYN_REVOLUTE ? gradyn_joint_coordinate(m, joint, GRADYN_ANGLE)
                                               : gradyn_joint_coordinate(m, joint, GRADYN_SLIDE),
                       &(gradyn_time_function){0});
  else if (seed / TREES == NO_ROWS)
    gradyn_fix_initial_joint(m, gradyn_format_name(m, "start.%s", name),
                             kind == GRADYN_REVOLUTE
                                 ? gradyn_joint_coordinate(m, joint, GRADYN_ANGLE)
                                 : gradyn_joint_coordinate(m, joint, GRADYN_SLIDE),
                             pick(seed, i, 14), 2 * pick(seed, i, 15));
}

/* A joint between two bodies of the tree. Its coordinates, if any, have no mass; a drive or a gear may use
 * them. */
static void close_loop(gradyn_model *m, gradyn_joint_kind kind, int k, int a, int b, int seed)
{
  const int joint = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){.name = gradyn_format_name(m, "loop%d", k),
                                      .kind = kind,
                                      .body_a = a,
                                      .body_b = b,
                                      .position = {pick(seed, k, 20), pick(seed, k, 21), 0.3},
                                      .axis = {pick(seed, k, 22), 1, pick(seed, k, 23)},
                                      .side = {1, 0, 0.2},
                                      .axis_b = {1, -pick(seed, k, 22), 0}});
  if (kind == GRADYN_REVOLUTE)
    gradyn_joint_spring(m, &(gradyn_joint_spring_spec){
                               .name = gradyn_format_name(m, "loop.spring%d", k),
                               .coordinate = gradyn_joint_coordinate(m, joint, GRADYN_ANGLE),
                               .k = 2});
  if (kind == GRADYN_CYLINDRICAL && k == 1)
    gradyn_drive_joint(m, "loop.drive", gradyn_joint_coordinate(m, joint, GRADYN_SLIDE),
                       &(gradyn_time_function){0});
}

static void close_loops(gradyn_model *m, const int *body, int seed)
{
  static const gradyn_joint_kind kinds[] = {GRADYN_SPHERICAL, GRADYN_CYLINDRICAL, GRADYN_UNIVERSAL,
                                            GRADYN_REVOLUTE, GRADYN_POINT_ON_LINE};
  const int loops = seed / TREES == LOOPS ? 2 : seed / TREES == ALL_ROWS ? 3 : 0;
  for (int k = 0; k < loops; k++)
    close_loop(m, kinds[(seed + 2 * k) % 5], k, k == 0 ? GRADYN_GROUND : body[k],
               body[LINKS - 1 - k], seed);
}

/* Bodies on joints with each other or the ground, and a weight on springs, whose coordinates belong to no
 * joint. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const gradyn_joint_kind kinds[] = {GRADYN_REVOLUTE,    GRADYN_PRISMATIC, GRADYN_REVOLUTE,
                                            GRADYN_CYLINDRICAL, GRADYN_SPHERICAL, GRADYN_PLANAR,
                                            GRADYN_UNIVERSAL,   GRADYN_FIXED};
  const int seed = gradyn_setting_value(m, "seed");
  int body[LINKS];
  for (int i = 0; i < LINKS; i++) {
    const int before = (int)((0.5 + 0.4999 * pick(seed, i, 16)) * (i + 1)) - 1;
    const int kind = (int)(4 + 3.9999 * pick(seed, i, 17));
    body[i] = add_body(m, gradyn_format_name(m, "body%d", i), rho[0] + i % 3, seed, i);
    if (i > 0 || seed % 2 == 0) /* or else it floats */
      add_joint(m, kinds[kind], gradyn_format_name(m, "joint%d", i),
                before < 0 ? GRADYN_GROUND : body[before], body[i], seed, i);
  }
  close_loops(m, body, seed);
  const int P = gradyn_body_point_3d(m, body[LINKS - 1], "P", 0.3, 0.1, 0.2);
  const int weight = gradyn_point_3d(m, "weight", 0.5, 1, -1);
  gradyn_point_mass(m, "load", weight, 0.7);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", P, weight, .k = 20, .c = 1, .free_length = 0.2});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL,
                                       .target = {0.3, 0.2, 0.1}}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem tree = PROBLEM("tree", build, params, .settings = settings,
                                           .setting_count = 1, .t_end = 0.1,
                                           .coordinates = "joint");

static double some_number(int i, int column)
{
  return sin(1.7 * i + 0.9 * column + 1);
}

/* b [n + m] = [M, J^T; J, 0] x. */
static void multiply(const gradyn_mech *mech, const double *M, const double *J, const double *x,
                     double *b)
{
  const int n = mech->n, m = mech->m;
  memset(b, 0, (size_t)(n + m) * sizeof *b);
  gradyn_pattern_multiply(&mech->dyn, n, M, 1, x, b);
  gradyn_pattern_multiply_transposed(&mech->jac, m, J, 1, x + n, b);
  gradyn_pattern_multiply(&mech->jac, m, J, 1, x, b + n);
}

/* [M, J^T; J, 0] x = b, for lanes and for columns. If rows are dependent, the solution is not unique. */
static void compare_solves(gradyn_projection *s, const double *M, const double *J)
{
  gradyn_lanes b[MOST] = {{0}}, x[MOST];
  const int size = s->mech->n + s->mech->m;
  double column[MOST], product[MOST], wanted[MOST];
  assert_in_range(size, 1, MOST);
  for (int k = 0; k < GRADYN_LANES; k++) {
    for (int i = 0; i < size; i++)
      column[i] = some_number(i, k);
    multiply(s->mech, M, J, column, wanted);
    for (int i = 0; i < size; i++)
      b[i][k] = wanted[i];
  }
  gradyn_projection_solve_lanes(s, GRADYN_LANES, GRADYN_SOLVE_MINUS | GRADYN_SOLVE_RATES, b, x);
  for (int k = 0; k < GRADYN_LANES; k++) {
    for (int i = 0; i < size; i++)
      wanted[i] = column[i] = b[i][k];
    gradyn_projection_solve(s, column, 1);
    for (int i = 0; i < size; i++)
      assert_close(x[i][k], -column[i], 1e-14, 1e-14);
    multiply(s->mech, M, J, column, product);
    assert_close_array(product, wanted, s->mech->n, 1e-11, 1e-11);
    assert_close_array(product + s->mech->n, wanted + s->mech->n, s->mech->m, 0, 1e-9);
  }
}

/* Returns whether constraints are dependent. */
static bool compare_tree(int seed)
{
  static double M[MOST * MOST + 1], J[MOST * MOST + 1];
  const gradyn_setting_choice choice = {"seed", seed};
  double q[MOST], v[MOST];
  LOCAL(gradyn_projection) s;
  run_local *ev = run_with(&tree, .settings = &choice, .setting_count = 1);
  gradyn_mech *mech = ev->model->mech;
  assert_in_range(mech->n, 1, MOST);
  for (int i = 0; i < mech->n;
       i++) { /* in the declared state, or at any state if no constraints remain */
    q[i] = mech->x[mech->q0[i]] + (mech->factors.rows > 0 ? 0 : 0.3 * some_number(i, seed));
    v[i] = some_number(seed, i);
  }
  assert_ok(gradyn_mech_form(mech), "");
  assert_ok(gradyn_projection_create(mech, &s), "");
  const gradyn_mech_state at = {.q = q, .v = v};
  assert_ok(gradyn_projection_begin(&s, &at), mech->message->text);
  assert_true(s.kind >= GRADYN_FACTORS_TREE);
  /* the weakest pivot belongs to a constraint outside of the tree */
  if (mech->factors.rows > 0)
    assert_in_range(s.factors.weak, mech->n, mech->n + mech->factors.rows - 1);
  assert_ok(mech->ops->tangent(mech, GRADYN_INERTIA, &at, NULL, NULL, M), "");
  assert_ok(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, J), "");
  compare_solves(&s, M, J);
  return s.kind != GRADYN_FACTORS_TREE;
}

TEST(solves_over_a_tree_are_those_with_its_mass_matrix)
{
  for (int seed = 0; seed < TREES; seed++)
    assert_false(compare_tree(seed));
}

TEST(rows_that_are_left_are_solved_for_on_top_of_it)
{
  int dependent = 0;
  for (int seed = TREES; seed < (ALL_ROWS + 1) * TREES; seed++)
    dependent += compare_tree(seed);
  assert_in_range(dependent, 1, 2 * TREES);
}

TEST(explicit_runs_form_no_matrix)
{
  double rho[1], psi[1], slope[1];
  run_local *ev = run_with(&tree, .method = "explicit");
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, slope), ev);
  assert_null(ev->model->mech->dyn.start);
}

/* A nearly massless carrier that slides in the same direction as its load. */
static gradyn_status build_weak(gradyn_model *m, const gradyn_scalar rho[])
{
  int last = GRADYN_GROUND;
  for (int i = 0; i < 2; i++) {
    const int body = add_body(m, gradyn_format_name(m, "body%d", i), i > 0 ? rho[0] : 1e-20, 0, i);
    const int joint = gradyn_joint_between(
        m, &(gradyn_joint_between_spec){.name = gradyn_format_name(m, "slide%d", i),
                                        .kind = GRADYN_PRISMATIC,
                                        .body_a = last,
                                        .body_b = body,
                                        .axis = {1, 0.3, 0.2},
                                        .side = {0, 1, 0}});
    gradyn_fix_initial_joint(m, gradyn_format_name(m, "start%d", i),
                             gradyn_joint_coordinate(m, joint, GRADYN_SLIDE), 0.1, 0);
    last = body;
  }
  gradyn_minimise(
      m,
      gradyn_functional(
          m,
          &(gradyn_functional_spec){
              "track", gradyn_measure_point(m, "", gradyn_body_centre(m, last), 0, GRADYN_ALL_AXES),
              .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(m);
}

TEST(a_coordinate_that_nothing_resists_is_named)
{
  const gradyn_problem weak = PROBLEM("weak", build_weak, params, .t_end = 0.1,
                                      .coordinates = "joint");
  double rho[1], psi[1];
  run_local *ev = run_with(&weak, .method = "explicit");
  run_initial(ev, rho);
  assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_SINGULAR,
                 "singular near slide0.slide");
}
