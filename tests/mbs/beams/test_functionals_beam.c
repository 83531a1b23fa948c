/* Functionals of beams: at rest under a small load against Euler and Bernoulli, in large motions against
 * formulas written here. Also their derivatives against differences, and the smooth maximum of the stress
 * against the exact maximum of a run. */

#include "tests/mbs/motion.h"
#include "tests/mbs/beams/statics.h"
#include "tests/declare.h"
#include "dae/trajectory.h"

enum { SAG, ROOT, ROOT_OTHER, MIDDLE, TIP, LARGEST, LENGTH, MASS, ENERGY, FUNCTIONALS };

#define E_MODULUS 1e6
#define EI 10.0
#define L 2.0
#define REACH 0.05
#define LOAD 2.5e-4
#define ALLOWED 2.7e3

static int declare_beam(gradyn_model *model, int from, int to, double young, bool linear)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = "beam",
                                                .from = from,
                                                .to = to,
                                                .elements = 4,
                                                .section = {0.01, 1e-5, REACH},
                                                .young = young,
                                                .density = 1.5,
                                                .linear = linear});
}

static void declare_functionals(gradyn_model *model, int beam, double allowed)
{
  gradyn_functional(model,
                    &(gradyn_functional_spec){"sag", gradyn_measure_deflection(model, "", beam),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "root", gradyn_measure_stress(model, "", beam, 0, GRADYN_STRETCHED),
                               .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"root, other side",
                                       gradyn_measure_stress(model, "", beam, 0, GRADYN_SHORTENED),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"middle",
                                       gradyn_measure_stress(model, "", beam, 2, GRADYN_STRETCHED),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){
                 "tip", gradyn_measure_stress(model, "", beam, GRADYN_BEAM_END, GRADYN_STRETCHED),
                 .reduction = GRADYN_AT_END});
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "largest", gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
          .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = allowed, .sharpness = 3});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"length", gradyn_measure_beam_length(model, "", beam),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
}

/* --- at rest ---------------------------------------------------------------------------------- */

static gradyn_status cantilever_2(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", L, 0);
  int beam = declare_beam(model, O, T, E_MODULUS, false);
  gradyn_weld(model, "clamp", beam, 0, GRADYN_GROUND);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fy = -LOAD});
  declare_functionals(model, beam, LOAD * L * REACH / 1e-5);
  return gradyn_build_status(model);
}

static gradyn_status cantilever_3(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point_3d(model, "O", 0, 0, 0), T = gradyn_point_3d(model, "T", 0, L, 0);
  int beam = declare_beam(model, O, T, E_MODULUS, true);
  gradyn_weld(model, "clamp", beam, 0, GRADYN_GROUND);
  gradyn_force(
      model, &(gradyn_force_spec){.name = "load", .point = T, .fx = 0.6 * LOAD, .fz = 0.8 * LOAD});
  declare_functionals(model, beam, LOAD * L * REACH / 1e-5);
  return gradyn_build_status(model);
}

/* The moment is P (L - x). The stress M reach/I is the permitted one at the root. Bent cubics have a small
 * strain at their nodes, of the order (kappa l)^2/200, here 1e-6 of the stress. */
TEST(test_at_rest)
{
  static const gradyn_build_fn build[2] = {cantilever_2, cantilever_3};
  double sag = LOAD * L * L * L / (3 * EI), sigma = LOAD * L * REACH / 1e-5, sum = 0;
  /* an inner node belongs to two elements; each has a stress at both fibres */
  for (int node = 0; node < 5; node++)
    sum += (node % 4 ? 4 : 2) * exp(3 * ((4 - node) / 4.0 - 1));
  for (int k = 0; k < 2; k++) {
    bench_local b;
    statics_open(&b, build[k]);
    assert_close(bench_functional(&b, SAG), k ? sag : -sag, 1e-7, 0);
    assert_close(bench_functional(&b, ROOT), sigma, 2e-6, 0);
    assert_close(bench_functional(&b, ROOT_OTHER), -sigma, 2e-6, 0);
    assert_close(bench_functional(&b, MIDDLE), sigma / 2, 3e-6, 0); /* P turns into its line */
    assert_close(bench_functional(&b, TIP), 0, 0, 1e-3 * sigma);
    assert_close(bench_functional(&b, LARGEST), sum, 1e-4, 0);
    assert_close(bench_functional(&b, ENERGY), LOAD * sag / 2, 2e-6, 0);
    assert_close(bench_functional(&b, LENGTH), L, 1e-15, 0);
    assert_close(bench_functional(&b, MASS), 1.5 * 0.01 * L, 1e-15, 0);
  }
}

/* --- anywhere --------------------------------------------------------------------------------- */

/* Soft beams with weight whose ends are attached points; their elastic terms are of order 1. */
static gradyn_status soft_2(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int G = gradyn_ground_point(model, "G", 0.2, -0.3), Q = gradyn_point(model, "Q", 1.5, 0.4);
  int body = declare_body(model, "body", 2, 1, 0, 1);
  int from = gradyn_body_point(model, body, "A", 0.3, 0.8);
  int beam = declare_beam(model, from, gradyn_point_between(model, "half", G, Q, 0.7), 3, false);
  gradyn_gravity(model, 0.4, -9.81);
  declare_functionals(model, beam, 100);
  return gradyn_build_status(model);
}

