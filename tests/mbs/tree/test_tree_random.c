/* Trees drawn at random: kinds of joints, branches, which frame is on the parent, axes, places; joint
 * coordinates against natural ones, by all data. */
#include "core/model/declare.h"
#include "tests/adjoint/ali3p_models.h"

enum { BODIES = 5, TREES = 16, FUNCTIONALS = 2, MOST = 600 };

static const gradyn_param params[] = {{"mass", "kg", .init = 1.1}};
static const gradyn_setting settings[] = {{"seed", "which tree", .init = 1, 1, 1000}};

/* Uniform in [-1, 1], the same on all machines. */
static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static void draw_vector(unsigned *seed, double size, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = size * noise(seed);
}

/* A joint between a body and one before it, or the ground, with a start and a spring. */
static void add_joint(gradyn_model *m, int i, const int *body, unsigned *seed)
{
  static const gradyn_joint_kind kinds[] = {GRADYN_REVOLUTE, GRADYN_REVOLUTE, GRADYN_PRISMATIC,
                                            GRADYN_FIXED};
  const gradyn_joint_kind kind = kinds[(int)(1.9999 * (noise(seed) + 1))];
  const int before = (int)(0.4999 * (noise(seed) + 1) * (i + 1)) - 1;
  const int parent = before < 0 ? GRADYN_GROUND : body[before];
  const bool turned = noise(seed) > 0;
  double p[3], axis[3], side[3];
  draw_vector(seed, 0.4, p);
  draw_vector(seed, 1, axis);
  draw_vector(seed, 1, side);
  const int joint = gradyn_joint_at(m, &(gradyn_place_spec){.name = gradyn_name(m, "joint%d", i),
                                                            .kind = kind,
                                                            .body_a = turned ? body[i] : parent,
                                                            .body_b = turned ? parent : body[i],
                                                            .position = {p[0], p[1], p[2]},
                                                            .axis = {axis[0], axis[1], axis[2]},
                                                            .side = {side[0], side[1], side[2]}});
  if (kind == GRADYN_FIXED)
    return;
  const int c = kind == GRADYN_REVOLUTE ? gradyn_joint_angle(m, joint)
                                        : gradyn_joint_slide(m, joint);
  const double start = 0.3 * noise(seed), rate = 2 * noise(seed);
  if (noise(seed) > -0.5) /* others start as bodies are declared */
    gradyn_hold_joint(m, gradyn_name(m, "start%d", i), c, start, rate);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){
             .name = gradyn_name(m, "spring%d", i), .coordinate = c, .k = 5, .c = 0.3});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  unsigned seed = (unsigned)gradyn_setting_value(m, "seed") * 7919u;
  int body[BODIES];
  double p[3];
  for (int i = 0; i < BODIES; i++) {
    draw_vector(&seed, 0.5, p);
    body[i] = gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_name(m, "body%d", i),
                                                    .mass = rho[0] + i,
                                                    .centre = {p[0], p[1], p[2]},
                                                    .velocity = {p[1], p[2], p[0]},
                                                    .omega = {p[2], p[0], 1},
                                                    .inertia = {0.3, 0.4, 0.5, 0.02, -0.03, 0.01}});
    add_joint(m, i, body, &seed);
  }
  draw_vector(&seed, 1, p);
  const int P = gradyn_body_point_3d(m, body[BODIES - 1], "P", p[0], p[1], p[2]);
  const int Q = gradyn_body_point_3d(m, body[BODIES - 2], "Q", p[1], p[2], p[0]);
  const int R = gradyn_ground_point_3d(m, "R", 0.2, 1, -1);
  gradyn_spring(m, &(gradyn_spring_spec){"near", P, Q, .k = 20, .c = 1, .free_length = 0.2});
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = 10, .c = 2, .free_length = 0.4});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  gradyn_minimise(m, gradyn_track_position_3d(m, "track", P, 0.3, 0.2, 0.1));
  gradyn_track_acceleration_3d(m, "smooth", Q, 0, 0, 0);
  return gradyn_built(m);
}

static gradyn_problem problem_in(const char *coordinates)
{
  return (gradyn_problem){.name = "tree",
                          .params = params,
                          .param_count = 1,
                          .settings = settings,
                          .setting_count = 1,
                          .build = build,
                          .t_end = 0.1,
                          .coordinates = coordinates};
}

static size_t datum_called(const gradyn_evaluator *ev, const char *name)
{
  for (size_t i = 0; i < gradyn_data_count(ev); i++)
    if (strcmp(gradyn_datum_at(ev, i).name, name) == 0)
      return i;
  fail_msg("there is no datum %s", name);
  return 0;
}

static void compare(gradyn_evaluator *const ev[2], int tree)
{
  static double slope[2][FUNCTIONALS * MOST];
  double rho[1], psi[2][FUNCTIONALS];
  const size_t nx = gradyn_data_count(ev[0]);
  assert_true(nx < MOST);
  assert_int_equal(nx, gradyn_data_count(ev[1]));
  run_initial(ev[0], rho);
  for (int k = 0; k < 2; k++)
    assert_run(gradyn_data_gradient(ev[k], rho, psi[k], slope[k]), ev[k]);
  assert_close_array(psi[1], psi[0], FUNCTIONALS, 1e-9, 1e-12);
  for (size_t f = 0; f < FUNCTIONALS; f++) {
    double size = 0;
    for (size_t j = 0; j < nx; j++)
      size = fmax(size, fabs(slope[0][f * nx + j]));
    for (size_t j = 0; j < nx; j++) {
      const char *name = gradyn_datum_at(ev[0], j).name;
      const double a = slope[0][f * nx + j], b = slope[1][f * nx + datum_called(ev[1], name)];
      if (!(fabs(a - b) <= 1e-9 * size + 1e-12))
        fail_msg("tree %d, functional %zu by %s: %.15g, not %.15g", tree, f, name, b, a);
    }
  }
}

TEST(trees_drawn_at_random_are_the_same)
{
  for (int tree = 1; tree <= TREES; tree++) {
    const gradyn_problem problem[2] = {problem_in("natural"), problem_in("joint")};
    gradyn_evaluator *ev[2];
    for (int k = 0; k < 2; k++)
      ev[k] = ali3p_open(&(ali3p_setup){.problem = &problem[k],
                                        .setting = "seed",
                                        .value = tree,
                                        .method = "explicit",
                                        .sensitivity = "adjoint",
                                        .rtol = 1e-12});
    compare(ev, tree);
    gradyn_evaluator_free(ev[0]);
    gradyn_evaluator_free(ev[1]);
  }
}
