/* Wheels: a rolling coin as the library's element and as user-defined constraints in complex numbers.
 * Compared are blocks of derivatives, gradients, and the stability of the upright motion. */
#include "tests/adjoint/checked.h"
#include "tests/adjoint/compare.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

enum { LEAN, SPIN, TURN, RADIUS, MASS, SLOPE, SKEW, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    {"lean", "rad", .init = 0.3, GRADYN_UNBOUNDED},
    {"spin", "rad/s", .init = 9, GRADYN_UNBOUNDED},
    {"turn", "rad/s", .init = 0.8, GRADYN_UNBOUNDED},
    {"radius", "m", .init = 0.21, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.6, GRADYN_UNBOUNDED},
    {"slope", "", .init = 0.12, GRADYN_UNBOUNDED},
    {"skew", "", .init = 0.07, GRADYN_UNBOUNDED},
};

/* --- by formulas ---------------------------------------------------------------------------------- */

/* Points c, c + x, c + y; data R, k and the other direction (t or o). For each order of derivative:
 * a = k.x, b = k.y, s = sqrt(a^2 + b^2). */
typedef struct parts {
  gradyn_scalar a[3], b[3], s[3];
} parts;

static gradyn_scalar dot(const gradyn_scalar *u, const gradyn_scalar *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* u.(point i - point 0). */
static gradyn_scalar along(const gradyn_scalar *u, const gradyn_scalar *r, int i)
{
  return dot(u, r + 3 * i) - dot(u, r);
}

static parts find(const gradyn_at *at)
{
  const gradyn_scalar *k = at->data + 1, *r[] = {at->pos, at->vel, at->acc};
  parts p;
  for (int i = 0; i < 3; i++) {
    p.a[i] = along(k, r[i], 1);
    p.b[i] = along(k, r[i], 2);
  }
  p.s[0] = csqrt(p.a[0] * p.a[0] + p.b[0] * p.b[0]);
  p.s[1] = (p.a[0] * p.a[1] + p.b[0] * p.b[1]) / p.s[0];
  p.s[2] = (p.a[1] * p.a[1] + p.a[0] * p.a[2] + p.b[1] * p.b[1] + p.b[0] * p.b[2] -
            p.s[1] * p.s[1]) /
           p.s[0];
  return p;
}

static gradyn_status touches(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r[] = {at->pos, at->vel, at->acc}, *k = at->data + 1;
  *value = dot(k, r[order]) - (order == 0 ? dot(k, at->data + 4) : 0) -
           at->data[0] * find(at).s[order];
  return GRADYN_OK;
}

static gradyn_status rolls(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *t = at->data + 4, R = at->data[0];
  const parts p = find(at);
  const gradyn_scalar x[] = {along(t, at->vel, 1), along(t, at->acc, 1)};
  const gradyn_scalar y[] = {along(t, at->vel, 2), along(t, at->acc, 2)};
  const gradyn_scalar N[] = {p.a[0] * x[0] + p.b[0] * y[0],
                             p.a[1] * x[0] + p.a[0] * x[1] + p.b[1] * y[0] + p.b[0] * y[1]};
  if (order == 0)
    return GRADYN_CALLBACK;
  *value = order == 1 ? dot(t, at->vel) - R * N[0] / p.s[0]
                      : dot(t, at->acc) - R * (N[1] - N[0] * p.s[1] / p.s[0]) / p.s[0];
  return GRADYN_OK;
}

/* --- the coin ------------------------------------------------------------------------------------- */

/* Origin and directions of the plane; the directions may have any length and angle. */
typedef struct plane {
  gradyn_scalar o[3], t[3][3];
} plane;

static plane find_plane(const gradyn_scalar p[])
{
  const gradyn_scalar h = csqrt(1 + p[SLOPE] * p[SLOPE]);
  return (plane){{0.1, -0.2, 0.05},
                 {{1 / h, 0, p[SLOPE] / h}, {0, 1, 0}, {-p[SLOPE] / h, 0, 1 / h}}};
}

/* Adds points of the disc for directions normal to its axle z that differ from the frame's. Both models
 * have these points, so that the initial state is weighted equally. */
static void add_points(gradyn_model *m, int body, const gradyn_scalar c[3],
                       const gradyn_scalar z[3], int point[3])
{
  const gradyn_scalar n = csqrt(1 - z[0] * z[0]);
  const gradyn_scalar x[3] = {n, -z[0] * z[1] / n, -z[0] * z[2] / n}; /* e_1 - (e_1.z) z */
  const gradyn_scalar y[3] = {0, z[2] / n, -z[1] / n};                /* z x x */
  point[0] = gradyn_body_point_3d(m, body, "hub", c[0], c[1], c[2]);
  point[1] = gradyn_body_point_3d(m, body, "hub_x", c[0] + x[0], c[1] + x[1], c[2] + x[2]);
  point[2] = gradyn_body_point_3d(m, body, "hub_y", c[0] + y[0], c[1] + y[1], c[2] + y[2]);
}

static void roll_by_formulas(gradyn_model *m, const int point[3], const plane *on,
                             gradyn_scalar radius)
{
  static const char *const names[] = {"radius", "k_x", "k_y", "k_z", "r_x", "r_y", "r_z"};
  gradyn_datum data[7] = {{"radius", "m", radius}};
  for (int row = 0; row < 3; row++) {
    for (int k = 0; k < 3; k++) {
      data[1 + k] = (gradyn_datum){names[1 + k], "", on->t[2][k]};
      data[4 + k] = (gradyn_datum){names[4 + k], "", row == 0 ? on->o[k] : on->t[row - 1][k]};
    }
    const gradyn_custom_constraint_spec spec = {.name = row == 0   ? "touch"
                                                        : row == 1 ? "roll_x"
                                                                   : "roll_y",
                                                .points = point,
                                                .point_count = 3,
                                                .fn = row == 0 ? touches : rolls,
                                                .data = data,
                                                .data_count = 7};
    if (row == 0)
      gradyn_custom_constraint(m, &spec);
    else
      gradyn_custom_nonholonomic(m, &spec);
  }
}

static void roll_by_element(gradyn_model *m, int body, const gradyn_scalar c[3],
                            const gradyn_scalar z[3], const plane *on, gradyn_scalar radius)
{
  gradyn_frame_spec disc = {.name = "disc", .body = body, .side = {1, 0, 0.3}},
                    road = {.name = "road", .body = GRADYN_GROUND};
  memcpy(disc.origin, c, sizeof disc.origin);
  memcpy(disc.axis, z, sizeof disc.axis);
  memcpy(road.origin, on->o, sizeof road.origin);
  memcpy(road.axis, on->t[2], sizeof road.axis);
  memcpy(road.side, on->t[0], sizeof road.side);
  gradyn_wheel(
      m, &(gradyn_wheel_spec){"tyre", gradyn_frame(m, &disc), gradyn_frame(m, &road), radius});
}

/* The disc leans about the x axis; its axle is near the y axis but oblique, and its centre is off its
 * centre of mass. */
static gradyn_status declare(gradyn_model *m, const gradyn_scalar p[], bool formulas)
{
  const gradyn_scalar c = ccos(p[LEAN]), s = csin(p[LEAN]), R = p[RADIUS];
  const gradyn_scalar A = p[MASS] * R * R / 4, off = p[SKEW] / 4;
  const gradyn_scalar n = csqrt(1 + p[SKEW] * p[SKEW]), z[3] = {p[SKEW] / n, c / n, s / n};
  const gradyn_scalar centre[3] = {0.1 + off, -0.2 - R * s + off, 0.05 + R * c};
  const plane on = find_plane(p);
  gradyn_gravity_3d(m, 0, 0.5 * p[SKEW], -9.81);
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "coin",
                             .centre = {0.1, -0.2 - R * s, 0.05 + R * c},
                             .velocity = {p[SPIN] * R, 0, 0},
                             .omega = {0, p[SPIN] * c, p[SPIN] * s + p[TURN]},
                             .mass = p[MASS],
                             .inertia = {A, A + A * c * c, A + A * s * s, 0, 0, A * s * c}});
  int point[3];
  add_points(m, body, centre, z, point);
  if (formulas)
    roll_by_formulas(m, point, &on, R);
  else
    roll_by_element(m, body, centre, z, &on, R);
  declare_functional(m, "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                     GRADYN_AT_END);
  declare_functional(m, "y", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_Y),
                     GRADYN_AT_END);
  declare_functional(m, "vz", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 1, GRADYN_Z),
                     GRADYN_AT_END);
  declare_functional(m, "energy", gradyn_measure_energy(m, ""), GRADYN_AT_END);
  return gradyn_build_status(m);
}

