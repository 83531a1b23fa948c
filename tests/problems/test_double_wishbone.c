/* The car with four flexible suspensions. Its left half mirrors the right one in motion and gradient
 * although no constraint forces it. Gradients agree by three methods, and a design that is not level starts
 * without a jolt. A search improves it, and the published designs have the published order. */
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_double_wishbone;

enum { PARAMETERS = 60, POINTS = 16, CORNERS = 4, MOST = 33 };

static gradyn_evaluator *open_car(const char *sensitivity, double t_end, int constraints)
{
  gradyn_evaluator *car = run_with(&gradyn_problem_double_wishbone, .sensitivity = sensitivity,
                                   .t_end = t_end, .setting = "constraints", .value = constraints);
  assert_int_equal(gradyn_parameter_count(car), PARAMETERS);
  return car;
}

/* The initial design, or another symmetric design without level wishbones. */
static void design(const gradyn_evaluator *car, bool level, double rho[PARAMETERS])
{
  run_initial(car, rho);
  for (int i = 0; i < POINTS && !level; i++) {
    int right = i < 8 ? i : (i < 12 ? i - 4 : i - 12); /* its mirror image */
    rho[3 * i] += 0.01 * cos(right);
    rho[3 * i + 1] += (i < 8 ? 0.01 : -0.01) * sin(1.0 + right);
    rho[3 * i + 2] += 0.05 * cos(2.0 * right);
  }
}

/* The corner, or the point (counted from 0), on the other side of the car. */
static int across(int corner)
{
  return CORNERS - 1 - corner;
}

static int point_across(int point)
{
  return 4 * across(point / 4) + point % 4;
}

static double value(const gradyn_trajectory *trajectory, size_t step, const char *name)
{
  for (size_t i = 0; i < gradyn_trajectory_read(trajectory).columns; i++)
    if (strcmp(gradyn_trajectory_column(trajectory, i).name, name) == 0) {
      double row[2048];
      assert_in_range(gradyn_trajectory_read(trajectory).columns, 1, 2048);
      gradyn_trajectory_step(trajectory, step, row);
      return row[i];
    }
  fail_msg("no column is called %s", name);
  return 0;
}

/* State of the middle of a beam at a step; mirror: its mirror image. */
static void middle(const gradyn_trajectory *trajectory, size_t step, int beam, bool mirror,
                   double out[6])
{
  static const char *const axis[] = {"x", "y", "z", "vx", "vy", "vz"};
  for (int k = 0; k < 6; k++) {
    char name[32];
    snprintf(name, sizeof name, "beam%d.1.%s", beam + 1, axis[k]);
    out[k] = value(trajectory, step, name) * (mirror && k % 3 == 1 ? -1 : 1);
  }
}

TEST(motion_is_symmetric)
{
  double rho[PARAMETERS], psi[MOST], left[6], right[6];
  run_local *car = open_car("adjoint", 0.3, 0);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_non_null(trajectory);
  design(car, false, rho);
  assert_run(gradyn_evaluator_simulate(car, rho, psi, trajectory), car);
  size_t last = gradyn_trajectory_read(trajectory).steps - 1;
  assert_true(value(trajectory, last, "chassis.z") < 0.34); /* it moves */
  for (size_t step = 0; step <= last; step += last / 5) {
    assert_close(value(trajectory, step, "chassis.y"), 0, 0, 1e-9);
    for (int beam = 0; beam < 8; beam++) {
      middle(trajectory, step, beam, false, right);
      middle(trajectory, step, point_across(beam), true, left);
      assert_close_array(left, right, 3, 0, 1e-9);
      assert_close_array(left + 3, right + 3, 3, 0, 1e-6);
    }
  }
}

/* Index of the mirrored parameter, and the sign of its change. */
static int mirrored(int parameter, double *sign)
{
  *sign = parameter < 3 * POINTS && parameter % 3 == 1 ? -1 : 1;
  if (parameter < 3 * POINTS)
    return 3 * point_across(parameter / 3) + parameter % 3;
  int first = parameter - parameter % CORNERS;
  return first + across(parameter % CORNERS);
}

