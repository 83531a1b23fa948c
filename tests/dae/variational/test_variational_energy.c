/* Conservation of energy by the variational scheme: a pendulum of one beam element with full elastic force
 * over a million steps, in four runs; and its factors. */

#include "problems/builtin.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/mbs/ancf_reference.h"

static const double gravity = 9.81, step = 1e-3;

enum { LONG = 250000, WATCHES = 200, RUNS = 4 };

static const double beam_length = 1, beam_width = 0.05, beam_density = 1000, beam_young = 1e6;

/* Kinetic, elastic and potential energy of the element at positions and velocities [4][2]. */
static gradyn_scalar pendulum_energy(const gradyn_scalar *u, const gradyn_scalar *v)
{
  const double l = beam_length, A = beam_width * beam_width, m = beam_density * A * l;
  const double M[4][4] = {{156, 22 * l, 54, -13 * l},
                          {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                          {54, 13 * l, 156, -22 * l},
                          {-13 * l, -3 * l * l, -22 * l, 4 * l * l}};
  reference element = {.dim = 2, .full = true, .data = {l, beam_young, A, A * A / 12, 0}};
  memcpy(element.u, u, 8 * sizeof *u);
  gradyn_scalar energy = reference_energy(&element);
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      energy += m / 840 * M[a][b] * (v[2 * a] * v[2 * b] + v[2 * a + 1] * v[2 * b + 1]);
  return energy + m * gravity * ((u[1] + u[5]) / 2 + l / 12 * (u[3] - u[7]));
}

/* The vectors of the element are the root, the tip and the two slopes. */
static gradyn_status energy(const gradyn_at *at, gradyn_scalar *value)
{
  static const int order[4] = {1, 3, 2, 4}; /* numbers */
  gradyn_scalar u[8], v[8];
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 2; i++) {
      u[2 * a + i] = at->pos[2 * order[a] + i];
      v[2 * a + i] = at->vel[2 * order[a] + i];
    }
  *value = pendulum_energy(u, v);
  return GRADYN_OK;
}

static gradyn_status build_pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int root = gradyn_ground_point(m, "root", 0, 0), tip = gradyn_point(m, "tip", beam_length, 0);
  gradyn_beam(
      m, &(gradyn_beam_spec){.name = "beam",
                             .from = root,
                             .to = tip,
                             .elements = 1,
                             .section = gradyn_section_rectangle(beam_width, beam_width),
                             .young = beam_young * (1 + 1e-13 * gradyn_setting_value(m, "run")),
                             .density = beam_density});
  gradyn_gravity(m, 0, -gravity);
  for (int k = 1; k <= WATCHES; k++) {
    char name[24];
    snprintf(name, sizeof name, "energy%d", k);
    gradyn_custom_functional(
        m,
        &(gradyn_custom_functional_spec){
            .name = name, .unit = "J", .terminal = energy, .instant = step * LONG / WATCHES * k});
  }
  return gradyn_build_status(m);
}

static const gradyn_setting pendulum_settings[] = {
    {"run", "", .init = 0, .lower = 0, .upper = RUNS}};

static const gradyn_problem beam_pendulum = {
    GRADYN_PROBLEM_SIZES, .name = "beam-pendulum", .settings = pendulum_settings,
    .setting_count = 1,   .build = build_pendulum, .t_end = 1,
    .step = 1e-3};

/* Energies at WATCHES times. */
static void watch(int run, double energies[WATCHES])
{
  double rho[1] = {0};
  run_setup setup = {.problem = &beam_pendulum,
                     .method = "variational",
                     .setting = "run",
                     .value = run,
                     .t_end = LONG * step};
  run_local *ev = ali3p_open(&setup);
  assert_run(gradyn_evaluator_simulate(ev, rho, energies, NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, LONG);
}

/* The energy is zero at the start. Its errors vary with vibrations, whose motion is chaotic: a change of
 * the modulus in the thirteenth digit changes them completely, single ones by half. A drift would make the
 * mean of the second halves three times as large as that of the first ones. */
THOROUGH_TEST(energy_does_not_drift)
{
  double energies[WATCHES], mean[2] = {0}, worst = 0;
  const int runs = support_thorough() ? RUNS : 2;
  for (int run = 0; run < runs; run++) {
    watch(run, energies);
    for (int k = 0; k < WATCHES; k++) {
      mean[2 * k / WATCHES] += fabs(energies[k]) / (runs * WATCHES / 2);
      worst = fmax(worst, fabs(energies[k]));
    }
  }
  double swing = beam_density * beam_width * beam_width * gravity * beam_length / 2;
  assert_true(mean[0] > 1e-6 && mean[0] < 0.01 * swing);
  assert_close(mean[1], mean[0], 1, 0);
  assert_true(worst < 0.1 * swing);
}

/* Without constraints, output at all nodes uses the same matrix M. Requesting velocities and accelerations
 * of every step must cost no more than one factorisation a step, that of Newton's method. */
TEST(factors_of_constant_matrices_are_kept)
{
  double psi[8], rho[3];
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_flexible_pendulum,
                                          .method = "variational",
                                          .setting = "elements",
                                          .value = 10,
                                          .t_end = 4});
  run_initial(ev, rho);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
  const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
  assert_true(cost.factorisations <= cost.steps + cost.steps / 10);
}
