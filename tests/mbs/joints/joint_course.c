/* Two bodies whose relative motion uses all freedoms of a joint. */
#include "tests/mbs/joints/joint_course.h"

enum { DIM = 3 };

static const double place[DIM] = {0.5, 0.2, 0.3}, axis[DIM] = {0.48, -0.6, 0.64};
static const double centre[2][DIM] = {{0.1, -0.2, 0.15}, {1.1, 0.5, -0.4}}, pitch = 0.35;

const joint_course joint_courses[JOINT_KINDS] = {{GRADYN_FIXED, 3, "000000", "000000"},
                                                 {GRADYN_REVOLUTE, 3, "000001", "000001"},
                                                 {GRADYN_PRISMATIC, 3, "001000", "001000"},
                                                 {GRADYN_CYLINDRICAL, 3, "001001", "001001"},
                                                 {GRADYN_SCREW, 3, "001001", "001001"},
                                                 {GRADYN_SPHERICAL, 3, "000111", "000000"},
                                                 {GRADYN_UNIVERSAL, 3, "000101", "000001"},
                                                 {GRADYN_PLANAR, 3, "110001", "110001"},
                                                 {GRADYN_POINT_ON_LINE, 3, "001111", "001000"},
                                                 {GRADYN_POINT_ON_PLANE, 3, "110111", "110000"},
                                                 {GRADYN_CONSTANT_LENGTH, 3, "000111", "000000"},
                                                 {GRADYN_FIXED, 2, "000000", "000000"},
                                                 {GRADYN_REVOLUTE, 2, "000001", "000001"},
                                                 {GRADYN_PRISMATIC, 2, "100000", "100000"},
                                                 {GRADYN_POINT_ON_LINE, 2, "100001", "100000"},
                                                 {GRADYN_CONSTANT_LENGTH, 2, "000001", "000000"}};

static const joint_course *k; /* the one in hand */

void joint_course_choose(const joint_course *kind)
{
  k = kind;
}

/* --- rotations ---------------------------------------------------------------------------------- */

typedef double matrix[DIM][DIM];

