/* The skate in natural coordinates and as formulas. */
#include "tests/adjoint/friction/rolling_models.h"

#include <complex.h>

#include "tests/support.h"
#include "tests/declare.h"

static const double frequency = 3, phase = 0.5, end = 1.5;

static const gradyn_param params[] = {
    {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    {"inertia", "kg m^2", .init = 0.4, GRADYN_UNBOUNDED},
    {"x", "m", .init = 0.2, GRADYN_UNBOUNDED},
    {"y", "m", .init = -0.1, GRADYN_UNBOUNDED},
    {"heading", "rad", .init = 0.7, GRADYN_UNBOUNDED},
    {"turning", "rad/s", .init = 1.7, GRADYN_UNBOUNDED},
    {"ahead", "m/s", .init = 0.9, GRADYN_UNBOUNDED},
    {"gx", "m/s^2", .init = 2.1, GRADYN_UNBOUNDED},
    {"gy", "m/s^2", .init = -0.6, GRADYN_UNBOUNDED},
    {"side", "m/s", .init = 0.3, GRADYN_UNBOUNDED},
    {"growth", "m/s^2", .init = 0.4, GRADYN_UNBOUNDED},
    {"swing", "m/s", .init = 0.2, GRADYN_UNBOUNDED},
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
  const int body = gradyn_body(
      m, &(gradyn_body_spec){.name = "sled",
                             .centre = {p[SKATE_X], p[SKATE_Y]},
                             .velocity = {ahead * c - side * s, ahead * s + side * c},
                             .omega = {0, 0, p[SKATE_TURNING]},
                             .mass = p[SKATE_MASS],
                             .inertia = {0, 0, p[SKATE_INERTIA]}});
  const int frame = declare_frame(m, "blade", body, VECTOR(p[SKATE_X], p[SKATE_Y]), VECTOR(c, s));
  const gradyn_time_function law = {.value = p[SKATE_SIDE],
                                    .rate = p[SKATE_GROWTH],
                                    .amplitude = p[SKATE_SWING],
                                    .frequency = frequency,
                                    .phase = phase};
  const int centre = gradyn_body_centre(m, body);
  const int edge = gradyn_knife_edge(m, "edge", frame, GRADYN_Y, gradyn_frame_point(m, frame),
                                     driven ? &law : NULL);
  gradyn_gravity(m, p[SKATE_GX], p[SKATE_GY]);
  /* a signal with the value zero, so that tests have an input */
  const int push = declare_signal(m, "push", "N", GRADYN_PIECEWISE_LINEAR, 2,
                                  (gradyn_scalar[]){0, 0});
  declare_push(m, "push", centre, 1, 0, push);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", centre, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", centre, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vx",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vy",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"force", gradyn_measure_multiplier(m, "", edge),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
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

/* Integral of w s dt from 0 to t. */
static double complex turned_into(const double complex p[], double complex t, bool driven)
{
  const double complex wave = (ccos(phase) - ccos(frequency * t + phase)) / frequency;
  return driven ? p[SKATE_TURNING] *
                      (p[SKATE_SIDE] * t + p[SKATE_GROWTH] * t * t / 2 + p[SKATE_SWING] * wave)
                : 0;
}

/* Velocities along x and y, and the multiplier. */
static void speeds(const double complex p[], double complex t, bool driven, double complex v[2],
                   double complex *lam)
{
  const double complex h = p[SKATE_HEADING], w = p[SKATE_TURNING], phi = h + w * t;
  double complex rate, s = side_of(p, t, driven, &rate);
  const double complex u =
      p[SKATE_AHEAD] + turned_into(p, t, driven) +
      (p[SKATE_GX] * (csin(phi) - csin(h)) - p[SKATE_GY] * (ccos(phi) - ccos(h))) / w;
  v[0] = u * ccos(phi) - s * csin(phi);
  v[1] = u * csin(phi) + s * ccos(phi);
  *lam = p[SKATE_MASS] * (p[SKATE_GY] * ccos(phi) - p[SKATE_GX] * csin(phi) - u * w - rate);
}

/* Integrals by Gauss's rule with four points on short pieces, accurate to round-off. */
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

/* --- in space, with a user's function ------------------------------------------------------------- */

/* The velocity of A is directed to B, except for a sideways part: psi = r_x v_y - r_y v_x - d sin(t) with
 * r = B - A. */
static gradyn_status pursue(const gradyn_at *at, int order, gradyn_scalar *value)
{
  enum { A = 0, B = 3 };
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, d = at->data[0];
  const gradyn_scalar r[] = {q[B] - q[A], q[B + 1] - q[A + 1]};
  if (order == 1)
    *value = r[0] * v[A + 1] - r[1] * v[A] - d * csin(at->t);
  else
    *value = (v[B] - v[A]) * v[A + 1] - (v[B + 1] - v[A + 1]) * v[A] + r[0] * a[A + 1] -
             r[1] * a[A] - d * ccos(at->t);
  return order > 0 ? GRADYN_OK : GRADYN_CALLBACK; /* there is no order 0 */
}

enum { BLADE, TRAILER, MASS, SKEW, SPRING, PART, SWING, SLOPE, SPEED };

static const gradyn_param trail_params[TRAIL_PARAMETERS] = {
    {"blade", "m", .init = 0.3, GRADYN_UNBOUNDED},
    {"trailer", "m", .init = -0.4, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.4, GRADYN_UNBOUNDED},
    {"skew", "", .init = 0.25, GRADYN_UNBOUNDED},
    {"spring", "N/m", .init = 9, GRADYN_UNBOUNDED},
    {"part", "m^2/s", .init = 0.05, GRADYN_UNBOUNDED},
    {"swing", "m/s", .init = 0.15, GRADYN_UNBOUNDED},
    {"slope", "m/s^2", .init = 1.2, GRADYN_UNBOUNDED},
    {"speed", "m/s", .init = 0.8, GRADYN_UNBOUNDED},
};

static int add_body(gradyn_model *m, const char *name, gradyn_scalar x, gradyn_scalar mass,
                    gradyn_scalar speed)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = name,
                                               .centre = {x, 0.1, 0},
                                               .velocity = {speed, 0.2, 0},
                                               .omega = {0, 0, 0.7},
                                               .mass = mass,
                                               .inertia = {0.3, 0.4, 0.5, 0.02, 0.01, -0.03}});
}

