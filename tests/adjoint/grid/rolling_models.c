/* The skate in natural coordinates and as formulas. */
#include "tests/adjoint/grid/rolling_models.h"

#include <complex.h>

#include "tests/support.h"

static const double frequency = 3, phase = 0.5, end = 1.5;

static const gradyn_param params[] = {
    {"mass", "kg", .init = 1.3},     {"inertia", "kg m^2", .init = 0.4},
    {"x", "m", .init = 0.2},         {"y", "m", .init = -0.1},
    {"heading", "rad", .init = 0.7}, {"turning", "rad/s", .init = 1.7},
    {"ahead", "m/s", .init = 0.9},   {"gx", "m/s^2", .init = 2.1},
    {"gy", "m/s^2", .init = -0.6},   {"side", "m/s", .init = 0.3},
    {"growth", "m/s^2", .init = 0.4}, {"swing", "m/s", .init = 0.2},
};

/* s(t) and its rate. */
static double complex side_of(const double complex p[], double complex t, bool driven,
                              double complex *rate)
{
  const double complex angle = frequency * t + phase;
  *rate = driven ? p[SKATE_GROWTH] + frequency * p[SKATE_SWING] * ccos(angle) : 0;
  return driven ? p[SKATE_SIDE] + p[SKATE_GROWTH] * t + p[SKATE_SWING] * csin(angle) : 0;
}

static gradyn_status declare(gradyn_model *m, const gradyn_scalar p[], bool driven)
{
  const gradyn_scalar c = ccos(p[SKATE_HEADING]), s = csin(p[SKATE_HEADING]);
  gradyn_scalar rate, side = side_of(p, 0, driven, &rate), ahead = p[SKATE_AHEAD];
  const int body = gradyn_body(m, &(gradyn_body_spec){.name = "sled",
                                                      .centre = {p[SKATE_X], p[SKATE_Y]},
                                                      .velocity = {ahead * c - side * s,
                                                                   ahead * s + side * c},
                                                      .omega = {0, 0, p[SKATE_TURNING]},
                                                      .mass = p[SKATE_MASS],
                                                      .inertia = {0, 0, p[SKATE_INERTIA]}});
  const int frame = gradyn_frame(m, &(gradyn_frame_spec){.name = "blade",
                                                         .body = body,
                                                         .origin = {p[SKATE_X], p[SKATE_Y]},
                                                         .axis = {c, s}});
  const gradyn_law law = {.value = p[SKATE_SIDE],
                          .rate = p[SKATE_GROWTH],
                          .amplitude = p[SKATE_SWING],
                          .frequency = frequency,
                          .phase = phase};
  const int centre = gradyn_body_centre(m, body);
  const int edge = gradyn_knife_edge(m, "edge", frame, GRADYN_Y, gradyn_frame_point(m, frame),
                                     driven ? &law : NULL);
  gradyn_gravity(m, p[SKATE_GX], p[SKATE_GY]);
  gradyn_end_position(m, "x", centre, GRADYN_X);
  gradyn_end_position(m, "y", centre, GRADYN_Y);
  gradyn_end_velocity(m, "vx", centre, GRADYN_X);
  gradyn_end_velocity(m, "vy", centre, GRADYN_Y);
  gradyn_end_energy(m, "energy");
  gradyn_reaction(m, "force", edge);
  return gradyn_built(m);
}

static gradyn_status build_free(gradyn_model *m, const gradyn_scalar p[])
{
  return declare(m, p, false);
}

static gradyn_status build_driven(gradyn_model *m, const gradyn_scalar p[])
{
  return declare(m, p, true);
}

const gradyn_problem skate_free = PROBLEM("skate", build_free, params, .t_end = 1.5, .step = 0.01);
const gradyn_problem skate_driven = PROBLEM("driven skate", build_driven, params, .t_end = 1.5,
                                            .step = 0.01);

/* int w s dt from 0. */
static double complex turned_into(const double complex p[], double complex t, bool driven)
{
  const double complex wave = (ccos(phase) - ccos(frequency * t + phase)) / frequency;
  return driven ? p[SKATE_TURNING] *
                      (p[SKATE_SIDE] * t + p[SKATE_GROWTH] * t * t / 2 + p[SKATE_SWING] * wave)
                : 0;
}

/* Speeds along x and y, and the multiplier. */
static void speeds(const double complex p[], double complex t, bool driven, double complex v[2],
                   double complex *lam)
{
  const double complex h = p[SKATE_HEADING], w = p[SKATE_TURNING], phi = h + w * t;
  double complex rate, s = side_of(p, t, driven, &rate);
  const double complex u = p[SKATE_AHEAD] + turned_into(p, t, driven) +
                           (p[SKATE_GX] * (csin(phi) - csin(h)) -
                            p[SKATE_GY] * (ccos(phi) - ccos(h))) /
                               w;
  v[0] = u * ccos(phi) - s * csin(phi);
  v[1] = u * csin(phi) + s * ccos(phi);
  *lam = p[SKATE_MASS] * (p[SKATE_GY] * ccos(phi) - p[SKATE_GX] * csin(phi) - u * w - rate);
}

/* Integrals by Gauss's rule of four points on short pieces: exact to round-off. */
static void formula(const double complex p[], double complex psi[], bool driven)
{
  static const double at[] = {0.86113631159405257522, 0.33998104358485626480},
                      weight[] = {0.34785484513745385737, 0.65214515486254614263};
  enum { PIECES = 60 };
  const double half = end / PIECES / 2;
  double complex v[2], lam, sum[3] = {0};
  for (int i = 0; i < PIECES; i++)
    for (int k = 0; k < 4; k++) {
      speeds(p, half * (2 * i + 1 + (k % 2 ? 1 : -1) * at[k / 2]), driven, v, &lam);
      sum[0] += weight[k / 2] * half * v[0];
      sum[1] += weight[k / 2] * half * v[1];
      sum[2] += weight[k / 2] * half * lam * lam;
    }
  psi[SKATE_END_X] = p[SKATE_X] + sum[0];
  psi[SKATE_END_Y] = p[SKATE_Y] + sum[1];
  psi[SKATE_FORCE] = sum[2];
  speeds(p, end, driven, v, &lam);
  psi[SKATE_VX] = v[0];
  psi[SKATE_VY] = v[1];
  psi[SKATE_ENERGY] = p[SKATE_MASS] * (v[0] * v[0] + v[1] * v[1]) / 2 +
                      p[SKATE_INERTIA] * p[SKATE_TURNING] * p[SKATE_TURNING] / 2 -
                      p[SKATE_MASS] *
                          (p[SKATE_GX] * psi[SKATE_END_X] + p[SKATE_GY] * psi[SKATE_END_Y]);
}

void skate_free_formula(const double complex p[], double complex psi[])
{
  formula(p, psi, false);
}

void skate_driven_formula(const double complex p[], double complex psi[])
{
  formula(p, psi, true);
}
