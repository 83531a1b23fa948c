/* Euler parameters of spherical joints and of bodies without a joint: neither their sign nor their length
 * affects the motion, and all methods have the results of natural coordinates. */
#include "adjoint/evaluator/evaluator.h"
#include "mbs/passes/passes.h"
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"

static const gradyn_param params[] = {{"mass", "kg", .init = 1, GRADYN_UNBOUNDED}};

/* Bodies on a spherical joint, one without a joint, and one attached to the first. */
static gradyn_status build_both(gradyn_model *m, const gradyn_scalar rho[])
{
  int body[3];
  for (int i = 0; i < 3; i++)
    body[i] = gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_format_name(m, "body%d", i),
                                                    .mass = rho[0] + i,
                                                    .centre = {0.4 * i, 0.1, 0.2 * i},
                                                    .omega = {0.3 * i, 1, -2},
                                                    .inertia = {0.2, 0.3, 0.4, 0.02, -0.03, 0.01}});
  const int from[] = {GRADYN_GROUND, body[0]}, to[] = {body[0], body[2]};
  for (int i = 0; i < 2; i++)
    declare_joint(m, gradyn_format_name(m, "ball%d", i), GRADYN_SPHERICAL, i ? to[i] : from[i],
                  i ? from[i] : to[i], VECTOR(0.3 * i, 0.3, -0.1), NULL);
  const int P = gradyn_body_point_3d(m, body[2], "P", 1, 0.5, -0.4);
  const int Q = gradyn_body_point_3d(m, body[0], "Q", 0.5, -0.2, 0.3);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", P, Q, .k = 20, .c = 1, .free_length = 0.2});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL,
                                       .target = {0.3, 0.2, 0.1}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem several = PROBLEM("several", build_both, params, .t_end = 0.3,
                                              .coordinates = "joint");

/* If parameters do not have unit length, base vectors must be orthonormal to round-off, and no force may
 * act along the parameters. */
TEST(bodies_stay_rigid_at_any_length)
{
  run_local *ev = run_with(&several, .method = "explicit");
  tree *c = (tree *)ev->model->mech;
  const int n = c->mech.n;
  double rho[1], psi[2], q[32], v[32], a[32] = {0}, r[32], lam[3] = {0};
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_true(n <= 32 && c->mech.m == 3);
  for (int i = 0; i < n; i++) {
    q[i] = sin(1 + 3 * i);
    v[i] = cos(2 + 5 * i);
  }
  for (int l = 0; l < c->links; l++) {
    double size = 0;
    int *p = c->link[l].z + c->link[l].k - TREE_TURN_FREELY;
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      size += q[p[k]] * q[p[k]];
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      q[p[k]] *= (1 + 1e-3 * (l - 1)) / sqrt(size);
  }
  const gradyn_mech_state at = {.q = q, .v = v, .a = a, .lam = lam};
  assert_ok(c->mech.ops->residual(&c->mech, GRADYN_DYNAMICS, &at, r), "");
  for (int l = 0; l < c->links; l++) {
    const tree_link *link = &c->link[l];
    const int *p = link->z + link->k - TREE_TURN_FREELY;
    double pull = 0, size = 0;
    for (int i = 1; i < TREE_VECTORS; i++)
      for (int j = 1; j <= i; j++) {
        const double *e = c->X[0] + link->own[i], *f = c->X[0] + link->own[j];
        assert_close(e[0] * f[0] + e[1] * f[1] + e[2] * f[2], i == j, 0, 1e-14);
      }
    for (int k = 0; k < TREE_TURN_FREELY; k++) {
      pull += q[p[k]] * r[p[k]];
      size += fabs(r[p[k]]);
    }
    assert_close(pull, 0, 0, 1e-14 * size);
  }
}

/* The initial state with parameters of the opposite sign. */
static gradyn_mech_origin plain;

static void negate(const gradyn_mech *own, const gradyn_mech_place *place_of)
{
  const tree *c = (const tree *)own;
  for (int i = 0; i < own->n; i++)
    if (c->source[i] < 0) {
      place_of->q[i] = -place_of->q[i];
      place_of->v[i] = -place_of->v[i];
    }
}

