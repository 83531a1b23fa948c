/* Joints between frames: degrees of freedom of each kind, independence of its equations, and every derivative
 * against differences. */

#include "mbs/bodies/frame.h"
#include "tests/mbs/bench.h"
#include "tests/declare.h"

enum { DIM = 3, TWISTS = 6, MOST_ROWS = 6 };

static const double place[DIM] = {0.5, 0.2, 0.3}, axis[DIM] = {0.4, -0.3, 0.8};
static const double side[DIM] = {0.9, 0.1, -0.2}, centre[DIM] = {1.1, 0.5, -0.4};

/* The kind to be declared, since a build function has no further arguments. */
static gradyn_joint_kind built;
static bool exchanged; /* the joint is declared from B to A */

/* Freedoms of b for each kind: translations along and rotations about x, y, z of the joint. */
static const struct {
  gradyn_joint_kind kind;
  const char *free; /* "110000": the first two translations */
} kinds[] = {{GRADYN_FIXED, "000000"},         {GRADYN_REVOLUTE, "000001"},
             {GRADYN_PRISMATIC, "001000"},     {GRADYN_CYLINDRICAL, "001001"},
             {GRADYN_SPHERICAL, "000111"},     {GRADYN_UNIVERSAL, "000101"},
             {GRADYN_PLANAR, "110001"},        {GRADYN_POINT_ON_LINE, "001111"},
             {GRADYN_POINT_ON_PLANE, "110111"}};

static void cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < DIM; k++)
    c[k] = a[(k + 1) % DIM] * b[(k + 2) % DIM] - a[(k + 2) % DIM] * b[(k + 1) % DIM];
}

/* x, y, z of the joint. */
static void triad(double t[DIM][DIM])
{
  double length = 0, part = 0;
  for (int k = 0; k < DIM; k++)
    length = hypot(length, axis[k]);
  for (int k = 0; k < DIM; k++) {
    t[2][k] = axis[k] / length;
    part += side[k] * t[2][k];
  }
  length = 0;
  for (int k = 0; k < DIM; k++) {
    t[0][k] = side[k] - part * t[2][k];
    length = hypot(length, t[0][k]);
  }
  for (int k = 0; k < DIM; k++)
    t[0][k] /= length;
  cross(t[2], t[0], t[1]);
}

static int two_bodies(gradyn_model *model, int *a)
{
  *a = declare_body_3d(model, "A", 1.2, INERTIA(0.3, 0.4, 0.5, 0.01), NULL);
  return declare_body_3d(model, "B", 2, INERTIA(0.5, 0.6, 0.7, 0, 0.02),
                         VECTOR(centre[0], centre[1], centre[2]));
}

/* The two bodies with the joint. */
static gradyn_status space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int a, b = two_bodies(model, &a);
  gradyn_joint_between_spec spec = {
      .name = "joint", .kind = built, .body_a = exchanged ? b : a, .body_b = exchanged ? a : b};
  double t[DIM][DIM];
  triad(t);
  for (int k = 0; k < DIM; k++) {
    spec.position[k] = place[k];
    spec.axis[k] = axis[k];
    spec.side[k] = side[k];
    spec.axis_b[k] = t[0][k];
  }
  gradyn_joint_between(model, &spec);
  return gradyn_build_status(model);
}

/* Velocities of B [2 DIM + ..] for a twist: a translation, or a rotation about an axis through the joint. */
static void set_twist(bench *b, int twist)
{
  double t[DIM][DIM], arm[DIM], *q = b->y, *v = b->y + b->mech->n, *B = v + b->mech->n / 2;
  triad(t);
  for (int i = 0; i < b->mech->n; i++) {
    q[i] = b->x[b->mech->q0[i]];
    v[i] = 0;
  }
  for (int k = 0; k < DIM; k++)
    arm[k] = centre[k] - place[k];
  if (twist < DIM) {
    memcpy(B, t[twist], sizeof t[twist]);
    return;
  }
  cross(t[twist - DIM], arm, B);
  for (int i = 0; i < DIM; i++) {
    const double e[DIM] = {i == 0, i == 1, i == 2};
    cross(t[twist - DIM], e, B + DIM * (1 + i));
  }
}

/* Smallest pivot of the Gram-Schmidt process of the rows; zero if they are dependent. */
static double independence(int rows, double A[MOST_ROWS][TWISTS])
{
  double least = HUGE_VAL;
  for (int i = 0; i < rows; i++) {
    double size = 0;
    for (int k = 0; k < TWISTS; k++)
      size += A[i][k] * A[i][k];
    least = fmin(least, sqrt(size));
    for (int j = i + 1; j < rows; j++) {
      double part = 0;
      for (int k = 0; k < TWISTS; k++)
        part += A[i][k] * A[j][k] / size;
      for (int k = 0; k < TWISTS; k++)
        A[j][k] -= part * A[i][k];
    }
  }
  return least;
}

