/* Friction that locks: random mechanisms in space for which Phi_q^T - dQ/dlam becomes singular during the
 * run. No accelerations exist there, and fixed steps would continue with another motion. Schemes detect the
 * time in three ways: ali3p by a small determinant, idas by the sign of a large one, explicit by its
 * stages. All must agree on it. */
#include "tests/drawn/spatial_draw.h"
#include "tests/runs.h"

static const struct locking {
  uint64_t seed;
  const char *method;
  double step, when, within; /* s */
} cases[] = {{28878, "idas", 0, 0.06532, 1e-5},         {28878, "ali3p", 2e-3, 0.06532, 1e-3},
             {28878, "ali3p", 5e-4, 0.06532, 5e-4},     {40211, "explicit", 0, 1.4556e-3, 1e-6},
             {40211, "idas", 0, 1.4556e-3, 1e-6},       {40211, "ali3p", 2.5e-4, 1.4556e-3, 1e-4},
             {40338, "explicit", 0, 2.0641e-3, 1e-6},   {40338, "idas", 0, 2.0641e-3, 1e-6},
             {40338, "ali3p", 2.5e-4, 2.0641e-3, 1e-4}, {40142, "idas", 0, 1.749e-3, 1e-5},
             {40142, "ali3p", 2e-3, 1.749e-3, 1e-4}};

/* Time in s at which the run reports locking; NAN: it does not. */
static double locks_at(const struct locking *which)
{
  const double rho[SPATIAL_PARAMETERS] = {1, 1, 1, 1, 1};
  double psi[2];
  spatial_seed = which->seed;
  run_local *ev = run_with(&spatial_problem, .method = which->method, .step = which->step,
                           .rtol = 1e-9);
  gradyn_status status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  assert_int_not_equal(status, GRADYN_OK);
  const char *said = strstr(gradyn_evaluator_message(ev), "locks the mechanism at t = ");
  const double when = said ? strtod(strchr(said, '=') + 1, NULL) : (double)NAN;
  if (!said)
    print_error("%s\n", gradyn_evaluator_message(ev));
  return when;
}

TEST(schemes_report_where_friction_locks)
{
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++)
    assert_close(locks_at(&cases[k]), cases[k].when, 0, cases[k].within);
}