static gradyn_status soft_3(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int G = gradyn_ground_point_3d(model, "G", 0.2, -0.3, 0.5);
  int Q = gradyn_point_3d(model, "Q", 1.5, 0.4, 0.9);
  int body = declare_body_3d(model, "body", 2, INERTIA(1, 1.2, 0.9, 0.1, 0, 0.2),
                             VECTOR(0, 1, 0.2));
  int from = gradyn_body_point_3d(model, body, "A", 0.3, 0.8, 0.7);
  int beam = declare_beam(model, from, gradyn_point_between(model, "half", G, Q, 0.7), 3, true);
  gradyn_gravity_3d(model, 0.4, -9.81, 1.2);
  declare_functionals(model, beam, 100);
  return gradyn_build_status(model);
}

TEST(test_gradients)
{
  static const int present[FUNCTIONALS] = {
      [SAG] = 1 | 2,     [ROOT] = 1 | 2, [ROOT_OTHER] = 1 | 2, [MIDDLE] = 1 | 2, [TIP] = 1 | 2,
      [LARGEST] = 1 | 2, [LENGTH] = 2,   [MASS] = 2,           [ENERGY] = 1 | 2};
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? soft_3 : soft_2, NULL);
    assert_int_equal(b.model->functional_count, FUNCTIONALS);
    /* so strongly bent that the change of the extreme fibre's side, a kink, is far away */
    for (int i = 0; i < b.mech->n; i++)
      b.y[i] += 4 * (b.y[i] - b.x[b.mech->q0[i]]);
    b.step = 0.001;
    for (int i = 0; i < FUNCTIONALS; i++)
      assert_int_equal(bench_check_functional(&b, i), present[i]);
  }
}

/* --- along a run ------------------------------------------------------------------------------ */

static const double sharpness[] = {10, 30, 100, 300};

/* A horizontal cantilever falls under its weight and oscillates. */
static gradyn_status swinging(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", L, 0);
  int beam = declare_beam(model, O, T, 1e5, false);
  gradyn_weld(model, "clamp", beam, 0, GRADYN_GROUND);
  gradyn_gravity(model, 0, -9.81);
  for (int k = 0; k < 4; k++) {
    char name[16];
    snprintf(name, sizeof name, "ks%d", k);
    gradyn_functional(
        model,
        &(gradyn_functional_spec){
            name, gradyn_measure_stress(model, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
            .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = ALLOWED, .sharpness = sharpness[k]});
  }
  gradyn_functional(model, &(gradyn_functional_spec){
                               "early", gradyn_measure_stress(model, "", beam, 0, GRADYN_STRETCHED),
                               .reduction = GRADYN_AT_TIME, .time = 0.1});
  return gradyn_build_status(model);
}

/* Magnitude of strain and curvature at the start or end of element k, from Hermite cubics. */
static double magnitude(double r[5][2], double s[5][2], int k, int end)
{
  double l = L / 4, eps, c[2];
  const double *t = s[k + end];
  for (int i = 0; i < 2; i++) {
    double chord = 6 * (r[k + 1][i] - r[k][i]) / (l * l);
    c[i] = end ? -chord + (2 * s[k][i] + 4 * s[k + 1][i]) / l
               : chord - (4 * s[k][i] + 2 * s[k + 1][i]) / l;
  }
  double a = t[0] * t[0] + t[1] * t[1];
  eps = (a - 1) / 2;
  return 1e5 * (fabs(eps) + REACH * fabs(t[0] * c[1] - t[1] * c[0]) / (a * sqrt(a)));
}

/* Largest magnitude over the nodes at one step of a trajectory. */
static double largest_at(const motion *m, size_t step, double *state)
{
  /* columns: T, inner nodes 1 to 3, slopes 0 to 4 */
  double r[5][2] = {{0}}, s[5][2], most = 0;
  gradyn_trajectory_step(m->run, step, state);
  for (int i = 0; i < 2; i++) {
    r[4][i] = state[i];
    for (int k = 1; k < 4; k++)
      r[k][i] = state[2 * k + i];
    for (int k = 0; k < 5; k++)
      s[k][i] = state[8 + 2 * k + i];
  }
  for (int k = 0; k < 8; k++)
    most = fmax(most, magnitude(r, s, k / 2, k % 2));
  return most;
}

/* `max` is the largest stress of the run. The smooth maximum is between max, reduced because the peak is
 * short, and max + ln(4 elements)/sharpness. */
TEST(test_largest)
{
  double column[64], true_most = 0, last = 0;
  motion_local m;
  motion_run(&m, swinging, "ali3p", 0.4, 5e-4);
  assert_true(gradyn_trajectory_read(m.run).columns <= 64);
  assert_string_equal(gradyn_trajectory_column(m.run, 8).name, "beam.slope0.x");
  for (size_t k = 0; k < gradyn_trajectory_read(m.run).steps; k++)
    true_most = fmax(true_most, largest_at(&m, k, column) / ALLOWED);
  assert_close(true_most, 1, 0.05, 0);
  for (int k = 0; k < 4; k++) {
    double ks = motion_functional(&m, k);
    assert_true(ks < true_most + log(16.0) / sharpness[k]);
    assert_true(ks > true_most - log(1000.0) / sharpness[k]);
    last = fabs(ks - true_most);
  }
  assert_true(last < 0.02);
}

/* A stress at a time of the run equals that of a run which ends there. */
TEST(test_instant)
{
  double early[2];
  for (int k = 0; k < 2; k++) {
    motion_local m;
    motion_run(&m, swinging, "ali3p", k ? 0.1 : 0.4, 5e-4);
    early[k] = motion_functional(&m, 4);
  }
  assert_close(early[0], early[1], 1e-12, 0);
  assert_true(early[0] > 50);
}
