/* The joint-angle reference of the five-bar linkage: against published gradients, its invariants,
 * its own order of convergence, and differences of the whole integration. */
#include "tests/reference/five_bar_joint.h"
#include "tests/support.h"

#include <complex.h>

static const double t_end = 5.0; /* s, as in the source */

/* a mechanism without symmetries in which every datum has an effect */
static void general_data(five_bar_data *d)
{
  five_bar_default(d);
  d->A[0] = 0.05;
  d->A[1] = -0.02;
  d->B[1] = 0.03;
  d->gravity[0] = 0.7;
  d->com[FIVE_BAR_12] = 0.8;
  d->com[FIVE_BAR_23] = 1.1;
  d->inertia[FIVE_BAR_3B] = 0.2;
  d->c[FIVE_BAR_B1] = 0.4;
  d->c[FIVE_BAR_B2] = 0.3;
  d->tension[FIVE_BAR_B1] = 2.0;
  d->tension[FIVE_BAR_B2] = -1.5;
  d->rate[0] = 0.3;
  d->rate[1] = -0.2;
  d->velocity[0] = 0.1;
  d->velocity[1] = -0.2;
  d->acceleration[0] = 0.5;
  d->acceleration[1] = 0.4;
}

TEST(initial_points_are_those_of_the_source)
{
  const double expected[3][2] = {{-1.0, -1.0}, {0.5, -2.0}, {2.0, -1.0}}; /* eqs. (7.8)-(7.10) */
  double complex state[FIVE_BAR_STATES] = {0}, r[3][2];
  five_bar_data d;

  five_bar_default(&d);
  memcpy(state, d.angle, sizeof d.angle);
  five_bar_points(&d, state, r);
  for (int i = 0; i < 3; i++)
    for (int x = 0; x < 2; x++)
      assert_close(creal(r[i][x]), expected[i][x], 0.0, 1e-14);
}

/* reads the three rows "name,number,..." of the published table */
static void read_published(double table[3][5])
{
  FILE *file = fopen(GRADYN_SOURCE_DIR "/tests/reference/five_bar_published.csv", "r");
  char line[256];
  int rows = 0;

  assert_non_null(file);
  while (fgets(line, sizeof line, file) && rows < 3) {
    double *row = table[rows];
    int functional = 0;

    if (sscanf(line, "psi%d,%lf,%lf,%lf,%lf,%lf", &functional, &row[0], &row[1], &row[2], &row[3],
               &row[4]) == 6) {
      assert_int_equal(functional, rows + 1);
      rows++;
    }
  }
  fclose(file);
  assert_int_equal(rows, 3);
}

TEST(gradients_meet_the_published_ones)
{
  double table[3][5], derivative[3];
  double complex *member[5];
  five_bar_data d;

  read_published(table);
  five_bar_default(&d);
  five_bar_parameters(&d, member);
  for (int j = 0; j < 5; j++) {
    five_bar_joint_derivative(&d, member[j], t_end, derivative);
    for (int i = 0; i < 3; i++)
      assert_close(derivative[i], table[i][j], 1e-3, 0.0);
  }
}

TEST(energy_is_conserved_without_dampers)
{
  double complex state[FIVE_BAR_STATES];
  five_bar_data d;

  general_data(&d);
  d.c[FIVE_BAR_B1] = d.c[FIVE_BAR_B2] = 0.0;
  memcpy(state, d.angle, sizeof d.angle);
  memcpy(state + 2, d.rate, sizeof d.rate);
  const double initial = creal(five_bar_energy(&d, state));

  five_bar_joint_march(&d, t_end, 500, state);
  assert_true(fabs(creal(state[2])) + fabs(creal(state[3])) > 1e-3);
  assert_close(creal(five_bar_energy(&d, state)), initial, 1e-12, 1e-12);
}

/* power of the dampers: c s'^2, where s' is the derivative of s along the motion */
static double damper_power(const five_bar_data *d, const double complex state[])
{
  const double h = 1e-40;
  double complex ahead[FIVE_BAR_STATES] = {0}, r[3][2];
  double power = 0.0;

  ahead[0] = state[0] + I * h * creal(state[2]);
  ahead[1] = state[1] + I * h * creal(state[3]);
  five_bar_points(d, ahead, r);
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    const double complex x = r[i][0] - d->B[0], y = r[i][1] - d->B[1];
    const double rate = cimag(csqrt(x * x + y * y)) / h;

    power += creal(d->c[i]) * rate * rate;
  }
  return power;
}

