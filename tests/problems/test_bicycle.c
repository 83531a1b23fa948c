/* The benchmark bicycle: eigenvalues against published ones and against the linearised equations of the
 * paper, and its motion after a push. */
#include "problems/builtin.h"
#include "tests/adjoint/compare.h"
#include "tests/reference/bicycle_linear.h"
#include "tests/runs.h"

enum { SPEED, LEAN_RATE, PUSH, WHEEL_BASE, TRAIL, TILT, PARAMETERS };

/* Finds the four nonzero eigenvalues of a bicycle that are nearest to the given ones. */
static void find(const double rho[], const double complex near[4], double complex found[4])
{
  LOCAL(gradyn_linearisation) l;
  run_local *ev = run_with(.problem = &gradyn_problem_bicycle);
  assert_run(gradyn_evaluator_linearise(ev, rho, false, &l), ev);
  assert_string_equal(l.unsteady, "");
  assert_int_equal(l.motion, rho[SPEED] > 0 ? GRADYN_STEADY_MOTION : GRADYN_EQUILIBRIUM);
  /* seven positions and three rates: 10 states, six of which have the eigenvalue zero */
  assert_int_equal(l.dof, 7);
  assert_int_equal(l.rates, 3);
  for (int i = 0; i < 4; i++) {
    double least = HUGE_VAL;
    for (int k = 0; k < 10; k++) {
      const double complex s = l.real[k] + l.imag[k] * _Complex_I;
      if (cabs(s - near[i]) < least) {
        least = cabs(s - near[i]);
        found[i] = s;
      }
    }
  }
  for (int k = 0; k < 6; k++)
    assert_true(hypot(l.real[k], l.imag[k]) <= 1e-5 || rho[SPEED] > 5.9);
}

static void take_initial(double rho[])
{
  run_local *ev = run_with(.problem = &gradyn_problem_bicycle);
  assert_int_equal(run_initial(ev, rho), PARAMETERS);
}

/* Table 2 of the text, at 5 m/s. */
static const double complex published[4] = {-14.07838969, -0.77534188 + 4.46486771 * _Complex_I,
                                            -0.77534188 - 4.46486771 * _Complex_I, -0.32286643};

TEST(eigenvalues_at_five_metres_a_second_are_published)
{
  double rho[PARAMETERS];
  double complex found[4];
  take_initial(rho);
  rho[SPEED] = 5;
  find(rho, published, found);
  for (int i = 0; i < 4; i++)
    assert_close(cabs(found[i] - published[i]), 0, 0, 1e-8);
}

TEST(eigenvalues_are_those_of_the_linear_equations)
{
  static const double geometry[][3] = {{1.02, 0.08, 0}, {1.1, 0.03, 0.2}, {0.95, 0.12, -0.1}};
  double rho[PARAMETERS];
  double complex wanted[4], found[4];
  bicycle_linear b;
  take_initial(rho);
  const double tilt = rho[TILT];
  for (size_t k = 0; k < GRADYN_COUNT(geometry); k++)
    for (int v = 0; v <= 10; v += k == 0 ? 1 : 5) {
      rho[SPEED] = v;
      rho[WHEEL_BASE] = geometry[k][0];
      rho[TRAIL] = geometry[k][1];
      rho[TILT] = tilt + geometry[k][2];
      bicycle_linear_make(rho[WHEEL_BASE], rho[TRAIL], rho[TILT], &b);
      bicycle_linear_eigenvalues(&b, v, wanted);
      find(rho, wanted, found);
      for (int i = 0; i < 4; i++)
        assert_close(cabs(found[i] - wanted[i]), 0, 0, 1e-8);
    }
}

/* Eigenvalues of a bicycle on tyres at 5 m/s that are nearest to those on discs. */
static void find_on_tyres(double give, double complex found[4])
{
  enum { ON_TYRES = PARAMETERS + 1, STATES = 2 * 9 + 4 };
  double rho[ON_TYRES];
  LOCAL(gradyn_linearisation) l;
  run_local *ev = run_with(.problem = &gradyn_problem_bicycle, .setting = "tyres", .value = 1);
  assert_int_equal(run_initial(ev, rho), ON_TYRES);
  rho[SPEED] = 5;
  rho[PARAMETERS] = give;
  assert_run(gradyn_evaluator_linearise(ev, rho, false, &l), ev);
  assert_string_equal(l.unsteady, "");
  assert_int_equal(l.motion, GRADYN_STEADY_MOTION);
  assert_int_equal(2 * l.dof + l.states, STATES);
  for (int i = 0; i < 4; i++) {
    double least = HUGE_VAL;
    for (int k = 0; k < STATES; k++) {
      const double complex s = l.real[k] + l.imag[k] * _Complex_I;
      found[i] = cabs(s - published[i]) < least ? s : found[i];
      least = fmin(least, cabs(s - published[i]));
    }
  }
}

/* As tyres become stiffer, the eigenvalues approach those on discs with an error of first order.
 * Extrapolation from two stiffnesses gives the published ones. */
TEST(stiff_tyres_move_like_discs)
{
  static const double give[3] = {4e-3, 2e-3, 1e-3};
  double complex found[3][4];
  for (int k = 0; k < 3; k++)
    find_on_tyres(give[k], found[k]);
  for (int i = 0; i < 4; i++) {
    const double order = log2(cabs(found[0][i] - published[i]) / cabs(found[1][i] - published[i]));
    assert_close(order, 1, 0, 0.02);
    assert_close(cabs(2 * found[2][i] - found[1][i] - published[i]), 0, 0, 2e-6);
  }
}

