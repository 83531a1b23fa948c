/* Nonholonomic constraints in all methods and analyses: each gives the right result or refuses the
 * constraint by name. Also declarations that are not valid nonholonomic constraints. */
#include "tests/adjoint/friction/rolling_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { F = SKATE_FUNCTIONALS, P = SKATE_PARAMETERS };

/* The skate's functionals and their derivatives [F][P] in closed form. */
typedef struct known {
  double rho[P], psi[F], slope[F * P];
} known;

/* Runs an analysis and compares it with the skate's closed form: stores the largest difference, or returns
 * a status. */
typedef gradyn_status (*analysis)(gradyn_evaluator *ev, const known *is, double *off);

static double worst(const double *actual, const double *expected, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(actual[i] - expected[i]) / (1 + fabs(expected[i])));
  return most;
}

static gradyn_status simulates(gradyn_evaluator *ev, const known *is, double *off)
{
  double psi[F];
  const gradyn_status status = gradyn_evaluator_simulate(ev, is->rho, psi, NULL);
  *off = worst(psi, is->psi, F);
  return status;
}

static gradyn_status differentiates(gradyn_evaluator *ev, const known *is, double *off)
{
  double psi[F], gradient[F * P];
  const gradyn_status status = gradyn_evaluator_gradient(ev, is->rho, psi, gradient);
  *off = worst(gradient, is->slope, F * P);
  return status;
}

/* Covariance for parameters with their own covariance matrix C. */
static gradyn_status scatters(gradyn_evaluator *ev, const known *is, double *off)
{
  static const char *const name[] = {"heading", "ahead"};
  const double C[4] = {0.04, -0.012, -0.012, 0.09};
  LOCAL(gradyn_covariance) found;
  const gradyn_status status = gradyn_covariance_compute(
      ev, is->rho, &(gradyn_covariance_spec){name, 2, C, 1}, NULL, NULL, &found);
  const double a = is->slope[SKATE_END_X * P + SKATE_HEADING],
               b = is->slope[SKATE_END_X * P + SKATE_AHEAD];
  if (status == GRADYN_OK)
    *off = fabs(found.deviation[SKATE_END_X] -
                sqrt(a * a * C[0] + 2 * a * b * C[1] + b * b * C[3]));
  return status;
}

/* The first state whose name ends with this text. */
static size_t find(const gradyn_regulator *r, const char *name)
{
  size_t i = 0;
  while (i < r->states && strcmp(r->state[i], name) != 0)
    i++;
  return i;
}

/* Without effective inputs, P(0) is the Hessian of the final x^2 with respect to initial deviations. Five
 * states: three positions and two rates; to first order, the change of e1.y is the rotation. */
static gradyn_status regulates(gradyn_evaluator *ev, const known *is, double *off)
{
  static const char *const both[2][5] = {{"sled.x", "sled.y", "sled.e1.y", "sled.vx", "sled.e1.vy"},
                                         {"sled.x", "sled.y", "sled.angle", "sled.vx",
                                          "sled.angle.rate"}},
                           *const x[] = {"sled.x"}, *const u[] = {"push"};
  const bool joint = strstr(gradyn_coordinate_at(ev, 0).name, "angle");
  const char *const *names = both[joint];
  const double one[] = {1}, none[] = {1e-12}, dear[] = {1e12};
  const double *g = is->slope + SKATE_END_X * P, h = is->rho[SKATE_HEADING];
  /* v_x = u cos(heading + turned): ahead by v_x and, at that v_x, by the turn */
  const double by[] = {g[SKATE_X], g[SKATE_Y],
                       g[SKATE_HEADING] + is->rho[SKATE_AHEAD] * tan(h) * g[SKATE_AHEAD],
                       g[SKATE_AHEAD] / cos(h), g[SKATE_TURNING]};
  const gradyn_regulator_spec spec = {.state = {x, 1, none},
                                      .final = {x, 1, one},
                                      .input = {u, 1, dear},
                                      .preferred_coordinates = names,
                                      .preferred_count = 3,
                                      .samples = 2};
  LOCAL(gradyn_regulator) r;
  const gradyn_status status = gradyn_regulator_compute(ev, is->rho, &spec, &r);
  *off = 0;
  for (size_t i = 0; i < 5 && status == GRADYN_OK; i++)
    for (size_t j = 0; j < 5; j++) {
      const size_t a = find(&r, names[i]), b = find(&r, names[j]);
      const double cost = a < r.states && b < r.states ? r.cost[a * r.states + b] : NAN;
      *off = fmax(*off, isfinite(cost) ? fabs(cost - by[i] * by[j]) : HUGE_VAL);
    }
  return status;
}

static gradyn_status transits(gradyn_evaluator *ev, const known *is, double *off)
{
  LOCAL(gradyn_transition) found;
  (void)off;
  return gradyn_transition_compute(ev, is->rho, NULL, 0, &found);
}

static gradyn_status balances(gradyn_evaluator *ev, const known *is, double *off)
{
  gradyn_stability stability;
  (void)off;
  return gradyn_equilibrium_compute(ev, is->rho, &stability, NULL, NULL);
}

static gradyn_status linearises(gradyn_evaluator *ev, const known *is, double *off)
{
  LOCAL(gradyn_linearisation) found;
  const gradyn_status status = gradyn_evaluator_linearise(ev, is->rho, false, &found);
  *off = found.dof == 3 && found.rates == 2 && found.motion == GRADYN_TRANSIENT ? 0 : HUGE_VAL;
  return status;
}

