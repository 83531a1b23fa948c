/* Bushings: closed forms of force and torque, energy, and every derivative against differences. */
#include <complex.h>

#include "mbs/mechanism/assembly.h"
#include "mbs/elements/formula.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/refusal.h"

/* Specification of a bushing between two bodies, at different points of both. */
static gradyn_bushing_spec numbers(bool space)
{
  gradyn_bushing_spec spec = {.name = "bush",
                              .position = {0.5, 0.2, 0.3},
                              .stiffness = {3, 5, 7},
                              .damping = {0.2, 0.4, 0.3},
                              .torsion = {0.6, 0.9, 1.3},
                              .torsion_damping = {0.1, 0.3, 0.2}};
  if (!space) {
    spec.position[2] = spec.stiffness[2] = spec.damping[2] = 0;
    spec.torsion[0] = spec.torsion[1] = 0;
    spec.torsion_damping[0] = spec.torsion_damping[1] = 0;
  }
  return spec;
}

static gradyn_status declare(gradyn_model *model, bool space)
{
  gradyn_bushing_spec spec = numbers(space);
  const gradyn_body_spec a = {.name = "A", .mass = 1.2, .inertia = {0.3, 0.4, 0.5}};
  const gradyn_body_spec b = {
      .name = "B", .centre = {1, 0.4, space ? 0.2 : 0}, .mass = 2, .inertia = {0.5, 0.6, 0.7}};
  spec.body_a = space ? gradyn_body_3d(model, &a) : gradyn_body(model, &a);
  spec.body_b = space ? gradyn_body_3d(model, &b) : gradyn_body(model, &b);
  gradyn_bushing(model, &spec);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static gradyn_status plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return declare(model, false);
}

static gradyn_status space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  return declare(model, true);
}

/* The bodies are in a state that is neither rigid nor at rest. */
TEST(derivatives_are_right)
{
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? space : plane, NULL);
    bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE);
    assert_int_equal(bench_check_functional(&b, 0), 1 | 2);
  }
}

/* Derivative blocks written by hand against those of the complex formula, at the same state. */
TEST(blocks_are_those_of_the_formula)
{
  enum { MOST = 24 };
  static double hand[3][MOST * MOST], step[3][MOST * MOST];
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? space : plane, NULL);
    gradyn_mbs *m = b.model->impl;
    const mbs_element *e = &m->lists.forces.item[0];
    gradyn_mech_state at = bench_state(&b, b.y, b.t);
    const mbs_point_state view = mbs_eval(m, &at);
    int local = e->local, inputs = mbs_input_count(e);
    assert_int_equal(local, k ? MOST : 12);
    assert_ok(e->ops->force(m, e, &view, e->input, hand[0]), NULL);
    assert_ok(mbs_formula_force(m, e, &view, e->input, step[0]), NULL);
    assert_close_array(hand[0], step[0], local, 1e-13, 1e-14);
    assert_ok(e->ops->force_state(m, e, &view, e->input, hand[1], hand[2]), NULL);
    assert_ok(mbs_formula_state(m, e, &view, e->input, step[1], step[2]), NULL);
    assert_close_array(hand[1], step[1], local * local, 1e-13, 1e-14);
    assert_close_array(hand[2], step[2], local * local, 1e-13, 1e-14);
    assert_ok(e->ops->force_input(m, e, &view, e->input, hand[0]), NULL);
    assert_ok(mbs_formula_input(m, e, &view, e->input, step[0]), NULL);
    assert_close_array(hand[0], step[0], local * inputs, 1e-13, 1e-14);
  }
}

/* In space: body A in its declared position, B displaced by d and rotated by an angle about an axis through
 * the bushing; no velocities. */
static void move(bench *b, const double *d, int axis, double angle)
{
  enum { DIM = 3, POINTS = 4 };
  double *B = b->y + POINTS * DIM,
         arm[DIM] = {0.5, 0.2, -0.1}; /* from the bushing to the centre of B */
  int j = (axis + 1) % 3, k = (axis + 2) % 3;
  double c = cos(angle), s = sin(angle), x = arm[j];
  memset(b->y, 0, sizeof b->y);
  for (int i = 0; i < 2 * POINTS * DIM; i++)
    b->y[i] = b->x[b->mech->q0[i]];
  arm[j] = c * x - s * arm[k];
  arm[k] = s * x + c * arm[k];
  for (int i = 0; i < DIM; i++)
    B[i] = creal(numbers(true).position[i]) + arm[i] + d[i];
  B[DIM * (1 + j) + j] = B[DIM * (1 + k) + k] = c;
  B[DIM * (1 + j) + k] = s;
  B[DIM * (1 + k) + j] = -s;
}