/* A bicycle that falls very slowly is not in steady motion, however stiff its tyres are. */
TEST(what_leans_is_not_steady)
{
  static const double give[] = {1, 1e-2, 1e-3};
  for (int k = 0; k < 3 * (int)GRADYN_COUNT(give); k++) {
    double rho[PARAMETERS + 1];
    LOCAL(gradyn_linearisation) l;
    run_local *ev = run_with(.problem = &gradyn_problem_bicycle, .setting = "tyres", .value = 1);
    run_initial(ev, rho);
    rho[LEAN_RATE] = pow(10, -4 - 2 * (k % 3));
    rho[PARAMETERS] = give[k / 3];
    assert_run(gradyn_evaluator_linearise(ev, rho, false, &l), ev);
    assert_int_equal(l.motion, GRADYN_TRANSIENT);
    assert_true(l.unsteady[0] != '\0');
  }
}

/* An eigenvalue at a speed. */
static double real_part(double rho[], double speed, double complex near)
{
  const double complex all[4] = {near, near, near, near};
  double complex found[4];
  rho[SPEED] = speed;
  find(rho, all, found);
  return creal(found[0]);
}

/* The eigenvalue of the linear equations that is nearest to a number. */
static double complex nearest(const double rho[], double speed, double complex to)
{
  bicycle_linear b;
  double complex root[4];
  int at = 0;
  bicycle_linear_make(rho[WHEEL_BASE], rho[TRAIL], rho[TILT], &b);
  bicycle_linear_eigenvalues(&b, speed, root);
  for (int j = 1; j < 4; j++)
    at = cabs(root[j] - to) < cabs(root[at] - to) ? j : at;
  return root[at];
}

/* Weave ends and capsize begins at the published speeds, to the last digit, by inverse interpolation
 * between neighbouring speeds. These are so distant that the capsize eigenvalue can be distinguished from
 * those that are always zero. */
TEST(it_is_stable_between_the_published_speeds)
{
  enum { POINTS = 6 };
  static const struct {
    double speed;
    double complex near;
  } limit[] = {{4.292382536, 3.4 * _Complex_I}, {6.024262015, 0}};
  double rho[PARAMETERS], real[POINTS], off[POINTS], at = 0;
  take_initial(rho);
  for (size_t k = 0; k < GRADYN_COUNT(limit); k++, at = 0) {
    for (int i = 0; i < POINTS; i++) {
      off[i] = 0.02 * (i - 2.4);
      const double v = limit[k].speed + off[i];
      real[i] = real_part(rho, v, nearest(rho, v, limit[k].near));
    }
    for (int i = 0; i < POINTS; i++) { /* the speed as a polynomial of the real part, at zero */
      double term = off[i];
      for (int j = 0; j < POINTS; j++)
        term *= j == i ? 1 : -real[j] / (real[i] - real[j]);
      at += term;
    }
    assert_close(at, 0, 0, 2e-9);
  }
}

/* After a hit at 4.6 m/s that makes it lean with 0.5 rad/s, the example of the benchmark, the bicycle
 * becomes upright again. The energy of the leaning becomes forward motion, in which both wheels rotate;
 * `along` and `about` are the inertias of forward motion and leaning. */
TEST(it_recovers_from_a_hit)
{
  static const double along = 94 + 0.12 / (0.3 * 0.3) + 0.28 / (0.35 * 0.35), about = 80.81722;
  double rho[PARAMETERS], psi[3];
  run_local *ev = run_with(.problem = &gradyn_problem_bicycle, .t_end = 9, .rtol = 1e-8);
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  run_initial(ev, rho);
  rho[PUSH] = 0;
  rho[LEAN_RATE] = 0.5;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, run), ev);
  const double kinetic = (along * 4.6 * 4.6 + about * 0.25) / 2;
  const double potential = 9.81 * (2 * 0.3 + 85 * 0.9 + 4 * 0.7 + 3 * 0.35);
  assert_close(psi[2], kinetic + potential, 1e-7, 0);
  double row[400];
  assert_true(gradyn_trajectory_read(run).columns <= GRADYN_COUNT(row));
  gradyn_trajectory_step(run, gradyn_trajectory_read(run).steps - 1, row);
  double speed = 0, lean = 1;
  for (size_t i = 0; i < gradyn_trajectory_read(run).columns; i++) {
    const char *name = gradyn_trajectory_column(run, i).name;
    if (strcmp(name, "rear_frame.vx") == 0 || strcmp(name, "rear_frame.vy") == 0)
      speed = hypot(speed, row[i]);
    if (strcmp(name, "rear_frame.e2.z") == 0)
      lean = row[i];
  }
  assert_close(lean, 0, 0, 5e-3);
  assert_close(speed, sqrt(2 * kinetic / along), 0, 1e-4);
}

static void compare_ways(int tyres)
{
  double rho[PARAMETERS + 1];
  const double atol[3] = {1e-8, 1e-8, 1e-5};
  const run_setup setup = {
      &gradyn_problem_bicycle,      "adjoint",
      .t_end = tyres ? 0.24 : 0.32, .rtol = tyres ? support_rtol(1e-10) : 1e-10,
      .setting = "tyres",           .value = tyres};
  run_local *ev = run_open(&setup);
  run_initial(ev, rho);
  compare_routes(&setup, NULL, 1e-10);
  if (!tyres || support_thorough())
    compare_with_differences(ev, rho, &(compare_allowed){1e-3, .rtol = 1e-7, .atol = atol});
}

THOROUGH_TEST(direct_equals_adjoint_and_differences)
{
  compare_ways(0);
}

THOROUGH_TEST(direct_equals_adjoint_and_differences_on_tyres)
{
  compare_ways(1);
}