static gradyn_status by_element(gradyn_model *m, const gradyn_scalar p[])
{
  return declare(m, p, false);
}

static gradyn_status by_formulas(gradyn_model *m, const gradyn_scalar p[])
{
  return declare(m, p, true);
}

enum { FUNCTIONALS = 4 };
static const gradyn_problem coin = PROBLEM("coin", by_element, params, .t_end = 0.6,
                                           .method = "explicit", .rtol = 1e-11),
                            coin_by_formulas = PROBLEM("coin", by_formulas, params, .t_end = 0.6,
                                                       .method = "explicit", .rtol = 1e-11);

/* --- tests ---------------------------------------------------------------------------------------- */

TEST(wheels_are_what_formulas_say)
{
  double rho[PARAMETERS], value[2][FUNCTIONALS], slope[2][FUNCTIONALS * PARAMETERS];
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(.problem = k == 0 ? &coin : &coin_by_formulas,
                             .sensitivity = "adjoint");
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, value[k], slope[k]), ev);
  }
  assert_close_array(value[0], value[1], FUNCTIONALS, 1e-9, 1e-10);
  assert_close_array(slope[0], slope[1], FUNCTIONALS * PARAMETERS, 1e-8, 1e-9);
}

THOROUGH_TEST(blocks_of_wheels_are_derivatives)
{
  checked c;
  checked_problem(&coin, "explicit", false, &c);
  assert_non_null(checked_find(&c, "rolling of a wheel", NULL));
  assert_non_null(checked_find(&c, "contact of a wheel", NULL));
}

