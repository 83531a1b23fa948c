/* The residual of the first-order conditions, against problems solved by hand. */
#include "tests/support.h"

#include "optim/program/kkt_residual.h"

static const double none = HUGE_VAL;

/* A point with constraints; the arguments are the members that differ. */
#define CONSTRAINED(...)                                                                           \
  {                                                                                                \
    .x = x, .lower = lower, .upper = upper, .A = A, .c = c, .tolerance = tolerance, __VA_ARGS__    \
  }

static double measure(const gradyn_linearised *at, double lam[])
{
  gradyn_kkt_residual *work = gradyn_kkt_residual_create(at->n, at->m, at->equalities);
  assert_non_null(work);
  const double residual = gradyn_kkt_residual_measure(work, at, lam);
  gradyn_kkt_residual_free(work);
  return residual;
}

TEST(free_point_gives_the_largest_component)
{
  const double x[3] = {0, 1, 2}, lower[3] = {-none, -none, -none}, upper[3] = {none, none, none};
  const double g[3] = {0.25, -0.5, 0.125};
  const gradyn_linearised at = {.n = 3, .x = x, .lower = lower, .upper = upper, .g = g};
  assert_close(measure(&at, NULL), 0.5, 0, 1e-15);
}

TEST(bounds_balance_only_the_outward_gradient)
{
  const double x[3] = {0, 1, 0.75}, lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  /* the descent direction leaves the box at both bounds; the third variable may move by a quarter only */
  const double outward[3] = {3, -2, -8};
  gradyn_linearised at = {.n = 3, .x = x, .lower = lower, .upper = upper, .g = outward};
  at.window = 1e-6;
  assert_close(measure(&at, NULL), 0.25, 0, 1e-15);
  const double inward[3] = {-0.5, -2, 0};
  at.g = inward;
  assert_close(measure(&at, NULL), 0.5, 0, 1e-15);
}

TEST(equality_has_a_multiplier_of_either_sign)
{
  /* min +-(x0 + x1) on x0 - x1 = 0 is not critical; on x0 + x1 = 2 it is, with lam = -+1 */
  const double x[2] = {1, 1}, lower[2] = {-none, -none}, upper[2] = {none, none};
  const double A[2] = {1, 1}, c[1] = {0}, tolerance[1] = {1e-8};
  for (int sign = -1; sign <= 1; sign += 2) {
    const double g[2] = {sign, sign};
    gradyn_linearised at = CONSTRAINED(.n = 2, .m = 1, .equalities = 1, .g = g, .window = 1e-5);
    double lam[1];
    assert_close(measure(&at, lam), 0, 0, 1e-14);
    assert_close(lam[0], -sign, 1e-14, 0);
    const double across[2] = {1, -1};
    at.A = across;
    assert_close(measure(&at, lam), 1, 1e-14, 0);
    assert_close(lam[0], 0, 0, 1e-14);
  }
}

TEST(inequality_has_a_multiplier_of_one_sign)
{
  const double x[1] = {1}, lower[1] = {-none}, upper[1] = {none};
  const double A[1] = {1}, c[1] = {0}, tolerance[1] = {1e-8}, pull[1] = {-2}, push[1] = {2};
  gradyn_linearised at = CONSTRAINED(.n = 1, .m = 1, .g = pull, .window = 1e-5);
  double lam[1];
  /* x - 1 <= 0: f = -2 x is critical because of the constraint, f = 2 x is not */
  assert_close(measure(&at, lam), 0, 0, 1e-14);
  assert_close(lam[0], 2, 1e-14, 0);
  at.g = push;
  assert_close(measure(&at, lam), 2, 1e-14, 0);
  assert_close(lam[0], 0, 0, 0);
}

TEST(nearly_active_inequality_counts_by_its_distance)
{
  const double x[1] = {1}, lower[1] = {-none}, upper[1] = {none}, g[1] = {-2};
  const double A[1] = {1}, tolerance[1] = {1e-8};
  double c[1] = {-1e-4}, lam[1];
  const gradyn_linearised at = CONSTRAINED(.n = 1, .m = 1, .g = g, .window = 1e-5);
  assert_close(measure(&at, lam), 1e-4, 1e-12, 0);
  c[0] = -1.0; /* an inactive constraint has no multiplier */
  assert_close(measure(&at, lam), 2, 1e-14, 0);
}

TEST(an_active_row_stands_for_its_neighbour_that_is_not)
{
  /* g is along the gradient of the second inequality, at a distance of 1e-3; the active first inequality
   * and the equality together give it, too */
  const double x[2] = {0, 0}, lower[2] = {-none, -none}, upper[2] = {none, none}, g[2] = {-1, 0};
  const double A[3][2] = {{0, 1}, {1, 0.1}, {1, 0}}, c[3] = {0, 0, -1e-3};
  const double tolerance[3] = {1e-8, 1e-8, 1e-8};
  const gradyn_linearised at = {.n = 2,
                                .m = 3,
                                .equalities = 1,
                                .x = x,
                                .lower = lower,
                                .upper = upper,
                                .g = g,
                                .A = A[0],
                                .c = c,
                                .tolerance = tolerance,
                                .window = 1e-5};
  double lam[3];
  assert_close(measure(&at, lam), 0, 0, 1e-14);
  assert_close(lam[0], -0.1, 1e-12, 0);
  assert_close(lam[1], 1, 1e-12, 0);
  assert_true(lam[2] == 0);
}

