/* Tyres: derivatives against differences, limits of the ground's forces, and refused declarations. */
#include "mbs/elements/formula.h"
#include "mbs/mechanism/assembly.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/refusal.h"
#include "tests/mbs/terms_models.h"

enum { K, C, X, Y, O, AHEAD, ASIDE, AXES = 3, LOCAL = AXES * (ASIDE + 1) };

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)terms_rolling(model, rho);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* The bodies are in a state that is neither rigid nor at rest. */
TEST(derivatives_are_right)
{
  bench_local b;
  bench_open(&b, build, NULL);
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE);
  assert_int_equal(bench_check_functional(&b, 0), 1 | 2);
}

/* --- an element by itself --------------------------------------------------------------------------- */

/* A disc above the plane z = 0 with its axle near y: the arrays that an element reads, and its data. */
typedef struct disc {
  bench b;
  gradyn_mbs *m;
  mbs_element e;
  double pos[LOCAL], vel[LOCAL], z[12], f[LOCAL];
} disc;

enum {
  RADIUS,
  STIFFNESS,
  DAMPING,
  REBOUND,
  CRITICAL,
  FRICTION = 6,
  RELAXATION = 8,
  SMOOTHING = 10
};
static const double numbers[12] = {0.3, 6000, 100, 80, 0.15, 0.2, 0.9, 0.7, 0.1, 0.15, 5, 0.01};

static void open_disc(disc *d)
{
  bench_open(&d->b, build, NULL);
  d->m = d->b.model->impl;
  d->e = d->m->lists.forces.item[0];
  assert_string_equal(d->e.ops->kind, "tyre");
  assert_int_equal(d->e.local, LOCAL);
  for (int i = 0; i < d->e.points; i++)
    d->e.at[i] = AXES * i;
  memcpy(d->z, numbers, sizeof numbers);
}

/* Places the disc at a height, inclined about x, rotated by an angle about its axle. */
static void place(disc *d, double height, double lean, double turned)
{
  const double c = cos(lean), s = sin(lean), x = cos(turned), y = sin(turned);
  /* base vectors without the rotation: x, (0, s, -c), (0, c, s) */
  const double of[] = {0, 0, 1, 1.3, -0.4, height, x, y * s, -y * c, -y, x * s, -x * c, 0, 0, 0};
  memset(d->pos, 0, sizeof d->pos);
  memset(d->vel, 0, sizeof d->vel);
  memcpy(d->pos, of, sizeof of);
}

static void look(disc *d)
{
  const mbs_point_state at = {.pos = d->pos, .vel = d->vel};
  assert_ok(d->e.ops->force(d->m, &d->e, &at, d->z, d->f), d->b.model->message.text);
}

static double power(const disc *d)
{
  double sum = 0;
  for (int i = 0; i < AXES * AHEAD; i++)
    sum += d->f[i] * d->vel[i];
  return sum;
}

/* For random states: the ground pushes, and its tangential force is inside the friction ellipse. With slips
 * many times the critical ones the force is near the ellipse. */
TEST(friction_has_its_limit_and_nothing_pulls)
{
  terms_scene random = {.seed = 11};
  disc d;
  double nearest = 0;
  int pressed = 0;
  open_disc(&d);
  for (int k = 0; k < 2000; k++) {
    place(&d, 0.28 + 0.06 * terms_random(&random), 0.6 * terms_random(&random),
          3 * terms_random(&random));
    for (int i = AXES * C; i < AXES * O; i++)
      d.vel[i] = 4 * terms_random(&random);
    d.vel[AXES * AHEAD] = 3 * terms_random(&random);
    d.vel[AXES * ASIDE] = 3 * terms_random(&random);
    look(&d);
    /* ahead is x, aside y */
    const double N = d.f[AXES * C + 2], x = d.f[AXES * C] / 0.9, y = d.f[AXES * C + 1] / 0.7;
    assert_true(N >= 0);
    assert_true(hypot(x, y) <= N);
    nearest = N > 0 ? fmax(nearest, hypot(x, y) / N) : nearest;
    pressed += N > 0;
  }
  assert_true(nearest > 0.9999);
  assert_true(pressed > 500 && pressed < 1900);
  bench_close(&d.b);
}

/* No force in the air; at rest on the ground the force of the spring; the damper cannot make the force
 * negative. Closed forms for all cases. */