TEST(motions_are_free_or_not)
{
  for (size_t i = 0; i < 2 * GRADYN_COUNT(kinds); i++) {
    bench_local b;
    double A[MOST_ROWS][TWISTS], rate[BENCH_STATES];
    int count = 0;
    built = kinds[i / 2].kind;
    exchanged = i % 2 && built != GRADYN_UNIVERSAL;
    bench_open(&b, space, NULL);
    const mbs_joint *joint = &((const gradyn_mbs *)b.model->impl)->parts.joint[0];
    for (int twist = 0; twist < TWISTS; twist++) {
      set_twist(&b, twist);
      gradyn_mech_state at = bench_state(&b, b.y, 0);
      gradyn_status status = b.mech->ops->phi(b.mech, GRADYN_CONSTRAINT, 0, &at, rate);
      assert_ok(status, b.model->message.text);
      for (int r = 0; r < b.mech->m; r++) /* in the declared state the frames coincide */
        assert_close(rate[r], 0, 0, 1e-15);
      status = b.mech->ops->phi(b.mech, GRADYN_CONSTRAINT, 1, &at, rate);
      assert_ok(status, b.model->message.text);
      bool free = kinds[i / 2].free[twist] == '1';
      count += free;
      for (int r = 0; r < joint->rows; r++) {
        A[r][twist] = rate[joint->first + r];
        if (free)
          assert_close(A[r][twist], 0, 0, 1e-15);
      }
    }
    assert_int_equal(joint->rows, TWISTS - count);
    assert_true(joint->rows == 0 || independence(joint->rows, A) > 0.5);
  }
}

TEST(derivatives_are_right)
{
  for (size_t i = 0; i < GRADYN_COUNT(kinds); i++) {
    bench_local b;
    built = kinds[i].kind;
    exchanged = false;
    bench_open(&b, space, NULL);
    bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X);
    bench_check_residual(&b, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT);
  }
}

/* --- in the plane ----------------------------------------------------------------------------- */

static gradyn_status plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_point(model, "A", 0.1, 0.2), B = gradyn_point(model, "B", 1.1, 0.9);
  gradyn_rod(model, &(gradyn_rod_spec){"AB", A, B, .mass = 1});
  int body = declare_body(model, "body", 2, 0.7, centre[0], centre[1]);
  int bar = gradyn_rod_frame(model, "bar", A, B);
  int frame = declare_frame(model, "frame", body, VECTOR(0.5, 0.2), VECTOR(0.7, 0.6));
  gradyn_joint(model, &(gradyn_joint_spec){.name = "joint",
                                           .kind = built,
                                           .a = exchanged ? frame : bar,
                                           .b = exchanged ? bar : frame});
  return gradyn_build_status(model);
}

TEST(planar_derivatives_are_right)
{
  static const struct {
    gradyn_joint_kind kind;
    int rows;
  } planar[] = {{GRADYN_FIXED, 3},
                {GRADYN_REVOLUTE, 2},
                {GRADYN_PRISMATIC, 2},
                {GRADYN_POINT_ON_LINE, 1},
                {GRADYN_CONSTANT_LENGTH, 1}};
  for (size_t i = 0; i < 2 * GRADYN_COUNT(planar); i++) {
    bench_local b;
    built = planar[i / 2].kind;
    exchanged = i % 2;
    bench_open(&b, plane, NULL);
    assert_int_equal(((const gradyn_mbs *)b.model->impl)->parts.joint[0].rows, planar[i / 2].rows);
    bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X);
    bench_check_residual(&b, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT);
  }
}

/* Matrices store only entries that elements can fill. Products of base vectors couple only equal
 * components; each row of a pin has one component. A body has 4 vectors; its own 6 rows are 3 of e_i.e_i
 * and 3 of e_i.e_j. A pin's row reads 2 x 4 vectors, and a row u.w 2 x 3. */
TEST(matrices_are_sparse)
{
  static const struct {
    gradyn_joint_kind kind;
    int pins, products;
  } joints[] = {{GRADYN_SPHERICAL, 3, 0}, {GRADYN_REVOLUTE, 3, 2}, {GRADYN_FIXED, 3, 3}};
  for (size_t i = 0; i < GRADYN_COUNT(joints); i++) {
    const int bodies = 2 * (4 * 4) * DIM, own = 2 * (3 + 3 * 2) * DIM;
    bench_local b;
    built = joints[i].kind;
    bench_open(&b, space, NULL);
    assert_int_equal(b.mech->dyn.nnz, bodies + (joints[i].products ? 2 * 3 * 3 * DIM : 0));
    assert_int_equal(b.mech->jac.nnz,
                     own + 2 * 4 * joints[i].pins + 2 * 3 * DIM * joints[i].products);
    int inertial = 0;
    for (int k = 0; k < b.mech->dyn.nnz; k++)
      inertial += b.mech->inertia[k];
    assert_int_equal(inertial, bodies);
  }
}
