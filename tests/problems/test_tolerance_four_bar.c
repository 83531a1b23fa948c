/* Hoecken's linkage with uncertain lengths: moments and indices against the closed form of its path, by
 * quadrature over all lengths. */
#include <unistd.h>

#include "problems/builtin.h"
#include "tests/folder.h"
#include "tests/problems/run.h"

enum { LENGTHS = 5, NODES = 3, GRID = 243, PANELS = 100 };
static const double spread = 50e-6;

/* Mean square distance of P from the line in mm^2, by the trapezoidal rule over equal angles of the crank,
 * the steps of the run. rho: crank, frame, coupler, rocker, reach, height. */
static double straightness(const double rho[])
{
  double sum = 0;
  for (int i = 0; i <= PANELS; i++) {
    const double angle = acos(-1) * (0.5 + (double)i / PANELS);
    const double ax = rho[0] * cos(angle), ay = rho[0] * sin(angle);
    /* B on the circles about A and about (frame, 0) */
    const double dx = rho[1] - ax, dy = -ay, d = hypot(dx, dy);
    const double along = (d * d + rho[2] * rho[2] - rho[3] * rho[3]) / (2 * d);
    const double across = sqrt(rho[2] * rho[2] - along * along);
    const double by = ay + (along * dy + across * dx) / d;
    const double off = 1e3 * (ay + rho[4] / rho[2] * (by - ay) - rho[5]);
    sum += (i == 0 || i == PANELS ? 0.5 : 1) * off * off;
  }
  return sum / PANELS;
}

/* Gauss-Hermite quadrature with three nodes: exact for the moments of quadratics. */
static double node(int k)
{
  return (k - 1) * sqrt(3);
}
static double weight(int k)
{
  return k == 1 ? 2 / 3.0 : 1 / 6.0;
}

static int digit(int i, int k)
{
  for (; k > 0; k--)
    i /= NODES;
  return i % NODES;
}

/* Fills f on the grid, and the weights of its points. */
static void fill_grid(const double rho[], double f[GRID], double w[GRID])
{
  for (int i = 0; i < GRID; i++) {
    double at[LENGTHS + 1];
    memcpy(at, rho, sizeof at);
    w[i] = 1;
    for (int k = 0; k < LENGTHS; k++) {
      at[k] += spread * node(digit(i, k));
      w[i] *= weight(digit(i, k));
    }
    f[i] = straightness(at);
  }
}

/* Total effect of length k: mean of the variance with respect to it. */
static double total_effect(const double f[GRID], const double w[GRID], int k)
{
  int step = 1;
  double sum = 0;
  for (int j = 0; j < k; j++)
    step *= NODES;
  for (int i = 0; i < GRID; i++) {
    double mean = 0;
    const int first = i - digit(i, k) * step;
    for (int j = 0; j < NODES; j++)
      mean += weight(j) * f[first + j * step];
    sum += w[i] * (f[i] - mean) * (f[i] - mean);
  }
  return sum;
}

/* Checked at the published proportions and at the optimum, where the gradient is zero. */
static void check(const double rho[])
{
  LOCAL(gradyn_uncertainty) u;
  double f[GRID], w[GRID], mean = 0, variance = 0;
  run_local *ev = run_with(.problem = &gradyn_problem_tolerance_four_bar, .step = 1.0 / PANELS);
  char folder[FOLDER_SIZE], journal[FOLDER_SIZE + 32];
  assert_non_null(folder_create("tolerance", folder));
  assert_ok(
      gradyn_uncertainty_compute(
          ev,
          &(gradyn_uncertainty_spec){
              .second = true, .unscented = true, .points = 256, .indices = true, .folder = folder},
          rho, &u),
      u.message);
  (void)snprintf(journal, sizeof journal, "%s/points-00000.jsonl", folder);
  assert_int_equal(unlink(journal), 0);
  assert_int_equal(rmdir(folder), 0);
  assert_int_equal(u.failed, 0);
  fill_grid(rho, f, w);
  for (int i = 0; i < GRID; i++)
    mean += w[i] * f[i];
  for (int i = 0; i < GRID; i++)
    variance += w[i] * (f[i] - mean) * (f[i] - mean);
  assert_close(u.value[0], straightness(rho), 1e-10, 0);
  assert_close(u.moments[GRADYN_MOMENTS_SECOND][0].mean, mean, 1e-5, 0);
  assert_close(u.moments[GRADYN_MOMENTS_SECOND][0].variance, variance, 1e-3, 0);
  assert_close(u.moments[GRADYN_MOMENTS_UNSCENTED][0].mean, mean, 1e-5, 0);
  const gradyn_moments m = u.moments[GRADYN_MOMENTS_SAMPLED][0];
  assert_close(m.mean, mean, 0, 5 * m.mean_error);
  assert_close(m.variance, variance, 0, 5 * m.variance_error);
  for (int k = 0; k < LENGTHS; k++) {
    const gradyn_sobol_index total = u.total_index[k];
    assert_close(total.value, total_effect(f, w, k) / variance, 0, 5 * total.error);
    assert_true(total.error < 0.25);
  }
}

TEST(moments_and_indices_are_those_of_the_closed_form)
{
  check((const double[]){0.05, 0.1, 0.125, 0.125, 0.25, 0.2});
  check((const double[]){0.05, 0.11400578, 0.14609043, 0.14608247, 0.29214597, 0.24183191});
}