TEST(forces_along_the_radius_are_those_of_the_formulas)
{
  static const struct {
    double e, rate, force;
  } row[] = {
      {-0.001, 5, 0},
      {0.05, 0, 300},
      {0.05, 0.4, 300 + 90 * 0.4 + 10 * (0.40012498047485 - 0.01)},
      {0.05, -0.4, 300 - 90 * 0.4 + 10 * (0.40012498047485 - 0.01)},
      {0.05, -6, 0},
      {0.05 / 120, 0, 5 * 0.125 * (6 - 4 + 0.75)}, /* half of the smoothing */
  };
  disc d;
  open_disc(&d);
  for (size_t k = 0; k < GRADYN_COUNT(row); k++)
    for (int l = 0; l < 3; l++) {
      const double s = cos(0.3 * l);
      place(&d, (0.3 - row[k].e) * s, 0.3 * l, 0.7);
      d.vel[AXES * C + 2] = -row[k].rate * s; /* e = R - h/s */
      look(&d);
      assert_close(d.f[AXES * C + 2] * s, row[k].force, 1e-11, 1e-12);
    }
  bench_close(&d.b);
}

/* Without dampers and slips, the power of the force is minus the rate of its energy, in any motion. */
TEST(what_the_spring_does_is_stored)
{
  terms_scene random = {.seed = 5};
  disc d;
  open_disc(&d);
  d.z[DAMPING] = d.z[REBOUND] = 0;
  for (int k = 0; k < 50; k++) {
    double U, g[LOCAL], U_z[12], rate = 0;
    place(&d, 0.285 + 0.015 * terms_random(&random), 0.6 * terms_random(&random), 0.4);
    for (int i = AXES * C; i < AXES * O; i++)
      d.vel[i] = terms_random(&random);
    look(&d);
    const mbs_point_state at = {.pos = d.pos, .vel = d.vel};
    assert_ok(d.e.ops->energy(d.m, &d.e, &at, d.z, &U, g, U_z), NULL);
    for (int i = 0; i < LOCAL; i++)
      rate += g[i] * d.vel[i];
    assert_close(power(&d), -rate, 1e-12, 1e-12);
  }
  bench_close(&d.b);
}

/* Rates of slips, their final values, and the forces there, for wheels that are inclined, brake and drive. */
TEST(slips_have_their_stated_direction)
{
  disc d;
  open_disc(&d);
  for (int k = 0; k < 5; k++) {
    const double lean = 0.2 * (k - 2), r = 0.28, V = 3, aside = 0.4, spin = V / r - 2 + k;
    place(&d, r * cos(lean), lean, 0.3 * k);
    /* c' = (V, aside, 0); the rotation about the axle, x' = spin y and y' = -spin x, rolls towards +x */
    d.vel[AXES * C] = V;
    d.vel[AXES * C + 1] = aside;
    for (int i = 0; i < AXES; i++) {
      d.vel[AXES * X + i] = spin * d.pos[AXES * Y + i];
      d.vel[AXES * Y + i] = -spin * d.pos[AXES * X + i];
    }
    const double ahead = V - spin * r, square = V * V + ahead * ahead + aside * aside;
    const double speed = square / sqrt(square + 1e-4);
    look(&d);
    assert_close(d.f[AXES * AHEAD], ahead / 0.1, 1e-12, 1e-11);
    assert_close(d.f[AXES * ASIDE], aside / 0.15, 1e-12, 1e-11);
    assert_close(d.f[AXES * C], 0, 0, 1e-12);
    d.vel[AXES * AHEAD] = ahead / speed;
    d.vel[AXES * ASIDE] = aside / speed;
    look(&d);
    assert_close(d.f[AXES * AHEAD], 0, 0, 1e-11);
    assert_close(d.f[AXES * ASIDE], 0, 0, 1e-11);
    const double x = ahead / speed / 0.15, y = aside / speed / 0.2, size = x * x + y * y;
    const double share = pow(1 + size * size, -0.25) * d.f[AXES * C + 2];
    assert_close(d.f[AXES * C], -0.9 * share * x, 1e-12, 1e-10);
    assert_close(d.f[AXES * C + 1], -0.7 * share * y, 1e-12, 1e-10);
  }
  bench_close(&d.b);
}
