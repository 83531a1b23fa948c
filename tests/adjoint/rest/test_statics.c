/* Mechanisms at rest: degrees of freedom, equilibria and linearised models of an evaluator. */
#include "tests/runs.h"
#include "tests/declare.h"

static gradyn_evaluator *create(const gradyn_problem *problem)
{
  return run_with(.problem = problem);
}

/* --- degrees of freedom ------------------------------------------------------------------------- */

/* A point on a rod of 1 m; two equal constraints hold x at rho[0]. */
static gradyn_status tied(gradyn_model *model, const gradyn_scalar rho[])
{
  int o = gradyn_ground_point(model, "O", 0, 0), p = gradyn_point(model, "P", 0.6, 0.8);
  gradyn_rod(model, &(gradyn_rod_spec){.name = "bar", .from = o, .to = p, .length = 1, .mass = 1});
  gradyn_coordinate(model, "once", p, GRADYN_X, &(gradyn_time_function){.value = rho[0]});
  gradyn_coordinate(model, "twice", p, GRADYN_X, &(gradyn_time_function){.value = rho[0]});
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"x", "m", .init = 0.5, GRADYN_UNBOUNDED}};
static const gradyn_problem tied_problem = PROBLEM("tied", tied, params, .t_end = 1,
                                                   .method = "ali3p");

