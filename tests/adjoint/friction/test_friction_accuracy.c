/* Tests that errors of gradients are reported where friction has kinks, beside which runs of any
 * tolerance err by chance, and where maxima are taken at times that err, too. */
#include "tests/adjoint/friction/rubbing_block.h"
#include "tests/runs.h"

enum { TOLERANCES = 4, PLACES = 2, P = RUBBING_PARAMETERS };

/* Two runs may err alike by chance. What is reported is at most so many times the error, or is
 * tolerated. */
static const double chance = 5, careful = 100;

typedef struct row {
  rubbing_law law;
  rubbing_functional functional;
  double rho[P];
} row;

static void place(int which, double rho[P])
{
  for (int j = 0; j < P; j++)
    rho[j] = rubbing_block.params[j].init * (which == 0 ? 1 : 1 + 0.02 * sin(3.0 * j + 1));
}

/* The parameter whose derivative is the least exact, as the evaluator reports. */
static int least_exact(const gradyn_evaluator *ev)
{
  for (int j = 0; j < P; j++)
    if (strcmp(rubbing_block.params[j].name, ev->exactness.by) == 0)
      return j;
  fail_msg("no parameter is named %s", ev->exactness.by);
  return -1;
}

/* Whether the error is reported. */
static bool is_reported(const row *r, const double exact[P], double rtol)
{
  const gradyn_setting_choice choice[] = {{"law", r->law}, {"functional", r->functional}};
  double psi, g[P];
  run_local *ev = run_with(&rubbing_block, .method = "radau", .rtol = rtol, .step = -1,
                           .settings = choice, .setting_count = GRADYN_COUNT(choice));
  assert_run(gradyn_gradient(ev, r->rho, &psi, g), ev);
  const int j = least_exact(ev);
  const double error = fabs(g[j] - exact[j]), reported = ev->exactness.error,
               allowed = rtol * reported / gradyn_evaluator_statistics(ev).gradient_error,
               least = r->law == RUBBING_SMOOTH ? 0 : allowed;
  const bool right = error <= chance * fmax(reported, least) &&
                     reported <= careful * fmax(error, allowed);
  if (!right)
    print_message("law %d, functional %d, rtol %.0e: d psi/d %s is off by %.2e, reported %.2e\n",
                  r->law, r->functional, rtol, ev->exactness.by, error, reported);
  return right;
}

/* Of runs that are not at rest, which nothing confirms, one in twenty may err like the one that it is
 * compared with. */
TEST(errors_are_reported_beside_kinks)
{
  int missed = 0, all = 0;
  for (int i = 0; i < RUBBING_LAWS * RUBBING_FUNCTIONALS * PLACES; i++) {
    double exact[P];
    row r = {.law = (rubbing_law)(i % RUBBING_LAWS),
             .functional = (rubbing_functional)(i / RUBBING_LAWS % RUBBING_FUNCTIONALS)};
    place(i / (RUBBING_LAWS * RUBBING_FUNCTIONALS), r.rho);
    (void)rubbing_exact(r.law, r.functional, r.rho, exact);
    for (int k = 0; k < TOLERANCES; k++, all++)
      if (support_takes(i + k, 8))
        missed += !is_reported(&r, exact, pow(10, -4 - k));
  }
  if (20 * missed > all)
    fail_msg("%d of %d errors are larger than reported", missed, all);
}