TEST(dampers_take_the_energy_that_is_lost)
{
  /* Simpson's rule on 80 intervals of 5 ms: error about 1e-8 of the loss */
  enum { INTERVALS = 80 };
  const double h = 0.005;
  double complex state[FIVE_BAR_STATES] = {0};
  double loss = 0.0;
  five_bar_data d;

  general_data(&d);
  memcpy(state, d.angle, sizeof d.angle);
  memcpy(state + 2, d.rate, sizeof d.rate);
  const double initial = creal(five_bar_energy(&d, state));

  for (int k = 0; k <= INTERVALS; k++) {
    const double weight = k == 0 || k == INTERVALS ? 1.0 : k % 2 ? 4.0 : 2.0;

    if (k > 0)
      five_bar_joint_march(&d, h * k, k, state);
    loss += weight * h / 3.0 * damper_power(&d, state);
  }
  assert_true(loss > 1e-2);
  assert_close(initial - creal(five_bar_energy(&d, state)), loss, 1e-6, 0.0);
}

TEST(integration_has_converged)
{
  double complex coarse[FIVE_BAR_STATES], fine[FIVE_BAR_STATES], psi[3];
  five_bar_data d;

  five_bar_default(&d);
  /* steps of 120 ms are too long to be exact: halving them shows the order 12 (at least 2^9) */
  five_bar_joint_march(&d, t_end, 2000, fine);
  five_bar_joint_march(&d, t_end, 42, coarse);
  const double error = fabs(creal(coarse[6] - fine[6]));
  five_bar_joint_march(&d, t_end, 84, coarse);
  const double error_half = fabs(creal(coarse[6] - fine[6]));
  assert_true(error > 1e-9);
  assert_true(error_half < error / 512.0);

  five_bar_joint(&d, t_end, psi);
  for (int i = 0; i < 3; i++)
    assert_close(creal(psi[i]), creal(fine[4 + i]), 1e-12, 0.0);
}

/* central differences with steps h, h/2, h/4, extrapolated: error of order h^6 */
static void differences(five_bar_data *d, double complex *member, double h, double derivative[3])
{
  const double complex kept = *member;
  double D[3][3]; /* [level][functional] */

  for (int level = 0; level < 3; level++) {
    const double step = ldexp(h, -level);
    double complex plus[3], minus[3];

    *member = kept + step;
    five_bar_joint(d, 1.0, plus);
    *member = kept - step;
    five_bar_joint(d, 1.0, minus);
    for (int i = 0; i < 3; i++)
      D[level][i] = creal(plus[i] - minus[i]) / (2.0 * step);
  }
  *member = kept;
  for (int i = 0; i < 3; i++) {
    const double first = D[1][i] + (D[1][i] - D[0][i]) / 3.0;
    const double second = D[2][i] + (D[2][i] - D[1][i]) / 3.0;

    derivative[i] = second + (second - first) / 15.0;
  }
}

THOROUGH_TEST(complex_step_meets_differences_for_every_datum)
{
  enum { MEMBERS = sizeof(five_bar_data) / sizeof(double complex) };
  double exact[3], approximate[3];
  int tested = 0;
  five_bar_data d;

  general_data(&d);
  /* the structure holds complex numbers only, so it can be walked through as an array */
  double complex *member = (double complex *)&d;
  for (int j = 0; j < MEMBERS; j++) {
    five_bar_joint_derivative(&d, &member[j], 1.0, exact);
    differences(&d, &member[j], 2e-3, approximate);
    for (int i = 0; i < 3; i++) {
      assert_close(exact[i], approximate[i], 1e-8, 1e-8);
      tested += exact[i] != 0.0;
    }
  }
  /* each target affects one functional only; all other data affect all three */
  assert_int_equal(tested, 3 * (MEMBERS - 6) + 6);
}
