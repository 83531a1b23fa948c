/* Orbits and transitions of 1, 4, 5 and 9 states, and of mechanisms with 2, 4 and 10, with 1, 4, 5 and 9
 * parameters. Disturbances are integrated in batches of four lanes. */
#include "tests/adjoint/analyses/chains.h"
#include "tests/adjoint/analyses/find_orbit.h"
#include "tests/runs.h"

static int size; /* number of states of the present case */

static void check_transition(const gradyn_transition *t, const double complex rho[])
{
  chains_matrix M;
  chains_transition(rho, M);
  assert_int_equal(t->size, size);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      assert_close(t->matrix[i * size + j], creal(M[i][j]), 1e-8, 1e-9);
}

/* Each multiplier is one of the expected ones, and their moduli do not increase. Chains of second order
 * have a pair of multipliers for each member. */
static void check_multipliers(const double *multiplier, const double complex rho[], int orders)
{
  for (int k = 0; k < size; k++) {
    const double *m = multiplier + 2 * k, *before = m - 2 * orders;
    double least = HUGE_VAL;
    for (int i = 0; i < size; i++)
      least = fmin(least, cabs(chains_multiplier(rho, i) - (m[0] + _Complex_I * m[1])));
    assert_close(least, 0, 0, 1e-8);
    assert_true(k < orders || hypot(m[0], m[1]) < hypot(before[0], before[1]) - 1e-6);
  }
}

static void check_orbit(const chains_case *of, gradyn_evaluator *ev)
{
  double rho[CHAINS_PARAMETERS], start[CHAINS_STATES], slope[CHAINS_STATES * CHAINS_PARAMETERS];
  double complex at[CHAINS_PARAMETERS];
  LOCAL(gradyn_orbit) orbit;
  gradyn_transition transition;
  for (int j = 0; j < of->parameters; j++)
    at[j] = rho[j] = 0.1 * (j + 1);
  support_complex_step(chains_start, rho, of->parameters, size, start, slope);
  assert_run(gradyn_transition_compute(ev, rho, NULL, 0, &transition), ev);
  check_transition(&transition, at);
  gradyn_transition_clear(&transition);
  orbit_find(ev, rho, &(gradyn_orbit_spec){.fixed_period = true}, &orbit);
  check_transition(&orbit.transition, at);
  check_multipliers(orbit.multiplier, at, of->orders);
  assert_close_array(orbit.transition.start, start, size, 1e-9, 1e-9);
  assert_close_array(orbit.transition.end, start, size, 1e-9, 1e-9);
  assert_close_array(orbit.start_slope, slope, size * of->parameters, 1e-8, 1e-8);
}

static void check_chain(int members, int orders, bool loses)
{
  static const int counts[] = {1, 4, 5, 9};
  for (size_t p = 0; p < GRADYN_COUNT(counts); p++) {
    const chains_case of = {members, orders, counts[p], loses};
    print_message("%d members of %d states, %d parameters\n", members, orders, counts[p]);
    run_local *ev = orbit_open(chains_problem(&of), loses ? "explicit" : NULL, 0);
    size = members * orders;
    check_orbit(&of, ev);
  }
}

TEST(equations_have_the_closed_form)
{
  static const int counts[] = {1, 4, 5, 9};
  for (size_t n = 0; n < GRADYN_COUNT(counts); n++)
    check_chain(counts[n], 1, false);
}

TEST(mechanisms_have_the_closed_form)
{
  static const int counts[] = {1, 2, 5};
  for (size_t n = 0; n < GRADYN_COUNT(counts); n++)
    for (int lose = 0; lose < 2; lose++)
      if (support_takes((int)n + lose, 2))
        check_chain(counts[n], 2, lose);
}
