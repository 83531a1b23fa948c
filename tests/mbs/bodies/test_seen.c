/* Bodies in users' functions, in the plane and in space: rotations, motions of their points, and loads. The
 * virtual work of a load is F (dc + dtheta x s) + T dtheta for any distribution. */
#include <complex.h>

#include <gradyn/mechanism.h>

#include "tests/support.h"

enum { MOST = 4 }; /* centre and base vectors */

/* Angular velocity and acceleration; in the plane about z. */
static const struct turning {
  int axes;
  double angle, omega[3], alpha[3], local[3], force[3], torque[3];
} turnings[] = {
    {2, 0.4, {0, 0, 1.3}, {0, 0, -0.7}, {0.4, -0.3}, {2, -5}, {0, 0, 0.9}},
    {3, 0.4, {1.1, -0.4, 0.9}, {-0.2, 0.8, 0.6}, {0.4, -0.3, 0.25}, {2, -5, 3}, {0.7, -1.2, 0.9}},
};

static const double centre[3][3] = {{1, 2, 3}, {-0.5, 0.6, 0.7}, {4, -5, 6}};

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* A vector of the body and its rates: e, omega x e, alpha x e + omega x (omega x e). */
static void turn(const struct turning *t, double e[3][3])
{
  double twice[3];
  cross(t->omega, e[0], e[1]);
  cross(t->alpha, e[0], e[2]);
  cross(t->omega, e[1], twice);
  for (int k = 0; k < 3; k++)
    e[2][k] += twice[k];
}

/* Base vector i of a body that is rotated about z, in space also about x. */
static void make_base(const struct turning *t, int i, double e[3])
{
  const double c = cos(t->angle), s = sin(t->angle), tilt = t->axes == 3 ? 0.8 : 0;
  const double base[3][3] = {{c, s * cos(tilt), s * sin(tilt)},
                             {-s, c * cos(tilt), c * sin(tilt)},
                             {0, -sin(tilt), cos(tilt)}};
  memcpy(e, base[i - 1], sizeof base[0]);
}

/* Fills the arrays of positions, velocities and accelerations as a function sees them; `e`
 * [vector][order][axis]. */
static void make_body(const struct turning *t, double e[MOST][3][3],
                      gradyn_scalar seen[3][MOST * 3])
{
  for (int i = 0; i <= t->axes; i++) {
    memcpy(e[i], centre, sizeof centre);
    if (i > 0) {
      make_base(t, i, e[i][0]);
      turn(t, e[i]);
    }
    for (int order = 0; order < 3; order++)
      for (int k = 0; k < t->axes; k++)
        seen[order][t->axes * i + k] = e[i][order][k];
  }
}

/* Virtual work of forces on centre and base vectors for dc and dtheta. */
static double work(const struct turning *t, const double e[MOST][3][3], const gradyn_scalar *force,
                   const double dc[3], const double dtheta[3])
{
  double sum = 0;
  for (int i = 0; i <= t->axes; i++) {
    double moved[3];
    cross(dtheta, e[i][0], moved);
    for (int k = 0; k < t->axes; k++)
      sum += creal(force[t->axes * i + k]) * (i == 0 ? dc[k] : moved[k]);
  }
  return sum;
}

TEST(turns_motions_and_loads)
{
  for (size_t c = 0; c < 2; c++) {
    const struct turning *t = &turnings[c];
    double e[MOST][3][3], s[3][3] = {{0}};
    gradyn_scalar seen[3][MOST * 3], found[3], local[3], on_point[3], torque[3];
    make_body(t, e, seen);
    const gradyn_at at = {
        .pos = seen[0], .vel = seen[1], .acc = seen[2], .points = t->axes + 1, .axes = t->axes};
    for (int k = 0; k < 3; k++) {
      local[k] = t->local[k], on_point[k] = t->force[k], torque[k] = t->torque[k];
      for (int i = 1; i <= t->axes; i++)
        s[0][k] += t->local[i - 1] * e[i][0][k];
    }
    turn(t, s);
    for (int order = 0; order < 3; order++) {
      gradyn_body_motion(&at, 0, local, order, found);
      for (int k = 0; k < t->axes; k++)
        assert_close(creal(found[k]), centre[order][k] + s[order][k], 1e-14, 1e-14);
      gradyn_body_turn(&at, 0, order, found);
      for (int k = 0; k < 3 && order > 0; k++)
        assert_close(creal(found[k]), order == 1 ? t->omega[k] : t->alpha[k], 1e-14, 1e-14);
    }
    /* loads are added to existing forces */
    gradyn_scalar force[MOST * 3] = {[0] = 1};
    gradyn_body_load(&at, 0, local, on_point, torque, force);
    force[0] -= 1;
    for (int k = 0; k < 6; k++) {
      double dc[3] = {0}, dtheta[3] = {0}, moved[3];
      (k < 3 ? dc : dtheta)[k % 3] = 1;
      if (t->axes == 2 && k > 1 && k < 5)
        continue;
      cross(dtheta, s[0], moved);
      double expected = 0;
      for (int i = 0; i < 3; i++)
        expected += t->force[i] * (dc[i] + moved[i]) + t->torque[i] * dtheta[i];
      assert_close(work(t, (const double(*)[3][3])e, force, dc, dtheta), expected, 1e-13, 1e-13);
    }
  }
}

/* If an id is not a body, or the body is not listed, the result is NAN rather than a wrong number. */
TEST(undetected_losses)
{
  gradyn_scalar pos[MOST * 3] = {0}, found[3], force[MOST * 3] = {0}, local[3] = {0};
  const gradyn_at at = {.pos = pos, .points = 4, .axes = 3};
  static const int first[] = {-1, 1, 0, 0, 0}, order[] = {0, 0, 1, 2, 3};
  for (size_t k = 0; k < 5; k++) {
    gradyn_body_motion(&at, first[k], local, order[k], found);
    assert_true(isnan(creal(found[0])));
  }
  gradyn_body_load(&at, 1, local, local, local, force);
  assert_true(isnan(creal(force[0])));
}
