/* Errors of gradients are reported where friction has kinks, near which runs of any tolerance have
 * irregular errors, and where maxima are taken at inaccurate times. */
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/friction/rubbing_block.h"
#include "tests/runs.h"

enum { TOLERANCES = 4, PLACES = 2, P = RUBBING_PARAMETERS };

/* A reported error may exceed the actual one by at most this factor, or be below `careful` tolerances: two
 * runs may have the same error by chance. */
static const double chance = 5, careful = 100;

typedef struct route {
  const char *method, *sensitivity;
  bool smooth; /* where friction is smooth, even errors far below the tolerance are reported */
  /* permitted number of rows whose error stays unreported because the compared run has the same error by
   * chance */
  int tolerated;
} route;

static const route routes[] = {{"radau", "adjoint", true, 4},
                               {"explicit", "adjoint", false, 0},
                               {"explicit", "direct", false, 0}};

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

/* The parameter with the least accurate derivative, as reported by the evaluator. */
static int least_exact(const gradyn_evaluator *ev)
{
  for (int j = 0; j < P; j++)
    if (strcmp(rubbing_block.params[j].name, ev->exactness.by) == 0)
      return j;
  fail_msg("no parameter is named %s", ev->exactness.by);
  return -1;
}

static gradyn_evaluator *open_row(const row *r, const route *way, double rtol)
{
  const gradyn_setting_choice choice[] = {{"law", r->law}, {"functional", r->functional}};
  return run_with(&rubbing_block, .method = way->method, .sensitivity = way->sensitivity,
                  .rtol = rtol, .step = -1, .settings = choice,
                  .setting_count = GRADYN_COUNT(choice));
}

/* Whether the error is reported. */
static bool is_reported(const row *r, const route *way, const double exact[P], double rtol)
{
  double psi, g[P];
  run_local *ev = open_row(r, way, rtol);
  assert_run(gradyn_evaluator_gradient(ev, r->rho, &psi, g), ev);
  const int j = least_exact(ev);
  const double error = fabs(g[j] - exact[j]), reported = ev->exactness.error,
               allowed = rtol * reported / gradyn_evaluator_statistics(ev).gradient_error,
               least = way->smooth && r->law == RUBBING_SMOOTH ? 0 : allowed;
  const bool right = error <= fmax(chance * reported, least) &&
                     reported <= careful * fmax(error, allowed);
  if (!right)
    print_message(
        "%s, %s, law %d, functional %d, rtol %.0e: d psi/d %s is off by %.2e, reported %.2e\n",
        way->method, way->sensitivity, r->law, r->functional, rtol, ev->exactness.by, error,
        reported);
  return right;
}

/* The error estimate of radau compares two runs. In one run of twenty both may have the same error by
 * chance. */
THOROUGH_TEST(errors_are_reported_beside_kinks)
{
  int missed[GRADYN_COUNT(routes)] = {0};
  for (int i = 0; i < RUBBING_LAWS * RUBBING_FUNCTIONALS * PLACES; i++) {
    double exact[P];
    row r = {.law = (rubbing_law)(i % RUBBING_LAWS),
             .functional = (rubbing_functional)(i / RUBBING_LAWS % RUBBING_FUNCTIONALS)};
    place(i / (RUBBING_LAWS * RUBBING_FUNCTIONALS), r.rho);
    (void)rubbing_exact(r.law, r.functional, r.rho, exact);
    for (size_t w = 0; w < GRADYN_COUNT(routes); w++)
      for (int k = 0; k < TOLERANCES; k++)
        if (support_takes(i + k, 8))
          missed[w] += !is_reported(&r, &routes[w], exact, pow(10, -4 - k));
  }
  for (size_t w = 0; w < GRADYN_COUNT(routes); w++)
    if (missed[w] > routes[w].tolerated)
      fail_msg("%s, %s: %d errors are larger than reported", routes[w].method,
               routes[w].sensitivity, missed[w]);
}

/* The explicit method repeats a run with other tolerances only if it has met kinks. */
TEST(smooth_friction_is_distinguished_from_one_with_kinks)
{
  for (int i = 0; i < RUBBING_LAWS * 2 * TOLERANCES; i++) {
    const route *way = &routes[1 + i / RUBBING_LAWS % 2];
    row r = {.law = (rubbing_law)(i % RUBBING_LAWS), .functional = RUBBING_INTEGRAL};
    const double rtol = pow(10, -5 - i / (2 * RUBBING_LAWS));
    double psi, g[P];
    place(0, r.rho);
    run_local *ev = open_row(&r, way, rtol);
    assert_run(gradyn_evaluator_gradient(ev, r.rho, &psi, g), ev);
    if (ev->method->met(ev->run, GRADYN_MET_KINKS, rtol) != (r.law != RUBBING_SMOOTH))
      fail_msg("%s, law %d, rtol %.0e", way->sensitivity, r.law, rtol);
  }
}