TEST(gradient_is_symmetric)
{
  double rho[PARAMETERS], psi[MOST], gradient[PARAMETERS];
  run_local *car = open_car("adjoint", 0.3, 0);
  assert_int_equal(gradyn_functional_count(car), 1);
  design(car, false, rho);
  assert_run(gradyn_evaluator_gradient(car, rho, psi, gradient), car);
  for (int j = 0; j < 3 * POINTS; j++) {
    double sign;
    int other = mirrored(j, &sign);
    assert_true(gradient[j] != 0);
    assert_close(sign * gradient[other], gradient[j], 0, 1e-9 * largest_of(gradient, 3 * POINTS));
  }
  for (int j = 3 * POINTS; j < PARAMETERS; j++) {
    double sign;
    assert_close(gradient[mirrored(j, &sign)], gradient[j], 1e-8, 0);
  }
}

/* Functionals at a distance s along d [parameters] from rho. */
static void values_along(gradyn_evaluator *car, const double rho[], const double d[], double s,
                         double psi[MOST])
{
  double there[PARAMETERS];
  for (int j = 0; j < PARAMETERS; j++)
    there[j] = rho[j] + s * d[j];
  assert_run(gradyn_evaluator_simulate(car, there, psi, NULL), car);
}

/* Derivatives along d by central differences at three distances, extrapolated: D_1/4 - (D_1/2 - D_1/4)/3
 * and so on. */
static void slopes_along(gradyn_evaluator *car, const double rho[], const double d[],
                         double slope[MOST])
{
  double D[3][MOST], psi[MOST], behind[MOST];
  for (int k = 0; k < 3; k++) {
    const double step = ldexp(1e-3, -k);
    values_along(car, rho, d, step, psi);
    values_along(car, rho, d, -step, behind);
    for (int f = 0; f < MOST; f++)
      D[k][f] = (psi[f] - behind[f]) / (2 * step);
  }
  for (int f = 0; f < MOST; f++) {
    const double wide = D[1][f] + (D[1][f] - D[0][f]) / 3,
                 narrow = D[2][f] + (D[2][f] - D[1][f]) / 3;
    slope[f] = narrow + (narrow - wide) / 15;
  }
}

/* All functionals of an unsymmetric design, so that errors cannot cancel. Direct and adjoint with respect
 * to all parameters, and differences along one line that changes all of them. */
THOROUGH_TEST(three_routes_to_the_gradient)
{
  static const char *const route[] = {"adjoint", "direct"};
  static double gradient[2][MOST * PARAMETERS];
  double rho[PARAMETERS], psi[MOST], d[PARAMETERS], slope[MOST];
  for (int i = 0; i < 2; i++) {
    run_local *car = open_car(route[i], 0.03, 1);
    assert_int_equal(gradyn_functional_count(car), MOST);
    design(car, false, rho);
    rho[2] += 0.02;
    rho[PARAMETERS - 1] *= 1.5;
    assert_run(gradyn_evaluator_gradient(car, rho, psi, gradient[i]), car);
    for (int j = 0; j < PARAMETERS; j++)
      d[j] = cos(1.0 + 2 * j) * fmax(fabs(rho[j]), 0.1);
    if (i == 0)
      slopes_along(car, rho, d, slope);
  }
  for (int f = 0; f < MOST; f++) {
    const double *g = gradient[0] + f * PARAMETERS;
    double along = 0, size = 0;
    /* stresses are square roots of small curvatures */
    assert_close_array(gradient[1] + f * PARAMETERS, g, PARAMETERS, 0,
                       (f == 0 ? 1e-10 : 5e-10) * largest_of(g, PARAMETERS));
    for (int j = 0; j < PARAMETERS; j++) {
      along += g[j] * d[j];
      size = fmax(size, fabs(g[j] * d[j]));
    }
    assert_close(slope[f], along, 0, 2e-6 * size);
  }
}

/* All wheels, ball joints and wishbones start with consistent velocities: the first steps need some four
 * iterations, and stresses are those of a slow motion. */
