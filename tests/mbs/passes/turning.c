/* See turning.h. */
#include "tests/mbs/passes/turning.h"

gradyn_scalar turning_dot(const gradyn_scalar a[3], const gradyn_scalar b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void turning_turn(const gradyn_scalar axis[3], gradyn_scalar angle, gradyn_scalar x[3])
{
  const gradyn_scalar c = ccos(angle), s = csin(angle), along = (1 - c) * turning_dot(axis, x);
  gradyn_scalar to[3];
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    to[k] = c * x[k] + s * (axis[next] * x[last] - axis[last] * x[next]) + along * axis[k];
  }
  memcpy(x, to, sizeof to);
}

void turning_see(gradyn_model *m, int body, const double at[3], const double tip[3])
{
  const int P = gradyn_body_point_3d(m, body, "P", at[0], at[1], at[2]);
  const int T = gradyn_body_point_3d(m, body, "T", tip[0], tip[1], tip[2]);
  for (int k = 0; k < 3; k++)
    gradyn_functional(m,
                      &(gradyn_functional_spec){gradyn_format_name(m, "P%d", k),
                                                gradyn_measure_point(m, "", P, 0, (gradyn_axis)k),
                                                .reduction = GRADYN_AT_END});
  for (int k = 0; k < 3; k++)
    gradyn_functional(m,
                      &(gradyn_functional_spec){gradyn_format_name(m, "T%d", k),
                                                gradyn_measure_point(m, "", T, 0, (gradyn_axis)k),
                                                .reduction = GRADYN_AT_END});
  for (int k = 0; k < 3; k++)
    gradyn_functional(m, &(gradyn_functional_spec){
                             gradyn_format_name(m, "w%d", k),
                             gradyn_measure_rotation_rate(m, gradyn_format_name(m, "rate%d", k),
                                                          body, (gradyn_axis)k),
                             .reduction = GRADYN_AT_END});
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
}

void turning_momentum(const double w[3], const double e[3], double A, double C, double L[3])
{
  for (int k = 0; k < 3; k++)
    L[k] = A * w[k] + (C - A) * (w[0] * e[0] + w[1] * e[1] + w[2] * e[2]) * e[k];
}