static void take(gradyn_mech *own, const gradyn_mech_place *at, const gradyn_mech_place *to)
{
  plain.take(own, at, to);
  negate(own, to);
}

static void against(gradyn_mech *own, const gradyn_mech_place *at,
                    const gradyn_mech_place *adjoints, const gradyn_mech_place *to)
{
  negate(own, adjoints);
  plain.against(own, at, adjoints, to);
}

/* For idas, only values are compared: the tolerances of its adjoint depend on the sign. */
TEST(either_sign_gives_the_same_bits)
{
  static const char *const methods[] = {"explicit", "radau", "ali3p", "idas"};
  for (int i = 0; i < 4; i++) {
    double rho[1], psi[2][2], slope[2][2];
    for (int k = 0; k < 2; k++) {
      run_local *ev = run_with(&several, .method = methods[i], .sensitivity = "adjoint",
                               .step = i == 2 ? 0.01 : 0, .rtol = 1e-6, .t_end = 0.1);
      plain = ev->model->mech->begin.origin;
      if (k == 1) {
        ev->model->mech->begin.origin.take = take;
        ev->model->mech->begin.origin.against = against;
      }
      run_initial(ev, rho);
      assert_run(gradyn_evaluator_gradient(ev, rho, psi[k], slope[k]), ev);
    }
    const bool slopes = i == 3 || memcmp(slope[0], slope[1], sizeof slope[0]) == 0;
    if (memcmp(psi[0], psi[1], sizeof psi[0]) != 0 || !slopes)
      fail_msg("%s: %.17g, %.17g and %.17g, %.17g", methods[i], psi[0][0], slope[0][0], psi[1][0],
               slope[1][0]);
  }
}

/* --- methods ------------------------------------------------------------------------------------------ */

TEST(idas_and_radau_agree_with_natural_coordinates)
{
  gradyn_problem natural = several;
  natural.coordinates = "natural";
  for (int k = 0; k < 2; k++)
    both_compare(&(run_setup){.problem = &natural,
                              .method = k ? "radau" : "idas",
                              .sensitivity = "adjoint",
                              .rtol = k ? 1e-10 : 1e-9,
                              .t_end = 0.05},
                 1e-6);
}

/* Errors of values and derivatives fall to a quarter with half the step. */
TEST(ali3p_converges_to_the_same)
{
  double found[3][4];
  for (int k = 0; k < 3; k++) {
    double rho[1];
    run_local *ev = k == 2 ? run_with(&several, .method = "explicit", .rtol = 1e-12)
                           : run_with(&several, .method = "ali3p", .step = 0.004 / (1 + k));
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, found[k], found[k] + 2), ev);
  }
  for (int i = 0; i < 4; i++) {
    const double wide = found[0][i] - found[2][i], narrow = found[1][i] - found[2][i];
    assert_in_range((long)(100 * wide / narrow), 390, 410);
  }
}

TEST(direct_is_adjoint_by_all_data)
{
  ali3p_compare_data(&(run_setup){.problem = &several, .method = "explicit", .rtol = 1e-9}, NULL,
                     1e-10);
  ali3p_compare_data(&(run_setup){.problem = &several, .step = 0.01}, NULL, 1e-10);
}

/* With respect to a mass, which the frames of joints do not depend on, on a parent whose vectors come
 * first. */
TEST(direct_is_adjoint_by_a_mass)
{
  static const char *const ways[] = {"direct", "adjoint"};
  double rho[1], psi[2], slope[2][2];
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(&several, .method = "explicit", .sensitivity = ways[k]);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, slope[k]), ev);
  }
  assert_close_array(slope[1], slope[0], 2, 1e-10, 0);
}

