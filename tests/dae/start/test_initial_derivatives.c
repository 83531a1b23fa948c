/* Derivatives of the initial state: tangent against differences of the solution, the transpose against the
 * tangent. */
#include "tests/support.h"

#include "core/model/model.h"
#include "dae/start/initial.h"
#include <gradyn/forces.h>
#include <gradyn/mechanism.h>

/* Nothing is fixed, and guesses and velocities are far from the constraints, so that both projections are
 * nonlinear. */
static gradyn_status loose(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0.1), B = gradyn_ground_point(model, "B", 4, 0);
  int P1 = gradyn_point(model, "1", 0.8, 1.1), P2 = gradyn_point(model, "2", 3.2, 3.6);
  gradyn_initial_velocity(model, P1, 0.7, -0.3);
  gradyn_initial_velocity(model, P2, -0.4, 1.2);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, P1, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"coupler", P1, P2, .length = 3.5, .mass = 2});
  gradyn_rod(model, &(gradyn_rod_spec){"rocker", P2, B, .length = 3, .mass = 3});
  gradyn_gravity(model, 0.5, -9.81);
  gradyn_spring(model, &(gradyn_spring_spec){"S", A, P2, .k = 7, .c = 2, .free_length = 3});
  return gradyn_build_status(model);
}

/* Fixed and driven quantities: the assembly has rows of every kind. */
static gradyn_status tight(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_time_function law = {.value = 0.3,
                                    .rate = 1.5,
                                    .acceleration = -2,
                                    .amplitude = 0.1,
                                    .frequency = 3,
                                    .phase = 0.4};
  int A = gradyn_ground_point(model, "A", -0.2, 0.1);
  int P1 = gradyn_point(model, "1", 0.8, 0.4), P2 = gradyn_point(model, "2", 1.6, -0.5);
  int P3 = gradyn_point(model, "3", 2.4, 0.2), P4 = gradyn_point(model, "4", 3.5, -0.4);
  gradyn_initial_velocity(model, P3, 0.3, 0.9);
  gradyn_initial_velocity(model, P4, -0.6, 0.2);
  gradyn_rod(model, &(gradyn_rod_spec){"r1", A, P1, .length = 1.1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"r2", P1, P2, .length = 1.2, .mass = 2});
  gradyn_rod(model, &(gradyn_rod_spec){"r3", P2, P3, .length = 1.1, .mass = 1.5});
  gradyn_rod(model, &(gradyn_rod_spec){"r4", P3, P4, .length = 1.3, .mass = 0.5});
  gradyn_gravity(model, 0, -9.81);
  gradyn_angle(model, "drive", A, P1, &law);
  gradyn_fix_initial_angle(model, "alpha", P1, P2, -0.8, 0.5);
  gradyn_fix_initial_distance(model, "far", A, P3, 2.7, -0.4);
  gradyn_fix_initial_coordinate(model, P4, GRADYN_Y);
  return gradyn_build_status(model);
}

typedef struct discrete {
  gradyn_model *model;
  gradyn_initial initial;
  int n, m, nx, ny; /* ny = 3 n + m */
} discrete;

static discrete open_scene(gradyn_build_fn build)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe", .build = build,
                                  .t_end = 1};
  discrete s;
  assert_ok(gradyn_model_create(&problem, NULL, 0, 0, NULL, &s.model), s.model->message.text);
  assert_ok(gradyn_initial_create(s.model->mech, GRADYN_ASSEMBLY, &s.initial), NULL);
  s.n = s.model->mech->n;
  s.m = s.model->mech->m;
  s.nx = s.model->nx;
  s.ny = 3 * s.n + s.m;
  return s;
}

static void close_scene(discrete *s)
{
  gradyn_initial_clear(&s->initial);
  gradyn_model_free(s->model);
}