/* Power of the forces if body B moves along an axis, or rotates about an axis through the bushing. */
static double power(bench *b, int along, int about, const double *d)
{
  double r[BENCH_STATES], sum = 0;
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  assert_ok(b->mech->ops->residual(b->mech, GRADYN_FORCE, &at, r), b->model->message.text);
  for (int p = 0; p < 4; p++) {
    const double *B = b->y + 12 + 3 * p, *f = r + 12 + 3 * p;
    int j = (about + 1) % 3, k = (about + 2) % 3;
    if (about < 0) {
      sum -= p == 0 ? f[along] : 0;
      continue;
    }
    double place[3] = {0};
    for (int i = 0; i < 3 && p == 0; i++)
      place[i] = creal(numbers(true).position[i]) + d[i];
    sum -= f[k] * (B[j] - place[j]) - f[j] * (B[k] - place[k]);
  }
  return sum;
}

/* The force is -k d along each axis and the torque -kappa sin cos about each; there are no others. */
TEST(forces_are_those_of_springs)
{
  const gradyn_bushing_spec spec = numbers(true);
  const double d[3] = {0.1, -0.2, 0.3}, none[3] = {0};
  bench_local b;
  bench_open(&b, space, NULL);
  for (int axis = 0; axis < 3; axis++) {
    move(&b, d, axis, 0.4);
    for (int i = 0; i < 3; i++)
      assert_close(power(&b, i, -1, d), -creal(spec.stiffness[i]) * d[i], 1e-13, 0);
    for (int i = 0; i < 3; i++)
      assert_close(power(&b, 0, i, d),
                   i == axis ? -creal(spec.torsion[i]) * sin(0.4) * cos(0.4) : 0, 1e-13, 1e-15);
    move(&b, none, axis, 0);
    for (int i = 0; i < 3; i++)
      assert_close(power(&b, i, -1, none), 0, 0, 1e-15);
  }
}

/* The energy of a displacement and of a rotation; the bodies are at rest, without gravity. */
TEST(energy_is_that_of_springs)
{
  const gradyn_bushing_spec spec = numbers(true);
  const double d[3] = {0.1, -0.2, 0.3};
  bench_local b;
  bench_open(&b, space, NULL);
  move(&b, d, 1, 0.4);
  double U = creal(spec.torsion[1]) * sin(0.4) * sin(0.4) / 2;
  for (int i = 0; i < 3; i++)
    U += creal(spec.stiffness[i]) * d[i] * d[i] / 2;
  assert_close(bench_functional(&b, 0), U, 1e-14, 0);
}

/* --- wrong declarations ------------------------------------------------------------------------ */

#define BUSHING(case, change)                                                                      \
  static void case (gradyn_model * model)                                                          \
  {                                                                                                \
    gradyn_body_spec one = refusal_body(), two = refusal_body();                                   \
    gradyn_bushing_spec spec = numbers(false);                                                     \
    two.name = "second";                                                                           \
    spec.body_a = gradyn_body(model, &one);                                                        \
    spec.body_b = gradyn_body(model, &two);                                                        \
    change;                                                                                        \
    gradyn_bushing(model, &spec);                                                                  \
  }

BUSHING(of_no_body, spec.body_b = 7)
BUSHING(of_one_body, spec.body_b = spec.body_a)
BUSHING(that_pushes, spec.stiffness[1] = -2)
BUSHING(that_drives, spec.torsion_damping[2] = -0.5)
BUSHING(out_of_the_plane, spec.torsion[0] = 4)

static const refusal refusals[] = {
    {of_no_body, "bush: body 7 has not been declared (there are 2)"},
    {of_one_body, "bush joins the body"},
    {that_pushes, "bush.stiffness_y is -2: it must not be negative"},
    {that_drives, "bush.torsion_damping_z is -0.5: it must not be negative"},
    {out_of_the_plane, "bush.torsion_x is 4: a planar mechanism has no such motion"}};

TEST(wrong_ones_are_refused)
{
  refusal_check((int)GRADYN_COUNT(refusals), refusals);
}