TEST(degrees_of_freedom_are_counted_at_rho)
{
  run_local *ev = create(&tied_problem);
  gradyn_dof freedom;
  int dependent[3] = {-1, -1, -1};
  double x = 0.7;
  assert_run(gradyn_dof_compute(ev, &x, &freedom, dependent), ev);
  assert_int_equal(freedom.degrees, 0);
  assert_int_equal(freedom.redundant_constraints, 1);
  assert_string_equal(gradyn_constraint_name(ev, dependent[0]), "twice");
  x = 1.1;
  assert_int_equal(gradyn_dof_compute(ev, &x, &freedom, NULL), GRADYN_NOT_ASSEMBLED);
  assert_int_equal(gradyn_dof_compute(ev, &x, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_dof_compute(ev, NULL, &freedom, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_constraint_name(ev, -1), "");
  assert_string_equal(gradyn_constraint_name(ev, 3), "");
  assert_int_equal(gradyn_dof_compute(NULL, &x, &freedom, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_constraint_name(NULL, 0), "");
}

/* --- equilibrium and linearisation ------------------------------------------------------------------ */

enum { MASSES = 5 };
static const double g = 9.81, k = 700, m = 0.3, spacing = 0.5;

/* Masses in a row along x, between springs that are fixed to the ground at both ends; u pulls the first
 * one. */
static gradyn_status row(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int last = gradyn_ground_point(model, "left", 0, 0);
  int u = declare_signal(model, "u", "N", GRADYN_CUBIC_SPLINE, 3, (gradyn_scalar[]){0, 1, 0});
  for (int i = 0; i <= MASSES; i++) {
    const char *name = gradyn_format_name(model, "p%d", i);
    double x = spacing * (i + 1) + (i < MASSES ? 0.03 * (i - 1) : 0);
    int next = i < MASSES ? gradyn_point(model, name, x, 0)
                          : gradyn_ground_point(model, "right", x, 0);
    if (i < MASSES) {
      gradyn_point_mass(model, gradyn_format_name(model, "m%d", i), next, m);
      gradyn_coordinate(model, gradyn_format_name(model, "guide%d", i), next, GRADYN_Y, NULL);
    }
    if (i == 0)
      declare_push(model, "pull", next, 1, 0, u);
    gradyn_spring(model, &(gradyn_spring_spec){.name = gradyn_format_name(model, "s%d", i),
                                               .from = last,
                                               .to = next,
                                               .k = k,
                                               .free_length = 0.4});
    last = next;
  }
  return gradyn_build_status(model);
}

/* Two equal pendulums of massless rods in series, started at an angle rho[0] from the upright position. */
static gradyn_status double_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  int last = gradyn_ground_point(model, "O", 0, 0);
  for (int i = 0; i < 2; i++) {
    int next = gradyn_point(model, gradyn_format_name(model, "p%d", i), rho[0] * (i + 1),
                            spacing * (i + 1));
    gradyn_rod(model, &(gradyn_rod_spec){.name = gradyn_format_name(model, "rod%d", i),
                                         .from = last,
                                         .to = next,
                                         .length = spacing});
    gradyn_point_mass(model, gradyn_format_name(model, "m%d", i), next, m);
    last = next;
  }
  gradyn_gravity(model, 0, -g);
  return gradyn_build_status(model);
}

static gradyn_problem problem_of(gradyn_build_fn build)
{
  return (gradyn_problem)PROBLEM("probe", build, params, .t_end = 1);
}

static double row_frequency(int mode)
{
  return 2 * sqrt(k / m) * sin(mode * acos(-1) / (2 * (MASSES + 1)));
}

/* omega^2 = (2 -+ sqrt 2) g/l */
static double pendulum_frequency(int mode)
{
  return sqrt((2 + (mode == 1 ? -sqrt(2) : sqrt(2))) * g / spacing);
}

TEST(frequencies_are_those_of_closed_forms)
{
  static const struct {
    gradyn_build_fn build;
    int modes;
    double (*frequency)(int mode);
  } models[] = {{row, MASSES, row_frequency}, {double_pendulum, 2, pendulum_frequency}};
  for (size_t i = 0; i < GRADYN_COUNT(models); i++) {
    const gradyn_problem problem = problem_of(models[i].build);
    run_local *ev = create(&problem);
    LOCAL(gradyn_linearisation) linear;
    gradyn_stability stability;
    double x = 0.1;
    assert_run(gradyn_equilibrium_compute(ev, &x, &stability, NULL, &linear), ev);
    assert_int_equal(stability, GRADYN_STABLE);
    assert_int_equal(linear.dof, models[i].modes);
    for (int mode = 1; mode <= models[i].modes; mode++)
      for (int half = 0; half < 2; half++) {
        int at = 2 * (mode - 1) + half;
        double expected = models[i].frequency(mode);
        assert_close(linear.real[at], 0, 0, 1e-9 * expected);
        assert_close(linear.imag[at], half ? -expected : expected, 1e-9, 0);
      }
    assert_close(linear.stiffness, pow(models[i].frequency(1), 2), 1e-9, 0);
  }
}

/* Masses rest at equal distances; A and B follow from Newton's law. */
TEST(a_row_of_springs_is_linear)
{
  const gradyn_problem problem = problem_of(row);
  run_local *ev = create(&problem);
  LOCAL(gradyn_linearisation) l;
  gradyn_stability stability;
  OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
  char wanted[16];
  double x = 0, y[6 * MASSES + MASSES];
  assert_run(gradyn_equilibrium_compute(ev, &x, &stability, at, &l), ev);
  assert_int_equal(gradyn_trajectory_read(at).columns, GRADYN_COUNT(y));
  (void)gradyn_trajectory_step(at, 0, y);
  for (int i = 0; i < MASSES; i++)
    assert_close(y[2 * i], spacing * (i + 1), 0, 1e-12);
  assert_int_equal(l.inputs, 1);
  for (int i = 0; i < MASSES; i++) {
    int p = l.coordinate[i] / 2;
    snprintf(wanted, sizeof wanted, "p%d.x", p);
    assert_string_equal(gradyn_coordinate_at(ev, l.coordinate[i]).name, wanted);
    for (int j = 0; j < MASSES; j++) {
      int apart = abs(l.coordinate[j] / 2 - p);
      double expected = apart == 0 ? -2 * k / m : apart == 1 ? k / m : 0;
      assert_close(l.A[(MASSES + i) * 2 * MASSES + j], expected, 1e-12, 1e-9);
      assert_close(l.A[i * 2 * MASSES + MASSES + j], i == j, 0, 1e-14);
    }
    assert_close(l.B[MASSES + i], p == 0 ? 1 / m : 0, 1e-12, 1e-12);
    assert_close(l.B[i], 0, 0, 1e-15);
  }
}

/* The upright position is an unstable equilibrium, whose A has omega^2 of the hanging pendulum with the
 * opposite sign. The model can also be linearised during its fall. */
TEST(upright_positions_are_unstable)
{
  const gradyn_problem problem = problem_of(double_pendulum);
  run_local *ev = create(&problem);
  LOCAL(gradyn_linearisation) linear;
  gradyn_stability stability;
  double x = 0;
  assert_run(gradyn_equilibrium_compute(ev, &x, &stability, NULL, NULL), ev);
  assert_int_equal(stability, GRADYN_UNSTABLE);
  assert_run(gradyn_evaluator_linearise(ev, &x, false, &linear), ev);
  assert_close(fabs(linear.real[0]), pendulum_frequency(1), 1e-9, 0);
  assert_close(fabs(linear.real[3]), pendulum_frequency(2), 1e-9, 0);
  gradyn_linearisation_clear(&linear);
  assert_run(gradyn_evaluator_linearise(ev, &x, true, &linear), ev);
  assert_close(linear.t, 1, 0, 1e-15);
}

/* --- refused ------------------------------------------------------------------------------------- */

/* A block on a track: in equilibrium everywhere (rho[0] = 0), or pushed by a constant force. */
static gradyn_status block(gradyn_model *model, const gradyn_scalar rho[])
{
  int p = gradyn_point(model, "block", 0, 0);
  gradyn_point_mass(model, "mass", p, 2);
  gradyn_coordinate(model, "track", p, GRADYN_Y, NULL);
  gradyn_force(model, &(gradyn_force_spec){.name = "push", .point = p, .fx = rho[0]});
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", p, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static gradyn_status resting_block(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_start_in_equilibrium(model);
  return block(model, rho);
}

TEST(models_without_equilibrium_are_reported)
{
  gradyn_problem problem = problem_of(block);
  run_local *ev = create(&problem);
  gradyn_stability stability;
  double x = 0, psi, slope;
  assert_run(gradyn_equilibrium_compute(ev, &x, &stability, NULL, NULL), ev);
  assert_int_equal(stability, GRADYN_NEUTRAL);
  x = 1;
  assert_status(gradyn_equilibrium_compute(ev, &x, &stability, NULL, NULL), GRADYN_NOT_CONVERGED,
                gradyn_evaluator_message(ev));
  assert_int_equal(gradyn_equilibrium_compute(ev, &x, NULL, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_evaluator_linearise(ev, &x, false, NULL), GRADYN_INVALID);
  gradyn_evaluator_free(ev);
  assert_int_equal(gradyn_evaluator_linearise(NULL, &x, false, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_equilibrium_compute(NULL, &x, &stability, NULL, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_coordinate_at(NULL, 0).name, "");
  gradyn_linearisation_clear(NULL);
  problem = problem_of(resting_block);
  ev = create(&problem);
  x = 0;
  assert_run(gradyn_evaluator_simulate(ev, &x, &psi, NULL), ev);
  assert_refused(gradyn_evaluator_gradient(ev, &x, &psi, &slope), ev, GRADYN_SINGULAR, "block");
}