/* Solution (q, v, a, lam) for data x. */
static void solution(discrete *s, const double *x, double *y)
{
  assert_ok(gradyn_model_load(s->model, x), NULL);
  assert_ok(gradyn_initial_solve(&s->initial), s->model->message.text);
  memcpy(y, s->initial.q, (size_t)s->n * sizeof *y);
  memcpy(y + s->n, s->initial.v, (size_t)s->n * sizeof *y);
  memcpy(y + 2 * s->n, s->initial.a, (size_t)s->n * sizeof *y);
  memcpy(y + 3 * s->n, s->initial.lam, (size_t)s->m * sizeof *y);
}

static void tangent(discrete *s, const double *dx, double *dy)
{
  assert_ok(gradyn_initial_tangent(&s->initial, dx, 0, dy, dy + s->n, dy + 2 * s->n, dy + 3 * s->n),
            s->model->message.text);
}

static void check_tangent(gradyn_build_fn build)
{
  discrete s = open_scene(build);
  size_t nx = (size_t)s.nx, ny = (size_t)s.ny;
  double *x = malloc(nx * sizeof *x), *dx = calloc(nx, sizeof *dx), *side[4], h = 2e-4;
  double *dy = calloc(ny, sizeof *dy), *expected = calloc(ny, sizeof *expected);
  memcpy(x, s.model->x, nx * sizeof *x);
  for (int i = 0; i < 4; i++)
    side[i] = calloc(ny, sizeof(double));
  for (int k = 0; k < s.nx; k++) {
    double keep = x[k];
    for (int i = 0; i < 4; i++) {
      x[k] = keep + (i - 1.5) * 2 * h;
      solution(&s, x, side[i]);
    }
    x[k] = keep;
    solution(&s, x, dy);
    dx[k] = 1;
    tangent(&s, dx, dy);
    dx[k] = 0;
    /* central differences with steps h and 3 h, extrapolated */
    for (size_t i = 0; i < ny; i++)
      expected[i] = (27 * (side[2][i] - side[1][i]) - (side[3][i] - side[0][i])) / (48 * h);
    assert_close_array(dy, expected, ny, 1e-8, 3e-8);
  }
  for (int i = 0; i < 4; i++)
    free(side[i]);
  free(x);
  free(dx);
  free(dy);
  free(expected);
  close_scene(&s);
}

TEST(tangents_agree_with_differences)
{
  check_tangent(loose);
  check_tangent(tight);
}

/* Checks y_bar . (dy/dx dx) = x_bar . dx for many pairs of vectors. */
static void check_transposed(gradyn_build_fn build, bool algebraic)
{
  discrete s = open_scene(build);
  size_t nx = (size_t)s.nx, ny = (size_t)s.ny;
  double *dx = calloc(nx, sizeof *dx), *x_bar = calloc(nx, sizeof *x_bar);
  double *dy = calloc(ny, sizeof *dy), *y_bar = calloc(ny, sizeof *y_bar);
  double left, right, size;
  solution(&s, s.model->x, dy);
  srand(5);
  for (int trial = 0; trial < 20; trial++) {
    left = right = size = 0;
    for (size_t k = 0; k < nx; k++) {
      dx[k] = rand() / (double)RAND_MAX - 0.5;
      x_bar[k] = 0.25 * trial; /* it adds */
      right -= x_bar[k] * dx[k];
    }
    tangent(&s, dx, dy);
    for (size_t i = 0; i < ny; i++) {
      y_bar[i] = algebraic || i < 2 * (size_t)s.n ? rand() / (double)RAND_MAX - 0.5 : 0;
      left += y_bar[i] * dy[i];
      size += fabs(y_bar[i] * dy[i]);
    }
    double *a_bar = algebraic ? y_bar + 2 * s.n : NULL,
           *lam_bar = algebraic ? y_bar + 3 * s.n : NULL;
    assert_ok(
        gradyn_initial_transposed(&s.initial, y_bar, y_bar + s.n, a_bar, lam_bar, x_bar, NULL),
        s.model->message.text);
    for (size_t k = 0; k < nx; k++)
      right += x_bar[k] * dx[k];
    assert_close(right, left, 0, 1e-11 * (1 + size));
  }
  free(dx);
  free(x_bar);
  free(dy);
  free(y_bar);
  close_scene(&s);
}