TEST(multipliers_act_where_bounds_are_violated)
{
  /* both variables are at their lower bound and both gradients point inwards: x0 + 2 x1 = 0 with lam >= 2
   * makes r = g + lam (1, 2) >= 0, which the bounds balance */
  const double x[2] = {0, 0}, lower[2] = {0, 0}, upper[2] = {none, none}, g[2] = {-2, -1};
  const double A[2] = {1, 2}, c[1] = {0}, tolerance[1] = {1e-8};
  const gradyn_linearised at = CONSTRAINED(.n = 2, .m = 1, .equalities = 1, .g = g, .window = 1e-5);
  double lam[1];
  assert_close(measure(&at, lam), 0, 0, 1e-12);
  assert_true(lam[0] >= 2 - 1e-12);
}

/* The optimum of Hock & Schittkowski 71 with a bound, an inequality and an equality active. Optimum and
 * multipliers: the published solution x* to 8 digits. */
TEST(hs071_is_critical_at_its_optimum)
{
  const double x[4] = {1.0, 4.74299963, 3.82114998, 1.37940829};
  const double lower[4] = {1, 1, 1, 1}, upper[4] = {5, 5, 5, 5};
  const double s = x[0] + x[1] + x[2], product = x[0] * x[1] * x[2] * x[3];
  const double g[4] = {x[3] * (s + x[0]), x[0] * x[3], x[0] * x[3] + 1, x[0] * s};
  double A[8], c[2] = {-40, 25 - product}, lam[2];
  for (int j = 0; j < 4; j++) {
    A[j] = 2 * x[j];
    A[4 + j] = -product / x[j];
    c[0] += x[j] * x[j];
  }
  const double tolerance[2] = {1e-6, 1e-6};
  gradyn_linearised at = CONSTRAINED(.n = 4, .m = 2, .equalities = 1, .g = g, .window = 1e-5);
  assert_close(measure(&at, lam), 0, 0, 1e-7);
  assert_close(lam[0], 0.16146857, 1e-5, 0);
  assert_close(lam[1], 0.55229366, 1e-5, 0);
  /* a maximum has multipliers of the wrong sign */
  double minus[4];
  for (int j = 0; j < 4; j++)
    minus[j] = -g[j];
  at.g = minus;
  assert_true(measure(&at, lam) > 0.1);
}