static int add_blade(gradyn_model *m, const char *const name[2], int body, gradyn_scalar x,
                     gradyn_scalar skew, const gradyn_time_function *law)
{
  const int frame = gradyn_frame(m, &(gradyn_frame_spec){.name = name[0],
                                                         .body = body,
                                                         .origin = {x, 0.15, -0.1},
                                                         .axis = {0, 0, 1},
                                                         .side = {1, skew, 0}});
  return gradyn_knife_edge(m, name[1], frame, GRADYN_Y, gradyn_frame_point(m, frame), law);
}

static gradyn_status build_trail(gradyn_model *m, const gradyn_scalar p[])
{
  static const char *const sled_names[] = {"front", "edge"}, *const back_names[] = {"back",
                                                                                    "wheel"};
  const int sled = add_body(m, "sled", 0, p[MASS], p[SPEED]),
            trailer = add_body(m, "trailer", -0.5, 0.8, p[SPEED]);
  const gradyn_time_function law = {.amplitude = p[SWING], .frequency = 2.5, .phase = 0.3};
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "floor",
                                                       .kind = GRADYN_PLANAR,
                                                       .body_a = GRADYN_GROUND,
                                                       .body_b = sled,
                                                       .axis = {0, 0, 1},
                                                       .side = {1, 0, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "hitch",
                                                       .kind = GRADYN_REVOLUTE,
                                                       .body_a = sled,
                                                       .body_b = trailer,
                                                       .position = {-0.2, 0.1, 0},
                                                       .axis = {0, 0, 1},
                                                       .side = {1, 0, 0}});
  const int front = add_blade(m, sled_names, sled, p[BLADE], p[SKEW], &law);
  add_blade(m, back_names, trailer, p[TRAILER], 0, NULL);
  const int dog = gradyn_point_3d(m, "dog", -1.6, -0.6, 0), centre = gradyn_body_centre(m, trailer);
  gradyn_initial_velocity_3d(m, dog, 0.6, 0.4, 0.1);
  gradyn_point_mass(m, "dog", dog, 0.6);
  gradyn_spring(
      m, &(gradyn_spring_spec){"leash", dog, centre, .k = p[SPRING], .c = 0.3, .free_length = 1.1});
  const gradyn_datum part = {"part", "m^2/s", p[PART]};
  const int pair[] = {dog, centre};
  const int pursuit = gradyn_custom_nonholonomic(m,
                                                 &(gradyn_custom_constraint_spec){.name = "pursuit",
                                                                                  .points = pair,
                                                                                  .point_count = 2,
                                                                                  .fn = pursue,
                                                                                  .data = &part,
                                                                                  .data_count = 1});
  gradyn_gravity_3d(m, p[SLOPE], 0.4, -9.81);
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "x", gradyn_measure_point(m, "", gradyn_body_centre(m, sled), 0, GRADYN_X),
                        .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", dog, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vy",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"edge force", gradyn_measure_multiplier(m, "", front),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"pursuit force",
                                                 gradyn_measure_multiplier(m, "", pursuit),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem rolling_trail = PROBLEM("trail", build_trail, trail_params, .t_end = 0.3,
                                             .step = 0.005);

