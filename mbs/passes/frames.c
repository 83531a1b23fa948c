/* Triads of frames with directions that are not orthonormal, as during a variation of their data. The
 * joint's constraints define the triads. */
#include "mbs/passes/joints.h"

#include <math.h>
#include <string.h>

enum { X = 1, Y, Z, TURNS = 60 }; /* indices of directions, after the origin */

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(double *a)
{
  const double length = sqrt(dot(a, a));
  for (int k = 0; k < 3; k++)
    a[k] /= length;
}

/* Makes a triad orthonormal: z gets unit length, x is made normal to z, and y = z x x. */
static void straighten(double T[TREE_FRAME_VECTORS][3])
{
  normalise(T[Z]);
  const double part = dot(T[X], T[Z]);
  for (int k = 0; k < 3; k++)
    T[X][k] -= part * T[Z][k];
  normalise(T[X]);
  mbs_cross(T[Z], T[X], T[Y]);
}

/* Makes a triad orthonormal with z along n. The coordinate z of the joint is the angle for which y sin
 * z - x cos z of the tangent vanishes. The triad rotates by phi, tan phi = rise_0 tan z - rise_1. */
static bool turn_about(double T[TREE_FRAME_VECTORS][3], const double *n, double *rise)
{
  double z[3], p[3], q[3];
  memcpy(z, n, sizeof z);
  normalise(z);
  const double part = dot(T[X], z);
  for (int k = 0; k < 3; k++)
    p[k] = T[X][k] - part * z[k];
  const double length = sqrt(dot(p, p));
  normalise(p);
  mbs_cross(z, p, q);
  rise[0] = length / dot(T[Y], q);
  rise[1] = dot(T[Y], p) / dot(T[Y], q);
  memcpy(T[X], p, sizeof p);
  memcpy(T[Y], q, sizeof q);
  memcpy(T[Z], z, sizeof z);
  return isfinite(rise[0] + rise[1]) && rise[0] > 0;
}

/* Rotates the triad of a until x_a.y_b = y_a.z_b = z_a.x_b = 0. */
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
    /* each constraint rotates about the remaining letter */
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        theta[k] += row[i] * a[X + (i + 2) % 3][k];
    w = fabs(row[0]) + fabs(row[1]) + fabs(row[2]);
    for (int column = X; column <= Z; column++) {
      double change[3];
      mbs_cross(theta, a[column], change);
      for (int k = 0; k < 3; k++)
        a[column][k] += change[k];
    }
    straighten(a);
  }
  return w < 1e-13;
}

bool tree_make_triads(const tree_kind *kind, tree_link *link)
{
  double(*a)[3] = link->v[0], (*b)[3] = link->v[1], n[3];
  for (int i = 0; i < 3;
       /* Components along x, y, z of a are scalar products with the reciprocal directions. */
       i++) {
    mbs_cross(a[X + (i + 1) % 3], a[X + (i + 2) % 3], link->slide[i]);
    const double volume = dot(link->slide[i], a[X + i]);
    for (int k = 0; k < 3; k++)
      link->slide[i][k] /= volume;
    if (i < 2)
      memcpy(link->rise[i], (double[2]){1, 0}, sizeof link->rise[i]);
  }
  if (kind->ties == TREE_TRIADS)
    return turn_together(a, b);
  if (kind->ties == TREE_CROSS)
    return turn_about(a, a[Z], link->rise[0]) && turn_about(b, b[Z], link->rise[1]);
  mbs_cross(a[X], a[Y], n); /* z of b is normal to x and y of a */
  straighten(b);
  return turn_about(a, n, link->rise[0]);
}
