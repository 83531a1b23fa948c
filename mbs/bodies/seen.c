/* Bodies in users' functions: centre c and base vectors e_i, with rates of order k,
 *     r^(k) = c^(k) + sum of s_i e_i^(k),      omega^(k) = sum of e_i x e_i^(k)/2,
 * and loads on them, with the virtual rotation dtheta, de_i = dtheta x e_i:
 *     F at r:   F on c and s_i F on e_i;       torque T:   T x e_i/2 on e_i.
 * The loads of the torque follow from sum of e_i x (T x e_i)/2 = T. In the plane e_3 is at rest. */
#include <math.h>

#include <gradyn/mechanism.h>

/* Vector k of a body (0: the centre, then base vectors), or its time derivative of that order. NULL: the
 * function does not see it. */
static const gradyn_scalar *vector(const gradyn_at *at, int first, int k, int order)
{
  const gradyn_scalar *const array[] = {at->pos, at->vel, at->acc};
  const bool there = at->axes >= 2 && first >= 0 && first < at->points - at->axes && order >= 0 &&
                     order <= 2 && array[order];
  return there ? array[order] + at->axes * (first + k) : NULL;
}

/* c += factor a x b, of vectors with `axes` components */
static void add_cross(int axes, const gradyn_scalar *a, const gradyn_scalar *b, double factor,
                      gradyn_scalar c[3])
{
  if (axes == 3) {
    c[0] += factor * (a[1] * b[2] - a[2] * b[1]);
    c[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  }
  c[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

static void set_all(gradyn_scalar r[3], double value)
{
  for (int i = 0; i < 3; i++)
    r[i] = value;
}

void gradyn_body_turn(const gradyn_at *at, int first, int order, gradyn_scalar omega[3])
{
  const bool there = order >= 1 && vector(at, first, 0, order);
  set_all(omega, there ? 0 : (double)NAN);
  for (int i = 1; i <= at->axes && there; i++)
    add_cross(at->axes, vector(at, first, i, 0), vector(at, first, i, order), 0.5, omega);
}

void gradyn_body_motion(const gradyn_at *at, int first, const gradyn_scalar local[3], int order,
                        gradyn_scalar r[3])
{
  const bool there = vector(at, first, 0, order);
  set_all(r, there ? 0 : (double)NAN);
  for (int i = 0; i <= at->axes && there; i++)
    for (int k = 0; k < at->axes; k++)
      r[k] += (i == 0 ? 1 : local[i - 1]) * vector(at, first, i, order)[k];
}

void gradyn_body_load(const gradyn_at *at, int first, const gradyn_scalar local[3],
                      const gradyn_scalar on_point[3], const gradyn_scalar torque[3],
                      gradyn_scalar force[])
{
  const int axes = at->axes;
  if (!vector(at, first, 0, 0)) {
    force[0] = (double)NAN; /* the run fails; otherwise the load would silently have no effect */
    return;
  }
  for (int i = 0; i <= axes; i++) {
    gradyn_scalar *f = force + axes * (first + i);
    for (int k = 0; k < axes && on_point; k++)
      f[k] += (i == 0 ? 1 : local ? local[i - 1] : 0) * on_point[k];
    if (i == 0 || !torque)
      continue;
    const gradyn_scalar *e = vector(at, first, i, 0);
    if (axes == 3)
      add_cross(3, torque, e, 0.5, f);
    else { /* T z x e */
      f[0] -= torque[2] * e[1] / 2;
      f[1] += torque[2] * e[0] / 2;
    }
  }
}