TEST(wheels_have_derivatives_by_all_data)
{
  static const struct {
    const char *method;
    double rtol, step, bound, baumgarte;
  } by[] = {{"explicit", 1e-9, 0, 1e-10, 0},
            {"radau", 1e-9, 0, 1e-10, 0},
            {"ali3p", 0, 5e-3, 1e-10, 0},
            {"idas", 1e-10, 0, 1e-6, 0},
            {"idas", 1e-10, 0, 1e-6, 20}};
  for (size_t k = 0; k < GRADYN_COUNT(by) - !support_thorough(); k++) { /* idas takes seconds */
    if (!support_takes((int)k, 2))
      continue;
    const run_setup setup = {&coin,
                             .method = by[k].method,
                             .rtol = by[k].rtol,
                             .step = by[k].step,
                             .t_end = by[k].baumgarte > 0 ? 0.2 : 0.6,
                             .baumgarte_alpha = by[k].baumgarte,
                             .baumgarte_beta = by[k].baumgarte};
    compare_routes(&setup, NULL, by[k].bound);
  }
}

/* Stability of the upright coin that rolls straight ahead on a level road: (A + m R^2) l'' = (m g R - C
 * (C + m R^2) w^2/A) l, with C = 2 A. */
TEST(a_coin_is_upright_when_it_is_fast)
{
  double rho[PARAMETERS] = {[RADIUS] = 0.21, [MASS] = 1.6};
  for (int k = 0; k < 4; k++) {
    const double w = 2 + 2 * k, R = rho[RADIUS], square = 9.81 / R * 4 / 5 - w * w * 12 / 5;
    LOCAL(gradyn_linearisation) l;
    run_local *ev = run_with(.problem = &coin);
    rho[SPIN] = w;
    assert_run(gradyn_evaluator_linearise(ev, rho, false, &l), ev);
    assert_string_equal(l.unsteady, "");
    assert_int_equal(l.motion, GRADYN_STEADY_MOTION);
    assert_int_equal(l.dof, 5);
    assert_int_equal(l.rates, 3);
    for (int i = 0; i < 8; i++)
      if (i < 6)
        assert_close(hypot(l.real[i], l.imag[i]), 0, 0, 1e-5);
      else
        assert_close(l.real[i] * l.real[i] - l.imag[i] * l.imag[i], square, 1e-9, 0);
  }
}

/* --- what is no wheel ----------------------------------------------------------------------------- */

typedef enum wrong { FLAT, POINTLIKE, NO_AXLE, ON_A_BODY, NO_BODY, IN_THE_PLANE, WRONGS } wrong;

static const char *const told[] = {
    [FLAT] = "tyre lies flat on road",
    [POINTLIKE] = "tyre has the radius 0 m: it must be positive",
    [NO_AXLE] = "disc has no axis",
    [ON_A_BODY] = "tyre rolls on road, which is not a frame of the ground",
    [NO_BODY] = "tyre: the frame of the wheel, disc, is not fixed to a body",
    [IN_THE_PLANE] = "tyre is a wheel, which needs a spatial mechanism"};
static wrong what;

static gradyn_status build_wrong(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  const gradyn_body_spec spec = {
      .name = "coin", .centre = {0, 0, 1}, .mass = 1, .inertia = {1, 1, 1}};
  const int body = what == IN_THE_PLANE ? gradyn_body(m, &spec) : gradyn_body_3d(m, &spec);
  const int disc = declare_frame(m, "disc", what == NO_BODY ? GRADYN_GROUND : body, NULL,
                                 VECTOR(0, what != FLAT && what != NO_AXLE, what == FLAT));
  const int road = declare_frame(m, "road", what == ON_A_BODY ? body : GRADYN_GROUND, NULL,
                                 VECTOR(what == IN_THE_PLANE, 0, what != IN_THE_PLANE));
  gradyn_wheel(m, &(gradyn_wheel_spec){"tyre", disc, road, what != POINTLIKE});
  declare_functional(m, "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                     GRADYN_AT_END);
  return gradyn_build_status(m);
}

TEST(invalid_wheels_are_reported)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "wrong",
                                         .build = build_wrong, .t_end = 0.1};
  for (what = 0; what < WRONGS; what++)
    assert_no_run(GRADYN_INVALID, told[what], .problem = &problem, .method = "explicit");
}
