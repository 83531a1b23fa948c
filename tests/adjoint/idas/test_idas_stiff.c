/* idas with states whose initial values decay at once. Sensitivities are then small differences, and change
 * while the state is at rest; a rate does not show the size of a state. */
#include <complex.h>
#include <tgmath.h>

#include "problems/builtin.h"
#include "tests/runs.h"
#include "tests/adjoint/idas/single_run.h"
#include "tests/declare.h"

/* y' = -k (y - cos 3t) has the solution y = (k^2 cos 3t + 3 k sin 3t)/(k^2 + 9) + C exp(-k t). */
FORMULA(relax, at->yp[0] + at->data[0] * (at->y[0] - cos(3 * at->t)))
FORMULA(square, at->y[0] * at->y[0])
FORMULA(until, at->data[0] - at->t)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "y", "", rho[1]);
  declare_equations(m, relax, (gradyn_datum[]){{"k", "1/s", rho[0]}}, 1);
  gradyn_minimise(m, declare_integral(m, "square", "s", square), 1);
  return gradyn_build_status(m);
}

/* At a time that is a parameter, y is set to its initial value again. */
static gradyn_status build_again(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_component y = {1, GRADYN_X};
  GRADYN_TRY(build(m, rho));
  gradyn_event(m, &(gradyn_event_spec){
                      .name = "again",
                      .guard = {.terminal = until,
                                .data = &(gradyn_datum){"time", "s", rho[2]},
                                .data_count = 1},
                      .map = &(gradyn_map_term){y, {GRADYN_CONSTANT, GRADYN_X}, .weight = rho[1]},
                      .map_count = 1});
  return gradyn_build_status(m);
}

enum { K, Y0, TIME, MOST_PARAMETERS };
static const gradyn_param params[] = {{"k", "1/s", .init = 1e6, GRADYN_UNBOUNDED},
                                      {"y0", "", .init = 0.5, GRADYN_UNBOUNDED}},
                          params_again[] = {{"k", "1/s", .init = 1e6},
                                            {"y0", "", .init = 0.5},
                                            {"time", "s", .init = 0.8}};
static const gradyn_problem fast = PROBLEM("fast", build, params, .t_end = 2),
                            again = PROBLEM("again", build_again, params_again, .t_end = 2);

/* Integral of (a cos 3t + b sin 3t)^2 up to t. */
static complex double swing(complex double a, complex double b, complex double t)
{
  return a * a * (t / 2 + sin(6 * t) / 12) + b * b * (t / 2 - sin(6 * t) / 12) +
         a * b * sin(3 * t) * sin(3 * t) / 3;
}

/* Contribution of the transient exp(-k (t - s)) of y = y0 at s to the integral of y^2, until it has
 * decayed. */
static complex double decay(complex double k, complex double y0, complex double s)
{
  const complex double a = k * k / (k * k + 9), b = 3 * k / (k * k + 9),
                       C = y0 - a * cos(3 * s) - b * sin(3 * s);
  /* integral of 2 C exp(-k (t - s)) (a cos 3t + b sin 3t) and of C^2 exp(-2 k (t - s)) */
  return 2 * C * ((a * k + 3 * b) * cos(3 * s) + (b * k - 3 * a) * sin(3 * s)) / (k * k + 9) +
         C * C / (2 * k);
}

/* Integral of y^2 up to t in complex numbers, if exp(-k t) = 0. time > 0: y restarts at that time. */
static complex double integral(const complex double p[MOST_PARAMETERS], double t)
{
  const complex double k = p[K], a = k * k / (k * k + 9), b = 3 * k / (k * k + 9);
  return swing(a, b, t) + decay(k, p[Y0], 0) + (p[TIME] == 0 ? 0 : decay(k, p[Y0], p[TIME]));
}

/* Its derivative by parameter j. */
static double slope(const double rho[MOST_PARAMETERS], int j)
{
  const double tiny = 1e-30;
  complex double p[] = {rho[K], rho[Y0], rho[TIME]};
  p[j] += tiny * I;
  return cimag(integral(p, 2)) / tiny;
}

static double value_of(const double rho[MOST_PARAMETERS])
{
  return creal(integral((complex double[]){rho[K], rho[Y0], rho[TIME]}, 2));
}

/* An evaluator of idas. sensitivity: "direct", "adjoint", or "staggered" for direct with the staggered
 * corrector. */
static gradyn_evaluator *by_idas(const gradyn_problem *problem, const char *way, double rtol)
{
  bool staggered = strcmp(way, "staggered") == 0;
  return run_with(problem, .method = "idas", .sensitivity = staggered ? "direct" : way,
                  .staggered = staggered, .rtol = rtol, .max_steps = 20000);
}

/* Compares value, gradient and number of steps at one k and y0 with the closed form. The change of psi for
 * a change of k by its own size, or of y0 by one, must be accurate to some rtol of psi. The number of steps
 * must be similar to that of a simulation. */