/* --- modes and impacts ---------------------------------------------------------------------------- */

enum { HITS_MASS, HITS_OFFSET, HITS_HEADING, HITS_TURNING, HITS_LINE, HITS_WALL, HITS_BACK };

static const gradyn_param hits_params[HITS_PARAMETERS] = {
    {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    {"offset", "m", .init = 0.2, GRADYN_UNBOUNDED},
    {"heading", "rad", .init = 0.4, GRADYN_UNBOUNDED},
    {"turning", "rad/s", .init = 0.5, GRADYN_UNBOUNDED},
    {"line", "m", .init = 0.35, GRADYN_UNBOUNDED},
    {"wall", "m", .init = 0.8, GRADYN_UNBOUNDED},
    {"back", "", .init = 0.6, GRADYN_UNBOUNDED},
};

FORMULA(pass_line, at->pos[2] + 0.1 * at->pos[3] - at->data[0])

static gradyn_status build_hits(gradyn_model *m, const gradyn_scalar p[])
{
  const int slides = gradyn_mode(m, "slides"), glides = gradyn_mode(m, "glides");
  const int body = gradyn_body(m, &(gradyn_body_spec){.name = "sled",
                                                      .velocity = {1.2, 0.1},
                                                      .omega = {0, 0, p[HITS_TURNING]},
                                                      .mass = p[HITS_MASS],
                                                      .inertia = {0, 0, 0.2}});
  const int centre = gradyn_body_centre(m, body);
  const int frame = declare_frame(m, "blade", body, VECTOR(-p[HITS_OFFSET], 0.05),
                                  VECTOR(ccos(p[HITS_HEADING]), csin(p[HITS_HEADING])));
  const int edge = gradyn_knife_edge(m, "edge", frame, GRADYN_Y, gradyn_frame_point(m, frame),
                                     NULL);
  gradyn_constraint_set_modes(m, edge, gradyn_modes_of(glides));
  const gradyn_datum line = {"line", "m", p[HITS_LINE]};
  const int lands = gradyn_event(
      m, &(gradyn_event_spec){.name = "lands",
                              .guard = {.terminal = pass_line, .data = &line, .data_count = 1},
                              .direction = GRADYN_RISING,
                              .mode = glides});
  gradyn_event_set_modes(m, lands, gradyn_modes_of(slides));
  gradyn_event_set_modes(m,
                         gradyn_impact(m, &(gradyn_impact_spec){.name = "wall",
                                                                .point = centre,
                                                                .axis = GRADYN_X,
                                                                .level = {.value = p[HITS_WALL]},
                                                                .below = true,
                                                                .restitution = p[HITS_BACK]}),
                         gradyn_modes_of(glides));
  gradyn_gravity(m, 0.4, -0.3);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", centre, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vy",
                                                 gradyn_measure_point(m, "", centre, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_event_time(m, "landing", lands, 1);
  gradyn_functional(m, &(gradyn_functional_spec){"force", gradyn_measure_multiplier(m, "", edge),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem rolling_hits = PROBLEM("hits", build_hits, hits_params, .t_end = 1.5,
                                            .step = 0.005);