TEST(transposes_agree_with_tangents)
{
  for (int algebraic = 0; algebraic < 2; algebraic++) {
    check_transposed(loose, algebraic);
    check_transposed(tight, algebraic);
  }
}

/* --- redundant constraints -------------------------------------------------------------------- */

static const double theta = 1.1, rate = -0.6, gravity = 9.81;

/* A triangle of rods on three parallel cranks moves without rotation: one of six constraints is redundant. */
static gradyn_status parallelogram(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  static const double foot[3][2] = {{0, 0}, {2, 0}, {1, 1}};
  static const char *const name[3][4] = {
      {"A", "1", "c1", "m1"}, {"B", "2", "c2", "m2"}, {"C", "3", "c3", "m3"}};
  int P[3], A[3];
  for (int k = 0; k < 3; k++) {
    A[k] = gradyn_ground_point(model, name[k][0], foot[k][0], foot[k][1]);
    P[k] = gradyn_point(model, name[k][1], foot[k][0] + 0.5, foot[k][1] + 0.8 + 0.01 * k);
    gradyn_rod(model, &(gradyn_rod_spec){name[k][2], A[k], P[k], .length = 1});
    gradyn_point_mass(model, name[k][3], P[k], 1 + k);
  }
  gradyn_rod(model, &(gradyn_rod_spec){"12", P[0], P[1], .length = 2});
  gradyn_rod(model, &(gradyn_rod_spec){"23", P[1], P[2], .length = sqrt(2.0)});
  gradyn_rod(model, &(gradyn_rod_spec){"31", P[2], P[0], .length = sqrt(2.0)});
  gradyn_gravity(model, 0, -gravity);
  gradyn_fix_initial_angle(model, "angle", A[0], P[0], theta, rate);
  return gradyn_build_status(model);
}

TEST(redundant_constraints_are_solved)
{
  const double foot[6] = {0, 0, 2, 0, 1, 1}, e[2] = {cos(theta), sin(theta)}, t[2] = {-e[1], e[0]};
  double y[24], r[6];
  discrete s = open_scene(parallelogram);
  gradyn_mech *mech = s.model->mech;
  solution(&s, s.model->x, y);
  for (int i = 0; i < 6; i++) {
    int k = i % 2;
    assert_close(y[i], foot[i] + e[k], 1e-13, 1e-13);
    assert_close(y[6 + i], rate * t[k], 1e-13, 1e-13);
    assert_close(y[12 + i], -gravity * t[1] * t[k] - rate * rate * e[k], 1e-12, 1e-12);
  }
  /* the multipliers are not unique, but balance the forces */
  gradyn_mech_state at = {.q = y, .v = y + 6, .a = y + 12, .lam = y + 18};
  assert_ok(mech->ops->residual(mech, GRADYN_DYNAMICS, &at, r), NULL);
  for (int i = 0; i < 6; i++)
    assert_close(r[i], 0, 0, 1e-12);
  close_scene(&s);
}

/* Derivatives exist only for changes that keep the mechanism consistent: the fixed angle, and the common
 * length of all cranks. */
TEST(redundant_rods_do_not_spoil_derivatives)
{
  const double e[2] = {cos(theta), sin(theta)}, t[2] = {-e[1], e[0]};
  double dy[24];
  discrete s = open_scene(parallelogram);
  double *dx = calloc((size_t)s.nx, sizeof *dx);
  solution(&s, s.model->x, dy);
  for (int lengths = 0; lengths < 2; lengths++) {
    for (int k = 0; k < s.nx; k++) {
      const char *name = s.model->entry[k].name;
      dx[k] = lengths ? name[0] == 'c' && strstr(name, ".length") : !strcmp(name, "angle.value");
    }
    tangent(&s, dx, dy);
    for (int i = 0; i < s.n; i++) {
      assert_close(dy[i], lengths ? e[i % 2] : t[i % 2], 1e-12, 1e-12);
      assert_close(dy[s.n + i], rate * (lengths ? t[i % 2] : -e[i % 2]), 1e-12, 1e-12);
    }
  }
  free(dx);
  close_scene(&s);
}