static void check_relaxation(const char *way, double rtol, const double rho[MOST_PARAMETERS])
{
  run_local *ev = by_idas(rho[TIME] > 0 ? &again : &fast, way, rtol);
  double psi, same, gradient[MOST_PARAMETERS];
  assert_run(gradyn_evaluator_simulate(ev, rho, &psi, NULL), ev);
  long steps = gradyn_evaluator_statistics(ev).steps;
  assert_run(gradyn_evaluator_gradient(ev, rho, &same, gradient), ev);
  const double exact = value_of(rho), by_y0 = slope(rho, Y0);
  /* for y0 = 100, the initial value is a hundred times larger than the later motion */
  const double most = rtol * exact * fmax(1, fabs(rho[Y0]));
  assert_close(psi, exact, 0, 25 * most);
  assert_close(rho[K] * gradient[K], rho[K] * slope(rho, K), 0, 25 * most);
  assert_close(gradient[Y0], by_y0, 0, most);
  assert_close(gradient[Y0], by_y0, 5000 * rtol, 0);
  if (rho[TIME] > 0)
    assert_close(gradient[TIME], slope(rho, TIME), 0, 25 * most);
  if (gradyn_evaluator_statistics(ev).steps > 25 * steps)
    fail_msg("%s, rtol %g, k = %g, y0 = %g: %ld steps, %ld of the motion", way, rtol, rho[0],
             rho[1], gradyn_evaluator_statistics(ev).steps, steps);
}

TEST(gradients_are_right_and_do_not_stall)
{
  const char *const way[] = {"direct", "staggered", "adjoint"};
  const double y0[] = {0, 0.5, 0.999, 1, 100}, rtol[] = {1e-6, 1e-8};
  for (size_t w = 0; w < GRADYN_COUNT(way); w++)
    for (size_t r = 0; r < GRADYN_COUNT(rtol); r++)
      for (size_t i = 0; i < GRADYN_COUNT(y0); i++)
        for (double k = r ? 1e4 : 1e3; k < 2e8; k *= 100)
          if (support_takes((int)(w + i) + (int)round(log10(k)) / 2, 5))
            check_relaxation(way[w], rtol[r], (double[MOST_PARAMETERS]){k, y0[i]});
}

/* After a jump, steps begin as at the start. With limits by the time since the start of the run, this
 * problem took four times as many steps, and a million at k = 1e7 with 1e-6. The last steps of the adjoint
 * were shorter than the resolution of times in IDAS, which refused its quadratures. */
TEST(a_state_that_restarts_does_not_stall)
{
  const char *const way[] = {"direct", "staggered", "adjoint"};
  const double y0[] = {0, 0.5, 0.999, 1};
  for (size_t w = 0; w < GRADYN_COUNT(way); w++)
    for (size_t i = 0; i < GRADYN_COUNT(y0); i++)
      if (support_takes((int)(w + i), 4))
        check_relaxation(way[w], 1e-8, (double[]){1e8, y0[i], 0.8});
}

/* Returns the number of steps; computes dpsi/dk. */
static long differentiate(const char *way, double rtol, const double rho[], double *by_k)
{
  double psi, gradient[2];
  gradyn_method method;
  run_local *ev = by_idas(&fast, way, rtol);
  single_run(ev, &method);
  assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
  const long steps = gradyn_evaluator_statistics(ev).steps;
  *by_k = gradient[0];
  return steps;
}

/* Newton's method for states and sensitivities together may fail in one step of seven at any order, and
 * then needs ten times the steps. The run must change to the staggered corrector. */
TEST(a_corrector_that_diverges_again_and_again_is_left)
{
  const double y0[] = {0, 0.5, 0.999, 1, 100}, rtol[] = {1e-9, 1e-11};
  for (size_t r = 0; r < GRADYN_COUNT(rtol); r++)
    for (size_t i = 0; i < GRADYN_COUNT(y0); i++)
      for (double k = 1e3; k < 2e5; k *= 10) {
        if (!support_takes((int)(r + i) + (int)round(log10(k)), 4))
          continue;
        const double rho[MOST_PARAMETERS] = {k, y0[i]};
        double together, behind;
        const long steps = differentiate("direct", rtol[r], rho, &together);
        const long staggered = differentiate("staggered", rtol[r], rho, &behind);
        const double exact = slope(rho, K);
        if ((double)steps > 2.5 * (double)staggered)
          fail_msg("rtol %g, k = %g, y0 = %g: %ld steps for %ld", rtol[r], k, y0[i], steps,
                   staggered);
        /* for a change of k by its own size, relative to psi, which is about 1 */
        assert_close(k * together, k * exact, 0, 25 * rtol[r] * fmax(1, y0[i]));
        assert_close(k * behind, k * exact, 0, 25 * rtol[r] * fmax(1, y0[i]));
      }
}

/* A mechanism with friction has as many Newton failures, but its steps are limited by errors. The run must
 * keep its corrector, since the staggered one takes half as many steps again. Round-off of its matrices
 * changes both numbers by some 4 %. */
TEST(friction_is_distinguished_from_that)
{
  long steps[2];
  for (int staggered = 0; staggered < 2; staggered++) {
    double rho[8], psi[8], gradient[64];
    run_local *ev = run_with(&gradyn_problem_governor, .method = "idas", .sensitivity = "direct",
                             .staggered = staggered, .step = -1, .rtol = 1e-6,
                             .t_end = support_thorough() ? 0.2 : 0.05);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    steps[staggered] = gradyn_evaluator_statistics(ev).steps;
  }
  assert_true((double)steps[0] < 0.8 * (double)steps[1]);
}

/* The rate at the start is k. If the size of the state were estimated from this rate over the whole run,
 * the tolerances would be k times too loose. */
TEST(a_state_that_begins_at_zero_is_as_exact_as_others)
{
  for (double k = 1e4; k <= 1e8; k *= 10) {
    double psi;
    const double rho[MOST_PARAMETERS] = {k, 0};
    run_local *ev = by_idas(&fast, "adjoint", 1e-8);
    assert_run(gradyn_evaluator_simulate(ev, rho, &psi, NULL), ev);
    assert_close(psi, value_of(rho), 2e-7, 0);
  }
}