/* The next number of a fixed sequence in [-1, 1). */
static double next_number(unsigned long *seed)
{
  *seed = (*seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (double)*seed / 1073741824.0 - 1.0;
}

/* With g = -A^T lam - nu for chosen multipliers the residual must vanish, also if rows are repeated, so
 * that multipliers are not unique. */
TEST(built_up_multipliers_are_found)
{
  enum { N = 7, M = 6 };
  unsigned long seed = 12345;
  for (int trial = 0; trial < 200; trial++) {
    double x[N] = {0}, lower[N], upper[N], g[N], A[M * N], c[M], tolerance[M], lam[M];
    for (int j = 0; j < N; j++) {
      lower[j] = j == 0 || j == 3 ? 0 : -1;
      upper[j] = j == 5 ? 0 : 1;
      g[j] = j == 0 || j == 3 ? 0.5 : j == 5 ? -0.5 : 0;
    }
    for (int i = 0; i < M; i++) {
      c[i] = i == 5 ? -0.5 : 0; /* the last constraint is far from active */
      tolerance[i] = 1e-8;
      for (int j = 0; j < N; j++)
        A[i * N + j] = i == 4 ? A[2 * N + j] : next_number(&seed);
      const double sign = i < 2 && trial % 2 == 0 ? -1 : 1;
      for (int j = 0; i != 5 && i != 3 && j < N; j++)
        g[j] -= sign * (1.0 + i) * A[i * N + j];
    }
    const gradyn_linearised at = CONSTRAINED(.n = N, .m = M, .equalities = 2, .g = g,
                                             .window = 1e-6);
    assert_close(measure(&at, lam), 0, 0, 1e-9);
    for (int i = 2; i < M; i++)
      assert_true(lam[i] >= 0);
    assert_close(lam[5], 0, 0, 0);
  }
}

/* Many more active inequalities than variables, only some of which are needed: rows must enter and leave
 * the basis. */
TEST(degenerate_points_are_recognised)
{
  enum { N = 6, M = 30 };
  unsigned long seed = 99;
  for (int trial = 0; trial < 200; trial++) {
    double x[N] = {0}, lower[N], upper[N], g[N] = {0}, A[M * N], c[M] = {0}, tolerance[M], lam[M];
    for (int j = 0; j < N; j++) {
      lower[j] = -none;
      upper[j] = none;
    }
    for (int i = 0; i < M; i++) {
      tolerance[i] = 1e-8;
      for (int j = 0; j < N; j++) {
        A[i * N + j] = next_number(&seed) + 0.3; /* much alike */
        g[j] -= i % 4 == 0 ? (0.01 + i % 3) * A[i * N + j] : 0;
      }
    }
    const gradyn_linearised at = CONSTRAINED(.n = N, .m = M, .g = g, .window = 1e-6);
    assert_close(measure(&at, lam), 0, 0, 1e-9);
    for (int i = 0; i < M; i++)
      assert_true(lam[i] >= 0);
  }
}

/* Path constraints at neighbouring times have nearly equal gradients. The remaining gradient is the residual
 * of the nearest point of a cone, which is unique for any choice of constraints. */
TEST(nearly_equal_rows_leave_results_that_no_choice_changes)
{
  enum { N = 12, M = 60 };
  double x[N] = {0}, lower[N], upper[N], c[M] = {0}, tolerance[M], A[M * N], lam[M], left[2][N];
  for (int j = 0; j < N; j++) {
    lower[j] = -none;
    upper[j] = none;
  }
  for (int close = 2; close <= 6; close += 2)
    for (int trial = 0; trial < 20; trial++) {
      double g[N];
      unsigned long seed = 7 + (unsigned long)trial;
      for (int j = 0; j < N; j++)
        g[j] = next_number(&seed);
      for (int other = 0; other < 2; other++) {
        for (int i = 0; i < M; i++) {
          tolerance[i] = 1e-8;
          for (int j = 0; j < N; j++)
            A[i * N + j] = sin(1.3 * j + pow(10, -close) * i * (1 + 0.1 * j) + 0.1 * trial) +
                           other * 1e-16 * next_number(&seed);
        }
        const gradyn_linearised at = CONSTRAINED(.n = N, .m = M, .g = g, .window = 1e-6);
        (void)measure(&at, lam);
        memcpy(left[other], g, sizeof g);
        for (int i = 0; i < M; i++) {
          assert_true(lam[i] >= 0);
          for (int j = 0; j < N; j++)
            left[other][j] += lam[i] * A[i * N + j];
        }
        for (int i = 0; i < M; i++) {
          double slope = 0;
          for (int j = 0; j < N; j++)
            slope -= A[i * N + j] * left[other][j];
          assert_true(slope <= 1e-9);
        }
      }
      for (int j = 0; j < N; j++)
        assert_close(left[0][j], left[1][j], 0, 1e-7);
    }
}

/* An inactive inequality has a multiplier of 1000 times the gradient. The gap is its product with the
 * distance, at the point that was measured last. */
TEST(a_gap_belongs_to_its_point)
{
  const double x[1] = {0}, lower[1] = {-none}, upper[1] = {none}, g[1] = {-1};
  const double A[1] = {1e-3}, tolerance[1] = {1e-8};
  static const double distance[] = {1e-4, 1, 2e-4}, gap[] = {0.1, 0, 0.2};
  gradyn_kkt_residual *work = gradyn_kkt_residual_create(1, 1, 0);
  assert_non_null(work);
  for (int k = 0; k < 3; k++) {
    const double c[1] = {-distance[k]};
    const gradyn_linearised at = CONSTRAINED(.n = 1, .m = 1, .g = g, .window = 1e-5);
    double lam[1];
    (void)gradyn_kkt_residual_measure(work, &at, lam);
    assert_close(gradyn_kkt_residual_gap(work), gap[k], 1e-12, 0);
  }
  gradyn_kkt_residual_free(work);
}

/* x_(i+1) - x_i = 0 for all i. The bound of x_0 balances the part that the first multiplier leaves. */
TEST(many_equalities_have_their_multipliers)
{
  enum { N = 130, M = 125 };
  static double A[M * N], x[N], lower[N], upper[N], g[N] = {3}, c[M], tolerance[M], lam[M];
  for (int j = 0; j < N; j++) {
    lower[j] = j == 0 ? 0 : -none;
    upper[j] = none;
  }
  for (int i = 0; i < M; i++) {
    const double expected = (i % 2 ? 1 : -1) * (1 + i % 7);
    tolerance[i] = 1e-8;
    A[i * N + i] = 1;
    A[i * N + i + 1] = -1;
    g[i] -= expected;
    g[i + 1] += expected;
  }
  gradyn_linearised at = CONSTRAINED(.n = N, .m = M, .equalities = M, .g = g, .window = 1e-6);
  assert_close(measure(&at, lam), 0, 0, 1e-9);
  for (int i = 1; i < M; i++)
    assert_close(lam[i], (i % 2 ? 1.0 : -1.0) * (1 + i % 7), 1e-9, 0);
  g[N - 1] = 0.25; /* no row has it */
  assert_close(measure(&at, lam), 0.25, 1e-9, 0);
}