/* Shipped problems: arms and a rod on spherical joints with friction, an arm of hinges, a chain on a drum. */
TEST(shipped_problems_are_the_same)
{
  static const struct {
    const gradyn_problem *problem;
    const char *setting;
    int value;
  } shipped[] = {{&gradyn_problem_governor, NULL, 0},
                 {&gradyn_problem_inverted_pendulum, NULL, 0},
                 {&gradyn_problem_arm_7, NULL, 0},
                 {&gradyn_problem_anchor_chain, "links", 20}};
  for (size_t i = 0; i < GRADYN_COUNT(shipped); i++)
    both_compare(&(run_setup){.problem = shipped[i].problem,
                              .setting = shipped[i].setting,
                              .value = shipped[i].value,
                              .method = "explicit",
                              .sensitivity = "adjoint",
                              .rtol = 1e-11,
                              .t_end = 0.02},
                 1e-9);
}

/* --- loops -------------------------------------------------------------------------------------------- */

enum { LOOPS = 3 };
static const struct {
  gradyn_joint_kind kind[3];
  int cut; /* which of them */
} loops[LOOPS] = {{{GRADYN_CYLINDRICAL, GRADYN_SPHERICAL, GRADYN_SPHERICAL}, 1},
                  {{GRADYN_SPHERICAL, GRADYN_PLANAR, GRADYN_CYLINDRICAL}, 0},
                  {{GRADYN_UNIVERSAL, GRADYN_PLANAR, GRADYN_PLANAR}, 1}};
static const gradyn_setting settings[] = {{"loop", "which", 0, 0, LOOPS - 1}};

/* Ground, two bodies, ground. */
static gradyn_status build_loop(gradyn_model *m, const gradyn_scalar rho[])
{
  static const double place[3][3] = {{0, 0.1, 0}, {0.5, 0.2, 0.1}, {1, -0.1, 0.3}};
  int body[4] = {GRADYN_GROUND, 0, 0, GRADYN_GROUND};
  for (int i = 1; i < 3; i++)
    body[i] = gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_format_name(m, "body%d", i),
                                                    .mass = rho[0] + i,
                                                    .centre = {0.5 * i - 0.2, 0.1, 0.1 * i},
                                                    .omega = {0.4, 0.3, -0.5},
                                                    .inertia = {0.2, 0.3, 0.4, 0.02, -0.03, 0.01}});
  for (int i = 0; i < 3; i++)
    gradyn_joint_between(
        m, &(gradyn_joint_between_spec){.name = gradyn_format_name(m, "joint%d", i),
                                        .kind = loops[gradyn_setting_value(m, "loop")].kind[i],
                                        .body_a = body[i],
                                        .body_b = body[i + 1],
                                        .position = {place[i][0], place[i][1], place[i][2]},
                                        .axis = {0.3 * i, 1, 0.2 - 0.3 * i},
                                        .axis_b = {1, -0.3 * i, 0},
                                        .side = {1, 0.1, 0.2}});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  const int P = gradyn_body_point_3d(m, body[2], "P", 1, 0.5, -0.4);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL,
                                       .target = {0.3, 0.2, 0.1}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", P, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

#define LOOP(its_coordinates)                                                                      \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = "loop", .params = params, .param_count = 1,                      \
                          .settings = settings, .setting_count = 1, .build = build_loop,           \
                          .t_end = 0.1, .coordinates = its_coordinates                             \
  }

static const gradyn_problem loop = LOOP("natural"), loop_in_joints = LOOP("joint");

/* A loop is cut at a spherical joint if there is one; otherwise at the joint with most coordinates, and
 * then where the tree remains shallow. */
TEST(loops_are_cut_where_most_is_gained)
{
  for (int i = 0; i < LOOPS; i++) {
    char name[] = "joint0";
    gradyn_link_info link;
    run_local *ev = run_with(&loop_in_joints, .method = "explicit", .setting = "loop", .value = i);
    name[5] = (char)('0' + loops[i].cut);
    assert_true(gradyn_link_at(ev, 2, &link));
    assert_string_equal(link.joint, name);
    assert_says(link.reason, "closes a loop");
    const run_setup setup = {.problem = &loop,
                             .setting = "loop",
                             .value = i,
                             .method = "explicit",
                             .sensitivity = "adjoint",
                             .rtol = 1e-11};
    both_compare(&setup, 1e-9);
  }
}
