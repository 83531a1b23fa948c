/* Designs of the compass-like walker. Walkers that start off the gait return to it as in an independent
 * integration. The best design of the search is the best one by that integration. */
#include "tests/problems/run.h"
#include "tests/reference/compass_walker.h"

extern const gradyn_problem gradyn_problem_compass_walker;

enum { P = WALKER_PARAMETERS, STATES = 3, MASSES = 1, LENGTHS = 2, START = 3, STRIDES = 2 };
enum { DISTURBED = 3, F = STATES + DISTURBED };

static const double off = 0.01; /* of the problem */
static const gradyn_setting_choice disturbed[] = {{"disturbed", DISTURBED}, {"strides", STRIDES}};
static const run_setup setup = {&gradyn_problem_compass_walker, .rtol = 1e-12, .t_end = 1.8,
                                .settings = disturbed, .setting_count = 2};

/* --- by the reference ------------------------------------------------------------------------- */

/* Squared distance from the start of the gait of p after some strides, if the walker starts with the
 * deviation `by`. */
static double complex come_back(const double complex p[P], const double by[STATES], int strides)
{
  double complex at[P], result[WALKER_RESULTS], distance = 0;
  memcpy(at, p, sizeof at);
  for (int k = 0; k < STATES; k++)
    at[START + k] += by[k];
  for (int i = 0; i < strides; i++) {
    compass_walker(at, result);
    memcpy(at + START, result, STATES * sizeof *at);
  }
  for (int k = 0; k < STATES; k++)
    distance += (at[START + k] - p[START + k]) * (at[START + k] - p[START + k]);
  return distance;
}

/* Distance i of the problem. */
static double complex distance_of(const double complex p[P], int i)
{
  double by[STATES] = {0};
  by[i] = off;
  return come_back(p, by, STRIDES);
}

/* Solves D x = x (in the last column) for three equations, by Cramer's rule. */
static void solve(double complex D[STATES][STATES], double complex x[STATES])
{
  double complex det[STATES + 1];
  for (int c = 0; c <= STATES; c++) {
    double complex A[STATES][STATES];
    memcpy(A, D, sizeof A);
    for (int i = 0; i < STATES && c < STATES; i++)
      A[i][c] = x[i];
    det[c] = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
             A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
             A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
  }
  for (int c = 0; c < STATES; c++)
    x[c] = det[c] / det[STATES];
}

/* The gait of a design, whose numbers may have imaginary parts, by Newton's method from the start in p. */
static void find_gait(double complex p[P])
{
  double complex D[STATES][STATES], z[STATES];
  for (int j = 0; j < STATES; j++) { /* 1 - P_z, with real parts only */
    double complex at[P], result[WALKER_RESULTS];
    for (int k = 0; k < P; k++)
      at[k] = creal(p[k]) + (k == START + j ? 1e-40 * _Complex_I : 0);
    compass_walker(at, result);
    for (int i = 0; i < STATES; i++)
      D[i][j] = (i == j) - cimag(result[i]) / 1e-40;
  }
  for (int round = 0; round < 5; round++) {
    double complex result[WALKER_RESULTS];
    compass_walker(p, result);
    for (int i = 0; i < STATES; i++)
      z[i] = result[i] - p[START + i];
    solve(D, z);
    for (int i = 0; i < STATES; i++)
      p[START + i] += z[i];
  }
}

/* The objective as a function of the design alone, with the gait computed from it. */
static double complex objective(double complex p[P])
{
  double complex sum = 0;
  find_gait(p);
  for (int i = 0; i < DISTURBED; i++)
    sum += distance_of(p, i) / (DISTURBED * off * off);
  return sum;
}

/* Its derivative with respect to a number of the design. */
static double slope_by(const double rho[P], int parameter)
{
  double complex p[P];
  for (int k = 0; k < P; k++)
    p[k] = rho[k] + (k == parameter ? 1e-40 * _Complex_I : 0);
  return cimag(objective(p)) / 1e-40;
}

static double value_at(const double rho[P], double lengths)
{
  double complex p[P];
  for (int k = 0; k < P; k++)
    p[k] = k == LENGTHS ? lengths : rho[k];
  return creal(objective(p));
}

