/* Values of joints, of their coordinates and of their reactions, by rotation matrices and virtual work. Two
 * bodies move with all freedoms of a joint. Its equations hold with their first two time derivatives, and
 * coordinates follow the motion, over more than a turn. In a virtual motion of b, the measured force and
 * torque do the work of the constraint forces. */
#include "tests/mbs/joints/joint_course.h"

enum { DIM = 3 };

static const joint_course *k; /* the kind in hand */

static const double times[] = {0.2, 1.7, 4.4};

/* Opens the bench for kind and time number i. */
static void open_at(bench *b, size_t i, double *t)
{
  k = &joint_courses[i / GRADYN_COUNT(times)];
  *t = times[i % GRADYN_COUNT(times)];
  joint_course_choose(k);
  bench_open(b, joint_course_build, NULL);
  joint_course_move(b, *t);
}

TEST(equations_hold_along_motions)
{
  static const double tolerance[] = {1e-14, 1e-11,
                                     1e-9}; /* by order: errors of differences for rates */
  for (size_t i = 0; i < JOINT_KINDS * GRADYN_COUNT(times); i++) {
    bench_local b;
    double t, phi[BENCH_STATES];
    open_at(&b, i, &t);
    const gradyn_mech_state at = bench_state(&b, b.y, 0);
    for (int order = 0; order < 3; order++) {
      assert_ok(b.mech->ops->phi(b.mech, GRADYN_CONSTRAINT, order, &at, phi),
                b.model->message.text);
      for (int row = 0; row < b.mech->m; row++)
        if (!(fabs(phi[row]) <= tolerance[order]))
          fail_msg("kind %d, dim %d: %s of order %d is %g", (int)k->kind, k->dim,
                   b.mech->constraint_name(b.mech, row), order, phi[row]);
    }
  }
}

/* Virtual work of the constraint forces, -R.dq, if a body moves by dr and rotates by dphi about r. */
static double work(const bench *b, const double *R, int body, const double *twist, const double *r)
{
  const int dim = k->dim, size = dim * (dim + 1);
  const int first = b->mech->n - (2 - body) * size; /* behind coordinates of joints */
  const double *q = b->y + first;
  double sum = 0;
  for (int p = 0; p <= dim; p++) {
    double arm[DIM] = {0}, moved[DIM];
    for (int i = 0; i < dim; i++)
      arm[i] = q[dim * p + i] - (p == 0 ? r[i] : 0);
    joint_course_cross(twist + DIM, arm, moved);
    for (int i = 0; i < dim; i++)
      sum -= R[first + dim * p + i] * (moved[i] + (p == 0 ? twist[i] : 0));
  }
  return sum;
}

/* Force or torque on b along an axis of the ground, from the measures in frame a. */
static double carried(bench *b, double V[DIM][DIM], bool torque, int along)
{
  double sum = 0;
  for (int i = 0; i < DIM; i++)
    if (k->dim == 3 || torque == (i == 2))
      sum += V[along][i] * bench_functional(b, k->dim == 3 ? DIM * torque + i : i);
  return sum;
}

TEST(virtual_work_is_that_of_joint_reactions)
{
  for (size_t i = 0; i < JOINT_KINDS * GRADYN_COUNT(times); i++) {
    bench b;
    double t, R[BENCH_STATES], r_b[DIM], V[DIM][DIM];
    open_at(&b, i, &t);
    joint_course_frames(t, V, r_b);
    const gradyn_mech_state at = bench_state(&b, b.y, 0);
    assert_ok(b.mech->ops->residual(b.mech, GRADYN_CONSTRAINT, &at, R), b.model->message.text);
    for (int c = 0; c < 2 * DIM; c++) {
      double twist[2 * DIM] = {0};
      if (k->dim == 2 && c != 0 && c != 1 && c != 5)
        continue;
      twist[c] = 1;
      const double done = work(&b, R, 1, twist, r_b);
      /* in a common motion of both bodies, the work is zero */
      assert_close(work(&b, R, 0, twist, r_b), -done, 0, 1e-13);
      if (k->kind != GRADYN_CONSTANT_LENGTH)
        assert_close(done, carried(&b, V, c >= DIM, c % DIM), 0, 1e-13);
    }
    bench_close(&b);
  }
}

/* Derivatives of equations and reactions with respect to every state, multiplier and datum. */
TEST(derivatives_are_right)
{
  for (int i = 0; i < JOINT_KINDS; i++) {
    bench_local b;
    k = &joint_courses[i];
    joint_course_choose(k);
    bench_open(&b, joint_course_build, NULL);
    bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X);
    bench_check_residual(&b, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT);
    for (int f = 0; f < b.model->functional_count; f++)
      bench_check_functional(&b, f);
  }
}
