/* Triads of frames whose directions are not orthonormal, as they are when one of their data is varied:
 * those that the joints' rows define. */
#include "mbs/tree/passes.h"

#include <math.h>
#include <string.h>

enum { X = 1, Y, Z, TURNS = 60 }; /* directions behind the origin */

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void normalise(double *a)
{
  const double length = sqrt(dot(a, a));
  for (int k = 0; k < 3; k++)
    a[k] /= length;
}

/* z of unit length, x normal to it, y = z cross x. */
static void straighten(double T[TREE_FRAME_VECTORS][3])
{
  normalise(T[Z]);
  const double part = dot(T[X], T[Z]);
  for (int k = 0; k < 3; k++)
    T[X][k] -= part * T[Z][k];
  normalise(T[X]);
  cross(T[Z], T[X], T[Y]);
}

/* z of a is along x cross y; the coordinate is the angle whose tangent has a component a s - b c, see
 * tree_map_at(). */
static void turn_about_axis(double a[][3], double b[][3], double *rise)
{
  double q[3], n[3];
  cross(a[X], a[Y], n);
  normalise(n);
  const double length = sqrt(dot(a[X], a[X]));
  memcpy(a[Z], n, sizeof n);
  normalise(a[X]);
  cross(n, a[X], q);
  rise[0] = length / dot(a[Y], q);
  rise[1] = dot(a[Y], a[X]) / dot(a[Y], q);
  memcpy(a[Y], q, sizeof q);
  straighten(b);
}

/* x_a.y_b = y_a.z_b = z_a.x_b = 0: the triad of a turns until they are. */
static bool turn_together(double a[][3], double b[][3])
{
  double from[2][TREE_FRAME_VECTORS][3], w = 1;
  memcpy(from[0], a, sizeof from[0]);
  memcpy(from[1], b, sizeof from[1]);
  straighten(a);
  straighten(b);
  for (int turn = 0; turn < TURNS && w > 1e-15; turn++) {
    double row[3], theta[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) { /* direction i of a and the next one of b, in components of a */
      double image[3] = {0, 0, 0};
      for (int column = X; column <= Z; column++)
        for (int k = 0; k < 3; k++)
          image[k] += a[column][k] * dot(b[column], from[1][X + (i + 1) % 3]);
      row[i] = dot(from[0][X + i], image);
    }
    /* each row turns about the letter that is missing */
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        theta[k] += row[i] * a[X + (i + 2) % 3][k];
    w = fabs(row[0]) + fabs(row[1]) + fabs(row[2]);
    for (int column = X; column <= Z; column++) {
      double change[3];
      cross(theta, a[column], change);
      for (int k = 0; k < 3; k++)
        a[column][k] += change[k];
    }
    straighten(a);
  }
  return w < 1e-13;
}

bool tree_make_triads(const mbs_joint *joint, double v[2][TREE_FRAME_VECTORS][3], double *slide,
                      double *rise)
{
  double n[3];
  rise[0] = 1;
  rise[1] = 0;
  /* normal to x and y of a, 1 along z */
  cross(v[0][X], v[0][Y], n);
  for (int k = 0; k < 3; k++)
    slide[k] = n[k] / dot(n, v[0][Z]);
  if (joint->kind != GRADYN_REVOLUTE)
    return turn_together(v[0], v[1]);
  turn_about_axis(v[0], v[1], rise);
  return isfinite(rise[0] + rise[1]) && rise[0] > 0;
}
