/* Values and gradients of small random systems are as accurate as the tolerance requires, against
 * collocation in long double. This is the short form of the campaign `rtol`, with systems in which it has
 * found faults. */
#include "tests/drawn/rtol_runs.h"
#include "tests/support.h"

/* y' = -rho y, the integral of y^2, an algebraic state, and y at the end. */
static void decay_start(const void *self, const collocation_number rho[], collocation_number y[])
{
  (void)self;
  (void)rho;
  y[0] = 1;
  y[1] = 0;
}

/* The second state is the square of the first one. */
static void decay(const void *self, const collocation_number rho[], int arc, long double t,
                  const collocation_number y[], collocation_number f[])
{
  (void)self;
  (void)arc;
  (void)t;
  f[0] = -rho[0] * y[0];
  f[1] = y[0] * y[0] - y[1];
}

static void decay_functionals(const void *self, const collocation_number rho[],
                              const collocation_number y[], collocation_number integrand[],
                              collocation_number terminal[])
{
  (void)self;
  (void)rho;
  integrand[0] = y[1];
  terminal[0] = 0;
  integrand[1] = 0;
  terminal[1] = y[0];
}

TEST(the_reference_reproduces_closed_forms)
{
  const long double times[] = {0, 0.5L, 2};
  static const double rates[] = {1, 300, 9e4};
  for (size_t k = 0; k < GRADYN_COUNT(rates); k++) {
    const double rho = rates[k];
    const collocation_problem problem = {.states = 2,
                                         .parameters = 1,
                                         .functionals = 2,
                                         .arcs = 2,
                                         .algebraic = {false, true},
                                         .times = times,
                                         .rho = &rho,
                                         .start = decay_start,
                                         .rates = decay,
                                         .functionals_at = decay_functionals};
    /* psi = (1 - q)/(2 rho) and exp(-2 rho), q = exp(-4 rho) */
    const double q = exp(-4 * rho), last = exp(-2 * rho);
    collocation_result r;
    assert_true(collocation_solve(&problem, &r));
    assert_close(r.psi[0], (1 - q) / (2 * rho), 1e-14, 0);
    assert_close(r.slope[0][0], (4 * q * rho - (1 - q)) / (2 * rho * rho), 1e-13, 0);
    assert_close(r.psi[1], last, 1e-13, 1e-17);
    assert_close(r.slope[1][0], -2 * last, 1e-13, 1e-17);
  }
}

/* The largest ratio of error and tolerance over all methods, sensitivities and tolerances. */
static void examine(unsigned long seed, const rtol_system *s, int counts[2])
{
  static const char *const methods[] = {"explicit", "idas"}, *const ways[] = {"adjoint", "direct"};
  static const double tolerances[] = {1e-5, 1e-6, 1e-8};
  const bool away = seed / RTOL_KINDS % 2 > 0;
  double rho[COLLOCATION_PARAMETERS];
  long double times[RTOL_KNOTS + 1];
  collocation_result exact;
  rtol_place(s, away, rho);
  const collocation_problem reference = rtol_reference(s, rho, times);
  if (!collocation_solve(&reference, &exact))
    fail_msg("seed %lu: no reference", seed);
  for (int i = exact.stiffness > 3000 ? 6 : 0; i < 12; i++) {
    if (!support_takes(i + (int)(seed % 4), 4))
      continue;
    const double rtol = tolerances[i % 3];
    double value, gradient;
    rtol_answer a;
    rtol_ask(s, methods[i / 6], ways[i / 3 % 2], rtol, away, &a);
    assert_ok(a.status, a.text);
    rtol_judge(s, rho, &exact, &a, &value, &gradient);
    const double worse = fmax(value, gradient) / rtol;
    counts[0]++;
    counts[1] += worse < 3;
    if (!(worse <= 10) && *a.text == '\0')
      fail_msg("seed %lu, %s, %s %s, rtol %.0e: value off by %.2g of it, gradient by %.2g", seed,
               rtol_name(s->kind), methods[i / 6], ways[i / 3 % 2], rtol, value / rtol,
               gradient / rtol);
  }
}

THOROUGH_TEST(results_keep_the_tolerance)
{
  /* seeds with earlier faults: values whose error no derivative shows, integrands that vanish early, and
   * algebraic equations that Newton's method left unsolved */
  static const unsigned long found[] = {29, 44, 69, 78, 1081, 1210, 1217};
  enum { DRAWN = 10, MOST_STATES = 3 };
  int counts[2] = {0, 0};
  for (size_t k = 0; k < DRAWN + GRADYN_COUNT(found); k++) {
    const unsigned long seed = k < DRAWN ? 1000 + k : found[k - DRAWN];
    rtol_system s;
    if (!support_takes((int)k, 2))
      continue;
    rtol_draw(seed, &s);
    if (k >= DRAWN || s.states <= MOST_STATES)
      examine(seed, &s, counts);
  }
  print_message("%d of %d below three tolerances\n", counts[1], counts[0]);
  assert_true(counts[0] > (support_thorough() ? 50 : 9) && counts[1] >= 0.97 * counts[0]);
}

/* If needed, tolerances are tightened to the smallest one. Gradients with estimated errors of 5 and 10
 * tolerances then have errors below one. */
TEST(tightest_tolerances_are_tried)
{
  static const unsigned long seeds[] = {222, 1158};
  const double rtol = 1e-8;
  for (size_t k = 0; k < GRADYN_COUNT(seeds); k++) {
    rtol_system s;
    rtol_answer a;
    if (!support_takes((int)k, 2))
      continue;
    rtol_draw(seeds[k], &s);
    rtol_ask(&s, "idas", "adjoint", rtol, seeds[k] / RTOL_KINDS % 2 > 0, &a);
    assert_ok(a.status, a.text);
    assert_string_equal(a.text, "");
    assert_true(a.stated <= rtol);
  }
}