static gradyn_status counts(gradyn_evaluator *ev, const known *is, double *off)
{
  gradyn_dof freedom;
  int dependent[16];
  const gradyn_status status = gradyn_dof_compute(ev, is->rho, &freedom, dependent);
  *off = freedom.degrees == 3 && freedom.rates == 2 && freedom.at_start == 3 &&
                 freedom.redundant_constraints == 0
             ? 0
             : HUGE_VAL;
  return status;
}

/* Each analysis with its method: it is refused, or has the accuracy of adaptive or of fixed steps. */
static const struct {
  const char *name, *sensitivity;
  analysis run;
  bool refused;
} analyses[] = {
    {"values", "adjoint", simulates, false},        {"direct", "direct", differentiates, false},
    {"adjoint", "adjoint", differentiates, false},  {"covariance", "direct", scatters, false},
    {"regulator", "adjoint", regulates, false},     {"freedom", "adjoint", counts, false},
    {"transition", "adjoint", transits, true},      {"equilibrium", "adjoint", balances, true},
    {"linearisation", "adjoint", linearises, false}};

static const struct {
  const char *name;
  double rtol, step, bound; /* 0: it refuses */
} methods[] = {{"explicit", 1e-11, 0, 1e-7}, {"auto", 1e-11, 0, 1e-7}, {"radau", 1e-10, 0, 1e-6},
               {"idas", 1e-10, 0, 1e-5},     {"ali3p", 0, 2e-3, 1e-4}, {"variational", 0, 2e-3, 0},
               {"kinematic", 0, 2e-3, 0}};

static known skate_known(void)
{
  known is;
  run_local *ev = run_with(&skate_free, .method = "explicit");
  run_initial(ev, is.rho);
  support_complex_step(skate_free_formula, is.rho, P, F, is.psi, is.slope);
  return is;
}

static void analyse(const gradyn_problem *problem)
{
  const known is = skate_known();
  for (size_t m = 0; m < GRADYN_COUNT(methods); m++)
    for (size_t k = 0; k < GRADYN_COUNT(analyses); k++) {
      double off = 0;
      if (!support_takes((int)(m + k) + (problem->coordinates != NULL), 5))
        continue;
      if (methods[m].bound == 0) {
        assert_no_run(GRADYN_UNSUPPORTED, "", problem, analyses[k].sensitivity, methods[m].name,
                      .step = methods[m].step);
        continue;
      }
      run_local *ev = run_with(problem, analyses[k].sensitivity, methods[m].name,
                               .rtol = methods[m].rtol, .step = methods[m].step);
      const gradyn_status status = analyses[k].run(ev, &is, &off);
      if (analyses[k].refused)
        assert_refused(status, ev, GRADYN_UNSUPPORTED, "edge is a velocity-level constraint");
      else
        assert_run(status, ev);
      if (!(off <= methods[m].bound))
        fail_msg("%s by %s is off by %g", analyses[k].name, methods[m].name, off);
    }
}

TEST(analyses_are_right_or_refuse)
{
  analyse(&skate_free);
}

TEST(analyses_in_joint_coordinates_are_right_or_refuse)
{
  gradyn_problem joint = skate_free;
  joint.coordinates = "joint";
  analyse(&joint);
}

TEST(methods_without_such_constraints_refuse_them)
{
  assert_no_run(GRADYN_UNSUPPORTED, "constraint edge: at velocity level", &skate_free,
                "continuous-adjoint", "ali3p", .step = 2e-3);
}

/* --- what is no such row -------------------------------------------------------------------------- */

typedef enum wrong { GROUND_POINT, NO_AXIS, CAPTURED, WITHOUT_MASS, TOO_MANY, WRONGS } wrong;

static const struct {
  gradyn_status status;
  const char *says;
} told[] = {[GROUND_POINT] = {GRADYN_INVALID, "edge: post does not move"},
            [NO_AXIS] = {GRADYN_INVALID, "blade has no axis"},
            [CAPTURED] = {GRADYN_INVALID, "edge is a velocity-level constraint; only"},
            [WITHOUT_MASS] = {GRADYN_SINGULAR, "singular near free"},
            [TOO_MANY] = {GRADYN_NOT_ASSEMBLED, "no velocity satisfies the constraints"}};

static wrong what;

static gradyn_status build_wrong(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  const int post = gradyn_ground_point(m, "post", 1, 0), free = gradyn_point(m, "free", 0, 1);
  const int body = declare_body(m, "sled", 1, 1, 0, 0);
  const int frame = declare_frame(m, "blade", body, NULL, VECTOR(what != NO_AXIS, 0));
  const int at = what == GROUND_POINT   ? post
                 : what == WITHOUT_MASS ? free
                                        : gradyn_frame_point(m, frame);
  if (what != WITHOUT_MASS)
    gradyn_point_mass(m, "free", free, 1);
  const int edge = gradyn_knife_edge(m, "edge", frame, GRADYN_Y, at, NULL);
  if (what == CAPTURED)
    gradyn_latch_constraint(m, edge);
  for (int k = 0; k < 3 && what == TOO_MANY; k++) /* three rates, and four rows that contradict */
    gradyn_knife_edge(m, "more", frame, k == 1 ? GRADYN_Y : GRADYN_X, at,
                      &(gradyn_time_function){.value = k});
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                        .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(bad_rows_are_named)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "wrong",
                                         .build = build_wrong, .t_end = 0.1};
  for (what = 0; what < WRONGS; what++) {
    run_local *ev;
    double psi;
    gradyn_status status = run_try(&ev, &problem, .method = "explicit");
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, NULL, &psi, NULL);
    assert_status(status, told[what].status, gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), told[what].says);
  }
}