void joint_course_cross(const double *a, const double *b, double *c)
{
  for (int i = 0; i < DIM; i++)
    c[i] = a[(i + 1) % DIM] * b[(i + 2) % DIM] - a[(i + 2) % DIM] * b[(i + 1) % DIM];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Rotation matrix cos + (1 - cos) n n^T + sin n x. */
static void turn(const double *n, double angle, matrix R)
{
  for (int j = 0; j < DIM; j++) {
    const double e[DIM] = {j == 0, j == 1, j == 2};
    double across[DIM];
    joint_course_cross(n, e, across);
    for (int i = 0; i < DIM; i++)
      R[i][j] = cos(angle) * e[i] + (1 - cos(angle)) * n[i] * n[j] + sin(angle) * across[i];
  }
}

/* r = A b */
static void apply(matrix A, const double *b, double *r)
{
  for (int i = 0; i < DIM; i++)
    r[i] = dot(A[i], b);
}

/* Columns of C are A times those of B, or of its transpose if `turned`. */
static void multiply(matrix A, matrix B, bool turned, matrix C)
{
  for (int j = 0; j < DIM; j++) {
    double column[DIM], out[DIM];
    for (int i = 0; i < DIM; i++)
      column[i] = turned ? B[j][i] : B[i][j];
    apply(A, column, out);
    for (int i = 0; i < DIM; i++)
      C[i][j] = out[i];
  }
}

/* Initial base vectors x, y, z of the joint as columns; in the plane x is (axis.x, axis.y). */
static void triad(matrix U)
{
  const double up[DIM] = {0, 0, 1}, flat = hypot(axis[0], axis[1]);
  const double planar[DIM] = {axis[0] / flat, axis[1] / flat, 0};
  const double *z = k->dim == 3 ? axis : up;
  double x[DIM] = {1 - z[0] * z[0], -z[0] * z[1], -z[0] * z[2]}, y[DIM];
  const double length = sqrt(dot(x, x));
  for (int i = 0; i < DIM; i++)
    x[i] = k->dim == 3 ? x[i] / length : planar[i];
  joint_course_cross(z, x, y);
  for (int i = 0; i < DIM; i++) {
    U[i][0] = x[i];
    U[i][1] = y[i];
    U[i][2] = z[i];
  }
}

/* --- the model ---------------------------------------------------------------------------------- */

static int body(gradyn_model *model, int i)
{
  const double *c = centre[i];
  gradyn_body_spec spec = {.name = i ? "B" : "A",
                           .centre = {c[0], c[1], k->dim == 3 ? c[2] : 0},
                           .mass = 1.2 + i,
                           .inertia = {0.3, 0.4, 0.5}};
  return k->dim == 3 ? gradyn_body_3d(model, &spec) : gradyn_body(model, &spec);
}

/* Initial position of the frame of b. A constant length needs two different positions. */
static void place_of_b(double r[DIM])
{
  memcpy(r, k->kind == GRADYN_CONSTANT_LENGTH ? centre[1] : place, DIM * sizeof *r);
  if (k->dim == 2)
    r[2] = 0;
}

static int frame(gradyn_model *model, int body, const double *r, matrix U)
{
  const bool space = k->dim == 3, second = body > 1,
             b_of_cross = second && k->kind == GRADYN_UNIVERSAL;
  gradyn_frame_spec spec = {.name = second ? "b" : "a", .body = body};
  for (int i = 0; i < DIM; i++) {
    spec.origin[i] = r[i];
    spec.axis[i] = U[i][space && !b_of_cross ? 2 : 0];
    spec.side[i] = space && !b_of_cross ? U[i][0] : 0;
  }
  return gradyn_frame(model, &spec);
}

static void measures(gradyn_model *model, int joint)
{
  for (int i = 0; i < 2 * DIM && k->kind != GRADYN_CONSTANT_LENGTH; i++) {
    const bool torque = i >= DIM;
    if (k->dim == 2 && torque != (i % DIM == 2))
      continue;
    const char *name = gradyn_format_name(model, "%c%d", torque ? 'T' : 'F', i % DIM);
    int measure = (torque ? gradyn_measure_joint_torque
                          : gradyn_measure_joint_force)(model, name, joint, (gradyn_axis)(i % DIM));
    gradyn_functional(model,
                      &(gradyn_functional_spec){name, measure, .reduction = GRADYN_INTEGRAL});
  }
}

gradyn_status joint_course_build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const double at[DIM] = {place[0], place[1], k->dim == 3 ? place[2] : 0};
  double other[DIM];
  matrix U;
  triad(U);
  place_of_b(other);
  int A = body(model, 0), B = body(model, 1);
  int a = frame(model, A, at, U), b = frame(model, B, other, U);
  int joint = gradyn_joint(
      model,
      &(gradyn_joint_spec){.name = "joint", .kind = k->kind, .a = a, .b = b, .pitch = pitch});
  if (k->shown[5] == '1')
    gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
  if (k->shown[k->dim == 3 ? 2 : 0] == '1')
    gradyn_joint_coordinate(model, joint, GRADYN_SLIDE);
  for (int i = 0; i < 2 && k->dim == 3; i++)
    if (k->shown[i] == '1')
      gradyn_joint_coordinate(model, joint, i ? GRADYN_SLIDE_Y : GRADYN_SLIDE_X);
  measures(model, joint);
  return gradyn_build_status(model);
}

/* --- a motion ----------------------------------------------------------------------------------- */

/* Translations in m and rotations in rad about x, y, z; the last rotation exceeds a full turn. */
static double course(int i, double t)
{
  static const double value[2 * DIM] = {0.3, -0.2, 0.4, 0.7, -0.9, 7.1};
  if (i == 2 && k->kind == GRADYN_SCREW)
    return pitch / (2 * acos(-1)) * course(5, t);
  return k->free[i] == '1' ? value[i] + 0.6 * sin(1.1 * t + i) : 0;
}