TEST(starts_without_a_jolt)
{
  double rho[PARAMETERS], psi[MOST];
  run_local *car = open_car("adjoint", 0.01, 1);
  design(car, false, rho);
  assert_run(gradyn_evaluator_simulate(car, rho, psi, NULL), car);
  gradyn_statistics cost = gradyn_evaluator_statistics(car);
  assert_int_equal(cost.steps, 10);
  assert_int_equal(gradyn_evaluator_findings(car).divided, 0);
  assert_true(cost.newton_iterations <= 45);
  for (size_t i = 0; i < MOST; i++)
    if (strncmp(gradyn_functional_at(car, i).name, "stress", 6) == 0)
      assert_true(psi[i] < 0.1);
}

THOROUGH_TEST(a_search_improves_it)
{
  double rho[PARAMETERS];
  run_local *car = open_car("adjoint", 0.25, 1);
  LOCAL(gradyn_search_result) result;
  design(car, true, rho);
  gradyn_search search = run_search(car);
  search.max_evaluations = 6;
  search.verify_discretisation = false;        /* longer than the search */
  gradyn_optimise(car, &search, rho, &result); /* ends at the limit */
  assert_int_equal(result.termination, GRADYN_TERMINATION_EVALUATIONS);
  assert_true(result.violation <= 1);
  assert_true(result.objective < 0.8 * result.initial_objective);
  for (int j = 0; j < PARAMETERS; j++) {
    double sign;
    int other = mirrored(j, &sign);
    assert_close(sign * result.rho[other], result.rho[j], 1e-6, 1e-9);
  }
}

/* Table 4 of Ebrahimi et al. (2018): designs by the discrete adjoint and by differences of 1 percent. Right
 * side; Z17, Z18, k1, k2, c1, c2. */
static const double table[2][30] = {
    {-1.2703,  0.20972, 0.14977, -0.96033, 0.21016, 0.15049, -1.2701, 0.18006, 0.00561, -0.96021,
     0.18013,  0.00234, 0.2103,  0.13594,  0.26894, 0.51827, 0.14297, 0.2308,  0.20898, 0.11675,
     -0.03229, 0.5181,  0.12266, -0.04791, 0.18536, 0.28891, 7552.08, 21048.1, 102.625, 457.101},
    {-1.27051, 0.20937, 0.14930, -0.96044, 0.21009, 0.15107, -1.27005, 0.17924, 0.01282, -0.96011,
     0.17940,  0.00849, 0.21081, 0.13529,  0.27875, 0.51602, 0.14415,  0.21930, 0.20936, 0.11558,
     -0.02645, 0.51797, 0.12282, -0.04917, 0.15,    0.27918, 3780.35,  21058.6, 122.734, 364.194}};

/* In our car the objective is 0.0786 m^2 s for the initial design, 0.0426 m^2 s for that of the discrete
 * adjoint, and between them for that of differences. */
THOROUGH_TEST(published_designs_rank_as_published)
{
  static const double worth[2] = {0.0425600721, 0.0608505402};
  double rho[PARAMETERS], psi[MOST];
  run_local *car = open_car("adjoint", 3, 0);
  design(car, true, rho);
  assert_run(gradyn_evaluator_simulate(car, rho, psi, NULL), car);
  assert_close(psi[0], 0.0785941811, 1e-8, 0);
  for (int found = 0; found < (support_thorough() ? 2 : 0); found++) {
    for (int i = 0; i < POINTS; i++) {
      const double *place = table[found] + 3 * (i < 8 ? i : point_across(i));
      for (int k = 0; k < 3; k++)
        rho[3 * i + k] = (i >= 8 && k == 1 ? -1 : 1) * place[k];
    }
    for (int i = 0; i < CORNERS; i++)
      for (int kind = 0; kind < 3; kind++) /* Z, k, c at front and rear */
        rho[48 + CORNERS * kind + i] = table[found][24 + 2 * kind + (i == 1 || i == 2)];
    assert_run(gradyn_evaluator_simulate(car, rho, psi, NULL), car);
    assert_close(psi[0], worth[found], 1e-7, 0);
  }
}