/* --- tests ------------------------------------------------------------------------------------ */

TEST(disturbed_walkers_follow_the_reference)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  const double rho[P] = {0.055, 2.5, 0.9, 0.22, -1.1, -0.3};
  for (int way = 0; way < 2; way++) {
    run_setup with = setup;
    double psi[F], gradient[F * P];
    with.sensitivity = sensitivity[way];
    assert_int_equal(run_gradient(&with, rho, psi, gradient), F);
    for (int j = 0; j < P; j++) {
      double complex p[P];
      for (int k = 0; k < P; k++)
        p[k] = rho[k] + (k == j ? 1e-40 * _Complex_I : 0);
      for (int i = 0; i < DISTURBED; i++) {
        const double complex expected = distance_of(p, i);
        assert_close(psi[STATES + i], creal(expected), 1e-9, 1e-12);
        assert_close(gradient[(STATES + i) * P + j], cimag(expected) / 1e-40, 1e-7, 1e-9);
      }
    }
  }
}

/* Searches over masses and lengths from a design. */
static void search_from(const double masses, const double lengths, gradyn_search_result *found)
{
  static const bool vary[P] = {false, true, true, true, true, true};
  double complex p[P] = {0.05235987755982988, masses, lengths, 0.2187, -1.0918, -0.3772};
  double rho[P];
  find_gait(p);
  for (int k = 0; k < P; k++)
    rho[k] = creal(p[k]);
  run_setup quick = setup;
  quick.rtol = 1e-10;
  run_local *ev = run_open(&quick);
  gradyn_search search = run_search(ev);
  search.optimality = 1e-7;
  search.vary = vary;
  assert_ok(gradyn_optimise(ev, &search, rho, found), found->reason);
}

/* By the reference alone: the gradient vanishes except against the bound of the masses, and neighbours are
 * worse. For any disturbance, the squared distance after four strides is less than a third of the largest
 * one in the initial design. */
static void confirm(const double before[P], const double after[P])
{
  const double best = value_at(after, after[LENGTHS]);
  assert_true(slope_by(after, MASSES) < 0);
  assert_close(slope_by(after, LENGTHS), 0, 0, 1e-5 * best / after[LENGTHS]);
  assert_true(value_at(after, 0.95 * after[LENGTHS]) > best);
  assert_true(value_at(after, 1.05 * after[LENGTHS]) > best);
  double worst[2] = {0};
  /* each state is decreased, unchanged or increased; the opposite of a disturbance has the same effect */
  for (int i = 14; i < 27; i++) {
    const double by[STATES] = {0.003 * (i % 3 - 1), 0.003 * (i / 3 % 3 - 1), 0.003 * (i / 9 - 1)};
    for (int which = 0; which < 2; which++) {
      double complex p[P];
      for (int k = 0; k < P; k++)
        p[k] = which ? after[k] : before[k];
      worst[which] = fmax(worst[which], creal(come_back(p, by, 4)));
    }
  }
  assert_true(worst[1] < worst[0] / 3);
}

TEST(designs_are_confirmed_by_disturbed_starts)
{
  static const double designs[][2] = {{2, 1}, {4, 0.7}};
  double complex p[P] = {0.05235987755982988, 2, 1, 0.2187, -1.0918, -0.3772};
  double before[P], first = 0;
  find_gait(p);
  for (int k = 0; k < P; k++)
    before[k] = creal(p[k]);
  for (size_t i = 0; i < (support_thorough() ? GRADYN_COUNT(designs) : 1); i++) {
    LOCAL(gradyn_search_result) found;
    search_from(designs[i][0], designs[i][1], &found);
    if (i == 0) {
      confirm(before, found.rho);
      first = found.rho[LENGTHS];
    }
    assert_close(found.objective, value_at(found.rho, found.rho[LENGTHS]), 1e-6, 0);
    assert_close(found.rho[MASSES], 10, 1e-6, 0);
    assert_close(found.rho[LENGTHS], first, 1e-4, 0);
  }
}