/* Rotation and centre of A. */
static void move_a(double t, matrix R, double *r)
{
  const double skew[DIM] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, up[DIM] = {0, 0, 1};
  turn(k->dim == 3 ? skew : up, 0.8 + 0.9 * sin(0.7 * t), R);
  for (int i = 0; i < k->dim; i++)
    r[i] = centre[0][i] + 0.3 * cos(1.2 * t + i);
}

/* Rotation and centre of B, whose frame is at r_b: b's base vectors are those of a, rotated by Q. */
static void move_b(double t, matrix R, double *r, double *r_b)
{
  matrix U, RA, Q, turned, both, V;
  double at[DIM] = {0}, apart[DIM], arm[DIM], moved[DIM];
  triad(U);
  move_a(t, RA, at);
  turn((const double[DIM]){0, 0, 1}, course(5, t), Q);
  for (int i = 1; i >= 0; i--) { /* Q = Rz Ry Rx */
    turn((const double[DIM]){i == 0, i == 1, 0}, course(3 + i, t), turned);
    multiply(Q, turned, false, both);
    memcpy(Q, both, sizeof Q);
  }
  multiply(RA, U, false, V); /* the triad of a */
  multiply(V, Q, false, both);
  multiply(both, U, true, R); /* R_B U = R_A U Q */
  place_of_b(r_b);
  for (int i = 0; i < DIM; i++) {
    const bool flat = k->dim == 2 && i == 2;
    arm[i] = flat ? 0 : centre[1][i] - r_b[i];
    apart[i] = flat ? 0 : place[i] - centre[0][i];
    moved[i] = flat ? 0 : r_b[i] - place[i];
  }
  double carried[DIM], turned_apart[DIM], slid[DIM];
  const double s[DIM] = {course(0, t), course(1, t), course(2, t)};
  apply(RA, apart, turned_apart);
  apply(R, moved, carried); /* what keeps its length */
  apply(V, s, slid);
  for (int i = 0; i < DIM; i++)
    r_b[i] = at[i] + turned_apart[i] + carried[i] + slid[i];
  apply(R, arm, carried);
  for (int i = 0; i < DIM; i++)
    r[i] = r_b[i] + carried[i];
}

/* All coordinates. */
static void position(double t, double *q)
{
  matrix R[2];
  double r[2][DIM] = {{0}}, r_b[DIM];
  const int dim = k->dim;
  move_a(t, R[0], r[0]);
  move_b(t, R[1], r[1], r_b);
  /* joint coordinates come first, in the order of their declaration */
  if (k->shown[5] == '1')
    *q++ = course(5, t);
  if (k->shown[dim == 3 ? 2 : 0] == '1')
    *q++ = course(dim == 3 ? 2 : 0, t);
  for (int i = 0; i < 2 && dim == 3; i++)
    if (k->shown[i] == '1')
      *q++ = course(i, t);
  for (int b = 0; b < 2; b++)
    for (int p = 0; p <= dim; p++)
      for (int i = 0; i < dim; i++)
        *q++ = p == 0 ? r[b][i] : R[b][i][p - 1];
}

/* q, v, a of the bench's state; rates by differences of eighth order. */
void joint_course_move(bench *b, double t)
{
  static const double first[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static const double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  const double h = 0.015;
  const int n = b->mech->n;
  double q[BENCH_STATES];
  memset(b->y, 0, 3 * (size_t)n * sizeof(double));
  position(t, b->y);
  for (int j = -4; j <= 4; j++) {
    const int far = j < 0 ? -j : j;
    position(t + j * h, q);
    for (int i = 0; i < n; i++) {
      b->y[n + i] += (j < 0 ? -1 : 1) * first[far] / h * q[i];
      b->y[2 * n + i] += second[far] / (h * h) * q[i];
    }
  }
}

void joint_course_frames(double t, matrix V, double r_b[DIM])
{
  matrix U, R;
  double r[DIM];
  triad(U);
  move_b(t, R, r, r_b);
  move_a(t, R, r);
  multiply(R, U, false, V);
}
